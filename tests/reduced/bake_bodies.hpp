// SPDX-License-Identifier: MIT
// Small bodies for the tests of the offline half of the reduced engine. No two sides are equal, so
// that no two frequencies are.
#pragma once

#include <algorithm>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/mesh/block.hpp"

namespace pliant::test {

struct BakeBody {
  fem::ElasticModel model;
  fem::Constraints constraints;
};

inline fem::Material soft(fem::Law law = fem::Law::stvk) {
  return fem::isotropic(law, 1e5, 0.3, 1000);
}

// All nodes with x < limit.
inline std::vector<int> nodes_left_of(const VolumeMesh& mesh, double limit) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V(0, v) < limit) nodes.push_back(v);
  }
  return nodes;
}

// A beam of 0.6 x 0.13 x 0.1 m, held at x = 0.
inline BakeBody beam(ElementType type = ElementType::hex8, fem::Law law = fem::Law::stvk) {
  const VolumeMesh mesh = block(type, {6, 2, 2}, {0.6, 0.13, 0.1});
  return {{mesh, {soft(law)}}, {mesh, nodes_left_of(mesh, 1e-9)}};
}

inline BakeBody free_beam(ElementType type = ElementType::hex8, fem::Law law = fem::Law::stvk) {
  const VolumeMesh mesh = block(type, {6, 2, 2}, {0.6, 0.13, 0.1});
  return {{mesh, {soft(law)}}, fem::Constraints(mesh)};
}

// Two bricks of 0.15 x 0.13 x 0.1 m and behind them 4 x 2 x 2 of half their size: of the nodes at
// x = 0.3, four are in the middle of edges and one in the middle of a face.
inline VolumeMesh graded_bar() {
  const VolumeMesh coarse = block(ElementType::hex8, {2, 1, 1}, {0.3, 0.13, 0.1});
  const VolumeMesh fine = block(ElementType::hex8, {4, 2, 2}, {0.3, 0.13, 0.1});
  VolumeMesh mesh = coarse;
  std::vector<int> place(static_cast<std::size_t>(fine.vertex_count()));
  for (int v = 0; v < fine.vertex_count(); ++v) {
    const Vector3d x = fine.V.col(v) + Vector3d(0.3, 0, 0);
    std::vector<int> corners;  // of the coarse face, the nearest ones
    for (int c = 0; c < coarse.vertex_count(); ++c) {
      const Vector3d d = (coarse.V.col(c) - x).cwiseAbs();
      if (d[0] < 1e-9 && d[1] < 0.07 && d[2] < 0.06) corners.push_back(c);
    }
    place[static_cast<std::size_t>(v)] = mesh.vertex_count();
    if (corners.size() == 1) {
      place[static_cast<std::size_t>(v)] = corners[0];
      continue;
    }
    if (!corners.empty()) {
      HangingNode hanging{mesh.vertex_count(), static_cast<int>(corners.size()), {}};
      std::copy(corners.begin(), corners.end(), hanging.parents.begin());
      mesh.hanging.push_back(hanging);
    }
    mesh.V.conservativeResize(3, mesh.vertex_count() + 1);
    mesh.V.rightCols<1>() = x;
  }
  mesh.E.conservativeResize(8, coarse.element_count() + fine.element_count());
  for (int e = 0; e < fine.element_count(); ++e) {
    for (int a = 0; a < 8; ++a) {
      mesh.E(a, coarse.element_count() + e) = place[static_cast<std::size_t>(fine.E(a, e))];
    }
  }
  return mesh;
}

inline BakeBody held_graded_bar() {
  const VolumeMesh mesh = graded_bar();
  return {{mesh, {soft()}}, {mesh, nodes_left_of(mesh, 1e-9)}};
}

inline BakeBody free_graded_bar() {
  const VolumeMesh mesh = graded_bar();
  return {{mesh, {soft()}}, fem::Constraints(mesh)};
}

// |a - b| as a part of |b|.
inline double relative_error(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).norm() / b.norm();
}

// |A - I|, largest entry.
inline double identity_error(const MatrixXd& A) {
  return (A - MatrixXd::Identity(A.rows(), A.cols())).cwiseAbs().maxCoeff();
}

// Calls work() with one thread and with two, and compares the results to the bit.
template <class Work>
bool same_bits_for_any_threads(const Work& work) {
  set_threads(1);
  const auto one = work();
  set_threads(2);
  const auto two = work();
  set_threads(0);
  return one == two;
}

}  // namespace pliant::test
