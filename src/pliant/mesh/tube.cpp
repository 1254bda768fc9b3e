// SPDX-License-Identifier: MIT
#include "pliant/mesh/tube.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

constexpr double full_circle = 2.0 * std::numbers::pi;
// A user who types c by hand gives a few digits.
constexpr double closing_tolerance = 1e-4;
constexpr std::int64_t most_tetrahedra = 50'000'000;

void require(bool ok, const char* item, double value, const std::string& expected) {
  if (!ok)
    throw Error({"", 0, fmt::format("tube.{}", item)}, "bad value", fmt::format("{:g}", value),
                expected);
}

bool is_full_circle(const TubeOptions& o) {
  return std::abs(o.length * o.curvature - full_circle) <= closing_tolerance * full_circle;
}

void check(const TubeOptions& o, double control_width) {
  // Written so that a NaN fails.
  require(o.length > 0 && std::isfinite(o.length), "length", o.length, "a length > 0 [m]");
  require(o.outer_diameter > 0 && std::isfinite(o.outer_diameter), "outer_diameter",
          o.outer_diameter, "a diameter > 0 [m]");
  require(o.inner_diameter >= 0 && o.inner_diameter < o.outer_diameter, "inner_diameter",
          o.inner_diameter,
          fmt::format("0 (cable) or a diameter below the outer one, {:g}", o.outer_diameter));
  require(o.curvature >= 0 && o.curvature * o.outer_diameter / 2 < 1, "curvature", o.curvature,
          fmt::format("at least 0 and below 1/(outer radius) = {:g}", 2 / o.outer_diameter));
  require(o.curvature * o.length <= full_circle * (1 + closing_tolerance), "curvature", o.curvature,
          fmt::format("at most a full circle, {:g}", full_circle / o.length));
  require(control_width > 0 && control_width <= o.length / 2, "control_width", control_width,
          fmt::format("above 0 and at most half of the length, {:g}", o.length / 2));
  require(o.density > 0 && std::isfinite(o.density), "density", o.density, "a density > 0");
  require(o.young > 0 && std::isfinite(o.young), "young", o.young, "a modulus > 0");
  require(o.poisson > -1 && o.poisson < 0.5, "poisson", o.poisson, "between -1 and 0.5");
  require(o.axial >= (is_full_circle(o) && o.join_ends ? 3 : 1), "axial", o.axial,
          "at least 1 cell, 3 for a ring");
  require(o.azimuthal >= 3, "azimuthal", o.azimuthal, "at least 3 cells");
  require(o.radial >= 1, "radial", o.radial, "at least 1 cell");
  require(6.0 * o.axial * o.azimuthal * o.radial <= most_tetrahedra, "axial", o.axial,
          fmt::format("at most {} tetrahedra in all", most_tetrahedra));
}

// Indices of the nodes of the grid (i, j, k) = (s, phi, rho).
struct Grid {
  int layers;     // of nodes along s
  int azimuthal;  // nodes around, periodic
  int radial;     // cells along rho
  bool cable;     // the nodes of k = 0 are one on the axis

  int per_layer() const { return cable ? azimuthal * radial + 1 : azimuthal * (radial + 1); }
  int node(int i, int j, int k) const {
    const int first = (i % layers) * per_layer();
    if (cable) return k == 0 ? first : first + 1 + (k - 1) * azimuthal + j % azimuthal;
    return first + k * azimuthal + j % azimuthal;
  }
};

// The six monotone paths from corner 000 to corner 111 of a cell (Kuhn's subdivision): it looks the
// same in every cell, so neighbours agree on the diagonal of the face that they share.
constexpr std::array<std::array<int, 3>, 6> paths{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
constexpr int even_paths = 3;

}  // namespace

void check_tube(const TubeOptions& options) {
  check(options, options.control_width.value_or(options.outer_diameter));
}

