// SPDX-License-Identifier: MIT
// A knight in plate armour, standing with sword and shield.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/sdf.hpp"

namespace pliant::model {
namespace {

// x forward, y up, z to the knight's right; the unit is the height of the knight.
Matrix3d turned(double about_x, double about_y, double about_z) {
  return (Eigen::AngleAxisd(about_z, Vector3d::UnitZ()) *
          Eigen::AngleAxisd(about_y, Vector3d::UnitY()) *
          Eigen::AngleAxisd(about_x, Vector3d::UnitX()))
      .toRotationMatrix();
}

void add_helmet(Blend& plates) {
  plates.add(ellipsoid({0.0, 0.925, 0}, {0.062, 0.075, 0.055}));
  // The visor juts out to an edge; a crest runs over the skull, with a plume behind.
  plates.add(limb({{0.02, 0.905, 0, 0.048}, {0.065, 0.895, 0, 0.020}}));
  plates.add(limb(spline({{0.055, 0.955, 0, 0.008},
                          {0.02, 1.0, 0, 0.010},
                          {-0.04, 0.985, 0, 0.010},
                          {-0.062, 0.93, 0, 0.008}},
                         5)));
  plates.add(limb(spline({{0.0, 1.0, 0, 0.012},
                          {-0.05, 1.045, 0, 0.020},
                          {-0.12, 1.03, 0, 0.024},
                          {-0.155, 0.95, 0, 0.016},
                          {-0.15, 0.88, 0, 0.006}},
                         5)));
  // Gorget.
  plates.add(limb({{0.0, 0.845, 0, 0.052}, {0.0, 0.815, 0, 0.062}}));
}

void add_trunk(Blend& plates) {
  plates.add(ellipsoid({0.005, 0.725, 0}, {0.082, 0.115, 0.105}));
  plates.add(ellipsoid({0.0, 0.60, 0}, {0.062, 0.08, 0.080}));
  // Belt and the skirt of lames.
  for (int k = 0; k < 4; ++k) {
    const double y = 0.565 - 0.024 * k, w = 0.086 + 0.007 * k;
    plates.add(disc({0, y, 0}, Vector3d::UnitY(), w, 0.016));
  }
}

void add_arm(Blend& plates, const Vector3d& elbow, const Vector3d& hand, double side) {
  const Vector3d shoulder(0.0, 0.775, 0.135 * side);
  const auto at = [](const Vector3d& x, double r) { return Vector4d(x[0], x[1], x[2], r); };
  plates.add(limb({at(shoulder, 0.036), at(elbow, 0.030)}));
  // The cuff of the gauntlet widens towards the elbow.
  plates.add(limb({at(elbow, 0.028), at(hand, 0.024)}));
  const Vector3d cuff = hand + 0.40 * (elbow - hand);
  plates.add(limb({at(hand, 0.026), at(cuff, 0.038)}));
  plates.add(ball(hand, 0.034));
  plates.add(ball(elbow, 0.037));
  // Pauldron: three overlapping lames.
  for (int k = 0; k < 3; ++k) {
    const Vector3d x = shoulder + Vector3d(0, 0.014 - 0.026 * k, (0.006 + 0.007 * k) * side);
    plates.add(
        ellipsoid(x, {0.056 - 0.004 * k, 0.034, 0.052 - 0.005 * k}, turned(-0.5 * side, 0, 0)));
  }
}

void add_leg(Blend& plates, double side, double step) {
  const Vector4d hip(0, 0.50, 0.058 * side, 0.062),
      knee(0.02 + 0.5 * step, 0.29, 0.068 * side, 0.045),
      ankle(step - 0.01, 0.065, 0.072 * side, 0.034);
  plates.add(limb({hip, knee}));
  plates.add(limb({knee + Vector4d(0, 0, 0, -0.008),
                   0.55 * knee + 0.45 * ankle + Vector4d(-0.012, 0, 0, 0.008), ankle}));
  plates.add(ellipsoid({knee[0] + 0.016, knee[1], knee[2]}, {0.042, 0.046, 0.048}));
  // The knee's wing, and the lames of the foot.
  plates.add(
      disc({knee[0] - 0.005, knee[1], knee[2] + 0.042 * side}, Vector3d::UnitZ(), 0.034, 0.009));
  for (int k = 0; k < 4; ++k) {
    plates.add(ellipsoid({step + 0.012 + 0.026 * k, 0.034 - 0.004 * k, 0.072 * side},
                         {0.034, 0.030 - 0.003 * k, 0.036 - 0.003 * k}));
  }
  plates.add(
      limb({{step + 0.10, 0.016, 0.072 * side, 0.014}, {step + 0.13, 0.012, 0.072 * side, 0.006}}));
}

void add_arms(Blend& plates, const Vector3d& right, const Vector3d& left) {
  // A sword held upright in the right hand.
  const Vector3d up = Vector3d(0.30, 1, 0.10).normalized();
  const Matrix3d frame =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), up).toRotationMatrix();
  const auto along = [&](double h, double r) {
    const Vector3d x = right + h * up;
    return Vector4d(x[0], x[1], x[2], r);
  };
  plates.add(limb({along(-0.07, 0.012), along(0.06, 0.011)}));
  plates.add(ball(right - 0.085 * up, 0.020));
  plates.add(rounded_box(right + 0.062 * up, {0.062, 0.010, 0.013}, 0.008, frame));
  plates.add(rounded_box(right + 0.29 * up, {0.021, 0.235, 0.0075}, 0.006, frame));
  plates.add(limb({along(0.52, 0.0095), along(0.565, 0.004)}));
  // A shield on the left arm: a heater, wide above and pointed below, a little bent.
  const Vector3d centre = left + Vector3d(0.055, 0.0, -0.02);
  const auto corner = [&](double w, double h) {
    return Vector3d(centre + Vector3d(-1.6 * w * w + 0.02, h, w));
  };
  const double thick = 0.0105;
  const double widths[5] = {0.115, 0.118, 0.105, 0.068, 0.0},
               heights[5] = {0.15, 0.03, -0.07, -0.16, -0.215};
  Shape shield;
  for (int k = 0; k < 4; ++k) {
    // Strips across, each of a few facets.
    const int n = 8;
    for (int j = 0; j < n; ++j) {
      const double u = 2.0 * j / n - 1, v = 2.0 * (j + 1) / n - 1;
      const Vector3d a = corner(u * widths[k], heights[k]), b = corner(v * widths[k], heights[k]),
                     c = corner(u * widths[k + 1], heights[k + 1]),
                     d = corner(v * widths[k + 1], heights[k + 1]);
      shield = joined(std::move(shield), membrane(a, b, c, thick));
      if (k < 3) shield = joined(std::move(shield), membrane(b, d, c, thick));
    }
  }
  plates.add(std::move(shield));
  // Its boss, and the grip behind it.
  const Vector3d boss = centre + Vector3d(0.022, 0.02, 0);
  plates.add(ball(boss, 0.030));
  plates.add(limb({{left[0], left[1], left[2], 0.024}, {boss[0], boss[1], boss[2], 0.020}}));
}

