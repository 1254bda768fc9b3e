// SPDX-License-Identifier: MIT
// Experiments of [Zhuang00]: rotation, collision, graded meshes.
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/collision.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/graded_hex.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

// [Zhuang00] 2.2: the linear strain takes a rotation for a strain, the quadratic one does not.
std::vector<Row> rotation() {
  const VolumeMesh mesh = block(ElementType::hex8, {4, 2, 2}, {2.0, 1.0, 1.0});
  const Matrix3d R = Eigen::AngleAxisd(1.0, Vector3d(1, 2, 3).normalized()).matrix();
  const VectorXd u = (R * mesh.V - mesh.V).reshaped();
  const auto force = [&](fem::Law law) {
    const fem::ElasticModel body(mesh, {fem::isotropic(law, 1.0, 0.3, 1)});
    return body.force(u).lpNorm<Eigen::Infinity>();
  };
  return {at_most("quadratic_strain_force", force(fem::Law::stvk), 1e-12, "", "0"),
          at_least("linear_strain_force", force(fem::Law::linear), 1e-2, "", "not 0")};
}

// A soft cube falls on a floor at 1 m/s. The deepest penetration and whether the energy grew.
struct Impact {
  double penetration = 0.0;  // m
  bool stable = true;
};

Impact impact(const ContactOptions& options, double dt, double margin) {
  VolumeMesh mesh = block(ElementType::hex8, {4, 4, 4}, Vector3d::Constant(0.1));
  mesh.V.row(2).array() += 1e-3;
  const FullModel model(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
                        fem::Constraints(mesh), {});
  ExplicitStepper stepper(model);
  const ContactSurface surface(mesh);
  FullState state(model);
  for (Index i = 2; i < state.v.size(); i += 3) state.v[i] = -1.0;
  const FullLoad load{VectorXd::Zero(model.body().dof())};
  stepper.start(load, state);
  const Balance before = balance(model, state);
  std::vector<NodeContact> contacts;
  Impact result;
  while (state.time < 0.02) {
    find_contacts(model, state, surface, RigidShape(), margin, contacts);
    for (const NodeContact& c : contacts) result.penetration = std::max(result.penetration, -c.gap);
    if (stepper.step(load, dt, contacts, options, {}, state) != StepStatus::ok) {
      result.stable = false;
      return result;
    }
  }
  const Balance after = balance(model, state);
  result.stable = after.kinetic + after.elastic < 1.05 * before.kinetic;
  return result;
}

// [Zhuang00] 3.2: the constraint keeps the step of free flight; a penalty that lets nodes in by a
// hundredth of an element's side needs a far smaller one.
std::vector<Row> collision() {
  VolumeMesh mesh = block(ElementType::hex8, {4, 4, 4}, Vector3d::Constant(0.1));
  const FullModel model(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
                        fem::Constraints(mesh), {});
  const double free_step = 0.7 * ExplicitStepper(model).stable_step();
  const double side = 0.025, allowed = 0.01 * side;
  // The constraint looks ahead: nodes that would get inside within two steps at 1 m/s are held.
  const Impact constrained = impact({}, free_step, 2.0 * free_step);
  // The stiffness that stops the heaviest node's column within the allowed depth.
  const double column_mass = 1000 * side * side * 0.1;
  const double stiffness = column_mass / (allowed * allowed);
  double dt = free_step;
  Impact penalised;
  for (;; dt /= 2) {
    penalised = impact({.method = ContactOptions::Method::penalty, .penalty = stiffness}, dt,
                       2.0 * free_step);
    if ((penalised.stable && penalised.penetration < 2 * allowed) || dt < 1e-4 * free_step) break;
  }
  return {
      at_most("constraint.penetration", constrained.penetration / side, 2e-2, "elements", "0"),
      {"constraint.stable", "yes", constrained.stable ? 1.0 : 0.0, "", "= 1", constrained.stable},
      at_least("step_ratio", free_step / dt, 10, "x", "hundreds")};
}

