// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/quality.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/pcg.hpp"
#include "pliant/reduced/bake/rest_solver.hpp"
#include "pliant/reduced/reduced_step.hpp"

namespace pliant {
namespace {

constexpr int waves = 4;
constexpr std::size_t loads_a_solver = 5;
constexpr double shortest_wave = 1.0, longest_wave = 3.0;  // of the body's size

Vector3d random_direction(Random& random) {
  for (;;) {
    const Vector3d v(random.normal(), random.normal(), random.normal());
    if (v.norm() > 1e-3) return v.normalized();
  }
}

// Acceleration at the nodes times their mass.
VectorXd wave_load(const Matrix3Xd& X, const VectorXd& mass, double size, Random& random) {
  VectorXd f = VectorXd::Zero(mass.size());
  for (int w = 0; w < waves; ++w) {
    const Vector3d amplitude = random_direction(random);
    const double length = size * random.uniform(shortest_wave, longest_wave);
    const Vector3d k = 2 * std::numbers::pi / length * random_direction(random);
    const double phase = random.uniform(0, 2 * std::numbers::pi);
    for (Index v = 0; v < X.cols(); ++v) {
      f.segment<3>(3 * v) += amplitude * std::cos(k.dot(X.col(v)) + phase);
    }
  }
  return f.cwiseProduct(mass);
}

// Equilibrium to second order in the load: u1 + u2 with K u1 = f and K u2 = -Q(u1), where Q, the
// even part of the internal forces, is quadratic up to fourth order. Newton's method needs half as
// many steps from there as from rest.
//   linear: 3 #V by N, the u1 of N loads
MatrixXd second_order(const fem::ElasticModel& model, const RestSolver& rest,
                      const MatrixXd& linear) {
  MatrixXd u(linear.rows(), linear.cols());
  for (Index i = 0; i < linear.cols(); ++i) {
    const VectorXd u1 = linear.col(i);
    u.col(i) = -0.5 * (model.force(u1) + model.force(-u1));
  }
  rest.solve_in_place(u);
  return u + linear;
}

// Equilibrium of a free body among the displacements u with R^T M u = 0: Newton's method, the
// directions by conjugate gradients in that space, preconditioned by the stiffness at rest.
// Unknowns are the free displacements z, u = T z.
std::optional<VectorXd> free_equilibrium(const fem::ElasticModel& model,
                                         const fem::Constraints& constraints,
                                         const RestSolver& rest, const MatrixXd& R,
                                         const VectorXd& load, const VectorXd& start,
                                         Progress& progress) {
  constexpr int most_iterations = 60, most_halvings = 20;
  const MatrixXd MR = rest.M() * R;
  const auto balanced = [&](const VectorXd& f) -> VectorXd {
    return constraints.restrict_force(f - MR * (R.transpose() * f));
  };
  // Forces on the nodes that are worth f_z: all of it on the free nodes, none on the hanging ones.
  const auto on_free_nodes = [&](const VectorXd& fz) -> VectorXd {
    VectorXd f = constraints.expand_direction(fz);
    for (const HangingNode& h : model.mesh().hanging) f.segment<3>(3 * h.node).setZero();
    return f;
  };
  SparseMatrix K = model.tangent_pattern();
  const LinearOperator stiffness = [&](const VectorXd& z, VectorXd& y) {
    y = balanced(K * constraints.expand_direction(z));
  };
  const LinearOperator preconditioner = [&](const VectorXd& fz, VectorXd& z) {
    MatrixXd column = on_free_nodes(fz);
    rest.solve_in_place(column);
    z = constraints.free_part(column);
  };
  const VectorXd f = load - MR * (R.transpose() * load);
  const double scale = balanced(f).norm();
  VectorXd u = start, force(model.dof());
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    progress.throw_if_cancelled();
    model.force_and_tangent(u, force, K);
    const VectorXd residual = balanced(f - force);
    if (residual.norm() <= 1e-7 * scale) return u;
    VectorXd z = VectorXd::Zero(constraints.free_size());
    pcg(stiffness, preconditioner, residual, z, {.tolerance = 1e-3, .max_iterations = 200});
    // Where the body is about to buckle, the stiffness at rest tells the way down.
    if (!(residual.dot(z) > 0)) preconditioner(residual, z);
    const VectorXd step = constraints.expand_direction(z);
    const auto potential = [&](double length) {
      return model.energy(u + length * step) - f.dot(u + length * step);
    };
    const double before = potential(0.0), slope = -residual.dot(z);
    if (!(slope < 0)) return std::nullopt;
    double length = 1.0;
    for (int halving = 0;
         !(potential(length) <= before + 1e-4 * length * slope + 1e-12 * std::abs(before));
         length /= 2) {
      if (++halving > most_halvings) return std::nullopt;
    }
    u += length * step;
  }
  return std::nullopt;
}

}  // namespace