Model make_knight(const Values& p) {
  Blend plates(0.0035), arms(0.003);
  add_helmet(plates);
  add_trunk(plates);
  const Vector3d right(0.175, 0.64, 0.20), left(0.15, 0.62, -0.17);
  add_arm(plates, {-0.01, 0.615, 0.205}, right, 1);
  add_arm(plates, {0.0, 0.60, -0.19}, left, -1);
  add_leg(plates, 1, -0.03);
  add_leg(plates, -1, 0.05);
  add_arms(arms, right, left);

  // The slit of the visor and its breaths.
  Blend slit(0.001);
  slit.add(rounded_box({0.07, 0.928, 0}, {0.06, 0.0052, 0.046}, 0.003));
  for (int k = 0; k < 2; ++k) {
    for (const double z : {-0.020, 0.0, 0.020}) {
      slit.add(ball({0.078, 0.899 - 0.018 * k, z}, 0.0055));
    }
  }
  const ImplicitBody suit = body_of({{plates}, {arms, 0.006}}), holes = body_of({{slit}});
  const Implicit f = [suit, holes](const Vector3d& x) {
    const double armour = suit.f(x);
    // Far from the visor there is nothing to cut.
    if (std::abs(armour) > 0.02 || x[1] < 0.83 || x[0] < 0.03) return armour;
    return smooth_cut(armour, std::max(holes.f(x), 0.05 - x[0]), 0.003);
  };
  const double s = p["height"];
  return {.surface =
              isosurface(scaled({f, suit.box}, s), 0.0062 * s / p["detail"], {.lipschitz = 1.25}),
          .materials = {material::steel()},
          .voxel_resolution = 128};
}

}  // namespace

Entry knight() {
  return {{"knight",
           "a knight in armour with sword and shield; with the axe, a pair of rigid bodies",
           true,
           true,
           {{"height", 1.8, 0.01, 10, "m", "without the plume"}, detail_parameter()}},
          make_knight};
}

}  // namespace pliant::model
