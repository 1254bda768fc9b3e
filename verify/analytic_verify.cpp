// SPDX-License-Identifier: MIT
// Analytic solutions of elasticity: patch tests, convergence, beams, bars, a sphere.
#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/fem/elements.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/full/implicit_step.hpp"
#include "pliant/linalg/eigenmodes.hpp"
#include "pliant/linalg/minres.hpp"
#include "pliant/mesh/block.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using fem::Law;
using std::numbers::pi;

constexpr ElementType all_types[] = {ElementType::tet4, ElementType::hex8, ElementType::tet10};

std::string short_name(ElementType type) {
  return type == ElementType::tet4 ? "tet4" : type == ElementType::hex8 ? "hex8" : "tet10";
}

std::vector<int> nodes_where(const VolumeMesh& mesh, const std::function<bool(Vector3d)>& test) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (test(mesh.V.col(v))) nodes.push_back(v);
  }
  return nodes;
}

// A uniform strain must be in equilibrium inside, to rounding.
std::vector<Row> patch() {
  std::vector<Row> rows;
  Matrix3d G;
  G << 0.05, 0.02, -0.01, 0.03, -0.04, 0.02, 0.01, 0.02, 0.03;
  for (const ElementType type : all_types) {
    VolumeMesh mesh = block(type, {3, 3, 3}, Vector3d::Ones());
    const auto inside = [](const Vector3d& x) { return x.minCoeff() > 0.1 && x.maxCoeff() < 0.9; };
    if (type != ElementType::tet10) {
      for (const int v : nodes_where(mesh, inside)) {
        mesh.V.col(v) += 0.05 * Vector3d(std::sin(9.0 * v), std::sin(5.0 * v), std::sin(7.0 * v));
      }
    }
    const fem::ElasticModel model(mesh, {fem::isotropic(Law::stvk, 1, 0.3, 1)});
    const VectorXd R = model.force((G * mesh.V).reshaped());
    double worst = 0;
    for (const int v : nodes_where(block(type, {3, 3, 3}, Vector3d::Ones()), inside)) {
      worst = std::max(worst, R.segment<3>(3 * v).norm() / R.lpNorm<Eigen::Infinity>());
    }
    rows.push_back(at_most(short_name(type), worst, 1e-12, "", "0"));
  }
  return rows;
}

// Manufactured solution u = c sin(pi x) sin(pi y) sin(pi z) on the unit cube; L2 error at n cells.
double manufactured_error(ElementType type, int n) {
  const VolumeMesh mesh = block(type, {n, n, n}, Vector3d::Ones());
  const fem::ElasticModel model(mesh, {fem::isotropic(Law::linear, 1, 0.3, 1)});
  const auto [lambda, mu] = fem::lame(1, 0.3);
  const Vector3d c(1, 0.5, -0.3);
  const auto phi = [](const Vector3d& x) {
    return std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * x[2]);
  };
  const double l = lambda, m = mu;
  // b = -div sigma = -(lambda + mu) H c + 3 pi^2 mu phi c, H the Hessian of phi
  const auto body_force = [&, l, m](const Vector3d& x) -> Vector3d {
    const Vector3d s = (pi * x).array().sin(), k = (pi * x).array().cos();
    Matrix3d H = -phi(x) * Matrix3d::Identity();
    H(0, 1) = H(1, 0) = k[0] * k[1] * s[2];
    H(1, 2) = H(2, 1) = s[0] * k[1] * k[2];
    H(2, 0) = H(0, 2) = k[0] * s[1] * k[2];
    return pi * pi * (-(l + m) * H * c + 3 * m * phi(x) * c);
  };
  VectorXd f = VectorXd::Zero(model.dof());
  const auto integrate = [&](const auto& at_point) {
    for (int e = 0; e < mesh.element_count(); ++e) {
      const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
      for (const fem::QuadraturePoint& p : fem::mass_quadrature(type)) {
        at_point(e, p, X * p.N, p.weight * p.jacobian(X).determinant());
      }
    }
  };
  integrate([&](int e, const fem::QuadraturePoint& p, const Vector3d& x, double w) {
    for (int a = 0; a < mesh.E.rows(); ++a) {
      f.segment<3>(3 * mesh.E(a, e)) += w * p.N[a] * body_force(x);
    }
  });
  const auto boundary = [](const Vector3d& x) {
    return x.minCoeff() < 1e-9 || x.maxCoeff() > 1 - 1e-9;
  };
  const VectorXd u =
      solve_linear_static(model, fem::Constraints(mesh, nodes_where(mesh, boundary)), f);
  double error = 0;
  integrate([&](int e, const fem::QuadraturePoint& p, const Vector3d& x, double w) {
    Vector3d uh = Vector3d::Zero();
    for (int a = 0; a < mesh.E.rows(); ++a) uh += p.N[a] * u.segment<3>(3 * mesh.E(a, e));
    error += w * (uh - phi(x) * c).squaredNorm();
  });
  return std::sqrt(error);
}

