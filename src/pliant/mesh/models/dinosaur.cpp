// SPDX-License-Identifier: MIT
// A spiny dinosaur: a heavy four-legged body, rows of spines and bumps on its back, and a tail with
// four long spikes.
#include <cmath>

#include "pliant/base/random.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/models/catalogue.hpp"
#include "pliant/mesh/models/creature.hpp"

namespace pliant::model {
namespace {

// x forward, y up; the unit is about half the length from nose to tail.
const Path spine_points{{-1.00, 0.40, 0.10, 0.014}, {-0.82, 0.37, 0.12, 0.032},
                        {-0.62, 0.36, 0.06, 0.056}, {-0.42, 0.39, 0.0, 0.095},
                        {-0.22, 0.44, 0.0, 0.160},  {0.0, 0.46, 0.0, 0.205},
                        {0.20, 0.42, 0.0, 0.180},   {0.36, 0.36, 0.0, 0.120},
                        {0.50, 0.34, 0.0, 0.082},   {0.62, 0.36, 0.0, 0.066}};

void add_head(Blend& body, Blend& details) {
  body.add(ellipsoid({0.70, 0.37, 0}, {0.10, 0.066, 0.060}));
  body.add(limb({{0.72, 0.365, 0, 0.050}, {0.82, 0.335, 0, 0.034}, {0.86, 0.320, 0, 0.026}}));
  body.add(limb({{0.70, 0.330, 0, 0.034}, {0.80, 0.296, 0, 0.022}, {0.845, 0.286, 0, 0.016}}));
  details.add_pair(ball({0.765, 0.398, 0.044}, 0.014));
  details.add_pair(limb({{0.79, 0.405, 0.036, 0.011}, {0.73, 0.420, 0.048, 0.013}}));
  details.add_pair(limb({{0.875, 0.338, 0.012, 0.009}, {0.86, 0.344, 0.014, 0.006}}));
  // A small horn on the nose and a collar of spikes behind the head.
  details.add(limb({{0.835, 0.355, 0, 0.018}, {0.85, 0.405, 0, 0.005}}));
  for (int k = 0; k < 4; ++k) {
    const double a = 0.15 + 0.5 * k;
    const Vector3d out(-0.5, std::cos(a), std::sin(a));
    const Vector3d root = Vector3d(0.63, 0.365, 0) + 0.055 * Vector3d(0, out[1], out[2]);
    const Vector3d tip = root + 0.075 * out;
    details.add_pair(limb({{root[0], root[1], root[2], 0.016}, {tip[0], tip[1], tip[2], 0.004}}));
  }
}

void add_legs(Blend& body, Blend& details) {
  const auto foot = [&](double x, double z) {
    for (int k = -1; k <= 1; ++k) {
      const double dz = 0.042 * k;
      details.add_pair(limb({{x, 0.045, z + 0.4 * dz, 0.034}, {x + 0.055, 0.022, z + dz, 0.021}}));
      details.add_pair(
          limb({{x + 0.06, 0.018, z + dz, 0.014}, {x + 0.088, 0.010, z + 1.15 * dz, 0.006}}));
    }
  };
  body.add_pair(limb(spline({{0.22, 0.36, 0.10, 0.095},
                             {0.20, 0.22, 0.165, 0.062},
                             {0.24, 0.10, 0.165, 0.050},
                             {0.25, 0.04, 0.165, 0.050}},
                            4)));
  foot(0.26, 0.165);
  body.add_pair(limb(spline({{-0.20, 0.40, 0.10, 0.135},
                             {-0.14, 0.25, 0.165, 0.090},
                             {-0.20, 0.11, 0.17, 0.058},
                             {-0.19, 0.04, 0.17, 0.055}},
                            4)));
  foot(-0.18, 0.17);
}

Model make_dinosaur(const Values& p) {
  Random random(static_cast<std::uint64_t>(p["seed"]));
  const Path spine = spline(spine_points, 8);
  Blend body(0.02), details(0.005);
  body.add(limb(spine));
  body.add(ellipsoid({0.0, 0.38, 0}, {0.30, 0.16, 0.19}));
  add_head(body, details);
  add_legs(body, details);
  add_spines(
      details, spine,
      {.first = 0.10, .last = 0.93, .count = 26, .height = 0.85, .most = 0.12, .lean = 0.35});
  for (const double angle : {-0.65, 0.65}) {
    add_spines(details, spine,
               {.first = 0.16,
                .last = 0.90,
                .count = 20,
                .height = 0.45,
                .most = 0.07,
                .lean = 0.4,
                .angle = angle});
  }
  for (const double angle : {-1.25, 1.25}) {
    add_spines(details, spine,
               {.first = 0.22,
                .last = 0.84,
                .count = 15,
                .height = 0.30,
                .most = 0.05,
                .lean = 0.5,
                .angle = angle});
  }
  add_bumps(details, spine, p.count("bumps"), random);
  // The spikes of the tail, on both sides of it.
  for (const double u : {0.0, 0.10}) {
    const Vector4d at = spine[static_cast<std::size_t>(2 + u * static_cast<double>(spine.size()))];
    for (const double side : {-1.0, 1.0}) {
      details.add(limb({{at[0], at[1], at[2], 0.020},
                        {at[0] - 0.07, at[1] + 0.07, at[2] + side * 0.09, 0.013},
                        {at[0] - 0.14, at[1] + 0.10, at[2] + side * 0.17, 0.004}}));
    }
  }

  const Implicit hide = [](const Vector3d& x) {
    return 0.0014 * std::sin(120 * x[0]) * std::sin(120 * x[1]) * std::sin(120 * x[2]);
  };
  const double s = p["size"] / 1.9;
  const ImplicitBody whole = body_of({{body, 0, hide}, {details, 0.014}});
  return {.surface = isosurface(scaled(whole, s), 0.0079 * s / p["detail"], {.lipschitz = 1.25}),
          .materials = {material::rubber()},
          .fixed = {Eigen::AlignedBox3d(Vector3d(-s, -s, -s), Vector3d(s, 0.012 * s, s))},
          .voxel_resolution = 100};
}

}  // namespace

Entry dinosaur() {
  return {{"dinosaur",
           "a spiny dinosaur with bumps on its back, standing",
           true,
           true,
           {{"size", 0.4, 0.01, 100, "m", "from nose to tail"},
            detail_parameter(),
            {"bumps", 200, 0, 1000, "", "on the back", true},
            {"seed", 3, 0, 1e9, "", "of the bumps", true}}},
          make_dinosaur};
}

}  // namespace pliant::model
