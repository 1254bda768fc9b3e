// SPDX-License-Identifier: MIT
// Boundary elements against what is known without them: identities of Kelvin's solution, uniform
// strain, a point force beside the body, Lamé's hollow sphere.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gmock/gmock.h>

#include "green/boundary_bodies.hpp"
#include "green/boundary_exact.hpp"
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

constexpr double young = 2e5, poisson = 0.3;

template <class Work>
void expect_words(const Work& work, std::initializer_list<const char*> words) {
  const std::string error = error_of(work);
  for (const char* word : words) EXPECT_THAT(error, ::testing::HasSubstr(word));
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

TEST(BoundarySystem, ACubeInUniaxialTensionIsExact) {
  for (const double nu : {0.0, 0.3, 0.45}) EXPECT_LT(error_in_tension(3, young, nu), 1e-8) << nu;
}

TEST(BoundarySystem, ConvergesToKelvinsSolutionBySecondOrder) {
  const double coarse = error_beside_a_force(3, young, poisson),
               fine = error_beside_a_force(6, young, poisson);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(std::log2(coarse / fine), 1.6);
}

TEST(BoundarySystem, ConvergesToLamesSolution) {
  const double coarse = error_of_lame(2, young, poisson), fine = error_of_lame(3, young, poisson);
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
