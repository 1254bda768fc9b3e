// SPDX-License-Identifier: MIT
// Boundary elements against what is known without them: identities of Kelvin's solution, uniform
// strain, a point force beside the body, Lamé's hollow sphere.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gmock/gmock.h>

#include "green/boundary_bodies.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/text.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/kelvin.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

template <class Work>
void expect_words(const Work& work, std::initializer_list<const char*> words) {
  const std::string error = error_of(work);
  for (const char* word : words) EXPECT_THAT(error, ::testing::HasSubstr(word));
}

constexpr double young = 2e5, poisson = 0.3;

Vector3d normal_of(const BoundaryMesh& mesh, Index t) {
  const Vector3d a = mesh.V.col(mesh.F(0, t));
  return (mesh.V.col(mesh.F(1, t)) - a).cross(mesh.V.col(mesh.F(2, t)) - a).normalized();
}

// Of each traction node, by the mean of its triangles' normals.
template <class Stress>
VectorXd tractions(const BoundaryMesh& mesh, const std::vector<int>& of, const Stress& stress) {
  Matrix3Xd n = Matrix3Xd::Zero(3, mesh.tractions());
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    for (int c = 0; c < 3; ++c) n.col(mesh.P(c, t)) += normal_of(mesh, t);
  }
  VectorXd p(3 * std::ssize(of));
  for (Index k = 0; k < std::ssize(of); ++k) {
    const int i = of[static_cast<std::size_t>(k)];
    p.segment<3>(3 * k) = stress(Vector3d(mesh.V.col(mesh.node[i])), n.col(i).normalized());
  }
  return p;
}

template <class Field>
VectorXd displacements(const BoundaryMesh& mesh, const std::vector<int>& of, const Field& field) {
  VectorXd u(3 * std::ssize(of));
  for (Index k = 0; k < std::ssize(of); ++k) {
    u.segment<3>(3 * k) = field(Vector3d(mesh.V.col(of[static_cast<std::size_t>(k)])));
  }
  return u;
}

TEST(KelvinIntegrals, TheTractionsOnAClosedSurfaceBalanceAForceInside) {
  const KelvinIntegrals kelvin(1e5, 0.3);
  const SurfaceMesh cube = cube_surface(2);
  for (const auto& [x, inside] : {std::pair<Vector3d, double>{{0.51, 0.2, 0.003}, 1.0},
                                  {{0.3, 0.4, -0.01}, 0.0},
                                  {{3, -2, 1}, 0.0}}) {
    Matrix3d sum = Matrix3d::Zero();
    KelvinBlocks blocks;
    for (Index t = 0; t < cube.F.cols(); ++t) {
      kelvin.off(x, corners_of(cube, t), blocks);
      for (const Matrix3d& K : blocks.K) sum += K;
    }
    EXPECT_LT((sum + inside * Matrix3d::Identity()).norm(), 1e-9);
  }
}

// The same by the map of a square onto the triangle that makes the integrand smooth.
TEST(KelvinIntegrals, AtACornerAreThoseOfAFineRule) {
  const KelvinIntegrals kelvin(1e5, 0.3);
  const TrianglePoints triangle = {Vector3d(0.1, 0, 0), Vector3d(0.9, 0.1, 0.2),
                                   Vector3d(0.2, 0.15, 0.6)};
  const Vector3d n = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
  for (int k = 0; k < 3; ++k) {
    const auto at = [&](int c) { return static_cast<std::size_t>((k + c) % 3); };
    KelvinBlocks expected{}, blocks{};
    for (Matrix3d& m : expected.L) m.setZero();
    for (Matrix3d& m : expected.K) m.setZero();
    const int m = 400;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        const double s = (i + 0.5) / m, t = (j + 0.5) / m, w = s * n.norm() / (m * m);
        const double phi[3] = {1 - s, s * (1 - t), s * t};
        Vector3d y = Vector3d::Zero();
        for (int c = 0; c < 3; ++c) y += phi[c] * triangle[at(c)];
        const Vector3d r = y - triangle[at(0)];
        for (int c = 0; c < 3; ++c) {
          expected.L[at(c)] += w * phi[c] * kelvin.displacement(r);
          if (c > 0) expected.K[at(c)] += w * phi[c] * kelvin.traction(r, n.normalized());
        }
      }
    }
    kelvin.at_corner(k, triangle, blocks);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_LT((blocks.L[c] - expected.L[c]).norm(), 1e-5 * expected.L[c].norm());
      EXPECT_LT((blocks.K[c] - expected.K[c]).norm(), 1e-5 * (expected.K[c].norm() + 1e-3));
    }
  }
}

