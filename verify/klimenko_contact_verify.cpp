// SPDX-License-Identifier: MIT
// Contact and boundary elements of [Klimenko03]: Hertz, model (e), finite against boundary elements.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/timer.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/galerkin.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/half_ball.hpp"
#include "pliant/mesh/models.hpp"
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
  // The paper's layer is accurate and has no adhesion by its own account; the erratum is that it is
  // off by far more than complementarity, and pulls.
  for (const double part : {0.0, 0.25, 0.5}) {
    contact.release();
    contact.press_kernel(probe, part * depth);
    const std::string name = fmt::format("hard_kernel_{:.2f}", part);
    rows.push_back(at_least(name + ".force_error",
                            100 * std::abs(force_on(contact, probe)[2] / expected - 1), 5, "%"));
    rows.push_back(at_least(name + ".pull",
                            -contact.forces().minCoeff() / contact.forces().maxCoeff(), 0.1,
                            "of the push", "none"));
  }
  return rows;
}

// A force on the flat side of a large half ball whose dome is held: u_z = (1 - nu^2) F / (pi E r), less
// its value at the dome. The largest error at some distance from the force, where its node's hat function
// does not count.
double boussinesq_error(double spacing) {
  const double window = 0.05;
  const HalfBallOptions options{.radius = 400 * window,
                                .spacing = spacing,
                                .fine_rings = static_cast<int>(std::lround(1.2 * window / spacing)),
                                .growth = 1.5,
                                .down = 4};
  const SurfaceMesh surface = half_ball(options);
  std::vector<int> dome;
  for (int v = first_of_dome(surface, options); v < surface.vertex_count(); ++v) dome.push_back(v);
  const SurfaceCompliance body = boundary_compliance(surface, dome, young, poisson);
  Index middle = 0;
  body.X.colwise().squaredNorm().minCoeff(&middle);
  const double factor = (1 - poisson * poisson) / (std::numbers::pi * young);
  double worst = 0;
  for (Index i = 0; i < body.X.cols(); ++i) {
    const double r = body.X.col(i).norm();
    if (r < 0.6 * window || r > window) continue;
    const double expected = factor * (1 / r - 1 / options.radius);
    worst = std::max(worst, std::abs(body.C(3 * i + 2, 3 * middle + 2) / expected - 1));
  }
  return worst;
}

std::vector<Row> boussinesq() {
  const double coarse = boussinesq_error(0.0125),
               middle = boussinesq_error(0.0125 / std::numbers::sqrt2),
               fine = boussinesq_error(0.00625);
  return {
      {.name = "error.coarse", .published = "0", .value = 100 * coarse, .unit = "%", .pass = true},
      {.name = "error.middle", .published = "0", .value = 100 * middle, .unit = "%", .pass = true},
      at_most("error", 100 * fine, 2, "%", "0"),
      {.name = "order.coarse", .value = 2 * std::log2(coarse / middle), .pass = true},
      {.name = "order.fine", .value = 2 * std::log2(middle / fine), .pass = true},
      at_most("falls_to", fine / coarse, 0.6, "of the coarse mesh's")};
}

// Galerkin's forces are int p phi_a dS, so that one on a node is a pressure that oscillates about it, where
// collocation spreads it over the node's hat function. This spreads them so too: f = M D^-1 lambda,
// M_ij = int phi_i phi_j dS, D_j = int phi_j dS.
SurfaceCompliance spread_over_hats(const SurfaceMesh& surface, SurfaceCompliance body) {
  const Index n = body.X.cols();
  VectorXi place = VectorXi::Constant(surface.vertex_count(), -1);
  for (Index i = 0; i < n; ++i) {
    place[body.nodes[static_cast<std::size_t>(i)]] = static_cast<int>(i);
  }
  MatrixXd M = MatrixXd::Zero(n, n);
  VectorXd D = VectorXd::Zero(n);
  for (int t = 0; t < surface.face_count(); ++t) {
    const Vector3d a = surface.V.col(surface.F(0, t));
    const double area =
        0.5 * (surface.V.col(surface.F(1, t)) - a).cross(surface.V.col(surface.F(2, t)) - a).norm();
    for (int c = 0; c < 3; ++c) {
      const int j = place[surface.F(c, t)];
      if (j < 0) continue;
      D[j] += area / 3;
      for (int d = 0; d < 3; ++d) {
        const int i = place[surface.F(d, t)];
        if (i >= 0) M(i, j) += area / (c == d ? 6 : 12);
      }
    }
  }
  M = (M * D.cwiseInverse().asDiagonal()).eval();
  for (int k = 0; k < 3; ++k) {
    const auto columns = Eigen::seqN(k, n, 3);
    const MatrixXd along = body.C(Eigen::all, columns);
    body.C(Eigen::all, columns) = along * M;
  }
  symmetrise(body.C);
  return body;
}

// Collocation is nearly symmetric, Galerkin's method is so, and both feel the same sphere.
std::vector<Row> symmetry() {
  const SurfaceMesh cube =
      boundary_surface(block(ElementType::tet4, Vector3i::Constant(6), Vector3d::Ones()));
  std::vector<int> bottom;
  for (int v = 0; v < cube.vertex_count(); ++v) {
    if (cube.V(2, v) < 1e-9) bottom.push_back(v);
  }
  const BoundaryMesh mesh = boundary_mesh(cube, bottom);
  const Reciprocity by_nodes = reciprocity_of(
      nodal_compliance(mesh, boundary_response(mesh, boundary_system(mesh, young, poisson)).C_ss));
  const SurfaceCompliance nodes = boundary_compliance(cube, bottom, young, poisson);
  const SurfaceCompliance galerkin = galerkin_compliance(cube, bottom, young, poisson);
  const RigidShape probe = ball({0.5, 0.5, 4 - 0.03}, 3);
  const auto force = [&](const SurfaceCompliance& body) {
    SurfaceContact contact(body.C, body.X);
    contact.press(probe);
    return force_on(contact, probe)[2];
  };
  return {
      at_most("collocation.asymmetry", by_nodes.asymmetry, 0.1),
      at_least("collocation.least_eigenvalue", by_nodes.least_eigenvalue, -1e-3),
      at_most("galerkin.asymmetry", galerkin.asymmetry, 1e-4),
      at_least("galerkin.least_eigenvalue", reciprocity_of(galerkin.C).least_eigenvalue, 1e-12),
      at_most("difference_of_forces",
              100 * std::abs(force(nodes) / force(spread_over_hats(cube, galerkin)) - 1), 5, "%")};
}