constexpr double load_radius = 0.3;  // of the cube's side

// Work of a load on a patch of the top of a unit cube that stands on its base: a measure of the
// displacement under the load that every mesh has.
double patch_work(const VolumeMesh& mesh) {
  const fem::ElasticModel body(mesh, {fem::isotropic(fem::Law::linear, 1e5, 0.3, 1000)});
  const Eigen::AlignedBox3d box = bounds(mesh.V);
  const Vector3d low = box.min(), high = box.max();
  std::vector<int> base;
  std::vector<char> hangs(static_cast<std::size_t>(mesh.vertex_count()), 0);
  for (const HangingNode& h : mesh.hanging) hangs[static_cast<std::size_t>(h.node)] = 1;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V(2, v) < low[2] + 1e-9 && !hangs[static_cast<std::size_t>(v)]) base.push_back(v);
  }
  // A smooth pressure on the middle of the top without resultant: what it does stays near the
  // surface, as [Zhuang00] 3.3 assumes, and every mesh carries the same load.
  VectorXd f = VectorXd::Zero(body.dof());
  const Vector3d centre((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2]);
  const auto pressure = [&](const Vector3d& x) {
    const double s = (x - centre).squaredNorm() / std::pow(load_radius * (high[0] - low[0]), 2);
    return s < 1 ? 100 * (1 - s) * (1 - s) * (1 - 4 * s) : 0.0;
  };
  const Matrix3Xi triangles = fem::boundary_triangles(mesh);
  for (const auto& t : triangles.colwise()) {
    const Vector3d a = mesh.V.col(t[0]), b = mesh.V.col(t[1]), c = mesh.V.col(t[2]);
    if (std::min({a[2], b[2], c[2]}) < high[2] - 1e-9) continue;
    const double area = (b - a).cross(c - a).norm() / 2;
    for (int k = 0; k < 3; ++k) {  // midpoints of the sides, exact for quadratics
      const Vector3d m = (mesh.V.col(t[k]) + mesh.V.col(t[(k + 1) % 3])) / 2;
      for (const int v : {t[k], t[(k + 1) % 3]}) f[3 * v + 2] -= area / 6 * pressure(m);
    }
  }
  const MatrixXd u = solve_linear_static(body, fem::Constraints(mesh, base), f);
  return f.dot(u.col(0));
}

// [Zhuang00] 3.3: a graded mesh is as accurate as the uniform one of the same size at the surface,
// with fewer elements; their number grows as n^2.
std::vector<Row> graded() {
  const ImplicitBody cube{
      [](const Vector3d& x) { return (x.cwiseAbs() - Vector3d::Constant(0.5)).maxCoeff(); },
      Eigen::AlignedBox3d(Vector3d::Constant(-0.5), Vector3d::Constant(0.5))};
  const auto mesh_of = [&](int n, double growth) {
    return graded_hexahedra(cube, {.resolution = n,
                                   .enlargement = 1.0,
                                   .growth = growth,
                                   .cells = GradedCells::center_inside});
  };
  const int n = 32;
  const double uniform =
      patch_work(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()));
  const VolumeMesh mesh = mesh_of(n, 0.25);
  const double difference = 100 * std::abs(patch_work(mesh) / uniform - 1);
  const double exponent = std::log2(static_cast<double>(mesh_of(128, 0.5).element_count()) /
                                    mesh_of(64, 0.5).element_count());
  return {at_most("difference_to_uniform", difference, 1.0, "%", "same accuracy"),
          at_least("uniform_elements_over_graded", std::pow(n, 3) / mesh.element_count(), 1.5, "x",
                   "over 1,000 / 600"),
          at_most("exponent_of_elements", exponent, 2.3, "", "2")};
}

const Experiments experiments{
    {.name = "zhuang.rotation", .run = rotation},
    {.name = "zhuang.collision", .run = collision},
    {.name = "zhuang.graded", .run = graded},
};

}  // namespace
}  // namespace pliant::verify
