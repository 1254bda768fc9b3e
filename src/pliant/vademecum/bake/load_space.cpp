// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/load_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

std::vector<int> nodes_of(const Matrix3Xi& triangles) {
  const std::set<int> nodes(triangles.data(), triangles.data() + triangles.size());
  return {nodes.begin(), nodes.end()};
}

// Those between the loaded nodes, in their numbers.
Matrix3Xi loaded_triangles(const Matrix3Xi& surface, const std::vector<int>& nodes) {
  std::vector<int> kept;
  for (Index t = 0; t < surface.cols(); ++t) {
    int numbers[3];
    bool all = true;
    for (int i = 0; i < 3; ++i) {
      const auto at = std::ranges::lower_bound(nodes, surface(i, t));
      all = all && at != nodes.end() && *at == surface(i, t);
      numbers[i] = static_cast<int>(at - nodes.begin());
    }
    if (all) kept.insert(kept.end(), numbers, numbers + 3);
  }
  return Eigen::Map<const Matrix3Xi>(kept.data(), 3, std::ssize(kept) / 3);
}

Matrix3Xd six_axes() {
  Matrix3Xd d(3, 6);
  d << Matrix3d::Identity(), -Matrix3d::Identity();
  return d;
}

// A part without a load would never move: it is a mistake of the scene.
void require_loaded(const VolumeMesh& mesh, const std::vector<int>& nodes) {
  std::vector<int> part(static_cast<std::size_t>(mesh.vertex_count()));
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int v) {
    while (part[static_cast<std::size_t>(v)] != v) {
      int& up = part[static_cast<std::size_t>(v)];
      up = part[static_cast<std::size_t>(up)];
      v = up;
    }
    return v;
  };
  for (Index e = 0; e < mesh.E.cols(); ++e) {
    const int first = root(mesh.E(0, e));
    for (Index a = 1; a < mesh.E.rows(); ++a)
      part[static_cast<std::size_t>(root(mesh.E(a, e)))] = first;
  }
  for (const HangingNode& h : mesh.hanging) {
    part[static_cast<std::size_t>(root(h.node))] = root(h.parents[0]);
  }
  std::set<int> loaded;
  for (const int v : nodes) loaded.insert(root(v));
  for (Index e = 0; e < mesh.E.cols(); ++e) {
    const int node = mesh.E(0, e);
    if (loaded.contains(root(node))) continue;
    throw Error({"", 0, fmt::format("element {}", e)},
                "no load of the accessible boundary reaches this part of the body", "",
                "loaded nodes on every part that elements connect");
  }
}

}  // namespace

MatrixXd LoadSpace::work_of(const VectorXd& R) const {
  MatrixXd work(node_count(), axes.cols());
  for (Index s = 0; s < node_count(); ++s) {
    work.row(s) = R.segment<3>(places[static_cast<std::size_t>(s)]).transpose() * axes;
  }
  return work;
}

VectorXd LoadSpace::load_of(const MatrixXd& weights) const {
  VectorXd f = VectorXd::Zero(free_size);
  for (Index s = 0; s < node_count(); ++s) {
    f.segment<3>(places[static_cast<std::size_t>(s)]) += axes * weights.row(s).transpose();
  }
  return f;
}

VectorXd LoadSpace::unit_load(Index s, Index e) const {
  VectorXd f = VectorXd::Zero(free_size);
  f.segment<3>(places[static_cast<std::size_t>(s)]) = directions.col(e);
  return f;
}

LoadSpace load_space(const VolumeMesh& mesh, const fem::Constraints& constraints,
                     const LoadOptions& options) {
  if (!(options.largest > 0) || !std::isfinite(options.largest)) {
    throw Error({"", 0, "load"}, "the largest load is not a force",
                fmt::format("{}", options.largest), "a finite number > 0 [N]");
  }
  if (options.levels < 1) {
    throw Error({"", 0, "levels"}, "no magnitude", fmt::format("{}", options.levels), "at least 1");
  }
  const Matrix3Xi triangles = fem::boundary_triangles(mesh);
  const std::vector<int> surface = nodes_of(triangles);
  for (const int v : options.nodes) {
    if (std::ranges::binary_search(surface, v)) continue;
    throw Error({"", 0, fmt::format("node {}", v)},
                "not a node of the surface: no load can act there");
  }
  LoadSpace space;
  space.free_size = constraints.free_size();
  const std::vector<int> free_index = constraints.free_index();
  std::vector<int> nodes = options.nodes.empty() ? surface : options.nodes;
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const int v : nodes) {
    const int place = free_index[static_cast<std::size_t>(v)];
    if (place < 0) continue;
    space.nodes.push_back(v);
    space.places.push_back(place);
  }
  if (space.nodes.empty()) {
    throw Error(
        {"", 0, "accessible boundary"}, "no node of it can move, so that nothing can be loaded",
        fmt::format("{} nodes, all held", nodes.size()), "nodes of the surface that are free");
  }
  require_loaded(mesh, space.nodes);
  space.positions = mesh.V(Eigen::all, space.nodes);
  space.triangles = loaded_triangles(triangles, space.nodes);
  space.directions = options.directions.cols() > 0 ? options.directions : six_axes();
  for (Index e = 0; e < space.directions.cols(); ++e) {
    const double length = space.directions.col(e).norm();
    if (!(length > 0) || !std::isfinite(length)) {
      throw Error({"", 0, "direction"}, "a load without direction",
                  fmt::format("length {}", length), "a vector that is not zero");
    }
    space.directions.col(e) /= length;
  }
  const LeftSingular found = left_singular(space.directions);
  const Index span = (found.values.array() > 1e-6 * found.values[0]).count();
  space.axes = found.vectors.leftCols(span);
  space.magnitudes =
      VectorXd::LinSpaced(options.levels, 1, options.levels) * (options.largest / options.levels);
  return space;
}

}  // namespace pliant
