// SPDX-License-Identifier: MIT
#include "pliant/contact/deformed_field.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

using Pack = DeformedField::Pack;
using simd::larger, simd::lanes_below, simd::ratio, simd::root, simd::smaller;
constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr int nearest = Proxies::nearest;
constexpr int numbers = 16;  // of a proxy in pull_back_

// F^-T g
simd::Pack3 pushed(const Pack (&inverse)[9], const simd::Pack3& g) noexcept {
  return {inverse[0] * g.x + inverse[3] * g.y + inverse[6] * g.z,
          inverse[1] * g.x + inverse[4] * g.y + inverse[7] * g.z,
          inverse[2] * g.x + inverse[5] * g.y + inverse[8] * g.z};
}

void set_place(std::vector<float>& places, int s, const Eigen::Vector3f& p) noexcept {
  for (int i = 0; i < 3; ++i) places[static_cast<std::size_t>(s / 8 * 24 + 8 * i + s % 8)] = p[i];
}

float largest_of(const Pack& x) noexcept {
  float most = x[0];
  for (int k = 1; k < 8; ++k) most = x[k] > most ? x[k] : most;
  return most;
}

Pack length(const simd::Pack3& a) noexcept {
  return root(a.x * a.x + a.y * a.y + a.z * a.z);
}

}  // namespace

Proxies::Proxies(LinearShape points, Eigen::MatrixXf gradients) : points_(std::move(points)) {
  if (points_.point_count() < nearest || points_.point_count() > most) {
    throw Error({"", 0, "proxies"}, "bad number of points", std::to_string(points_.point_count()),
                std::to_string(nearest) + " to " + std::to_string(most));
  }
  if (gradients.rows() != 9 || gradients.cols() != points_.point_count() * points_.size() ||
      !gradients.allFinite()) {
    throw Error({"", 0, "proxies"}, "their gradients are not sound",
                std::to_string(gradients.cols()), "9 finite numbers a point and coefficient");
  }
  rest_.resize(numbers * count());
  motions_.resize(rest_.size(), size());
  for (int s = 0; s < count(); ++s) {
    rest_.segment<numbers>(numbers * s) << points_.rest_position(s), 1, 0, 0, 0, 1, 0, 0, 0, 1;
    for (int i = 0; i < 3; ++i) {
      VectorXd row = VectorXd::Zero(size());
      points_.add_force(s, Eigen::Vector3f::Unit(i), row);
      motions_.row(numbers * s + i) = row.cast<float>().transpose();
    }
    motions_.middleRows<9>(numbers * s + 3) = gradients.middleCols(s * size(), size());
  }
}

void Proxies::evaluate(const VectorXf& c, VectorXf& out) const noexcept {
  PLIANT_ASSERT(c.size() <= size(), "coefficients of the proxies");
  out = rest_;
  out.noalias() += motions_.leftCols(c.size()) * c;
}

DeformedField::DeformedField(const DistanceField& rest, const Proxies& proxies, float margin,
                             bool push_forward)
    : rest_(&rest), proxies_(&proxies), margin_(margin), push_forward_(push_forward) {
  pull_back_[0].assign(static_cast<std::size_t>(numbers * proxies.count()), 0.0F);
  places_.assign(static_cast<std::size_t>(24 * ((proxies.count() + 7) / 8)), infinite);
  all_.count = proxies.count();
  for (int s = 0; s < proxies.count(); ++s) {
    float* const out = pull_back_[0].data() + numbers * s;
    out[0] = out[4] = out[8] = 1.0F;
    const Eigen::Vector3f P = proxies.points().rest_position(s);
    Eigen::Map<Eigen::Vector3f>(out + 9) = Eigen::Map<Eigen::Vector3f>(out + 12) = P;
    set_place(places_, s, P);
    all_.proxy[static_cast<std::size_t>(s)] = static_cast<std::int16_t>(s);
    float least = infinite;
    for (int o = 0; o < proxies.count(); ++o) {
      if (o != s) least = std::min(least, (proxies.points().rest_position(o) - P).norm());
    }
    spacing_ = std::max(spacing_, least);
  }
  proxies.evaluate(VectorXf(0), last_);
  now_ = last_;
}