TEST(BoundarySystem, ARigidRotationNeedsNoTraction) {
  const SurfaceMesh cube = cube_surface(3);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  const BoundarySystem system = boundary_system(mesh, young, poisson);
  const VectorXd u = displacements(mesh, all_nodes(mesh), [](const Vector3d& x) {
    return Vector3d(Vector3d(0.3, -0.2, 0.7).cross(x - Vector3d(1, 2, 3)));
  });
  EXPECT_LT((system.K * u).norm(), 1e-8 * u.norm());
}

// Uniaxial tension: tractions on six faces that jump at the edges, and the exact displacement of one
// face; the patch test.
TEST(BoundarySystem, ACubeInUniaxialTensionIsExact) {
  for (const double nu : {0.0, 0.3, 0.45}) {
    const SurfaceMesh cube = cube_surface(3);
    const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
    const BoundarySystem system = boundary_system(mesh, young, nu);
    const double stress = 1e3;
    const auto field = [&](const Vector3d& x) {
      return Vector3d(stress / young * Vector3d(-nu * x[0], -nu * x[1], x[2]));
    };
    const auto force = [&](const Vector3d&, const Vector3d& n) {
      return Vector3d(0, 0, stress * n[2]);
    };
    const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, force),
                                      displacements(mesh, mesh.held, field));
    const VectorXd u = displacements(mesh, mesh.free, field);
    const VectorXd p = tractions(mesh, mesh.reaction, force);
    EXPECT_LT((x.head(u.size()) - u).norm(), 1e-8 * u.norm());
    EXPECT_LT((x.tail(p.size()) - p).norm(), 1e-8 * p.norm());
  }
}

// The stress of a point force is smooth in a body beside it.
double error_beside_a_force(int n) {
  const double mu = young / (2 * (1 + poisson));
  const KelvinIntegrals kelvin(mu, poisson);
  const Vector3d source(1.6, 0.7, 1.8), force(1, -2, 0.5);
  const SurfaceMesh cube = cube_surface(n);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  const BoundarySystem system = boundary_system(mesh, young, poisson);
  const auto field = [&](const Vector3d& x) {
    return Vector3d(kelvin.displacement(x - source) * force);
  };
  const auto pressure = [&](const Vector3d& x, const Vector3d& normal) {
    return Vector3d(kelvin.traction(x - source, normal).transpose() * force);
  };
  const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, pressure),
                                    displacements(mesh, mesh.held, field));
  const VectorXd u = displacements(mesh, mesh.free, field);
  return (x.head(u.size()) - u).norm() / u.norm();
}

TEST(BoundarySystem, ConvergesToKelvinsSolutionBySecondOrder) {
  const double coarse = error_beside_a_force(3), fine = error_beside_a_force(6);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(std::log2(coarse / fine), 1.6);
}

// Radial displacement of a hollow sphere under inner pressure.
double error_of_lame(int subdivisions) {
  const double a = 0.5, b = 1.0, pressure = 1e3;
  const SurfaceMesh ball = hollow_ball(a, b, subdivisions);
  std::vector<int> cap;
  for (int v = 0; v < ball.vertex_count(); ++v) {
    if (ball.V(2, v) > 0.6) cap.push_back(v);
  }
  const BoundaryMesh mesh = boundary_mesh(ball, cap, 1.5);
  const BoundarySystem system = boundary_system(mesh, young, poisson);
  const auto field = [&](const Vector3d& x) {
    const double r = x.norm(), k = pressure * a * a * a / (young * (b * b * b - a * a * a));
    return Vector3d(x / r * k * ((1 - 2 * poisson) * r + (1 + poisson) * b * b * b / (2 * r * r)));
  };
  const auto inside = [&](const Vector3d& x, const Vector3d&) {
    return Vector3d(x.norm() < 0.75 ? Vector3d(pressure * x.normalized()) : Vector3d::Zero());
  };
  const VectorXd x = solve_boundary(mesh, system, tractions(mesh, mesh.given, inside),
                                    displacements(mesh, mesh.held, field));
  const VectorXd u = displacements(mesh, mesh.free, field);
  return (x.head(u.size()) - u).norm() / u.norm();
}

