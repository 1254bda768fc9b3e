// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/cubature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/nnls.hpp"
#include "pliant/reduced/bake/cubature_training.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"

namespace pliant {
namespace {

constexpr int held_out = 5;                // one in so many
constexpr int patience = 30;               // rounds without progress
constexpr double least_stiffness = 1e-14;  // of the largest eigenvalue of K0
constexpr double disturbance = 0.1;        // energy, of that of the configuration

// The reduced body at rest.
struct Rest {
  Rest(const fem::ElasticModel& model, const MatrixXd& U)
      : K0(U.transpose() * (model.tangent(VectorXd::Zero(model.dof())) * U)),
        M(U.transpose() * (fem::lumped_mass(model).asDiagonal() * U)) {
    K0 = (K0 + K0.transpose().eval()) / 2;
    const DenseEigen eigen = symmetric_eigen(K0);
    const VectorXd& lambda = eigen.values;
    if (!(lambda[0] > least_stiffness * lambda.tail<1>()[0])) {
      throw Error({"", 0, "basis"}, "it has a motion without stiffness",
                  fmt::format("{:g}", lambda[0]),
                  "deformations alone: take rigid and dependent motions out");
    }
    unit = eigen.vectors * lambda.cwiseSqrt().cwiseInverse().asDiagonal();
  }
  MatrixXd K0, M;  // r by r
  MatrixXd unit;   // q = unit q^: K0 is the identity in q^, U^ = U unit
};

// U^T R(U q) of every column.
MatrixXd reduced_forces(const fem::ElasticModel& model, const MatrixXd& U, const MatrixXd& Q,
                        Progress& progress) {
  if (Q.rows() != U.cols()) {
    throw Error({"", 0, "configurations"}, "wrong number of coordinates", std::to_string(Q.rows()),
                std::to_string(U.cols()));
  }
  MatrixXd g(Q.rows(), Q.cols());
  VectorXd R(model.dof());
  progress.begin("exact forces", Q.cols());
  for (Index t = 0; t < Q.cols(); ++t) {
    model.force(U * Q.col(t), R);
    g.col(t) = U.transpose() * R;
    if (!g.col(t).allFinite() || g.col(t).norm() == 0) {
      throw Error({"", 0, fmt::format("configuration {}", t)},
                  "its force is zero or not finite: nothing can be learnt from it");
    }
    progress.advance();
  }
  progress.end();
  return g;
}

double first_frequency(const MatrixXd& K, const MatrixXd& M) {
  return std::sqrt(symmetric_eigen(K, M).values[0]);
}

double error_of(const CubatureForces& forces, const Rest& rest, const MatrixXd& Q,
                const MatrixXd& g) {
  CubatureForces::Workspace workspace(forces);
  const Index r = Q.rows();
  VectorXd R(r);
  MatrixXd K(r, r);
  double total = 0;
  for (Index t = 0; t < Q.cols(); ++t) {
    forces.evaluate(Q.col(t), R, K, workspace);
    const VectorXd exact = rest.unit.transpose() * g.col(t);
    total += (rest.unit.transpose() * R - exact).squaredNorm() / exact.squaredNorm();
  }
  return std::sqrt(total / static_cast<double>(Q.cols()));
}

void check(const CubatureOptions& options, Index configurations) {
  const auto need = [](bool good, const char* what, double value, const char* expected) {
    if (!good) throw Error({"", 0, "cubature"}, what, fmt::format("{:g}", value), expected);
  };
  need(options.tolerance > 0 && options.tolerance < 1, "bad tolerance", options.tolerance,
       "between 0 and 1");
  need(options.max_points >= 1, "too few points", options.max_points, "at least 1");
  need(options.candidates >= 1, "too few candidates", options.candidates, "at least 1");
  need(configurations >= 2, "too few configurations", static_cast<double>(configurations),
       "at least 2");
}

}  // namespace

Cubature train_cubature(const fem::ElasticModel& model, const MatrixXd& U,
                        const MatrixXd& configurations, const CubatureOptions& options,
                        Progress& progress) {
  check(options, configurations.cols());
  require_basis(model, U);
  const Rest rest(model, U);
  const MatrixXd g = reduced_forces(model, U, configurations, progress);
  std::vector<Index> trained, validated;
  for (Index t = 0; t < configurations.cols(); ++t) {
    (t % held_out == 1 ? validated : trained).push_back(t);
  }
  const MatrixXd to_unit = rest.unit.transpose() * rest.K0;  // q^ = unit^-1 q
  const QuadratureGradients unit_gradients(model, U * rest.unit);
  CubatureTraining training(unit_gradients, to_unit * configurations(Eigen::all, trained),
                            rest.unit.transpose() * g(Eigen::all, trained));

  Cubature result;
  Random random(options.seed);
  const auto target = std::log(options.tolerance);
  double best = std::numeric_limits<double>::infinity();
  int waiting = 0, shown = 0;
  progress.begin("cubature", 1000);
  while (waiting < patience && !result.converged && training.active() < options.max_points) {
    ++result.rounds;
    training.add_best(options.candidates, random);
    const double error = std::max(training.force_error(), training.stiffness_error());
    waiting = error < best ? 0 : waiting + 1;
    best = std::min(best, error);
    result.converged = best <= options.tolerance;
    const int done =
        std::clamp(static_cast<int>(1000 * std::log(std::min(best, 1.0)) / target), 0, 1000);
    progress.advance(std::max(0, done - shown));
    shown = std::max(shown, done);
  }
  progress.end();

  result.points = QuadratureGradients(model, U).cubature(training.points(), training.factors());
  result.elements.resize(result.points.count());
  for (Index k = 0; k < result.elements.size(); ++k) {
    result.elements[k] = static_cast<int>(training.points()[static_cast<std::size_t>(k)] /
                                          unit_gradients.points_per_element());
  }
  const CubatureForces forces(result.points);
  CubatureForces::Workspace workspace(forces);
  VectorXd R(U.cols());
  MatrixXd K(U.cols(), U.cols());
  forces.evaluate(VectorXd::Zero(U.cols()), R, K, workspace);
  const MatrixXd unit_K = rest.unit.transpose() * K * rest.unit;
  result.errors = {
      .training =
          error_of(forces, rest, configurations(Eigen::all, trained), g(Eigen::all, trained)),
      .validation =
          error_of(forces, rest, configurations(Eigen::all, validated), g(Eigen::all, validated)),
      .stiffness = (unit_K - MatrixXd::Identity(U.cols(), U.cols())).norm() /
                   std::sqrt(static_cast<double>(U.cols())),
      .frequency = std::abs(first_frequency(K, rest.M) / first_frequency(rest.K0, rest.M) - 1)};
  return result;
}

double cubature_error(const fem::ElasticModel& model, const MatrixXd& U,
                      const CubatureForces& forces, const MatrixXd& configurations) {
  require_basis(model, U);
  return error_of(forces, Rest(model, U), configurations,
                  reduced_forces(model, U, configurations, Progress::none()));
}

MatrixXd random_configurations(const fem::ElasticModel& model, const MatrixXd& U, int count,
                               double largest, std::uint64_t seed, Progress& progress) {
  require_basis(model, U);
  if (count < 1 || !(largest > 0) || !std::isfinite(largest)) {
    throw Error({"", 0, "configurations"}, "bad number or size",
                fmt::format("{} of {:g} m", count, largest), "positive numbers");
  }
  const Rest rest(model, U);
  const DenseEigen modes = symmetric_eigen(rest.K0, rest.M);
  const Eigen::LLT<MatrixXd> K0(rest.K0);
  const auto extent = [&](const VectorXd& q) -> double {
    return (U * q).reshaped(3, model.mesh().vertex_count()).colwise().norm().maxCoeff();
  };
  MatrixXd Q(U.cols(), count);
  Random random(seed);
  progress.begin("configurations", count);
  for (Index t = 0; t < count; ++t) {
    VectorXd p(U.cols()), noise(U.cols());
    for (Index i = 0; i < p.size(); ++i) {
      p[i] = random.normal() * modes.values[0] / modes.values[i];
      noise[i] = random.normal();
    }
    const VectorXd q1 = modes.vectors * p;
    const VectorXd q2 = -0.5 * K0.solve(U.transpose() * model.hessian_products(U * q1));
    noise = rest.unit * noise.normalized();
    const double size1 = extent(q1), size2 = extent(q2);
    double s = random.uniform() * largest / size1;
    if (size2 > 0) s = std::min(s, size1 / size2);
    const auto at = [&](double amplitude) -> VectorXd {
      const VectorXd q = amplitude * q1 + amplitude * amplitude * q2;
      const double energy = model.energy(U * q);
      return q + std::sqrt(2 * disturbance * energy) * noise;
    };
    // Not above twice the energy of the linear answer: what is beyond is crushed, not bent.
    const auto sound = [&](double amplitude) {
      const double linear = 0.5 * amplitude * amplitude * q1.dot(rest.K0 * q1);
      return model.energy(U * at(amplitude)) <= 2 * linear;
    };
    while (!sound(s)) {
      s /= 2;
      if (!(s * size1 > 1e-9 * largest)) {
        throw Error({"", 0, "configurations"}, "the body has no energy near its rest shape");
      }
    }
    Q.col(t) = at(s);
    progress.advance();
  }
  progress.end();
  return Q;
}

}  // namespace pliant
