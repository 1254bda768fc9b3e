// SPDX-License-Identifier: MIT
// DeformedField of a body whose distances in many states are known.
#include <algorithm>
#include <cmath>

#include "pliant/contact/deformed_field.hpp"

namespace pliant {
namespace {

using Pack = DeformedField::Pack;
using Points = DeformedField::Points;
using simd::larger, simd::lanes_below, simd::ratio, simd::root;

void add(const Pack& weight, const Points& x, Points& sum) noexcept {
  sum.x += weight * x.x;
  sum.y += weight * x.y;
  sum.z += weight * x.z;
}

}  // namespace

DeformedField::DeformedField(const DistanceField& rest, const Proxies& proxies,
                             const StateField& states, bool corrects, float margin)
    : DeformedField(rest, proxies, corrects ? margin : 0.0F) {
  states_ = &states;
  corrects_ = corrects;
  pull_back_[1] = pull_back_[0];
  mark_.setZero(proxies.size());
  work_.setZero(states.states());
}

void DeformedField::follow_state(const VectorXf& c) noexcept {
  if (!c.allFinite()) return;
  const StateField::Choice last = chosen_, next = states_->nearest(c, mark_, work_);
  chosen_ = next;
  // A state that is corrected is good for a body that is not far from it: only about the middle of the
  // way between two both are needed.
  constexpr float begin = 0.4F, end = 0.6F;
  const float share =
      corrects_ ? std::clamp((next.part - begin) / (end - begin), 0.0F, 1.0F) : next.part;
  ends_ = {End{share < 1 ? next.from : next.to, share < 1 ? 1 - share : 1}, End{next.to, share}};
  end_count_ = share > 0 && share < 1 ? 2 : 1;
  float farthest = 0;
  for (Index s = 0; !corrects_ && s < proxies_->count(); ++s) {
    using Numbers = Eigen::Matrix<float, Proxies::numbers, 1>;
    const auto place = [&](const StateField::Choice& of) -> Numbers {
      const Eigen::Map<const Numbers> a(states_->reference(of.from) + Proxies::numbers * s),
          b(states_->reference(of.to) + Proxies::numbers * s);
      return a + of.part * (b - a);
    };
    const Numbers moved = place(next) - place(last);
    farthest = std::max(farthest, moved.head<3>().norm() + spacing_ * moved.tail<9>().norm());
  }
  // Another path may see the corrected body a little elsewhere.
  if (corrects_ && next.path != last.path) farthest = static_cast<float>(states_->cell());
  travel_ += static_cast<double>(farthest);
}

DeformedField::Points DeformedField::blended(const Neighbours& near, const Points& x,
                                             int end) const noexcept {
  Points sum{};
  for (int k = 0; k < Proxies::nearest; ++k) {
    add(near.weight[k], pull(x, near.proxy[k], end).X, sum);
  }
  return sum;
}

void DeformedField::pull_places(const Points& x, Points* X) const noexcept {
  Candidates among;
  find_candidates(x, among);
  const Pack farthest = fifth_of(x, among);
  const Pack base = 1.0F / root(farthest), least = root(farthest) * 1e-6F;
  Points sum[2] = {};
  Pack weights{};
  for (int i = 0; i < among.count; ++i) {
    const int s = among.proxy[static_cast<std::size_t>(i)];
    const Pack squared = squared_distance(x, s);
    if (lanes_below(squared, farthest) == 0) continue;
    const Pack weight = larger(1.0F / larger(root(squared), least) - base, Pack{});
    weights += weight;
    for (int end = 0; end < end_count_; ++end) add(weight, pull(x, s, end).X, sum[end]);
  }
  // Where all are equally far, or x is not a number.
  if (lanes_below(1e-5F * base, weights) != 0xFFU) {
    const Neighbours near = find(x, among);
    for (int end = 0; end < end_count_; ++end) X[end] = blended(near, x, end);
    return;
  }
  const Pack scale = 1.0F / weights;
  for (int end = 0; end < end_count_; ++end) {
    X[end] = {sum[end].x * scale, sum[end].y * scale, sum[end].z * scale};
  }
}

DeformedField::Pack DeformedField::state_values(const Points& x) const noexcept {
  Points X[2] = {x, x};
  if (corrects_) pull_places(x, X);
  Pack sum{};
  for (int i = 0; i < end_count_; ++i) {
    const End& end = ends_[static_cast<std::size_t>(i)];
    sum += end.weight * states_->values(states_->slice(end.state), X[i]);
  }
  return sum;
}

DeformedField::Samples DeformedField::state_samples(const Points& x) const noexcept {
  Candidates among;
  Neighbours near;
  if (corrects_) {
    find_candidates(x, among);
    near = find(x, among);
  }
  Samples sum{};
  for (int i = 0; i < end_count_; ++i) {
    const End& end = ends_[static_cast<std::size_t>(i)];
    const Samples own =
        corrects_ ? corrected_samples(near, x, i) : states_->samples(states_->slice(end.state), x);
    const Pack weight = simd::all(end.weight);
    sum.distance += weight * own.distance;
    add(weight, own.gradient, sum.gradient);
  }
  return sum;
}

// With X = sum_i w_i X_i and g the gradient of the state there,
//   grad d = sum_i w_i A_i^T g + sum_i grad w_i (X_i . g)        A_i = F_i' F_i^-1
// and grad w_i as in samples(): sum_i grad w_i (X_i . g) = sum_i grad u_i (X_i - X) . g / W.
DeformedField::Samples DeformedField::corrected_samples(const Neighbours& near, const Points& x,
                                                        int end) const noexcept {
  const Points X = blended(near, x, end);
  const Samples state =
      states_->samples(states_->slice(ends_[static_cast<std::size_t>(end)].state), X);
  const Points& g = state.gradient;
  Points slope[Proxies::nearest];  // grad 1/l_i
  Pack off[Proxies::nearest];      // (X_i - X) . g / W
  Samples sum{state.distance, {}};
  for (int k = 0; k < Proxies::nearest; ++k) {
    const Pulled at = pull(x, near.proxy[k], end);
    const auto& A = at.inverse;
    add(near.weight[k],
        {A[0] * g.x + A[3] * g.y + A[6] * g.z, A[1] * g.x + A[4] * g.y + A[7] * g.z,
         A[2] * g.x + A[5] * g.y + A[8] * g.z},
        sum.gradient);
    const Pack cubed = near.distance[k] * near.distance[k] * near.distance[k];
    slope[k] = {ratio(at.proxy.x - x.x, cubed), ratio(at.proxy.y - x.y, cubed),
                ratio(at.proxy.z - x.z, cubed)};
    off[k] = ratio((at.X.x - X.x) * g.x + (at.X.y - X.y) * g.y + (at.X.z - X.z) * g.z, near.total);
  }
  const Points last = slope[Proxies::nearest - 1];
  for (int k = 0; k < Proxies::nearest; ++k) {
    add(off[k], {slope[k].x - last.x, slope[k].y - last.y, slope[k].z - last.z}, sum.gradient);
  }
  return sum;
}

}  // namespace pliant
