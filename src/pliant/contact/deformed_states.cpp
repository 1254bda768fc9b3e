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
  slice_.resize(static_cast<std::size_t>(states.slice_size()));
  reference_.resize(static_cast<std::size_t>(states.reference_size()));
  next_reference_ = reference_;
  mark_.setZero(proxies.size());
  work_.setZero(states.states());
  states.slice(chosen_, slice_.data());
  states.reference(chosen_, reference_.data());
}

void DeformedField::follow_state(const VectorXf& c) noexcept {
  if (!c.allFinite()) return;
  const StateField::Choice next = states_->nearest(c, mark_, work_);
  const StateField::Choice last = chosen_;
  chosen_ = next;
  if (next.from == last.from && next.to == last.to && next.part == last.part) return;
  states_->slice(next, slice_.data());
  states_->reference(next, next_reference_.data());
  float farthest = 0;
  for (Index s = 0; !corrects_ && s < proxies_->count(); ++s) {
    using Numbers = Eigen::Map<const Eigen::Matrix<float, 12, 1>>;
    const Eigen::Matrix<float, 12, 1> moved =
        Numbers(next_reference_.data() + 12 * s) - Numbers(reference_.data() + 12 * s);
    farthest = std::max(farthest, moved.head<3>().norm() + spacing_ * moved.tail<9>().norm());
  }
  // Another path may see the corrected body a little elsewhere.
  if (corrects_ && next.path != last.path) farthest = static_cast<float>(states_->cell());
  travel_ += static_cast<double>(farthest);
  reference_.swap(next_reference_);
}

DeformedField::Points DeformedField::blended(const Neighbours& near,
                                             const Points& x) const noexcept {
  Points sum{};
  for (int k = 0; k < Proxies::nearest; ++k) {
    add(near.weight[k], pull(x, near.proxy[k]).X, sum);
  }
  return sum;
}

DeformedField::Points DeformedField::pulled_place(const Points& x) const noexcept {
  Candidates among;
  find_candidates(x, among);
  const Pack farthest = fifth_of(x, among);
  const Pack base = 1.0F / root(farthest), least = root(farthest) * 1e-6F;
  Points sum{};
  Pack weights{};
  for (int i = 0; i < among.count; ++i) {
    const int s = among.proxy[static_cast<std::size_t>(i)];
    const Pack squared = squared_distance(x, s);
    if (lanes_below(squared, farthest) == 0) continue;
    const Pack weight = larger(1.0F / larger(root(squared), least) - base, Pack{});
    weights += weight;
    add(weight, pull(x, s).X, sum);
  }
  // Where all are equally far, or x is not a number.
  if (lanes_below(1e-5F * base, weights) != 0xFFU) return blended(find(x, among), x);
  const Pack scale = 1.0F / weights;
  return {sum.x * scale, sum.y * scale, sum.z * scale};
}

DeformedField::Pack DeformedField::state_values(const Points& x) const noexcept {
  return states_->values(slice_.data(), corrects_ ? pulled_place(x) : x);
}

// With X = sum_i w_i X_i and g the gradient of the state there,
//   grad d = sum_i w_i A_i^T g + sum_i grad w_i (X_i . g)        A_i = F_i' F_i^-1
// and grad w_i as in samples(): sum_i grad w_i (X_i . g) = sum_i grad u_i (X_i - X) . g / W.
DeformedField::Samples DeformedField::state_samples(const Points& x) const noexcept {
  if (!corrects_) return states_->samples(slice_.data(), x);
  Candidates among;
  find_candidates(x, among);
  const Neighbours near = find(x, among);
  const Points X = blended(near, x);
  const Samples state = states_->samples(slice_.data(), X);
  const Points& g = state.gradient;
  Points slope[Proxies::nearest];  // grad 1/l_i
  Pack off[Proxies::nearest];      // (X_i - X) . g / W
  Samples sum{state.distance, {}};
  for (int k = 0; k < Proxies::nearest; ++k) {
    const Pulled at = pull(x, near.proxy[k]);
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
