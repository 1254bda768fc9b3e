// SPDX-License-Identifier: MIT
#include "verify/motions.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/full/implicit_step.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/mesh/voxel_grid.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/reduced_step.hpp"

namespace pliant::verify {
namespace {

constexpr int most_iterations = 40;
constexpr double beta = 0.25, gamma = 0.5;  // of Newmark

[[noreturn]] void no_convergence(const std::string& motion, int step) {
  throw Error({{}, 0, motion}, "a step does not converge", std::to_string(step));
}

void check(const std::string& motion, int step, StepStatus status) {
  if (has(status, StepStatus::not_converged) || has(status, StepStatus::not_finite)) {
    no_convergence(motion, step);
  }
}

}  // namespace

FullModel voxel_body(const std::string& name, int resolution, Damping damping) {
  const Model model = make_model(name);
  VolumeMesh mesh = hexahedra(
      voxelise(model.surface, {.resolution = resolution > 0 ? resolution : model.voxel_resolution,
                               .fill_interior = model.fill_interior,
                               .keep_largest = true}));
  std::vector<int> held;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3d x = mesh.V.col(v);
    if (std::ranges::any_of(model.fixed, [&](const auto& box) { return box.contains(x); })) {
      held.push_back(v);
    }
  }
  const ModelMaterial& m = model.materials.front();
  fem::Constraints constraints(mesh, held);
  return FullModel(fem::ElasticModel(std::move(mesh), {fem::isotropic(fem::Law::stvk, m.young,
                                                                      m.poisson, m.density)}),
                   std::move(constraints), damping);
}

int node_at(const VolumeMesh& mesh, const Vector3d& place) {
  Index nearest = 0;
  (mesh.V.colwise() - place).colwise().squaredNorm().minCoeff(&nearest);
  return static_cast<int>(nearest);
}

VectorXd Impulse::at(int step, Index dof) const {
  VectorXd f = VectorXd::Zero(dof);
  if (step < steps) f.segment<3>(3 * node) = force;
  return f;
}

MatrixXd full_motion(const FullModel& body, const Impulse& impulse, const MotionOptions& options) {
  ImplicitStepper stepper(body,
                          {.max_iterations = most_iterations, .tolerance = options.tolerance});
  FullState state(body);
  MatrixXd motion(body.body().dof(), options.steps + 1);
  motion.col(0) = state.u;
  for (int i = 0; i < options.steps; ++i) {
    const FullLoad load{impulse.at(i, body.body().dof())};
    check("full motion", i, stepper.step(load, options.dt, state));
    motion.col(i + 1) = state.u;
  }
  return motion;
}

MatrixXd projected_motion(const FullModel& body, const MatrixXd& U, const Impulse& impulse,
                          const MotionOptions& options) {
  const Index r = U.cols();
  const double inertia = 1 / (beta * options.dt * options.dt), rate = gamma / (beta * options.dt);
  const auto [alpha, stiff] = body.damping();
  VectorXd q = VectorXd::Zero(r), v = q, a = q, R(body.body().dof());
  SparseMatrix K = body.body().tangent_pattern();
  MatrixXd motion = MatrixXd::Zero(r, options.steps + 1), Kq;
  for (int i = 0; i < options.steps; ++i) {
    const VectorXd f = U.transpose() * impulse.at(i, body.body().dof());
    const VectorXd old_q = q, old_v = v, old_a = a;
    for (int iteration = 0;; ++iteration) {
      body.body().force_and_tangent(U * q, R, K);
      Kq = U.transpose() * multiply(K, U);
      a = inertia * (q - old_q) - old_v / (beta * options.dt) - (0.5 / beta - 1) * old_a;
      v = old_v + options.dt * ((1 - gamma) * old_a + gamma * a);
      const VectorXd Rq = U.transpose() * R, Dv = alpha * v + stiff * (Kq * v);
      const VectorXd residual = f - a - Dv - Rq;
      const double scale = std::max({f.norm(), a.norm(), Dv.norm(), Rq.norm()});
      if (residual.norm() <= options.tolerance * scale) break;
      if (iteration == most_iterations) no_convergence("projected motion", i);
      MatrixXd A = (1 + rate * stiff) * Kq;
      A.diagonal().array() += inertia + rate * alpha;
      q += A.ldlt().solve(residual);
    }
    motion.col(i + 1) = q;
  }
  return motion;
}

MatrixXd reduced_motion(const FullModel& body, const MatrixXd& U, const Impulse& impulse,
                        const MotionOptions& options) {
  ReducedMaterials materials = reduce_materials(body.body(), U);
  const ReducedModel model(
      PolynomialForces(std::move(materials.parts), materials.coefficients,
                       Precision::double_precision),
      {std::move(materials.masses), materials.densities}, body.damping(),
      {.dt = options.dt, .max_iterations = most_iterations, .tolerance = options.tolerance});
  ReducedState state(model);
  MatrixXd motion = MatrixXd::Zero(U.cols(), options.steps + 1);
  for (int i = 0; i < options.steps; ++i) {
    const ReducedLoad load{U.transpose() * impulse.at(i, body.body().dof())};
    check("reduced motion", i, step(model, load, state));
    motion.col(i + 1) = state.q;
  }
  return motion;
}

double motion_error(const FullModel& body, const MatrixXd& u, const MatrixXd& x) {
  double error = 0.0, size = 0.0;
  for (Index t = 0; t < u.cols(); ++t) {
    const VectorXd z = body.constraints().free_part(u.col(t));
    const VectorXd d = body.constraints().free_part(x.col(t)) - z;
    error += d.cwiseAbs2().dot(body.mass());
    size += z.cwiseAbs2().dot(body.mass());
  }
  return std::sqrt(error / size);
}

double frequency(const VectorXd& samples, double dt) {
  double begin = 0.0, end = 0.0;
  int crossings = 0;
  for (Index i = 0; i + 1 < samples.size(); ++i) {
    if (!(samples[i] <= 0 && samples[i + 1] > 0)) continue;
    end = dt * (static_cast<double>(i) + samples[i] / (samples[i] - samples[i + 1]));
    if (crossings++ == 0) begin = end;
  }
  return crossings < 2 ? 0.0 : (crossings - 1) / (end - begin);
}

std::vector<double> times(double dt, Index count) {
  std::vector<double> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<double>(i) * dt;
  return result;
}

std::vector<double> values(const VectorXd& samples) {
  return {samples.begin(), samples.end()};
}

}  // namespace pliant::verify