void DeformedField::update(const VectorXf& c) noexcept {
  if (states_ != nullptr) follow_state(c);
  using Rows = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
  proxies_->evaluate(c, now_);
  float largest = 1.0F, farthest = 0.0F;
  for (int s = 0; s < proxies_->count(); ++s) {
    auto own = now_.segment<Proxies::numbers>(Proxies::numbers * s);
    auto last = last_.segment<Proxies::numbers>(Proxies::numbers * s);
    if (!own.allFinite() ||
        !(std::abs(Eigen::Map<const Rows>(own.data() + 3).determinant()) > 1e-3F)) {
      if (!corrects_) continue;
      own = last;  // the state may be another one
    }
    farthest = std::max(farthest,
                        (own - last).head<3>().norm() + spacing_ * (own - last).tail<9>().norm());
    last = own;
    const Eigen::Vector3f p = own.head<3>();
    set_place(places_, s, p);
    const Rows inverse = Eigen::Map<const Rows>(own.data() + 3).inverse();
    for (int end = 0; end < end_count_; ++end) {
      float* const out = pull_back_[static_cast<std::size_t>(end)].data() + numbers * s;
      Eigen::Map<Rows> back(out);
      back = inverse;
      if (corrects_) {
        const float* const state =
            states_->reference(ends_[static_cast<std::size_t>(end)].state) + Proxies::numbers * s;
        Eigen::Map<Eigen::Vector3f>(out + 9) = Eigen::Map<const Eigen::Vector3f>(state);
        back.noalias() = Eigen::Map<const Rows>(state + 3) * inverse;
      }
      Eigen::Map<Eigen::Vector3f>(out + 12) = p;
      // The spectral norm is at most the root of the product of the largest sums of rows and columns.
      const auto sizes = back.cwiseAbs();
      largest = std::max(
          largest, std::sqrt(sizes.rowwise().sum().maxCoeff() * sizes.colwise().sum().maxCoeff()));
    }
  }
  // A state that is not corrected moves by itself.
  if (states_ != nullptr && !corrects_) return;
  stretch_ = largest;
  travel_ += static_cast<double>(farthest);
}

// With m the middle of the points x, r the largest |x - m|, and D a distance within which m has five
// proxies: they are within D + r of every x, so that none farther than D + 2 r from m is among the
// nearest of any x. For D the proxies are dealt out to eight lanes, and of the nearest of each lane
// the fifth is taken.
void DeformedField::find_candidates(const Points& x, Candidates& out) const noexcept {
  const Eigen::Vector3f m(simd::sum(x.x) / 8, simd::sum(x.y) / 8, simd::sum(x.z) / 8);
  const Pack a = x.x - m[0], b = x.y - m[1], c = x.z - m[2];
  const float r = std::sqrt(largest_of(a * a + b * b + c * c));
  const auto packs = places_.size() / 24;
  std::array<Pack, Proxies::most / 8> squared;
  Pack least = simd::all(infinite);
  for (std::size_t k = 0; k < packs; ++k) {
    const float* const p = places_.data() + 24 * k;
    const Pack u = simd::load(p) - m[0], v = simd::load(p + 8) - m[1],
               w = simd::load(p + 16) - m[2];
    squared[k] = u * u + v * v + w * w;
    least = smaller(squared[k], least);
  }
  float fifth =
      infinite;  // stays so if there are fewer lanes with a proxy, or what is not a number
  for (int k = 0; k < 8; ++k) {
    const int nearer = std::popcount(lanes_below(least, simd::all(least[k])));
    if (nearer == nearest - 1) fifth = least[k];
  }
  const float reach = (std::sqrt(fifth) + 2 * r) * 1.00001F;
  const Pack bound = simd::all(reach * reach);
  out.count = 0;
  for (std::size_t k = 0; k < packs; ++k) {
    // What is not a number stays a candidate.
    unsigned left = ~lanes_below(bound, squared[k]) & 0xFFU;
    for (; left != 0; left &= left - 1) {
      const int s = static_cast<int>(8 * k) + std::countr_zero(left);
      if (s >= proxies_->count()) break;
      out.proxy[static_cast<std::size_t>(out.count++)] = static_cast<std::int16_t>(s);
    }
  }
}

