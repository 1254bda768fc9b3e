// SPDX-License-Identifier: MIT
// Distance to a body that deforms, from its field at rest: [Barbic07] 3.12.
//
// A few proxies sample the body. About a proxy i the deformation is taken as affine,
//
//   X -> x = p_i + F_i (X - P_i)         p_i = P_i + U_i c,   F_i = I + sum_j G_ij c_j    (3.17), (3.7)
//
// so that a place x is pulled back to X_i = P_i + F_i^-1 (x - p_i), where the field at rest is looked
// up. Of the five proxies nearest to x,
//
//   d(x) = sum_i w_i D(X_i),   w_i = (1/l_i - 1/l_max) / sum,   l_i = |x - p_i|              (3.16)
//
// The farthest of them has no weight, so that d is continuous while neighbours change. Where all five
// are equally far (3.16) is 0/0: they share alike.
//
// What is exact: rotations of any angle, as all proxies pull back alike. Stretch is not seen: d is
// then a distance of the rest shape. With `push_forward` the closest point of the rest shape, and the
// plane of the surface there, with normal n, are brought forward by F_i,
//
//   d_i = D(X_i) / |F_i^-T n|
//
// which is exact for planes under any affine deformation, stretch included.
//
// Neither is a bound of the true distance; what a traversal may skip allows for the largest F_i^-1
// and a margin, and what it misses is measured, not proven.
//
// Of a body whose distances in many states are known (state_field.hpp) the state nearest to it takes
// the place of rest, and only what the state leaves out is pulled back: with p_i', F_i' of the state,
//
//   X_i = p_i' + F_i' F_i^-1 (x - p_i)        d(x) = d_state(sum_i w_i X_i)
//
// A lookup in states is dear: places are blended here, not values. About the middle of the way between
// two states of a path both are looked up, each with its own X_i, so that d does not jump. Without that
// correction d(x) = d_state(x), linear on the way between two states: that is far from a distance where
// they are farther apart than the body is thick.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pliant/contact/distance_field.hpp"
#include "pliant/contact/state_field.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {

// Shared by all bodies of one shape.
class Proxies {
 public:
  static constexpr int nearest = 5;
  static constexpr int most = 1000;  // lookups have room for so many

  // `points`: P and U; `gradients`: 9 by #P r, column r s + j: d(U_s,j)_i / dX_J at row 3 i + J.
  // Throws Error: fewer than five points or more than `most`, sizes that do not agree, a number that is not finite.
  Proxies(LinearShape points, Eigen::MatrixXf gradients);

  int count() const { return static_cast<int>(points_.point_count()); }
  Index size() const { return points_.size(); }  // r
  const LinearShape& points() const { return points_; }
  // Of each proxy: p_s (3), and F_s by rows (9). `out` has room for them.
  static constexpr Index numbers = 12;
  void evaluate(const VectorXf& c, VectorXf& out) const noexcept;

 private:
  LinearShape points_;
  VectorXf rest_;     // the numbers at rest
  MatrixXf motions_;  // by r: what a coefficient adds to them
};

class DeformedField {
 public:
  static constexpr float usual_margin = 0.25F;
  // Both outlive it. `margin`: by which share more is looked at than the bound of F^-1 says.
  DeformedField(const DistanceField& rest, const Proxies& proxies, float margin = usual_margin,
                bool push_forward = false);
  // By the states, which outlive it too. `corrects`: what they leave out is pulled back.
  DeformedField(const DistanceField& rest, const Proxies& proxies, const StateField& states,
                bool corrects, float margin = usual_margin);

  const DistanceField& rest() const { return *rest_; }
  // Of the grid that is looked up [m].
  double cell() const { return states_ != nullptr ? states_->cell() : rest_->cell(); }
  // Which state stands for the body; of one without states, none.
  const StateField::Choice& state() const { return chosen_; }
  const Proxies& proxies() const { return *proxies_; }

  // --- online: nothing is allocated.
  // Before the first query, and whenever c changes. A proxy whose F cannot be inverted keeps the
  // pull-back that it had.
  void update(const VectorXf& c) noexcept;

  using Pack = simd::Pack<float>;
  using Points = simd::Pack3;
  using Samples = simd::DistanceSamples;
  Pack values(const Points& x) const noexcept;
  // With the gradient of the weights; of a pushed distance without that of |F^-T n|.
  Samples samples(const Points& x) const noexcept;
  float clearance(float radius) const noexcept {
    if (states_ != nullptr) return (1 + margin_) * states_->clearance(stretch() * radius);
    return (1 + margin_) * rest_->clearance(stretch() * radius);
  }
  float clear_radius(float value) const noexcept {
    if (states_ != nullptr) return states_->clear_radius(value / (1 + margin_)) / stretch();
    return rest_->clear_radius(value / (1 + margin_)) / stretch();
  }
  // How far its surface has come since the beginning, by all updates together [m]: of the proxies
  // and of what is as far from them as their nearest neighbours are.
  double travel() const noexcept { return travel_; }

