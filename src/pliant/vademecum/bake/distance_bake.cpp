// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/distance_bake.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

// The columns of Q span what W (n by many) has above `allowed` (Frobenius).
MatrixXd range_of(const Eigen::Ref<const MatrixXd>& W, double allowed) {
  const DenseEigen found = symmetric_eigen(W * W.transpose());
  const VectorXd& w = found.values;
  Index dropped = 0;
  double left = 0;
  while (dropped < w.size() - 1 && left + std::max(0.0, w[dropped]) <= allowed * allowed) {
    left += std::max(0.0, w[dropped++]);
  }
  return found.vectors.rightCols(w.size() - dropped);
}

double largest_difference(const DenseDistance& dense, const DistanceTrain& train) {
  const Index r2 = train.C.rows(), ny = dense.nodes[1], nx = dense.nodes[0];
  return parallel_reduce(
      static_cast<std::size_t>(train.states()), 1, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        MatrixXd field(r2, dense.nodes[2]);
        for (std::size_t j = begin; j < end; ++j) {
          train.select(static_cast<Index>(j), field);
          const double* values = dense.values.col(static_cast<Index>(j)).data();
          for (Index c = 0; c < dense.nodes[2]; ++c) {
            for (Index b = 0; b < ny; ++b) {
              const VectorXd line =
                  train.A.transpose() * (train.B.middleCols(b * r2, r2) * field.col(c));
              const Eigen::Map<const VectorXd> exact(values + (c * ny + b) * nx, nx);
              worst = std::max(worst, (line - exact).cwiseAbs().maxCoeff());
            }
          }
        }
        return worst;
      },
      [](double a, double b) { return std::max(a, b); });
}

// [Oseledets11] algorithm 1, with an error of `allowed` (Frobenius) in each of three steps.
DistanceTrain train_svd(const DenseDistance& dense, double allowed) {
  const Index nx = dense.nodes[0], ny = dense.nodes[1], nz = dense.nodes[2],
              m = dense.values.cols();
  DistanceTrain train;
  train.origin = dense.origin;
  train.spacing = dense.spacing;
  train.nodes = dense.nodes;
  const Eigen::Map<const MatrixXd> first(dense.values.data(), nx, ny * nz * m);
  const MatrixXd Q1 = range_of(first, allowed);
  train.A = Q1.transpose();
  const Index r1 = Q1.cols();
  const MatrixXd W1 = Q1.transpose() * first;  // r1 by ny nz m
  const Eigen::Map<const MatrixXd> second(W1.data(), r1 * ny, nz * m);
  const MatrixXd Q2 = range_of(second, allowed);
  const Index r2 = Q2.cols();
  train.B.resize(r1, ny * r2);
  for (Index b = 0; b < ny; ++b) train.B.middleCols(b * r2, r2) = Q2.middleRows(b * r1, r1);
  const MatrixXd W2 = Q2.transpose() * second;  // r2 by nz m
  const Eigen::Map<const MatrixXd> third(W2.data(), r2 * nz, m);
  // The shorter side.
  const MatrixXd Q3 = range_of(third.transpose(), allowed);  // m by r3
  const Index r3 = Q3.cols();
  const MatrixXd W3 = third * Q3;  // r2 nz by r3
  train.C.resize(r2, nz * r3);
  for (Index c = 0; c < nz; ++c) train.C.middleCols(c * r3, r3) = W3.middleRows(c * r2, r2);
  train.D = Q3.transpose();
  return train;
}

}  // namespace

DenseDistance dense_distance(const SurfaceMesh& surface, const MatrixXd& states,
                             const DistanceOptions& options, Progress& progress) {
  if (!(options.spacing > 0) || !(options.margin >= 0)) {
    throw Error({"", 0, "field"}, "no grid",
                fmt::format("spacing {} m, margin {} m", options.spacing, options.margin),
                "a spacing > 0 and a margin >= 0");
  }
  Eigen::AlignedBox3d box;
  for (Index j = 0; j < states.cols(); ++j) {
    const Matrix3Xd V = surface.V + states.col(j).reshaped(3, surface.V.cols());
    box.extend(V.rowwise().minCoeff());
    box.extend(V.rowwise().maxCoeff());
  }
  DenseDistance out;
  const Vector3d size = box.sizes() + Vector3d::Constant(2 * options.margin);
  out.nodes = (size / options.spacing).array().ceil().max(1).cast<int>() + 1;
  out.spacing = size.cwiseQuotient((out.nodes.array() - 1).cast<double>().matrix());
  out.origin = box.min() - Vector3d::Constant(options.margin);
  const double count = out.nodes.cast<double>().prod();
  // The dense field and its first compressed form.
  require_memory(2 * 8 * count * static_cast<double>(states.cols()),
                 fmt::format("a prism of {} x {} x {} nodes in {} states", out.nodes[0],
                             out.nodes[1], out.nodes[2], states.cols()),
                 "a larger spacing, a smaller load or fewer levels need less");
  const auto n = static_cast<Index>(count);
  Matrix3Xd grid(3, n);
  Index at = 0;
  for (int c = 0; c < out.nodes[2]; ++c) {
    for (int b = 0; b < out.nodes[1]; ++b) {
      for (int a = 0; a < out.nodes[0]; ++a) {
        grid.col(at++) = out.origin + out.spacing.cwiseProduct(Vector3d(a, b, c));
      }
    }
  }
  out.values.resize(n, states.cols());
  progress.begin("distance fields", states.cols());
  for (Index j = 0; j < states.cols(); ++j) {
    SurfaceMesh deformed = surface;
    deformed.V += states.col(j).reshaped(3, surface.V.cols());
    out.values.col(j) = SurfaceDistance(deformed).evaluate(grid);
    progress.advance();
  }
  progress.end();
  return out;
}

DistanceTrain compress(const DenseDistance& dense, double bound) {
  if (!(bound > 0)) {
    throw Error({"", 0, "field"}, "no bound of the error", fmt::format("{} m", bound),
                "a length > 0");
  }
  // A root mean square of the bound to begin with; nodes that are worse decide.
  double allowed = bound * std::sqrt(static_cast<double>(dense.values.size()) / 3);
  DistanceTrain train;
  do {
    train = train_svd(dense, allowed);
    train.bound = largest_difference(dense, train);
    allowed *= 0.6;
  } while (train.bound > bound && allowed > 1e-12 * dense.values.norm());
  return train;
}

}  // namespace pliant