DeformedField::Pack DeformedField::squared_distance(const Points& x, int proxy) const noexcept {
  const float* const p = pull_back_[0].data() + numbers * proxy + 12;
  const Pack a = x.x - p[0], b = x.y - p[1], c = x.z - p[2];
  return a * a + b * b + c * c;
}

template <class Of>
DeformedField::Neighbours DeformedField::find_of(const Points& x, const Candidates& among,
                                                 const Of& of) const noexcept {
  Neighbours found;
  for (int k = 0; k < nearest; ++k) {
    found.distance[k] = simd::all(infinite);
    found.proxy[k] = Pack{};
  }
  for (int i = 0; i < among.count; ++i) {
    const int s = among.proxy[static_cast<std::size_t>(i)];
    Pack d = of(s, squared_distance(x, s)), which = simd::all(static_cast<float>(s));
    for (int k = 0; k < nearest; ++k) {
      const auto closer = d < found.distance[k];
      const Pack next = closer ? found.distance[k] : d;
      const Pack other = closer ? found.proxy[k] : which;
      found.distance[k] = closer ? d : found.distance[k];
      found.proxy[k] = closer ? which : found.proxy[k];
      d = next;
      which = other;
    }
  }
  for (Pack& d : found.distance) d = root(d);
  const Pack farthest = found.distance[nearest - 1];
  const Pack least = farthest * 1e-6F;
  const Pack base = 1.0F / farthest;
  Pack sum{};
  for (int k = 0; k < nearest; ++k) {
    const Pack d = found.distance[k] > least ? found.distance[k] : least;
    found.weight[k] = 1.0F / d - base;
    sum += found.weight[k];
  }
  const auto alike = !(sum > 1e-5F * base);
  found.total = alike ? Pack{} : sum;
  const Pack scale = 1.0F / (alike ? simd::all(1.0F) : sum);
  for (Pack& w : found.weight) w = alike ? simd::all(1.0F / nearest) : w * scale;
  return found;
}

DeformedField::Neighbours DeformedField::find(const Points& x,
                                              const Candidates& among) const noexcept {
  return find_of(x, among, [](int, const Pack& d) { return d; });
}

DeformedField::Pulled DeformedField::pull(const Points& x, const Pack& proxy,
                                          int end) const noexcept {
  const float* const all = pull_back_[static_cast<std::size_t>(end)].data();
  Pack a[8], b[8];
  for (int lane = 0; lane < 8; ++lane) {
    const auto s = static_cast<Index>(proxy[lane]);
    a[lane] = simd::load(all + numbers * s);
    b[lane] = simd::load(all + numbers * s + 8);
  }
  simd::transpose(a);
  simd::transpose(b);
  const Pack u = x.x - b[4], v = x.y - b[5], w = x.z - b[6];
  return {{a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], b[0]},
          {b[4], b[5], b[6]},
          {b[1] + a[0] * u + a[1] * v + a[2] * w, b[2] + a[3] * u + a[4] * v + a[5] * w,
           b[3] + a[6] * u + a[7] * v + b[0] * w}};
}