std::vector<Row> convergence() {
  std::vector<Row> rows;
  for (const ElementType type : all_types) {
    const bool high = type == ElementType::tet10;
    const int n = high ? 4 : 8;
    const double order = std::log2(manufactured_error(type, n) / manufactured_error(type, 2 * n));
    rows.push_back(
        at_least("order." + short_name(type), order, high ? 2.8 : 1.85, "", high ? "3" : "2"));
  }
  return rows;
}

// A beam of square section h along x, held at x = 0.
struct Beam {
  Beam(ElementType type, double length, double side, int along, int across, double nu)
      : mesh(block(type, {along, across, across}, {length, side, side})),
        body(mesh, {fem::isotropic(Law::stvk, E, nu, rho)}),
        held(mesh, nodes_where(mesh, [](const Vector3d& x) { return x[0] < 1e-9; })) {
    L = length;
    h = side;
    I = std::pow(h, 4) / 12;
  }
  // A force across the end, spread over it like a uniform traction.
  VectorXd end_load(double force) const {
    const Matrix3Xi triangles = fem::boundary_triangles(mesh);
    VectorXd f = VectorXd::Zero(body.dof());
    for (const auto& t : triangles.colwise()) {
      const Vector3d a = mesh.V.col(t[0]), b = mesh.V.col(t[1]), c = mesh.V.col(t[2]);
      if (std::min({a[0], b[0], c[0]}) < L - 1e-9) continue;
      const double area = (b - a).cross(c - a).norm() / 2;
      for (int k = 0; k < 3; ++k) f[3 * t[k] + 2] -= force * area / (3 * h * h);
    }
    return f;
  }
  double deflection(const VectorXd& u) const {
    double sum = 0;
    const std::vector<int> end =
        nodes_where(mesh, [&](const Vector3d& x) { return x[0] > L - 1e-9; });
    for (const int v : end) sum -= u[3 * v + 2];
    return sum / static_cast<double>(end.size());
  }
  static constexpr double E = 1e7, rho = 1000;
  VolumeMesh mesh;
  fem::ElasticModel body;
  fem::Constraints held;
  double L, h, I;
};

// Timoshenko's beam: P L^3 / (3 E I) + P L / (k G A), k of a rectangle.
std::vector<Row> cantilever() {
  const double nu = 0.3, P = 1e-3;
  const Beam beam(ElementType::tet10, 1, 0.05, 40, 2, nu);
  const MatrixXd u = solve_linear_static(beam.body, beam.held, beam.end_load(P));
  const double k = 10 * (1 + nu) / (12 + 11 * nu), G = Beam::E / (2 * (1 + nu));
  const double exact = P / (3 * Beam::E * beam.I) + P / (k * G * beam.h * beam.h);
  const double error = 100 * (beam.deflection(u) / exact - 1);
  return {at_most("deflection_error", std::abs(error), 1.0, "%")};
}

// Tip deflection of the elastica under a dead end load, alpha = P L^2 / (E I): shooting on the
// slope theta at the root's curvature, E I theta'' = -P cos theta.
double elastica_deflection(double alpha) {
  const int n = 4000;
  const double ds = 1.0 / n;
  const auto end = [&](double curvature, double& deflection) {
    double theta = 0, kappa = curvature;
    deflection = 0;
    for (int i = 0; i < n; ++i) {  // midpoint rule
      const double tm = theta + ds / 2 * kappa, km = kappa - ds / 2 * alpha * std::cos(theta);
      deflection += ds * std::sin(tm);
      theta += ds * km;
      kappa -= ds * alpha * std::cos(tm);
    }
    return kappa;  // must vanish at the free end
  };
  double low = 0, high = alpha, y = 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (end(middle, y) > 0 ? high : low) = middle;
  }
  return y;
}

std::vector<Row> elastica() {
  std::vector<Row> rows;
  for (const double alpha : {1.0, 4.0}) {
    const Beam beam(ElementType::tet10, 1, 0.02, 50, 1, 0.0);
    const double P = alpha * Beam::E * beam.I;
    const VectorXd u = solve_static(beam.body, beam.held, beam.end_load(P)).u;
    const double exact = elastica_deflection(alpha);
    const double error = 100 * (beam.deflection(u) / exact - 1);
    rows.push_back(at_most(fmt::format("load{:g}.deflection_error", alpha), std::abs(error), 1.0,
                           "%", fmt::format("{:.4f} L", exact)));
  }
  return rows;
}

