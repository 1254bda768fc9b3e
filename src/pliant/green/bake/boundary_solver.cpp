// SPDX-License-Identifier: MIT
#include "pliant/green/bake/boundary_solver.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/LU>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr int part_points = 256;
constexpr Index columns_at_once = 24;
constexpr int most_iterations = 120;
constexpr std::size_t columns_a_task = 2;

using Eigen::MatrixXf;

// Sums of single numbers in double.
double dot(const Eigen::Ref<const Eigen::VectorXf>& a, const Eigen::Ref<const Eigen::VectorXf>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); i += 4096) {
    const Index n = std::min<Index>(4096, a.size() - i);
    sum += static_cast<double>(a.segment(i, n).dot(b.segment(i, n)));
  }
  return sum;
}

}  // namespace

BoundarySolver::BoundarySolver(const BoundaryEntries& entries, double accuracy, Progress& progress)
    : matrix_(
          entries.mesh().V,
          [&](std::span<const int> rows, std::span<const int> columns, MatrixXd& out) {
            entries.block(rows, columns, out);
          },
          accuracy, progress),
      accuracy_(accuracy) {
  progress.begin("preconditioner", 2);
  make_parts(entries);
  progress.advance();
  make_coarse(entries);
  progress.end();
}

void BoundarySolver::make_parts(const BoundaryEntries& entries) {
  const ClusterTree& tree = matrix_.tree();
  std::vector<const Cluster*> chosen;
  const auto choose = [&](const auto& self, int at) -> void {
    const Cluster& c = tree.clusters[static_cast<std::size_t>(at)];
    if (c.leaf() || c.size() <= part_points) {
      chosen.push_back(&c);
    } else {
      self(self, c.left);
      self(self, c.right);
    }
  };
  choose(choose, 0);
  parts_.resize(chosen.size());
  parallel_for(chosen.size(), 1, [&](std::size_t k) {
    MatrixXd A;
    entries.block(tree.points(*chosen[k]), tree.points(*chosen[k]), A);
    parts_[k].first = 3 * chosen[k]->first;
    parts_[k].count = 3 * chosen[k]->size();
    parts_[k].inverse.compute(A.cast<float>());
  });
}

void BoundarySolver::make_coarse(const BoundaryEntries& entries) {
  const Matrix3Xd& V = entries.mesh().V;
  const std::vector<int>& order = matrix_.tree().order;
  constexpr Index of_part = 9;
  MatrixXf Z = MatrixXf::Zero(matrix_.rows(), of_part * std::ssize(parts_));
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    Vector3d middle = Vector3d::Zero();
    for (Index r = part.first; r < part.first + part.count; r += 3) {
      middle +=
          V.col(order[static_cast<std::size_t>(r / 3)]) * (3.0 / static_cast<double>(part.count));
    }
    double size = 0;
    for (Index r = part.first; r < part.first + part.count; r += 3) {
      size = std::max(size, (V.col(order[static_cast<std::size_t>(r / 3)]) - middle).norm());
    }
    for (Index r = part.first; r < part.first + part.count; r += 3) {
      const int node = order[static_cast<std::size_t>(r / 3)];
      auto own = Z.block<3, of_part>(r, of_part * static_cast<Index>(k));
      if (entries.held(node)) {
        own.rightCols<3>().setIdentity();
        continue;
      }
      const Eigen::Vector3f x = ((V.col(node) - middle) / size).cast<float>();
      own.leftCols<3>().setIdentity();
      own.middleCols<3>(3) << 0, x[2], -x[1], -x[2], 0, x[0], x[1], -x[0], 0;
    }
  }
  // Columns that are there.
  std::vector<Index> kept;
  for (Index j = 0; j < Z.cols(); ++j) {
    if (Z.col(j).squaredNorm() > 0) kept.push_back(j);
  }
  Z_ = Z(Eigen::all, kept);
  Z = {};
  AZ_.resize(Z_.rows(), Z_.cols());
  MatrixXf in, out;
  for (Index first = 0; first < Z_.cols(); first += 4 * columns_at_once) {
    const Index count = std::min(4 * columns_at_once, Z_.cols() - first);
    in = Z_.middleCols(first, count);
    matrix_.multiply(in, out);
    AZ_.middleCols(first, count) = out;
  }
  coarse_ =
      std::make_unique<Eigen::PartialPivLU<MatrixXd>>((Z_.transpose() * AZ_).cast<double>().eval());
}

void BoundarySolver::precondition(const MatrixXf& R, MatrixXf& X) const {
  const MatrixXf c = coarse_->solve((Z_.transpose() * R).cast<double>()).cast<float>();
  MatrixXf left = R;
  left.noalias() -= AZ_ * c;
  X.resize(R.rows(), R.cols());
  parallel_for(parts_.size(), 1, [&](std::size_t k) {
    const Part& part = parts_[k];
    X.middleRows(part.first, part.count) =
        part.inverse.solve(left.middleRows(part.first, part.count));
  });
  X.noalias() += Z_ * c;
}

