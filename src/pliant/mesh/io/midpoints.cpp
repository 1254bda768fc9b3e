// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/midpoints.hpp"

#include <algorithm>

#include <Eigen/Core>
#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant::io {
namespace {

constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// The largest distance of a midpoint from the middle of its edge, in edge lengths.
double misfit(std::span<const int> element, const Matrix3Xd& V, const MidpointOrder& order) {
  double worst = 0.0;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto node = [&](int a) { return V.col(element[static_cast<std::size_t>(a)]); };
    const Vector3d a = node(edges[k][0]), b = node(edges[k][1]);
    const double distance = (node(order.position[k]) - (0.5 * a + 0.5 * b)).norm();
    worst = std::max(worst, distance / std::max((b - a).norm(), 1e-300));
  }
  return worst;
}

}  // namespace

void sort_midpoints(std::vector<int>& nodes, const Matrix3Xd& V, const MidpointOrder& expected,
                    const std::string& file, std::span<const long> element_lines,
                    ReadReport& report) {
  const std::size_t elements = nodes.size() / 10;
  const auto element = [&](std::size_t e) { return std::span(nodes).subspan(10 * e, 10); };
  const auto worst_misfit = [&](const MidpointOrder& order) {
    std::pair<double, std::size_t> worst{-1.0, 0};
    for (std::size_t e = 0; e < elements; ++e) {
      worst = std::max(worst, {misfit(element(e), V, order), e});
    }
    return worst;
  };

  const MidpointOrder* best = &expected;
  auto [smallest, at] = worst_misfit(expected);
  for (const MidpointOrder* order : {&pliant_midpoints, &gmsh_midpoints, &tetgen_midpoints}) {
    if (const auto [worst, e] = worst_misfit(*order); worst < smallest) {
      smallest = worst;
      at = e;
      best = order;
    }
  }
  if (smallest > 0.5) {
    throw Error(
        {file, element_lines.empty() ? 0 : element_lines[at], fmt::format("element {}", at + 1)},
        "its midpoints do not lie on its edges in any known order of nodes");
  }
  if (best->position != expected.position) {
    report.repairs.push_back(
        fmt::format("took the midpoints of the tetrahedra in the order of {}", best->name));
  }
  for (std::size_t e = 0; e < elements; ++e) {
    std::array<int, 10> old;
    std::copy_n(element(e).begin(), 10, old.begin());
    for (std::size_t k = 0; k < 6; ++k) {
      element(e)[4 + k] = old[static_cast<std::size_t>(best->position[k])];
    }
  }
}

}  // namespace pliant::io