TEST(BoundarySystem, ConvergesToLamesSolution) {
  const double coarse = error_of_lame(2), fine = error_of_lame(3);
  EXPECT_LT(fine, 0.05);
  EXPECT_GT(std::log2(coarse / fine), 1.6);
}

TEST(BoundaryResponse, AnswersTractionsAsTheSystemDoes) {
  const SurfaceMesh cube = cube_surface(2);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  BoundarySystem system = boundary_system(mesh, young, poisson);
  Random random(3);
  VectorXd p(3 * std::ssize(mesh.given));
  for (double& x : p) x = random.uniform(-1, 1);
  const VectorXd expected =
      solve_boundary(mesh, system, p, VectorXd::Zero(3 * std::ssize(mesh.held)));
  const BoundaryResponse response = boundary_response(mesh, std::move(system));
  const VectorXd u = response.C_ss * p, b = response.C_bs * p;
  EXPECT_LT((u - expected.head(u.size())).norm(), 1e-10 * u.norm());
  EXPECT_LT((b - expected.tail(b.size())).norm(), 1e-10 * b.norm());
}

// Forces on the held part balance those on the rest: with the sign of the errata, not the printed
// one.
TEST(BoundaryResponse, ReactionsBalanceTheLoad) {
  const SurfaceMesh cube = cube_surface(5);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  const BoundaryResponse response = boundary_response(mesh, boundary_system(mesh, young, poisson));
  const VectorXd p = tractions(mesh, mesh.given, [](const Vector3d& x, const Vector3d& n) {
    return n[2] > 0.9 ? Vector3d(10, 0, -100 - 10 * x[0]) : Vector3d(0, 0, 0);
  });
  Vector3d load = Vector3d::Zero(), reaction = Vector3d::Zero();
  for (Index k = 0; k < std::ssize(mesh.given); ++k) {
    load += mesh.area[mesh.given[static_cast<std::size_t>(k)]] * p.segment<3>(3 * k);
  }
  const VectorXd b = response.C_bs * p;
  for (Index k = 0; k < std::ssize(mesh.reaction); ++k) {
    reaction += mesh.area[mesh.reaction[static_cast<std::size_t>(k)]] * b.segment<3>(3 * k);
  }
  EXPECT_LT((load + reaction).norm(), 0.03 * load.norm());
}

// A cube that hangs at its top, against finite elements.
TEST(BoundaryResponse, ABodyHangsUnderItsWeight) {
  const double density = 1000;
  const int n = 6;
  const fem::Lame lame = fem::lame(young, poisson);
  const BodyForce body{density, lame.lambda, lame.mu};
  const SurfaceMesh cube = cube_surface(n);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 1.0));
  const BoundaryResponse response =
      boundary_response(mesh, boundary_system(mesh, young, poisson), Progress::none(), &body);
  const fem::ElasticModel model(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()),
                                {fem::isotropic(fem::Law::linear, young, poisson, density)});
  const Matrix3Xd& V = model.mesh().V;
  std::vector<int> fixed;
  for (int v = 0; v < V.cols(); ++v) {
    if (V(2, v) > 1 - 1e-9) fixed.push_back(v);
  }
  const fem::Constraints held(model.mesh(), fixed);
  for (int axis = 0; axis < 3; ++axis) {
    const VectorXd u =
        fem::solve_static(model, held, fem::gravity_load(model, Vector3d::Unit(axis))).u;
    const double largest = u.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < mesh.free.size(); ++i) {
      Index same = 0;
      (V.colwise() - mesh.V.col(mesh.free[i])).colwise().squaredNorm().minCoeff(&same);
      const Vector3d own = response.W.block<3, 1>(3 * static_cast<Index>(i), axis);
      EXPECT_LT((own - u.segment<3>(3 * same)).norm(), 0.06 * largest) << axis;
    }
  }
}