std::vector<Row> frequencies() {
  std::vector<Row> rows;
  const auto first_modes = [](const Beam& beam, int count) {
    const SparseMatrix K = beam.held.reduce(beam.body.tangent(VectorXd::Zero(beam.body.dof())));
    const SparseMatrix M = beam.held.reduce(fem::consistent_mass(beam.body));
    return VectorXd(eigenmodes(K, M, {.count = count, .rigid = 0}).lambda.cwiseSqrt() / (2 * pi));
  };
  // Bending, Euler and Bernoulli: (1.87510 / L)^2 sqrt(E I / (rho A)) / (2 pi)
  const Beam slender(ElementType::tet10, 1, 0.04, 25, 1, 0.0);
  const double bending = 1.875104 * 1.875104 / (2 * pi) *
                         std::sqrt(Beam::E * slender.I / (Beam::rho * slender.h * slender.h));
  rows.push_back(at_most("beam_error", 100 * std::abs(first_modes(slender, 2)[0] / bending - 1),
                         1.0, "%", fmt::format("{:.4f} Hz", bending)));
  // Axial, sqrt(E / rho) / (4 L): among the first modes of a stout bar without contraction.
  const Beam bar(ElementType::hex8, 1, 0.5, 16, 8, 0.0);
  const double axial = std::sqrt(Beam::E / Beam::rho) / 4;
  const VectorXd found = first_modes(bar, 8);
  rows.push_back(at_most("bar_error", 100 * (found.array() / axial - 1).abs().minCoeff(), 1.0, "%",
                         fmt::format("{:.4f} Hz", axial)));
  return rows;
}

std::vector<Row> rigid_modes() {
  const VolumeMesh mesh = block(ElementType::tet4, {3, 3, 3}, {1.0, 0.8, 0.6});
  const fem::ElasticModel body(mesh, {fem::isotropic(Law::stvk, 1e6, 0.3, 1000)});
  const Eigenmodes modes = eigenmodes(body.tangent(VectorXd::Zero(body.dof())),
                                      fem::consistent_mass(body), {.count = 4});
  const double found = static_cast<double>(modes.rigid.cols());
  const MatrixXd K = body.tangent(VectorXd::Zero(body.dof()));
  return {
      {"count", "6", found, "", "= 6", found == 6},
      at_most("energy", (K * modes.rigid).norm() / (K.norm() * modes.rigid.norm()), 1e-9, "", "0")};
}

// A sphere of shells as six warped blocks; radii a < r < b. [m]
VolumeMesh hollow_sphere(double a, double b, int n, int layers) {
  // All cells of a cube of n^3 have their surface projected to spheres: take the boundary of a
  // block and extrude it.
  std::vector<int> vertices;
  const VolumeMesh cube = block(ElementType::hex8, {n, n, n}, Vector3d::Constant(2));
  std::vector<std::array<int, 4>> quads;
  const SurfaceMesh skin = boundary_surface(cube, &vertices);
  // boundary_surface gives two triangles a face, (0 1 2) and (0 2 3), one after the other.
  for (int f = 0; f < skin.face_count(); f += 2) {
    quads.push_back({skin.F(0, f), skin.F(1, f), skin.F(2, f), skin.F(2, f + 1)});
  }
  VolumeMesh mesh;
  mesh.type = ElementType::hex8;
  const int per_layer = skin.vertex_count();
  mesh.V.resize(3, per_layer * (layers + 1));
  for (int k = 0; k <= layers; ++k) {
    const double r = a * std::pow(b / a, static_cast<double>(k) / layers);
    for (int v = 0; v < per_layer; ++v) {
      // Equal angles: tan maps the flat side to the sphere's evenly.
      const Vector3d flat = (skin.V.col(v) - Vector3d::Ones()) * (pi / 4);
      mesh.V.col(k * per_layer + v) = r * Vector3d(flat.array().tan()).normalized();
    }
  }
  mesh.E.resize(8, static_cast<Index>(quads.size()) * layers);
  int e = 0;
  for (int k = 0; k < layers; ++k) {
    for (const auto& q : quads) {
      for (int i = 0; i < 4; ++i) {
        mesh.E(i, e) = k * per_layer + q[static_cast<std::size_t>(i)];
        mesh.E(4 + i, e) = (k + 1) * per_layer + q[static_cast<std::size_t>(i)];
      }
      ++e;
    }
  }
  return mesh;
}

