// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/hyper_training.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

#include "pliant/base/parallel.hpp"
#include "pliant/fem/elements.hpp"
#include "pliant/linalg/nnls.hpp"

namespace pliant {
namespace {

constexpr Index most_candidates = 1500;
constexpr int rounds = 60;
constexpr Index least_batch = 8;
constexpr double worth_while = 0.999;  // of the error, a round

// All quadrature points of some elements, spread evenly.
HyperPoints candidates_of(const fem::ElasticModel& model, const MatrixXd& U) {
  const VolumeMesh& mesh = model.mesh();
  const auto& rule = fem::energy_quadrature(mesh.type);
  const Index all = mesh.E.cols() * std::ssize(rule), n = std::min(all, most_candidates);
  HyperPoints points{VectorXi(n), VectorXd(n), MatrixXd(9 * n, U.cols())};
  for (Index i = 0; i < n; ++i) {
    const Index point = i * all / n, e = point / std::ssize(rule);
    const fem::QuadraturePoint& q = rule[static_cast<std::size_t>(point % std::ssize(rule))];
    const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
    const Matrix3d J = q.jacobian(X);
    const Matrix3Xd dN = J.inverse().transpose() * q.dN;
    points.material[i] =
        mesh.region.size() > 0 && model.materials().size() > 1 ? mesh.region[e] : 0;
    points.weights[i] =
        q.weight * J.determinant() * static_cast<double>(all) / static_cast<double>(n);
    auto G = points.gradients.middleRows<9>(9 * i);
    G.setZero();
    for (Index a = 0; a < mesh.E.rows(); ++a) {
      for (Index d = 0; d < 3; ++d) {
        for (Index k = 0; k < 3; ++k) G.row(3 * d + k) += dN(k, a) * U.row(3 * mesh.E(a, e) + d);
      }
    }
  }
  return points;
}

}  // namespace

HyperTraining train_hyper_forces(const fem::ElasticModel& model, const MatrixXd& U,
                                 const MatrixXd& configurations, Index count, double tolerance,
                                 Progress& progress) {
  const Index r = U.cols(), samples = configurations.cols();
  const HyperPoints candidates = candidates_of(model, U);
  const HyperForces forces(candidates, model.materials());
  const Index n = forces.count();
  progress.begin("points of the correction", rounds);
  MatrixXd B(r * samples, n);
  VectorXd wanted(r * samples);
  parallel_for(static_cast<std::size_t>(samples), 1, [&](std::size_t i) {
    progress.throw_if_cancelled();
    const auto j = static_cast<Index>(i);
    const VectorXd c = configurations.col(j);
    const double scale = 1 / c.norm();
    VectorXd R(model.dof());
    MatrixXd S(9, n);
    model.force(U * c, R, fem::Threads::one);
    wanted.segment(r * j, r) = scale * (U.transpose() * R - c);
    forces.stresses(c, S);
    for (Index p = 0; p < n; ++p) {
      B.col(p).segment(r * j, r) = candidates.gradients.middleRows<9>(9 * p).transpose() *
                                   (scale * candidates.weights[p] * S.col(p));
    }
  });
  const VectorXd length = B.colwise().norm().cwiseMax(1e-300);
  const double whole = wanted.norm();
  std::vector<int> chosen;
  VectorXd x, left = wanted;
  for (int round = 0; round < rounds && left.norm() > tolerance * whole; ++round) {
    if (std::ssize(chosen) >= count) break;
    VectorXd like = (B.transpose() * left).cwiseQuotient(length);
    for (const int p : chosen) like[p] = -1;
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int a, int b) { return like[a] > like[b]; });
    // What is new is worth a part of what there is, so that few are chosen in vain.
    const Index more =
        std::min(std::max<Index>(std::ssize(chosen) / 4, least_batch), count - std::ssize(chosen));
    std::vector<int> tried = chosen;
    for (Index i = 0; i < std::min(more, n) && like[order[static_cast<std::size_t>(i)]] > 0; ++i) {
      tried.push_back(order[static_cast<std::size_t>(i)]);
    }
    if (tried.size() == chosen.size()) break;
    const MatrixXd A = B(Eigen::all, tried);
    const VectorXd y = nonnegative_least_squares(A.transpose() * A, A.transpose() * wanted);
    std::vector<int> kept;
    std::vector<double> factors;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (!(y[static_cast<Index>(i)] > 0)) continue;
      kept.push_back(tried[i]);
      factors.push_back(y[static_cast<Index>(i)]);
    }
    const double before = left.norm();
    left = wanted - A * y;
    chosen = std::move(kept);
    x = Eigen::Map<const VectorXd>(factors.data(), std::ssize(factors));
    progress.advance();
    if (!(left.norm() < worth_while * before)) break;
  }
  HyperTraining out;
  const auto m = std::ssize(chosen);
  out.points = {VectorXi(m), VectorXd(m), MatrixXd(9 * m, r)};
  for (Index i = 0; i < m; ++i) {
    const int p = chosen[static_cast<std::size_t>(i)];
    out.points.material[i] = candidates.material[p];
    out.points.weights[i] = x[i] * candidates.weights[p];
    out.points.gradients.middleRows<9>(9 * i) = candidates.gradients.middleRows<9>(9 * Index{p});
  }
  out.error = whole > 0 ? left.norm() / whole : 0.0;
  progress.end();
  return out;
}

}  // namespace pliant