std::vector<int> bottom_of(const Matrix3Xd& V) {
  std::vector<int> nodes;
  for (int v = 0; v < V.cols(); ++v) {
    if (V(2, v) < 1e-9) nodes.push_back(v);
  }
  return nodes;
}

// A rigid sphere that is moved over the pad of 800 nodes, 1 mm a cycle; two sizes of it, two depths.
std::vector<Row> model_e() {
  const SurfaceMesh surface = make_model("pad").surface;
  std::vector<int> bottom;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (surface.V(1, v) < -0.11 + 1e-6) bottom.push_back(v);
  }
  const Timer timer;
  const SurfaceCompliance body = boundary_compliance(surface, bottom, young, poisson);
  const double seconds = timer.seconds();
  double worst = 0, pull = 0;
  int most = 0;
  constexpr int cycles = 60;
  const auto jump_of = [&](double radius, double depth) {
    double sum = 0, jump = 0, before = 0;
    // Of each cycle the best of some: other work of the machine is not ours.
    std::vector<double> best(cycles, 1e9);
    for (int time = 0; time < 5; ++time) {
      SurfaceContact contact(body.C, body.X);
      sum = jump = 0;
      for (int k = 0; k < cycles; ++k) {
        const RigidShape probe = ball({-0.03 + 1e-3 * k, radius - depth, 0.001}, radius);
        const Timer cycle;
        const ContactOutcome outcome = contact.press(probe);
        double& own = best[static_cast<std::size_t>(k)];
        own = std::min(own, cycle.seconds());
        most = std::max(most, outcome.contacts);
        const double force = force_on(contact, probe)[1];
        if (k > 0) jump = std::max(jump, std::abs(force - before));
        before = force;
        sum += force;
        pull = std::min(pull, contact.forces().minCoeff());
      }
    }
    worst = std::max(worst, *std::ranges::max_element(best));
    return 100 * jump / (sum / cycles);
  };
  const double large = jump_of(0.1, 0.006), small = jump_of(0.05, 0.006);
  const double lightly = jump_of(0.1, 0.003), small_lightly = jump_of(0.05, 0.003);
  return {{.name = "nodes",
           .published = "800",
           .value = static_cast<double>(surface.vertex_count()),
           .criterion = "= 800",
           .pass = surface.vertex_count() == 800},
          at_most("bake", seconds, 20, "s", "30 min"),
          at_most("cycle", 1e3 * worst, 1, "ms", "12 ms"),
          at_most("jump", large, 1, "%"),
          at_most("jump_of_a_small_sphere", small, 1, "%"),
          at_most("jump_of_a_light_touch", lightly, 1, "%"),
          at_most("jump_of_a_small_sphere's_light_touch", small_lightly, 1, "%"),
          at_least("least_force", pull, 0, "N", "no pull"),
          {.name = "contacts",
           .published = "10-30",
           .value = static_cast<double>(most),
           .criterion = ">= 10",
           .pass = most >= 10},
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

// Of a sphere pressed on a cube, by both.
double contact_difference(int n) {
  const fem::ElasticModel model(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()),
                                {fem::isotropic(fem::Law::linear, young, poisson, 1000)});
  const SurfaceMesh cube =
      boundary_surface(block(ElementType::tet4, Vector3i::Constant(n), Vector3d::Ones()));
  const RigidShape probe = ball({0.5, 0.5, 4 - 0.03}, 3);
  const auto force = [&](const SurfaceCompliance& body) {
    SurfaceContact contact(body.C, body.X);
    contact.press(probe);
    return force_on(contact, probe)[2];
  };
  return force(boundary_compliance(cube, bottom_of(cube.V), young, poisson)) /
             force(element_compliance(model, bottom_of(model.mesh().V))) -
         1;
}

// Both tend to each other, and are within 2 % on the finest pair.
std::vector<Row> methods() {
  std::vector<Row> rows;
  const auto add = [&](const char* what, const std::vector<int>& cells, const auto& difference) {
    double before = 10;  // %: where the coarsest pair must be
    for (const int n : cells) {
      const double percent = 100 * std::abs(difference(n));
      rows.push_back(
          at_most(fmt::format("{}.cube{}", what, n), percent, n == cells.back() ? 2 : before, "%"));
      before = percent;
    }
  };
  add("pressure", {4, 8, 12}, [](int n) { return top_by_boundary(n) / top_by_elements(n) - 1; });
  add("contact", {6, 10, 14, 18}, contact_difference);
  return rows;
}

const Experiments experiments{
    {.name = "klimenko.hertz", .run = hertz},
    {.name = "klimenko.boussinesq", .run = boussinesq},
    {.name = "klimenko.symmetry", .run = symmetry},
    {.name = "klimenko.model_e", .run = model_e},
    {.name = "klimenko.methods", .run = methods},
};

}  // namespace
}  // namespace pliant::verify