// Arnoldi's process of all columns side by side; one that is done rests.
void BoundarySolver::solve_batch(MatrixXf& B) const {
  const Index n = B.rows(), s = B.cols();
  std::vector<MatrixXf> basis;
  std::vector<MatrixXd> H(static_cast<std::size_t>(s),
                          MatrixXd::Zero(most_iterations + 1, most_iterations));
  MatrixXd g = MatrixXd::Zero(most_iterations + 1, s);
  std::vector<MatrixXd> turns(static_cast<std::size_t>(s), MatrixXd::Zero(most_iterations, 2));
  std::vector<int> steps(static_cast<std::size_t>(s), 0);
  VectorXd size(s);
  basis.push_back(B);
  for (Index j = 0; j < s; ++j) {
    size[j] = std::sqrt(dot(B.col(j), B.col(j)));
    g(0, j) = size[j];
    if (size[j] > 0) basis[0].col(j) /= static_cast<float>(size[j]);
  }
  const auto done = [&](Index j, int k) { return !(std::abs(g(k, j)) > accuracy_ * size[j]); };
  MatrixXf z, w;
  int k = 0;
  for (; k < most_iterations; ++k) {
    bool all = true;
    for (Index j = 0; j < s; ++j) all = all && done(j, steps[static_cast<std::size_t>(j)]);
    if (all) break;
    precondition(basis.back(), z);
    matrix_.multiply(z, w);
    MatrixXf next(n, s);
    parallel_for(static_cast<std::size_t>(s), columns_a_task, [&](std::size_t at) {
      const auto j = static_cast<Index>(at);
      if (done(j, steps[at])) {
        next.col(j).setZero();
        return;
      }
      MatrixXd& h = H[at];
      for (int i = 0; i <= k; ++i) {
        h(i, k) = dot(basis[static_cast<std::size_t>(i)].col(j), w.col(j));
        w.col(j) -= static_cast<float>(h(i, k)) * basis[static_cast<std::size_t>(i)].col(j);
      }
      const double norm = std::sqrt(dot(w.col(j), w.col(j)));
      next.col(j) = norm > 0 ? Eigen::VectorXf(w.col(j) / static_cast<float>(norm))
                             : Eigen::VectorXf::Zero(n);
      // Givens' rotations keep H triangular.
      for (int i = 0; i < k; ++i) {
        const double c = turns[at](i, 0), t = turns[at](i, 1), a = h(i, k), b = h(i + 1, k);
        h(i, k) = c * a + t * b;
        h(i + 1, k) = -t * a + c * b;
      }
      const double r = std::hypot(h(k, k), norm);
      turns[at](k, 0) = h(k, k) / r;
      turns[at](k, 1) = norm / r;
      h(k, k) = r;
      g(k + 1, j) = -turns[at](k, 1) * g(k, j);
      g(k, j) *= turns[at](k, 0);
      steps[at] = k + 1;
    });
    basis.push_back(std::move(next));
  }
  iterations_ = std::max(iterations_, k);
  MatrixXf y = MatrixXf::Zero(n, s);
  for (Index j = 0; j < s; ++j) {
    const int m = steps[static_cast<std::size_t>(j)];
    if (!done(j, m)) {
      throw Error({"", 0, "surface"}, "its equations were not solved",
                  fmt::format("residual {:.2g}", std::abs(g(m, j)) / size[j]),
                  "a surface of better triangles");
    }
    const VectorXd c =
        H[static_cast<std::size_t>(j)].topLeftCorner(m, m).triangularView<Eigen::Upper>().solve(
            g.col(j).head(m));
    for (int i = 0; i < m; ++i) {
      y.col(j) += static_cast<float>(c[i]) * basis[static_cast<std::size_t>(i)].col(j);
    }
  }
  precondition(y, B);
}

MatrixXd BoundarySolver::solve(const MatrixXd& B) const {
  const std::vector<int>& order = matrix_.tree().order;
  MatrixXd X(B.rows(), B.cols());
  MatrixXf batch;
  for (Index first = 0; first < B.cols(); first += columns_at_once) {
    const Index count = std::min(columns_at_once, B.cols() - first);
    // Of one size: single numbers have a range.
    const double scale = std::max(B.middleCols(first, count).cwiseAbs().maxCoeff(), 1e-300);
    batch.resize(B.rows(), count);
    for (std::size_t k = 0; k < order.size(); ++k) {
      batch.middleRows<3>(3 * static_cast<Index>(k)) =
          (B.block(3 * order[k], first, 3, count) / scale).cast<float>();
    }
    solve_batch(batch);
    for (std::size_t k = 0; k < order.size(); ++k) {
      X.block(3 * order[k], first, 3, count) =
          scale * batch.middleRows<3>(3 * static_cast<Index>(k)).cast<double>();
    }
  }
  return X;
}

}  // namespace pliant