VolumeMesh tube(const TubeOptions& o) {
  check_tube(o);
  const double width = o.control_width.value_or(o.outer_diameter);
  const bool full = is_full_circle(o);
  const bool ring = full && o.join_ends;
  const double c = full ? full_circle / o.length : o.curvature;
  const Grid grid{ring ? o.axial : o.axial + 1, o.azimuthal, o.radial, o.inner_diameter == 0};

  VolumeMesh mesh;
  mesh.V.resize(3, Index{grid.layers} * grid.per_layer());
  const double h = o.length / o.axial;
  for (int i = 0; i < grid.layers; ++i) {
    const double s = i * h, angle = s * c;
    const double half = 0.5 * angle;
    // C(s) = (sin cs, 1 - cos cs) / c, without the cancellation at small c.
    const double sinc = half == 0 ? 1.0 : std::sin(half) / half;
    const Vector3d centre(s * sinc * std::cos(half), s * sinc * std::sin(half), 0);
    const Vector3d normal(-std::sin(angle), std::cos(angle), 0), binormal(0, 0, 1);
    for (int k = 0; k <= o.radial; ++k) {
      const double rho =
          0.5 * (o.inner_diameter + (o.outer_diameter - o.inner_diameter) * k / o.radial);
      for (int j = 0; j < o.azimuthal; ++j) {
        const double phi = full_circle * j / o.azimuthal;
        mesh.V.col(grid.node(i, j, k)) =
            centre + rho * (std::cos(phi) * normal + std::sin(phi) * binormal);
      }
    }
  }

  const std::int64_t wedges = grid.cable ? std::int64_t{3} * o.axial * o.azimuthal : 0;
  mesh.E.resize(4, std::int64_t{6} * o.axial * o.azimuthal * o.radial - wedges);
  Index e = 0;
  for (int i = 0; i < o.axial; ++i) {
    for (int j = 0; j < o.azimuthal; ++j) {
      for (int k = 0; k < o.radial; ++k) {
        for (std::size_t p = 0; p < paths.size(); ++p) {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> t{grid.node(i, j, k), 0, 0, 0};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[static_cast<std::size_t>(paths[p][step])];
            t[step + 1] = grid.node(at[0], at[1], at[2]);
          }
          // On the axis of a cable the paths that turn before they leave it have no volume.
          if (t[0] == t[1] || t[1] == t[2] || t[2] == t[3]) continue;
          // (s, phi, rho) is left-handed, so the even paths are the inverted ones.
          if (p < even_paths) std::swap(t[2], t[3]);
          mesh.E.col(e++) << t[0], t[1], t[2], t[3];
        }
      }
    }
  }

  mesh.region = VectorXi::Zero(mesh.E.cols());
  mesh.regions = {{grid.cable ? "cable" : "tube", 0}};
  mesh.materials = {{"material", MaterialRecord::Law::isotropic, o.density, {o.young, o.poisson}}};

  NamedSet control_0{"control_0", {}}, control_1{"control_1", {}};
  const double slack = 1e-9 * o.length;
  for (int i = 0; i < grid.layers; ++i) {
    const double s = i * h;
    // At least one layer of nodes lies in a band, however narrow it is.
    const double reach = ring ? 0.5 * std::max(width, h) : width;
    const bool in_0 = (ring ? std::min(s, o.length - s) : s) <= reach + slack;
    const bool in_1 = (ring ? std::abs(s - o.length / 2) : o.length - s) <= reach + slack;
    for (int n = i * grid.per_layer(); n < (i + 1) * grid.per_layer(); ++n) {
      if (in_0) control_0.items.push_back(n);
      // A layer in the middle between two bands that touch belongs to the first.
      if (in_1 && !in_0) control_1.items.push_back(n);
    }
  }
  NamedSet surface{"surface", {}};
  boundary_surface(mesh, &surface.items);
  mesh.node_sets = {std::move(control_0), std::move(control_1), std::move(surface)};
  return mesh;
}

}  // namespace pliant