// Lamé: u(r) = p a^3 / (b^3 - a^3) ((1 - 2 nu) r / E + (1 + nu) b^3 / (2 E r^2))
std::vector<Row> sphere() {
  const double a = 0.5, b = 1.0, p = 1e4, E = 1e7, nu = 0.3;
  const VolumeMesh mesh = hollow_sphere(a, b, 12, 6);
  const fem::ElasticModel body(mesh, {fem::isotropic(Law::linear, E, nu, 1000)});
  const Matrix3Xi all = fem::boundary_triangles(mesh);
  std::vector<int> inner;
  for (int t = 0; t < all.cols(); ++t) {
    if (mesh.V.col(all(0, t)).norm() < 0.5 * (a + b)) inner.push_back(t);
  }
  VectorXd f = VectorXd::Zero(body.dof());
  fem::add_pressure_load(mesh, all(Eigen::all, inner), p, VectorXd::Zero(body.dof()), f);
  MatrixXd rigid = MatrixXd::Zero(body.dof(), 6);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    for (int k = 0; k < 3; ++k) {
      rigid(3 * v + k, k) = 1;
      rigid.block<3, 1>(3 * v, 3 + k) = Vector3d::Unit(k).cross(Vector3d(mesh.V.col(v)));
    }
  }
  VectorXd u(body.dof());
  const SparseMatrix K = body.tangent(VectorXd::Zero(body.dof()));
  const IterativeResult solved =
      minres(K, f, u, {.tolerance = 1e-8, .null_space = rigid, .balance = 1e-6});
  double mean = 0;
  int count = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V.col(v).norm() > a * 1.001) continue;
    mean += u.segment<3>(3 * v).dot(mesh.V.col(v)) / a;
    ++count;
  }
  const double exact = p * std::pow(a, 3) / (std::pow(b, 3) - std::pow(a, 3)) *
                       ((1 - 2 * nu) * a / E + (1 + nu) * std::pow(b, 3) / (2 * E * a * a));
  const double error = solved.converged ? 100 * std::abs(mean / count / exact - 1) : 100;
  return {at_most("displacement_error", error, 2.0, "%", fmt::format("{:.4g} m", exact))};
}

FullModel small_bar(const std::vector<int>& fixed) {
  const VolumeMesh mesh = block(ElementType::hex8, {4, 1, 1}, {0.4, 0.1, 0.1});
  return FullModel(fem::ElasticModel(mesh, {fem::isotropic(Law::stvk, 1e5, 0.3, 1000)}),
                   fem::Constraints(mesh, fixed), {});
}

// An undamped bar swings for 10,000 steps of the trapezoidal Newmark scheme.
std::vector<Row> energy() {
  const VolumeMesh mesh = block(ElementType::hex8, {4, 1, 1}, {0.4, 0.1, 0.1});
  const FullModel model =
      small_bar(nodes_where(mesh, [](const Vector3d& x) { return x[0] < 1e-9; }));
  ImplicitStepper stepper(model, {});
  FullState state(model);
  const FullLoad load{VectorXd::Zero(model.body().dof())};
  for (Index i = 0; i < state.v.size(); i += 3) state.v[i + 1] = 0.05;
  stepper.start(load, state);
  const auto total = [&] {
    const Balance b = balance(model, state);
    return b.kinetic + b.elastic;
  };
  const double before = total();
  double worst = 0;
  for (int i = 0; i < 10'000; ++i) {
    stepper.step(load, 1e-3, state);
    if (i % 50 == 0) worst = std::max(worst, std::abs(total() / before - 1));
  }
  return {at_most("drift", 100 * worst, 0.1, "%", "0")};
}

std::vector<Row> momentum() {
  const FullModel model = small_bar({});
  ExplicitStepper stepper(model);
  FullState state(model);
  const FullLoad load{VectorXd::Zero(model.body().dof())};
  for (Index i = 0; i < state.v.size(); ++i) {
    state.v[i] = 0.1 + 0.05 * std::sin(3.0 * static_cast<double>(i));
  }
  stepper.start(load, state);
  const Balance before = balance(model, state);
  for (int i = 0; i < 5000; ++i) stepper.step(load, stepper.stable_step() / 2, state);
  const Balance after = balance(model, state);
  return {at_most("linear", (after.momentum - before.momentum).norm() / before.momentum.norm(),
                  1e-10, "", "0"),
          at_most("angular",
                  (after.angular_momentum - before.angular_momentum).norm() /
                      before.angular_momentum.norm(),
                  1e-3, "", "0")};
}

const Experiments experiments{
    {.name = "analytic.patch", .run = patch},
    {.name = "analytic.convergence", .run = convergence},
    {.name = "analytic.cantilever", .run = cantilever},
    {.name = "analytic.elastica", .run = elastica},
    {.name = "analytic.frequencies", .run = frequencies},
    {.name = "analytic.rigid_modes", .run = rigid_modes},
    {.name = "analytic.sphere", .run = sphere},
    {.name = "analytic.energy", .run = energy},
    {.name = "analytic.momentum", .run = momentum},
};

}  // namespace
}  // namespace pliant::verify