  // Whose motion is felt at a place, and by how much: where a force goes to.
  struct Influence {
    std::array<int, Proxies::nearest> proxy;
    std::array<float, Proxies::nearest> weight;  // of sum 1
  };
  Influence influence(const Eigen::Vector3f& x) const noexcept;
  void influences(const Points& x, int count, Influence* out) const noexcept;  // of the first lanes
  // Of a part of the body alone, for one that meets itself (self_field.hpp): `part` has a byte for
  // each proxy, with a bit for each lane in which it counts. Farther than `reach` from all that
  // count there is nothing.
  Pack values(const Points& x, const std::uint8_t* part, float reach) const noexcept;
  Influence influence(const Eigen::Vector3f& x, const std::uint8_t* part, int lane) const noexcept;
  // The largest distance of a proxy to its nearest neighbour at rest [m].
  float spacing() const { return spacing_; }
  // Q += sum_i w_i U_i^T f
  void add_force(const Influence& all, const Eigen::Vector3f& f, VectorXd& Q) const noexcept;

 private:
  // Proxies that may be among the nearest of some of eight points, ascending.
  struct Candidates {
    int count = 0;
    std::array<std::int16_t, Proxies::most> proxy;
  };
  struct Neighbours {
    Pack distance[Proxies::nearest], weight[Proxies::nearest];
    Pack proxy[Proxies::nearest];  // whole numbers
    Pack total;                    // W of the weights; 0 where they are alike
  };
  void find_candidates(const Points& x, Candidates& out) const noexcept;
  // The fifth of the square distances, l_max^2.
  Pack fifth_of(const Points& x, const Candidates& among) const noexcept;
  Pack squared_distance(const Points& x, int proxy) const noexcept;
  // Of candidates s whose square distance `of(s, d)` leaves as it is, and does not make infinite.
  template <class Of>
  Neighbours find_of(const Points& x, const Candidates& among, const Of& of) const noexcept;
  Neighbours find(const Points& x, const Candidates& among) const noexcept;
  Pack value_of(const Neighbours& near, const Points& x) const noexcept;
  static Influence influence_of(const Neighbours& near, int lane) noexcept;
  // Of eight proxies, one a lane: F^-1, p, and where x comes from.
  struct Pulled {
    Pack inverse[9];
    Points proxy, X;
  };
  Pulled pull(const Points& x, const Pack& proxy, int end = 0) const noexcept;
  Pulled pull(const Points& x, int proxy, int end = 0) const noexcept;  // the same one in all lanes
  Pack pulled_value(const Pulled& at) const noexcept;
  // By states: deformed_states.cpp.
  void follow_state(const VectorXf& c) noexcept;
  // sum_i w_i X_i, of each end.
  void pull_places(const Points& x, Points* X) const noexcept;
  Points blended(const Neighbours& near, const Points& x, int end) const noexcept;
  Pack state_values(const Points& x) const noexcept;
  Samples state_samples(const Points& x) const noexcept;
  Samples corrected_samples(const Neighbours& near, const Points& x, int end) const noexcept;
  // What a ball may grow by when it is pulled back; pushed distances are those of now.
  float stretch() const noexcept { return push_forward_ ? 1.0F : stretch_; }

  const DistanceField* rest_;
  const Proxies* proxies_;
  float margin_, stretch_ = 1.0F;
  bool push_forward_;
  float spacing_ = 0.0F;
  double travel_ = 0.0;
  // Of each proxy: F^-1 by rows (9), P (3), p (3), and a number of no meaning. The second: of the second
  // state that is looked up, if there are two.
  std::array<std::vector<float>, 2> pull_back_;
  // p again, in packs of eight proxies: x of them, then y, then z; beyond the last one infinite.
  std::vector<float> places_;
  Candidates all_;
  VectorXf now_, last_;  // of the proxies: see Proxies::evaluate

  const StateField* states_ = nullptr;
  bool corrects_ = false;
  StateField::Choice chosen_;
  struct End {
    int state = 0;
    float weight = 1.0F;
  };
  std::array<End, 2> ends_;  // the states that are looked up
  int end_count_ = 1;
  VectorXf mark_, work_;  // scratch
};

}  // namespace pliant
