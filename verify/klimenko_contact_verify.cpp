// SPDX-License-Identifier: MIT
// Contact and boundary elements of [Klimenko03]: Hertz, model (e), finite against boundary elements.
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/timer.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/half_ball.hpp"
#include "pliant/shape/rigid_shape.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr double young = 2e5, poisson = 0.3;

RigidShape ball(const Vector3d& at, double radius) {
  return {.kind = RigidShape::Kind::sphere, .position = at, .size = Vector3d::Constant(radius)};
}

Vector3d force_on(const SurfaceContact& contact, const RigidShape& probe) {
  Vector3d force, torque;
  contact.wrench(probe.position, force, torque);
  return force;
}

// A rigid sphere on half a ball that is 400 times as large as the contact.
std::vector<Row> hertz() {
  const double radius = 0.02, depth = 1e-4, a = std::sqrt(radius * depth);
  const double expected =
      4.0 / 3 * young / (1 - poisson * poisson) * std::sqrt(radius) * std::pow(depth, 1.5);
  const HalfBallOptions options{
      .radius = 400 * a, .spacing = a / 6, .fine_rings = 8, .growth = 1.5, .down = 4};
  const SurfaceMesh surface = half_ball(options);
  std::vector<int> dome;
  for (int v = first_of_dome(surface, options); v < surface.vertex_count(); ++v) dome.push_back(v);
  const SurfaceCompliance body = boundary_compliance(surface, dome, young, poisson);
  SurfaceContact contact(body.C, body.X, 600);
  const RigidShape probe = ball({0, 0, radius - depth}, radius);
  const bool converged = contact.press(probe).converged;
  const double force = force_on(contact, probe)[2];
  double reached = 0;
  for (Index i = 0; i < body.X.cols(); ++i) {
    if (contact.forces()[i] > 0) reached = std::max(reached, body.X.col(i).norm());
  }
  std::vector<Row> rows = {
      at_most("force_error", 100 * std::abs(force / expected - 1), 2, "%", "Hertz"),
      at_most("radius_error", std::abs(reached - a) / options.spacing, 1, "elements", "Hertz"),
      at_least("least_force", contact.forces().minCoeff(), 0, "N", "no pull"),
      {.name = "converged", .value = converged ? 1.0 : 0.0, .criterion = "yes", .pass = converged}};
  // The paper's layer has no adhesion by its own account; what it has is shown, and is no criterion.
  for (const double part : {0.0, 0.25, 0.5}) {
    contact.release();
    contact.press_kernel(probe, part * depth);
    const std::string name = fmt::format("hard_kernel_{:.2f}", part);
    const double pull = -contact.forces().minCoeff() / contact.forces().maxCoeff();
    rows.push_back({.name = name + ".force_error",
                    .published = "-",
                    .value = 100 * (force_on(contact, probe)[2] / expected - 1),
                    .unit = "%",
                    .criterion = "shown",
                    .pass = true});
    rows.push_back({.name = name + ".pull",
                    .published = "none",
                    .value = pull,
                    .unit = "of the push",
                    .criterion = "shown",
                    .pass = true});
  }
  return rows;
}

SurfaceMesh body_e() {
  // 2 (15 9 + 9 11 + 11 15) + 2 = 800 nodes.
  return boundary_surface(block(ElementType::tet4, {15, 9, 11}, {0.15, 0.09, 0.11}));
}

std::vector<int> bottom_of(const Matrix3Xd& V) {
  std::vector<int> nodes;
  for (int v = 0; v < V.cols(); ++v) {
    if (V(2, v) < 1e-9) nodes.push_back(v);
  }
  return nodes;
}

