// SPDX-License-Identifier: MIT
#include "pliant/green/bake/galerkin.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "green/boundary_bodies.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/panel_pairs.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

// Of polynomials the rules are exact: on each triangle int a^p b^q c^r dA / A = 2 p! q! r! / (p + q + r + 2)!.
TEST(PanelPairs, IntegratePolynomialsOverBothTriangles) {
  const auto factorial = [](int n) { return std::tgamma(n + 1.0); };
  const auto exact = [&](int p, int q, int r) {
    return 2 * factorial(p) * factorial(q) * factorial(r) / factorial(p + q + r + 2);
  };
  for (const PanelPair kind :
       {PanelPair::apart, PanelPair::corner, PanelPair::edge, PanelPair::same}) {
    const std::vector<PairPoint> rule = panel_pair_rule(kind, 6);
    for (int p = 0; p < 3; ++p) {
      for (int q = 0; q < 3; ++q) {
        double sum = 0;
        for (const PairPoint& at : rule) {
          sum += at.weight * std::pow(at.x[1], p) * at.x[2] * std::pow(at.y[2], q) * at.y[0];
        }
        EXPECT_NEAR(sum, exact(0, p, 1) * exact(1, 0, q), 1e-13) << static_cast<int>(kind);
      }
    }
  }
}

struct Galerkin {
  BoundaryMesh mesh;
  GalerkinSystem system;
  MatrixXd S;

  explicit Galerkin(int n)
      : mesh(boundary_mesh(cube_surface(n), face_nodes(cube_surface(n), 2, 0.0))) {
    system = galerkin_system(mesh, young, poisson);
    GalerkinSystem copy = system;
    S = galerkin_stiffness(std::move(copy));
  }
  VectorXd field(const Matrix3d& H) const {
    const Matrix3Xd u = H * mesh.V;
    return u.reshaped();
  }
};

const Galerkin& galerkin() {
  static const Galerkin own(4);
  return own;
}

TEST(GalerkinSystem, RigidMotionsNeedNoForce) {
  const Galerkin& g = galerkin();
  Matrix3d turn;
  turn << 0, -1, 0.5, 1, 0, 2, -0.5, -2, 0;
  VectorXd move(3 * g.mesh.nodes());
  for (Index i = 0; i < g.mesh.nodes(); ++i) move.segment<3>(3 * i) = Vector3d(1, -2, 0.5);
  for (const VectorXd& u : {move, g.field(turn)}) {
    EXPECT_LT((g.system.K * u).norm(), 2e-4 * g.system.K.norm());
    EXPECT_LT((g.system.D * u).norm(), 1e-4 * g.system.D.norm());
    EXPECT_LT((g.S * u).norm(), 2e-4 * g.S.norm());
  }
}

TEST(GalerkinSystem, IsSymmetricAndPositive) {
  const Galerkin& g = galerkin();
  EXPECT_LT((g.system.V - g.system.V.transpose()).norm(), 1e-5 * g.system.V.norm());
  EXPECT_LT((g.system.D - g.system.D.transpose()).norm(), 1e-4 * g.system.D.norm());
  const SurfaceCompliance body =
      galerkin_compliance(cube_surface(4), face_nodes(cube_surface(4), 2, 0.0), young, poisson);
  EXPECT_LT(body.asymmetry, 1e-4);
  EXPECT_GT(reciprocity_of(body.C).least_eigenvalue, 0);
}

// A cube that is stretched along z: the forces are those of the stress on its faces.
TEST(GalerkinSystem, ACubeInUniaxialTensionIsExact) {
  const Galerkin& g = galerkin();
  const double stress = 1e3, strain = stress / young;
  const VectorXd u = g.field(Vector3d(-poisson * strain, -poisson * strain, strain).asDiagonal());
  VectorXd f = VectorXd::Zero(u.size());
  for (Index t = 0; t < g.mesh.F.cols(); ++t) {
    const Vector3d a = g.mesh.V.col(g.mesh.F(0, t)), b = g.mesh.V.col(g.mesh.F(1, t));
    const Vector3d area = 0.5 * (b - a).cross(Vector3d(g.mesh.V.col(g.mesh.F(2, t))) - a);
    for (int c = 0; c < 3; ++c) f[3 * g.mesh.F(c, t) + 2] += stress * area[2] / 3;
  }
  EXPECT_LT((g.S * u - f).norm(), 1e-3 * f.norm());
}

// The displacement of a cube's top under a pressure, against collocation on a finer mesh.
TEST(GalerkinCompliance, AgreesWithCollocation) {
  const auto top = [](const SurfaceCompliance& body, int n) {
    double sum = 0, weight = 0;
    VectorXd f = VectorXd::Zero(body.C.rows());
    for (Index i = 0; i < body.X.cols(); ++i) {
      if (body.X(2, i) < 1 - 1e-9) continue;
      double share = 1.0 / (n * n);
      for (int k = 0; k < 2; ++k) {
        share *= body.X(k, i) < 1e-9 || body.X(k, i) > 1 - 1e-9 ? 0.5 : 1.0;
      }
      f[3 * i + 2] = share;
    }
    const VectorXd u = body.C * f;
    for (Index i = 0; i < body.X.cols(); ++i) {
      sum += f[3 * i + 2] * u[3 * i + 2];
      weight += f[3 * i + 2];
    }
    return sum / weight;
  };
  const SurfaceMesh coarse = cube_surface(4), fine = cube_surface(8);
  const double a = top(galerkin_compliance(coarse, face_nodes(coarse, 2, 0.0), young, poisson), 4);
  const double b = top(boundary_compliance(fine, face_nodes(fine, 2, 0.0), young, poisson), 8);
  EXPECT_NEAR(a, b, 0.03 * b);
}

TEST(GalerkinSystem, RefusesWhatCannotBeSolved) {
  const SurfaceMesh cube = cube_surface(1);
  const BoundaryMesh mesh = boundary_mesh(cube, face_nodes(cube, 2, 0.0));
  expect_error([&] { galerkin_system(mesh, young, 0.5); }, "poisson");
  BoundaryMesh huge;
  huge.V = Matrix3Xd::Zero(3, 1000000);
  huge.node = VectorXi::Zero(1000000);
  expect_error([&] { galerkin_system(huge, young, poisson); }, "1000000 nodes");
}

}  // namespace
}  // namespace pliant::test
