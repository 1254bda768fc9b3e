// SPDX-License-Identifier: MIT
#include "pliant/world/hand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>

#include "pliant/fem/material.hpp"
#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

constexpr int samples = 64;  // points of the surface that are looked at
// So much stiffer than the body is the spring that suits it: the point goes nearly where the hand
// is.
constexpr double over_body = 5.0;
// rad/s: and so soon is it there, in a quarter of a second. A kilometre of rubber swings for minutes:
// a hand that is as stiff as the body alone would not be followed by its inertia.
constexpr double prompt = 12.0;
// Of the mobility of the freest point: what is below is held, but for rounding.
constexpr double held = 1e-6;
// A body that takes no tangent feels the spring of a hand one step late, one with a worker two of
// its own: above a part of m / dt^2 it would swing up.
constexpr double stiffest_late = 0.1, stiffest_divided = 0.02;

// Of a unit force at the point, in the direction that yields most [m/N].
double compliance_of(BodyModel& model, const Motion& rest, Index point,
                     const Eigen::LDLT<MatrixXd>& K) {
  double largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    model.probe.set_zero();
    model.surface.add_force(rest, point, Vector3d::Unit(axis), model.probe);
    largest = std::max(largest, model.probe.Q.dot(K.solve(model.probe.Q)));
  }
  return largest;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of a compact solid: E times its length [N/m].
double stiffness_of(const PointSet& surface, std::span<const BodyRegion> regions) {
  double young = 0.0;
  for (const BodyRegion& region : regions) {
    const fem::Material& m = region.material;
    if (fem::has_lame(m)) {
      young = std::max(young, fem::young_of(m.constants[0], m.constants[1]));
    } else {
      for (const double constant : m.constants) young = std::max(young, constant);
    }
  }
  Eigen::AlignedBox3f box;
  for (Index s = 0; s < surface.point_count(); ++s) box.extend(surface.rest_position(s));
  return young * std::cbrt(static_cast<double>(box.sizes().prod()));
}

}  // namespace

double mobility_of(BodyModel& model, const Motion& motion, Index point) noexcept {
  double largest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    model.probe.set_zero();
    model.surface.add_force(motion, point, Vector3d::Unit(axis), model.probe);
    largest = std::max(largest, model.ops->mobility(model.model.get(), motion, model.probe));
  }
  return std::isfinite(largest) && largest > held * model.hand.mobility ? largest : 0.0;
}

double stiffest_hand(const BodyModel& model, double mobility) noexcept {
  if (model.edits.tangent && model.divider == 1) return std::numeric_limits<double>::infinity();
  const double part = model.divider > 1 ? stiffest_divided : stiffest_late;
  return part / (mobility * model.dt * model.dt);
}

HandFit fit_hand(BodyModel& model, const Motion& rest, std::span<const BodyRegion> regions) {
  const Index points = model.surface.point_count(), step = std::max<Index>(1, points / samples);
  std::vector<std::pair<Index, double>> found;
  HandFit fit;
  for (Index p = 0; p < points; p += step) {
    found.emplace_back(p, mobility_of(model, rest, p));
    fit.mobility = std::max(fit.mobility, found.back().second);
  }
  if (!(fit.mobility > 0)) return fit;
  std::erase_if(found, [&](const auto& f) { return f.second <= held * fit.mobility; });

  const Index r = model.ops->size(model.model.get());
  std::vector<double> springs;
  if (r == 0) {  // rigid: as stiff as would do without a tangent
    for (const auto& [p, mobility] : found) {
      springs.push_back(stiffest_late / (mobility * model.dt * model.dt));
    }
  } else if (const MatrixXd K = model.ops->rest_stiffness(model.model.get()); K.rows() == r) {
    const Eigen::LDLT<MatrixXd> solver(K);
    for (const auto& [p, mobility] : found) {
      const double compliance = compliance_of(model, rest, p, solver);
      if (!std::isfinite(compliance) || !(compliance > 0)) continue;
      springs.push_back(std::max(over_body / compliance, prompt * prompt / mobility));
    }
  }
  fit.suits = springs.empty() ? over_body * stiffness_of(model.surface, regions)
                              : median(std::move(springs));
  return fit;
}

}  // namespace pliant