// A rigid sphere that is moved over an elastic body, 1 mm a cycle.
std::vector<Row> model_e() {
  const SurfaceMesh surface = body_e();
  const Timer timer;
  const SurfaceCompliance body = boundary_compliance(surface, bottom_of(surface.V), young, poisson);
  const double seconds = timer.seconds();
  SurfaceContact contact(body.C, body.X);
  double sum = 0, jump = 0, before = 0, worst = 0, pull = 0;
  int count = 0, most = 0;
  for (double x = 0.045; x < 0.105; x += 1e-3, ++count) {
    const RigidShape probe = ball({x, 0.045, 0.11 + 0.047}, 0.05);
    const Timer cycle;
    const ContactOutcome outcome = contact.press(probe);
    worst = std::max(worst, cycle.seconds());
    most = std::max(most, outcome.contacts);
    const double force = force_on(contact, probe)[2];
    if (count > 0) jump = std::max(jump, std::abs(force - before));
    before = force;
    sum += force;
    pull = std::min(pull, contact.forces().minCoeff());
  }
  return {{.name = "nodes",
           .published = "800",
           .value = static_cast<double>(surface.vertex_count()),
           .criterion = "= 800",
           .pass = surface.vertex_count() == 800},
          at_most("bake", seconds, 20, "s", "30 min"),
          at_most("cycle", 1e3 * worst, 1, "ms", "12 ms"),
          at_most("jump", 100 * jump / (sum / count), 1, "%"),
          at_least("least_force", pull, 0, "N", "no pull"),
          {.name = "contacts",
           .published = "10-30",
           .value = static_cast<double>(most),
           .criterion = "> 3",
           .pass = most > 3},
          at_most("asymmetry", body.asymmetry, 0.2),
          at_most("size", 4e-6 * static_cast<double>(body.C.size()), 100, "MB", "10 MB")};
}

// The mean displacement of a cube's top under a uniform pressure, by both.
double top_by_boundary(int n) {
  const SurfaceMesh cube =
      boundary_surface(block(ElementType::tet4, Vector3i::Constant(n), Vector3d::Ones()));
  const BoundaryMesh mesh = boundary_mesh(cube, bottom_of(cube.V));
  const BoundarySystem system = boundary_system(mesh, young, poisson);
  VectorXd p = VectorXd::Zero(3 * std::ssize(mesh.given));
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    for (int c = 0; c < 3; ++c) {
      bool top = true;
      for (int k = 0; k < 3; ++k) top = top && mesh.V(2, mesh.F(k, t)) > 1 - 1e-9;
      if (!top) continue;
      const auto at = std::ranges::find(mesh.given, mesh.P(c, t)) - mesh.given.begin();
      p[3 * at + 2] = -1e3;
    }
  }
  const VectorXd x = solve_boundary(mesh, system, p, VectorXd::Zero(3 * std::ssize(mesh.held)));
  double sum = 0;
  for (std::size_t i = 0; i < mesh.free.size(); ++i) {
    const Vector3d X = mesh.V.col(mesh.free[i]);
    if (X[2] > 1 - 1e-9 && std::abs(X[0] - 0.5) < 1e-9 && std::abs(X[1] - 0.5) < 1e-9) {
      sum = x[3 * static_cast<Index>(i) + 2];
    }
  }
  return sum;
}

double top_by_elements(int n) {
  const fem::ElasticModel model(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()),
                                {fem::isotropic(fem::Law::linear, young, poisson, 1000)});
  const SurfaceCompliance body = element_compliance(model, bottom_of(model.mesh().V));
  VectorXd f = VectorXd::Zero(body.C.rows());
  Index middle = 0;
  for (Index i = 0; i < body.X.cols(); ++i) {
    const Vector3d X = body.X.col(i);
    if (X[2] < 1 - 1e-9) continue;
    double share = 1.0 / (n * n);
    for (int k = 0; k < 2; ++k) share *= X[k] < 1e-9 || X[k] > 1 - 1e-9 ? 0.5 : 1.0;
    f[3 * i + 2] = -1e3 * share;
    if (std::abs(X[0] - 0.5) < 1e-9 && std::abs(X[1] - 0.5) < 1e-9) middle = i;
  }
  return body.C.row(3 * middle + 2).dot(f);
}

std::vector<Row> methods() {
  std::vector<Row> rows;
  for (const int n : {4, 8, 10}) {
    const double b = top_by_boundary(n), e = top_by_elements(n);
    const double percent = 100 * std::abs(b / e - 1);
    rows.push_back({.name = fmt::format("cube{}", n),
                    .published = "-",
                    .value = percent,
                    .unit = "%",
                    .criterion = n == 10 ? "<= 2" : "shown",
                    .pass = n < 10 || percent <= 2});
  }
  return rows;
}

const Experiments experiments{
    {.name = "klimenko.hertz", .run = hertz},
    {.name = "klimenko.model_e", .run = model_e},
    {.name = "klimenko.methods", .run = methods},
};

}  // namespace
}  // namespace pliant::verify