DeformedField::Pulled DeformedField::pull(const Points& x, int proxy, int end) const noexcept {
  const float* const a = pull_back_[static_cast<std::size_t>(end)].data() + numbers * proxy;
  const Pack u = x.x - a[12], v = x.y - a[13], w = x.z - a[14];
  Pulled at;
  for (int k = 0; k < 9; ++k) at.inverse[k] = simd::all(a[k]);
  at.proxy = {simd::all(a[12]), simd::all(a[13]), simd::all(a[14])};
  at.X = {a[9] + a[0] * u + a[1] * v + a[2] * w, a[10] + a[3] * u + a[4] * v + a[5] * w,
          a[11] + a[6] * u + a[7] * v + a[8] * w};
  return at;
}

DeformedField::Pack DeformedField::pulled_value(const Pulled& at) const noexcept {
  if (!push_forward_) return rest_->values(at.X);
  const Samples s = rest_->samples(at.X);
  return s.distance * ratio(length(s.gradient), length(pushed(at.inverse, s.gradient)));
}

DeformedField::Pack DeformedField::fifth_of(const Points& x,
                                            const Candidates& among) const noexcept {
  Pack order[nearest];
  for (Pack& d : order) d = simd::all(infinite);
  for (int i = 0; i < among.count; ++i) {
    Pack d = squared_distance(x, among.proxy[static_cast<std::size_t>(i)]);
    for (Pack& least : order) {
      const Pack next = larger(least, d);
      least = smaller(least, d);
      d = next;
    }
  }
  return order[nearest - 1];
}

// By (3.16) a proxy weighs nothing from the fifth on: l_max is all that has to be known of the order,
// and of eight points that are near one another the same few proxies serve all.
DeformedField::Pack DeformedField::values(const Points& x) const noexcept {
  if (states_ != nullptr) return state_values(x);
  Candidates among;
  find_candidates(x, among);
  const Pack farthest = fifth_of(x, among);
  const Pack base = 1.0F / root(farthest), least = root(farthest) * 1e-6F;
  constexpr int most_served = 8;  // of more, each point looks its own up
  Pack sum{}, weights{};
  int served = 0;
  for (int i = 0; i < among.count; ++i) {
    const int s = among.proxy[static_cast<std::size_t>(i)];
    const Pack squared = squared_distance(x, s);
    if (lanes_below(squared, farthest) == 0) continue;
    if (++served > most_served) return value_of(find(x, among), x);
    const Pack weight = larger(1.0F / larger(root(squared), least) - base, Pack{});
    weights += weight;
    sum += weight * pulled_value(pull(x, s));
  }
  // Where all are equally far, or x is not a number.
  if (lanes_below(1e-5F * base, weights) != 0xFFU) return value_of(find(x, among), x);
  return sum / weights;
}

DeformedField::Pack DeformedField::values(const Points& x, const std::uint8_t* part,
                                          float reach) const noexcept {
  const Neighbours near = find_of(x, all_, [part](int s, Pack d) {
    for (int lane = 0; lane < 8; ++lane) {
      if ((part[s] >> lane & 1) == 0) d[lane] = infinite;
    }
    return d;
  });
  const Pack outside = near.distance[0] - reach;
  bool all_outside = true;
  for (int lane = 0; lane < 8; ++lane) all_outside = all_outside && outside[lane] > 0;
  if (all_outside) return outside;
  // Which proxy the place comes from, as the nearest of the part pulls it back: what is no part of
  // the part is not met there, as it is not where it was at rest.
  const Points X = pull(x, near.proxy[0]).X;
  Pack least = simd::all(infinite), home{};
  for (int s = 0; s < proxies_->count(); ++s) {
    const float* const P = pull_back_[0].data() + numbers * s + 9;
    const Pack a = X.x - P[0], b = X.y - P[1], c = X.z - P[2];
    const Pack d = a * a + b * b + c * c;
    home = d < least ? simd::all(static_cast<float>(s)) : home;
    least = d < least ? d : least;
  }
  Pack value = value_of(near, x);
  for (int lane = 0; lane < 8; ++lane) {
    const bool counts = (part[static_cast<Index>(home[lane])] >> lane & 1) != 0;
    // Nothing is known of how far it is to the part, but that it is not met.
    if (!counts) value[lane] = std::max(1e-3F * reach, outside[lane]);
  }
  return outside > 0.0F ? outside : value;
}