QualityReference quality_reference(const fem::ElasticModel& model,
                                   const fem::Constraints& constraints, const LinearModes& modes,
                                   const QualityOptions& options, Progress& progress) {
  if (options.loads < 1 || !(options.amplitude > 0 && options.amplitude <= 1)) {
    throw Error(
        {"", 0, "quality"}, "options out of range",
        std::to_string(options.loads) + " loads of amplitude " + std::to_string(options.amplitude),
        "at least 1 load, 0 < amplitude <= 1");
  }
  const RestSolver rest(model, constraints, modes);
  const double size = bounds(model.mesh().V).diagonal().norm();
  QualityReference reference;
  reference.M = fem::lumped_mass(model);
  reference.first_frequency = modes.omega[0] / (2 * std::numbers::pi);

  Random random(options.seed);
  MatrixXd loads(model.dof(), options.loads);
  for (int i = 0; i < options.loads; ++i) {
    loads.col(i) = wave_load(model.mesh().V, reference.M, size, random);
  }
  MatrixXd linear = loads;
  rest.solve_in_place(linear);
  for (int i = 0; i < options.loads; ++i) {
    const double largest = linear.col(i).reshaped(3, model.dof() / 3).colwise().norm().maxCoeff();
    const double scale = options.amplitude * size / largest;
    loads.col(i) *= scale;
    linear.col(i) *= scale;
  }

  const MatrixXd starts = second_order(model, rest, linear);
  std::vector<std::optional<VectorXd>> solutions(static_cast<std::size_t>(options.loads));
  progress.begin("quality", options.loads);
  parallel_chunks(solutions.size(), loads_a_solver, [&](std::size_t begin, std::size_t end) {
    std::optional<fem::StaticSolver> solver;
    if (!modes.free()) solver.emplace(model, constraints);
    Progress one_load({}, progress);
    for (std::size_t i = begin; i < end; ++i) {
      progress.advance();
      const VectorXd load = loads.col(static_cast<Index>(i));
      VectorXd start = starts.col(static_cast<Index>(i));
      // Too far for second order: it would be a climb from rest.
      if (!(model.energy(start) < load.dot(start))) start.setZero();
      if (!solver) {
        solutions[i] =
            free_equilibrium(model, constraints, rest, modes.rigid, load, start, progress);
        continue;
      }
      try {
        solutions[i] =
            solver->solve(load, {.tolerance = 1e-6, .max_load_steps = 64}, start, one_load).u;
      } catch (const Cancelled&) {
        throw;
      } catch (const Error&) {
        // A load that this body does not bear: dropped, and counted.
      }
    }
  });
  progress.end();

  std::vector<Index> kept;
  for (Index i = 0; i < options.loads; ++i) {
    if (solutions[static_cast<std::size_t>(i)]) kept.push_back(i);
  }
  reference.dropped = options.loads - static_cast<int>(kept.size());
  if (kept.empty()) {
    throw Error({"", 0, "quality"},
                "no test load has an equilibrium: lower the amplitude of the loads");
  }
  reference.loads.resize(model.dof(), static_cast<Index>(kept.size()));
  reference.displacements.resizeLike(reference.loads);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    reference.loads.col(static_cast<Index>(i)) = loads.col(kept[i]);
    reference.displacements.col(static_cast<Index>(i)) =
        *solutions[static_cast<std::size_t>(kept[i])];
  }
  return reference;
}

Quality assess(const QualityReference& reference, const MatrixXd& U, const ReducedModel& model) {
  constexpr int most_iterations = 200;
  const Index r = model.active();
  Quality quality{.size = r};
  ReducedState state(model);
  ReducedLoad load;
  const MatrixXd loads = U.transpose() * reference.loads;
  quality.errors.resize(loads.cols());
  for (Index i = 0; i < loads.cols(); ++i) {
    state.q.setZero();
    load.force = loads.col(i);
    const StepStatus status = solve_static(model, load, most_iterations, 1e-8, state);
    if (status != StepStatus::ok && has(status, StepStatus::not_converged)) {
      ++quality.not_converged;
    }
    const auto norm = [&](const VectorXd& u) {
      return std::sqrt(u.dot(reference.M.cwiseProduct(u)));
    };
    const VectorXd full = reference.displacements.col(i);
    quality.errors[i] = norm(U * state.q - full) / norm(full);
  }
  quality.mean = quality.errors.mean();
  quality.worst = quality.errors.maxCoeff();

  VectorXd R(r);
  MatrixXd K(r, r);
  with_forces(model.forces(), state.scratch.forces, [&](const auto& forces, auto& workspace) {
    forces.evaluate(VectorXd::Zero(r), R, K, workspace);
  });
  const DenseEigen spectrum = symmetric_eigen(K, model.mass().topLeftCorner(r, r));
  quality.first_frequency = std::sqrt(std::max(0.0, spectrum.values[0])) / (2 * std::numbers::pi);
  quality.frequency_error = quality.first_frequency / reference.first_frequency - 1;
  return quality;
}

}  // namespace pliant
