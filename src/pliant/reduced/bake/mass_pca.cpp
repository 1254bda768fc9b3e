// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/mass_pca.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/thin_qr.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/modal_hessians.hpp"

namespace pliant {
namespace {

// Of a shape's largest displacement: what a fixed or hanging node may be off.
constexpr double constraint_tolerance = 1e-6;
// Of the largest derivative: below, it is rounding.
constexpr double no_size = 1e-9;
constexpr Index chunk_rows = 1024;

// A B, the rows of A in parallel.
MatrixXd product(const MatrixXd& A, const MatrixXd& B) {
  MatrixXd result(A.rows(), B.cols());
  parallel_chunks(static_cast<std::size_t>(A.rows()), chunk_rows,
                  [&](std::size_t begin, std::size_t end) {
                    const Index first = static_cast<Index>(begin);
                    const Index rows = static_cast<Index>(end - begin);
                    result.middleRows(first, rows).noalias() = A.middleRows(first, rows) * B;
                  });
  return result;
}

// (x^T A x)^1/2 of every column.
VectorXd norms_in(const SparseMatrix& A, const MatrixXd& X) {
  VectorXd norms(X.cols());
  parallel_for(static_cast<std::size_t>(X.cols()), 1, [&](std::size_t j) {
    const Index column = static_cast<Index>(j);
    norms[column] = std::sqrt(X.col(column).dot(A * X.col(column)));
  });
  return norms;
}

SparseMatrix rest_stiffness(const fem::ElasticModel& model) {
  return model.tangent(VectorXd::Zero(model.dof()));
}

// The a of ModalWeights: mode 1 moves so far.
double modal_amplitude(const fem::ElasticModel& model, const LinearModes& modes, double amplitude) {
  const Matrix3Xd& V = model.mesh().V;
  const double size = bounds(V).diagonal().norm();
  return amplitude * size / modes.Psi.col(0).reshaped(3, V.cols()).colwise().norm().maxCoeff();
}

// Adds shapes of second or third order; those of no size with the weight zero.
//   terms: their weights in the expansion; without any, (2.52) is meant
//   most: their largest weighted size in the metric A
void add_terms(const SparseMatrix& A, const MatrixXd& shapes, const VectorXd& terms,
               const VectorXd& most, ShapeSet& set) {
  const VectorXd norms = norms_in(A, shapes);
  const double least = no_size * norms.maxCoeff();
  VectorXd weights = VectorXd::Zero(norms.size());
  for (Index i = 0; i < norms.size(); ++i) {
    if (!(norms[i] > least)) continue;
    weights[i] = most[i] / norms[i];
    if (terms.size() > 0) weights[i] = std::min(weights[i], terms[i]);
  }
  set.add(shapes, weights);
}

void check(const fem::ElasticModel& model, const fem::Constraints& constraints, const ShapeSet& set,
           const PcaOptions& options) {
  if (constraints.full_size() != model.dof()) {
    throw Error({}, "the constraints belong to another mesh",
                fmt::format("{} nodes", constraints.full_size() / 3),
                fmt::format("{} nodes", model.mesh().vertex_count()));
  }
  if (set.count() == 0) throw Error("basis: no shapes are given");
  PLIANT_ASSERT(set.shapes.cols() == set.count(), "a weight a shape");
  if (set.shapes.rows() != model.dof()) {
    throw Error({}, "basis: numbers of a shape", std::to_string(set.shapes.rows()),
                fmt::format("{}, three a node", model.dof()));
  }
  for (Index j = 0; j < set.count(); ++j) {
    if (std::isfinite(set.weights[j]) && set.weights[j] >= 0) continue;
    throw Error({"", 0, fmt::format("shape {}", j)}, "its weight",
                fmt::format("{:g}", set.weights[j]), "a number from 0 up");
  }
  if (options.count < 0) {
    throw Error({}, "basis: number of vectors", std::to_string(options.count),
                "at least 1, or 0: by the retained energy");
  }
  if (!(options.energy > 0 && options.energy <= 1)) {
    throw Error({}, "basis: energy to retain", fmt::format("{:g}", options.energy),
                "more than 0, at most 1");
  }
}

// The free displacements of shape j, weighted; throws if the shape breaks the constraints.
VectorXd free_shape(const fem::Constraints& constraints, const ShapeSet& set, Index j) {
  const VectorXd x = set.shapes.col(j);
  const std::string item = fmt::format("shape {}", j);
  for (Index i = 0; i < x.size(); ++i) {
    if (std::isfinite(x[i])) continue;
    throw Error({"", 0, item}, fmt::format("the displacement of node {}", i / 3),
                fmt::format("{:g}", x[i]), "a finite number");
  }
  const VectorXd z = constraints.free_part(x);
  const VectorXd off = (x - constraints.expand_direction(z)).cwiseAbs();
  Index worst = 0;
  if (off.maxCoeff(&worst) > constraint_tolerance * x.cwiseAbs().maxCoeff()) {
    const int node = static_cast<int>(worst / 3);
    const std::vector<int>& fixed = constraints.fixed_nodes();
    const bool held = std::binary_search(fixed.begin(), fixed.end(), node);
    throw Error({"", 0, item}, fmt::format("node {} is {:g} m off", node, off[worst]), "",
                held ? "no displacement, as the node is fixed"
                     : "the mean of its parents' displacements, as the node hangs");
  }
  return set.weights[j] * z;
}

// How many vectors to keep of singular values s.
Index choose_rank(const VectorXd& s, Index n, const PcaOptions& options) {
  const double tolerance = static_cast<double>(std::max<Index>(n, s.size())) *
                           std::numeric_limits<double>::epsilon() * s[0];
  const Index rank = (s.array() > tolerance).count();
  if (rank == 0) throw Error("basis: all shapes are zero (or rigid motions)");
  if (options.count > rank) {
    throw Error({}, "basis: number of vectors", std::to_string(options.count),
                fmt::format("at most {}, as many as the shapes span", rank));
  }
  if (options.count > 0) return options.count;
  const double wanted = options.energy * s.squaredNorm();
  Index r = 1;
  for (double sum = s[0] * s[0]; r < rank && sum < wanted; ++r) sum += s[r] * s[r];
  return r;
}

// Of the weighted shapes in coordinates of a mass-orthonormal basis, B: orthonormal vectors whose
// first r span the best space of r.
//   K: the stiffness in these coordinates
LeftSingular leading_vectors(const MatrixXd& B, const MatrixXd& K) {
  const Eigen::LLT<MatrixXd> H(K);
  if (H.info() != Eigen::Success) {
    throw Error("basis: the stiffness at rest is not definite on the shapes");
  }
  LeftSingular result = left_singular(H.matrixU() * B);
  result.vectors = thin_qr(H.matrixU().solve(result.vectors)).Q;
  return result;
}

// U becomes U V with V^T (U^T K U) V = diag(omega^2).
void diagonalise(const fem::ElasticModel& model, Basis& basis) {
  const SparseMatrix K = rest_stiffness(model);
  const MatrixXd small = basis.U.transpose() * multiply(K, basis.U);
  const DenseEigen eigen = symmetric_eigen(0.5 * (small + small.transpose()));
  basis.U = product(basis.U, eigen.vectors);
  basis.omega = eigen.values.cwiseMax(0.0).cwiseSqrt();
}

}  // namespace

void ShapeSet::add(const MatrixXd& columns, const VectorXd& column_weights) {
  PLIANT_ASSERT(columns.cols() == column_weights.size(), "a weight a shape");
  if (columns.cols() == 0) return;
  if (count() > 0 && columns.rows() != shapes.rows()) {
    throw Error({}, "numbers of a shape", std::to_string(columns.rows()),
                std::to_string(shapes.rows()));
  }
  shapes.conservativeResize(columns.rows(), count() + columns.cols());
  weights.conservativeResize(shapes.cols());
  shapes.rightCols(columns.cols()) = columns;
  weights.tail(columns.cols()) = column_weights;
}

void ShapeSet::add(const MatrixXd& columns, double weight) {
  add(columns, VectorXd::Constant(columns.cols(), weight));
}

ShapeSet modal_shapes(const fem::ElasticModel& model, const LinearModes& modes, const MatrixXd& Phi,
                      const MatrixXd& Theta, const ModalWeights& options) {
  if (!(options.amplitude >= 0 && options.amplitude <= 1)) {
    throw Error({}, "basis: amplitude", fmt::format("{:g}", options.amplitude), "0 to 1");
  }
  const Index k = modes.count();
  const bool published = options.amplitude == 0;
  const SparseMatrix A = published ? mass_matrix(model, modes.mass) : rest_stiffness(model);
  const double a = modal_amplitude(model, modes, options.amplitude);
  const VectorXd w = modes.lambda()[0] / modes.lambda().array();
  const VectorXd e = w.cwiseProduct(modes.omega);  // |w_i Psi_i|_K
  ShapeSet set;
  set.metric = published ? ShapeMetric::mass : ShapeMetric::energy;
  set.add(modes.Psi, w);
  if (Phi.cols() > 0) {
    const bool symmetric = Phi.cols() == pair_count(k);
    PLIANT_ASSERT(symmetric || Phi.cols() == k * k, "derivatives of these modes");
    VectorXd terms(published ? 0 : Phi.cols()), most(Phi.cols());
    for (Index i = 0, at = 0; i < k; ++i) {
      for (Index j = symmetric ? i : 0; j < k; ++j, ++at) {
        most[at] = published ? w[i] * w[j] : std::min(e[i], e[j]) / 2;
        if (!published) terms[at] = (i == j || !symmetric ? 0.5 : 1.0) * a * w[i] * w[j];
      }
    }
    add_terms(A, Phi, terms, most, set);
  }
  if (Theta.cols() > 0) {
    PLIANT_ASSERT(Theta.cols() == triple_count(k), "modal Hessians of these modes");
    VectorXd terms(published ? 0 : Theta.cols()), most(Theta.cols());
    for (Index i = 0, at = 0; i < k; ++i) {
      for (Index j = i; j < k; ++j) {
        for (Index l = j; l < k; ++l, ++at) {
          const double equal = i == l ? 1.0 / 6 : i == j || j == l ? 0.5 : 1.0;
          most[at] = published ? w[i] * w[j] * w[l] : e[l] / 4;  // l is the stiffest
          if (!published) terms[at] = equal * a * a * w[i] * w[j] * w[l];
        }
      }
    }
    add_terms(A, Theta, terms, most, set);
  }
  return set;
}

Basis mass_pca(const fem::ElasticModel& model, const fem::Constraints& constraints,
               const ShapeSet& set, const PcaOptions& options, Progress& progress) {
  check(model, constraints, set, options);
  progress.begin("mass-PCA", 4);
  progress.throw_if_cancelled();
  const SparseMatrix M = mass_matrix(model, options.mass);
  const SparseMatrix Mz = constraints.reduce(M);
  const VectorXd d = Mz.diagonal().cwiseSqrt();
  if (!(d.minCoeff() > 0)) throw Error("basis: a node that is not fixed belongs to no element");

  MatrixXd Z(constraints.free_size(), set.count());
  parallel_for(static_cast<std::size_t>(set.count()), 1, [&](std::size_t j) {
    Z.col(static_cast<Index>(j)) = free_shape(constraints, set, static_cast<Index>(j));
  });
  if (constraints.fixed_nodes().empty()) {
    const MatrixXd R = rigid_motions(model.mesh(), M);
    MatrixXd Rz(Z.rows(), R.cols());
    for (Index i = 0; i < R.cols(); ++i) Rz.col(i) = constraints.free_part(R.col(i));
    remove_motions(Rz, multiply(Mz, Rz), Z);
  }
  Z = d.asDiagonal() * Z;
  progress.advance();

  auto [Q, S] = thin_qr(std::move(Z));
  progress.advance();
  const SparseMatrix scaled = d.cwiseInverse().asDiagonal() * Mz * d.cwiseInverse().asDiagonal();
  const Eigen::LLT<MatrixXd> C(Q.transpose() * multiply(scaled, Q));
  PLIANT_ASSERT(C.info() == Eigen::Success, "the mass is positive definite");
  // The shapes are (D^-1/2 Q C^-1) B.
  const MatrixXd B = C.matrixU() * S;
  LeftSingular svd;
  if (set.metric == ShapeMetric::energy) {
    const SparseMatrix Kz = d.cwiseInverse().asDiagonal() *
                            constraints.reduce(rest_stiffness(model)) *
                            d.cwiseInverse().asDiagonal();
    const MatrixXd half = C.matrixU().transpose().solve(Q.transpose() * multiply(Kz, Q));
    svd = leading_vectors(B, C.matrixU().transpose().solve(half.transpose()));
  } else {
    svd = left_singular(B);
  }
  progress.advance();

  Basis basis;
  basis.singular_values = svd.values;
  const Index r = choose_rank(basis.singular_values, Q.rows(), options);
  basis.retained_energy =
      basis.singular_values.head(r).squaredNorm() / basis.singular_values.squaredNorm();
  const MatrixXd W = C.matrixU().solve(svd.vectors.leftCols(r));
  basis.U = constraints.expand_directions(d.cwiseInverse().asDiagonal() * product(Q, W));
  if (options.diagonalise) diagonalise(model, basis);
  for (Index j = 0; j < r; ++j) {
    Index largest = 0;
    basis.U.col(j).cwiseAbs().maxCoeff(&largest);
    if (basis.U(largest, j) < 0) basis.U.col(j) *= -1.0;
  }
  progress.advance();
  progress.end();
  return basis;
}

}  // namespace pliant