TEST(NodalCompliance, IsMoreSymmetricOnFinerMeshes) {
  double before = 1;
  for (const int n : {2, 4}) {
    const SurfaceMesh cube = cube_surface(n);
    const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
    MatrixXd C =
        nodal_compliance(mesh, boundary_response(mesh, boundary_system(mesh, young, poisson)).C_ss);
    const Reciprocity reciprocity = reciprocity_of(C);
    EXPECT_LT(reciprocity.asymmetry, before);
    before = 0.6 * reciprocity.asymmetry;
    symmetrise(C);
    EXPECT_EQ(C, C.transpose());
  }
}

TEST(BoundaryMesh, NamesWhatIsWrongWithASurface) {
  const SurfaceMesh cube = cube_surface(2);
  const std::vector<int> fixed = face_nodes(cube, 2, 0.0);
  SurfaceMesh open = cube;
  open.F.conservativeResize(3, cube.F.cols() - 1);
  expect_words([&] { boundary_mesh(open, fixed); }, {"triangle ", "open", "nodes "});
  SurfaceMesh flat = cube;
  flat.V.col(cube.F(0, 5)) = 0.5 * (cube.V.col(cube.F(1, 5)) + cube.V.col(cube.F(2, 5)));
  expect_words([&] { boundary_mesh(flat, fixed); }, {"triangle ", "degenerate", "area"});
  SurfaceMesh turned = cube;
  std::swap(turned.F(0, 7), turned.F(1, 7));
  expect_words([&] { boundary_mesh(turned, fixed); }, {"triangle ", "turned"});
  SurfaceMesh doubled = cube;
  doubled.F.conservativeResize(3, cube.F.cols() + 1);
  doubled.F.rightCols(1) = cube.F.col(5);
  expect_words([&] { boundary_mesh(doubled, fixed); }, {"triangle ", "more than two triangles"});
  SurfaceMesh inside_out = cube;
  inside_out.F.row(0).swap(inside_out.F.row(1));
  expect_words([&] { boundary_mesh(inside_out, fixed); }, {"inside out"});
  SurfaceMesh crossing = cube;
  crossing.V.col(face_nodes(cube, 2, 1.0)[4])[2] = -0.5;
  expect_words([&] { boundary_mesh(crossing, fixed); }, {"triangle ", "overlaps triangle "});
  // Two corners of the top become one node.
  SurfaceMesh pinched = cube_surface(3);
  const std::vector<int> top = face_nodes(pinched, 2, 1.0);
  for (int& v : pinched.F.reshaped()) v = v == top.back() ? top.front() : v;
  expect_words(
      [&] { boundary_mesh(pinched, fixed); },
      {("node " + std::to_string(top.front()) + ": ").c_str(), "touches itself", "at (0, 0, 1) m"});
  expect_words([&] { boundary_mesh(cube, {0, 1}); }, {"fixed", "held", "2 nodes"});
  std::vector<int> all;
  for (int v = 0; v < cube.vertex_count(); ++v) all.push_back(v);
  expect_words([&] { boundary_mesh(cube, all); }, {"whole surface"});
}

TEST(BoundarySystem, RefusesWhatCannotBeSolved) {
  const SurfaceMesh cube = cube_surface(1);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  expect_words([&] { boundary_system(mesh, young, 0.5); }, {"poisson", "0.5", "0.499"});
  expect_words([&] { boundary_system(mesh, 0, 0.3); }, {"young", "> 0"});
  BoundaryMesh huge;
  huge.V = Matrix3Xd::Zero(3, 1000000);
  huge.node = VectorXi::Zero(1000000);
  // K, L, the factors and the right-hand sides: four of 3 10^6 squared, 8 bytes each.
  expect_words([&] { boundary_system(huge, young, 0.3); },
               {"1000000 nodes", bytes_text(288'000'000'000'000).c_str(), "coarser"});
}

}  // namespace
}  // namespace pliant::test