DeformedField::Pack DeformedField::value_of(const Neighbours& near,
                                            const Points& x) const noexcept {
  Pack sum{};
  for (int k = 0; k < nearest; ++k) {
    sum += near.weight[k] * pulled_value(pull(x, near.proxy[k]));
  }
  return sum;
}

DeformedField::Samples DeformedField::samples(const Points& x) const noexcept {
  if (states_ != nullptr) return state_samples(x);
  Candidates among;
  find_candidates(x, among);
  const Neighbours near = find(x, among);
  // w_i = u_i / W with u_i = 1/l_i - 1/l_max:  grad w_i = (grad u_i - w_i sum grad u) / W
  Pack d[nearest];
  Points slope[nearest];  // grad 1/l_i
  Samples sum{};
  for (int k = 0; k < nearest; ++k) {
    const Pulled at = pull(x, near.proxy[k]);
    const Samples s = rest_->samples(at.X);
    const Points g = pushed(at.inverse, s.gradient);
    const Pack scale = push_forward_ ? ratio(length(s.gradient), length(g)) : simd::all(1.0F);
    d[k] = s.distance * scale;
    sum.distance += near.weight[k] * d[k];
    const Pack weight = near.weight[k] * scale;
    sum.gradient.x += weight * g.x;
    sum.gradient.y += weight * g.y;
    sum.gradient.z += weight * g.z;
    const Pack cubed = near.distance[k] * near.distance[k] * near.distance[k];
    slope[k] = {ratio(at.proxy.x - x.x, cubed), ratio(at.proxy.y - x.y, cubed),
                ratio(at.proxy.z - x.z, cubed)};
  }
  const Points& last = slope[nearest - 1];
  for (int k = 0; k < nearest; ++k) {
    // sum_i grad w_i d_i = sum_i grad u_i (d_i - d) / W, as the weights have the sum 1.
    const Pack off = ratio(d[k] - sum.distance, near.total);
    sum.gradient.x += off * (slope[k].x - last.x);
    sum.gradient.y += off * (slope[k].y - last.y);
    sum.gradient.z += off * (slope[k].z - last.z);
  }
  return sum;
}

DeformedField::Influence DeformedField::influence(const Eigen::Vector3f& x) const noexcept {
  const Points at{simd::all(x[0]), simd::all(x[1]), simd::all(x[2])};
  Candidates among;
  find_candidates(at, among);
  return influence_of(find(at, among), 0);
}

void DeformedField::influences(const Points& x, int count, Influence* out) const noexcept {
  Candidates among;
  find_candidates(x, among);
  const Neighbours near = find(x, among);
  for (int lane = 0; lane < count; ++lane) out[lane] = influence_of(near, lane);
}

DeformedField::Influence DeformedField::influence(const Eigen::Vector3f& x,
                                                  const std::uint8_t* part,
                                                  int lane) const noexcept {
  const Points at{simd::all(x[0]), simd::all(x[1]), simd::all(x[2])};
  const auto of = [&](int s, const Pack& d) -> Pack {
    return (part[s] >> lane & 1) != 0 ? d : simd::all(infinite);
  };
  return influence_of(find_of(at, all_, of), 0);
}

DeformedField::Influence DeformedField::influence_of(const Neighbours& near, int lane) noexcept {
  Influence all{};
  for (std::size_t k = 0; k < nearest; ++k) {
    all.proxy[k] = static_cast<int>(near.proxy[k][lane]);
    all.weight[k] = near.weight[k][lane];
  }
  return all;
}

void DeformedField::add_force(const Influence& all, const Eigen::Vector3f& f,
                              VectorXd& Q) const noexcept {
  for (std::size_t k = 0; k < nearest; ++k) {
    proxies_->points().add_force(all.proxy[k], all.weight[k] * f, Q);
  }
}

}  // namespace pliant
