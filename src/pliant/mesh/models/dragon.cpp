// SPDX-License-Identifier: MIT
// A dragon: long neck and tail, horned head with open jaws, half-spread wings, claws, a crest of
// spines and bumps on its back.
#include <cmath>
#include <numbers>

#include "pliant/base/random.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/creature.hpp"

namespace pliant::model {
namespace {

// x forward, y up; the unit is about half the length from nose to tail.
const Path spine_points{
    {-1.12, 0.34, 0.16, 0.010}, {-1.02, 0.21, 0.22, 0.020},  {-0.84, 0.13, 0.15, 0.033},
    {-0.64, 0.15, 0.0, 0.048},  {-0.45, 0.23, -0.05, 0.070}, {-0.27, 0.31, -0.02, 0.105},
    {-0.10, 0.34, 0.0, 0.128},  {0.08, 0.36, 0.0, 0.138},    {0.22, 0.41, 0.0, 0.118},
    {0.33, 0.52, 0.0, 0.085},   {0.39, 0.64, 0.0, 0.064},    {0.44, 0.75, 0.0, 0.055},
    {0.52, 0.83, 0.0, 0.052}};

void add_head(Blend& body, Blend& details) {
  body.add(ellipsoid({0.575, 0.855, 0}, {0.075, 0.056, 0.054}));
  body.add(limb({{0.60, 0.860, 0, 0.046}, {0.70, 0.845, 0, 0.036}, {0.775, 0.830, 0, 0.028}}));
  // The lower jaw hangs open.
  body.add(limb({{0.575, 0.825, 0, 0.032}, {0.66, 0.775, 0, 0.024}, {0.735, 0.740, 0, 0.015}}));
  details.add_pair(limb({{0.785, 0.850, 0.014, 0.012}, {0.765, 0.858, 0.014, 0.006}}));
  // Brows over the eyes, horns, cheek spikes, teeth.
  details.add_pair(limb(
      {{0.655, 0.892, 0.036, 0.012}, {0.60, 0.906, 0.046, 0.016}, {0.57, 0.900, 0.05, 0.010}}));
  details.add_pair(ball({0.632, 0.884, 0.044}, 0.013));
  details.add_pair(limb(spline({{0.56, 0.895, 0.034, 0.021},
                                {0.49, 0.945, 0.055, 0.016},
                                {0.41, 0.965, 0.075, 0.010},
                                {0.34, 1.0, 0.085, 0.004}},
                               5)));
  for (int k = 0; k < 3; ++k) {
    const double y = 0.86 - 0.03 * k, x = 0.545 + 0.01 * k;
    details.add_pair(
        limb({{x, y, 0.045, 0.012}, {x - 0.055, y + 0.004, 0.085 - 0.008 * k, 0.004}}));
  }
  for (int k = 0; k < 5; ++k) {
    const double x = 0.67 + 0.025 * k, z = 0.030 - 0.0025 * k;
    details.add_pair(
        limb({{x, 0.825 - 0.003 * k, z, 0.007}, {x + 0.004, 0.798 - 0.003 * k, z, 0.0035}}));
  }
}

void add_legs(Blend& body, Blend& details) {
  const auto foot = [&](double x, double z, double reach) {
    for (int k = -1; k <= 1; ++k) {
      const double dz = 0.035 * k, dx = reach - 0.012 * std::abs(k);
      details.add_pair(limb({{x, 0.03, z + 0.5 * dz, 0.021},
                             {x + 0.6 * dx, 0.026, z + dz, 0.017},
                             {x + dx, 0.016, z + 1.2 * dz, 0.014}}));
      details.add_pair(limb(
          {{x + dx, 0.018, z + 1.2 * dz, 0.010}, {x + dx + 0.035, 0.006, z + 1.3 * dz, 0.004}}));
    }
  };
  body.add_pair(limb(spline({{0.20, 0.38, 0.085, 0.065},
                             {0.11, 0.24, 0.145, 0.046},
                             {0.20, 0.11, 0.155, 0.028},
                             {0.235, 0.035, 0.16, 0.028}},
                            4)));
  foot(0.24, 0.16, 0.075);
  body.add_pair(limb(spline({{-0.16, 0.31, 0.085, 0.090},
                             {-0.04, 0.215, 0.165, 0.068},
                             {-0.18, 0.115, 0.175, 0.034},
                             {-0.13, 0.035, 0.175, 0.030}},
                            4)));
  foot(-0.12, 0.175, 0.085);
}

void add_wings(Blend& body, Blend& wings) {
  const Vector3d shoulder(0.13, 0.45, 0.06), elbow(-0.02, 0.70, 0.20), wrist(0.13, 0.93, 0.34);
  const Vector3d tips[4] = {
      {-0.16, 1.12, 0.70}, {-0.36, 0.93, 0.74}, {-0.46, 0.70, 0.60}, {-0.40, 0.50, 0.36}};
  const auto point = [](const Vector3d& x, double r) { return Vector4d(x[0], x[1], x[2], r); };
  body.add_pair(limb({point(shoulder, 0.045), point(elbow, 0.028), point(wrist, 0.022)}));
  // A thumb's claw at the wrist.
  body.add_pair(limb({point(wrist, 0.016), {0.17, 0.99, 0.36, 0.010}, {0.22, 1.0, 0.37, 0.004}}));
  const double skin = 0.0078;
  const auto finger = [&](const Vector3d& tip) {
    // Bowed outwards a little.
    const Vector3d middle = 0.5 * (wrist + tip) + Vector3d(0, 0.035, 0.035);
    wings.add_pair(
        limb(spline({point(wrist, 0.016), point(middle, 0.011), point(tip, 0.0065)}, 4)));
    return middle;
  };
  Vector3d middles[4];
  for (int k = 0; k < 4; ++k) middles[k] = finger(tips[k]);
  // Between two fingers the skin hangs in, towards the wrist.
  const auto web = [&](const Vector3d& root, const Vector3d& m0, const Vector3d& t0,
                       const Vector3d& m1, const Vector3d& t1) {
    const Vector3d hem = 0.36 * t0 + 0.36 * t1 + 0.28 * root;
    wings.add_pair(membrane(root, m0, hem, skin)).add_pair(membrane(m0, t0, hem, skin));
    wings.add_pair(membrane(root, hem, m1, skin)).add_pair(membrane(m1, hem, t1, skin));
  };
  for (int k = 0; k < 3; ++k) web(wrist, middles[k], tips[k], middles[k + 1], tips[k + 1]);
  // From the arm to the flank.
  const Vector3d flank(-0.22, 0.36, 0.09);
  const Vector3d hem = 0.38 * tips[3] + 0.38 * flank + 0.24 * elbow;
  wings.add_pair(membrane(wrist, middles[3], elbow, skin))
      .add_pair(membrane(elbow, middles[3], hem, skin));
  wings.add_pair(membrane(middles[3], tips[3], hem, skin))
      .add_pair(membrane(elbow, hem, flank, skin));
  wings.add_pair(membrane(elbow, flank, shoulder, skin));
}

Model make_dragon(const Values& p) {
  Random random(static_cast<std::uint64_t>(p["seed"]));
  const Path spine = spline(spine_points, 8);
  Blend body(0.016), details(0.005), wings(0.004);
  body.add(limb(spine));
  add_head(body, details);
  add_legs(body, details);
  add_wings(body, wings);
  add_spines(
      details, spine,
      {.first = 0.06, .last = 0.97, .count = 44, .height = 0.55, .most = 0.055, .lean = 0.6});
  add_bumps(details, spine, p.count("bumps"), random);
  // The tail ends in a blade.
  const Vector3d end = spine.front().head<3>();
  details.add(
      membrane(end, end + Vector3d(-0.10, 0.02, 0.055), end + Vector3d(-0.15, 0.12, -0.01), 0.007));
  details.add(membrane(end, end + Vector3d(-0.15, 0.12, -0.01), end + Vector3d(-0.04, 0.08, -0.055),
                       0.007));

  const Implicit scales = [](const Vector3d& x) {
    return 0.0012 * std::sin(150 * x[0]) * std::sin(150 * x[1]) * std::sin(150 * x[2]);
  };
  const double s = p["size"] / 1.95;
  const ImplicitBody whole = body_of({{body, 0, scales}, {details, 0.012}, {wings, 0.02}});
  return {.surface = isosurface(scaled(whole, s), 0.0094 * s / p["detail"], {.lipschitz = 1.25}),
          .materials = {material::rubber()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-s, -s, -s), Vector3d(s, 0.012 * s, s))},
          .voxel_resolution = 120};
}

}  // namespace

Entry dragon() {
  return {{"dragon",
           "a winged dragon with spines and bumps on its back, standing",
           true,
           true,
           {{"size", 0.4, 0.01, 100, "m", "from nose to tail"},
            detail_parameter(),
            {"bumps", 160, 0, 1000, "", "on the back", true},
            {"seed", 7, 0, 1e9, "", "of the bumps", true}}},
          make_dragon};
}

}  // namespace pliant::model
