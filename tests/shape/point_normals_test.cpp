// SPDX-License-Identifier: MIT
#include "pliant/shape/point_normals.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {
namespace {

// A cube of n x n squares a side, its vertices pushed towards a sphere: curved and uneven.
struct Surface {
  explicit Surface(int n) {
    std::vector<Vector3d> V;
    std::vector<Vector3i> F;
    for (int side = 0; side < 6; ++side) {
      const int axis = side / 2, sign = side % 2 == 0 ? 1 : -1;
      const auto base = static_cast<int>(V.size());
      for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
          Vector3d x;
          x[axis] = sign;
          x[(axis + 1) % 3] = sign * (2.0 * i / n - 1);
          x[(axis + 2) % 3] = 2.0 * j / n - 1;
          V.push_back(x / std::sqrt(x.norm()));
        }
      }
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          const int a = base + j * (n + 1) + i;
          F.push_back({a, a + 1, a + n + 2});
          F.push_back({a, a + n + 2, a + n + 1});
        }
      }
    }
    X.resize(3, static_cast<Index>(V.size()));
    triangles.resize(3, static_cast<Index>(F.size()));
    for (std::size_t v = 0; v < V.size(); ++v) X.col(static_cast<Index>(v)) = V[v];
    for (std::size_t f = 0; f < F.size(); ++f) triangles.col(static_cast<Index>(f)) = F[f];
  }
  Matrix3Xd normals(const Matrix3Xd& x) const {
    return surface_normals(x, triangles, MatrixXd(x.size(), 0)).N;
  }
  Matrix3Xd X;
  Matrix3Xi triangles;
};

MatrixXd random_basis(Index rows, Index cols) {
  Random random(3);
  MatrixXd U(rows, cols);
  for (double& x : U.reshaped()) x = random.uniform(-0.1, 0.1);
  return U;
}

TEST(SurfaceNormals, PointOutwardsAndAreUnit) {
  const Surface surface(4);
  const Matrix3Xd N = surface.normals(surface.X);
  EXPECT_LT((N.colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
  EXPECT_GT((N.array() * surface.X.array()).colwise().sum().minCoeff(), 0.5);
}

TEST(SurfaceNormals, CorrectionIsTheDerivativeOfTheNormalsAtRest) {
  const Surface surface(4);
  const MatrixXd U = random_basis(surface.X.size(), 5);
  const PointNormals normals = surface_normals(surface.X, surface.triangles, U);
  const double h = 1e-5;
  for (Index j = 0; j < U.cols(); ++j) {
    const Matrix3Xd step = h * U.col(j).reshaped(3, surface.X.cols());
    const Matrix3Xd difference =
        (surface.normals(surface.X + step) - surface.normals(surface.X - step)) / (2 * h);
    EXPECT_LT((normals.dN.col(j) - difference.reshaped()).norm(), 1e-8 * difference.norm());
  }
  // and so is that of the normals as the shape evaluates them
  const LinearShape shape(surface.X, U, normals);
  VectorXf c = VectorXf::Zero(5);
  c[2] = 0.05F;
  Matrix3Xf n(3, surface.X.cols());
  shape.normals(c, n);
  const Matrix3Xd truth =
      surface.normals(surface.X + 0.05 * U.col(2).reshaped(3, surface.X.cols()));
  EXPECT_LT((n.cast<double>() - truth).colwise().norm().maxCoeff(), 0.002);
  EXPECT_GT((normals.N - truth).colwise().norm().maxCoeff(), 0.02);
}

TEST(SurfaceNormals, OfVerticesWithoutAreaStay) {
  const Matrix3Xd X = Matrix3Xd::Random(3, 5);
  Matrix3Xi triangles(3, 3);  // one triangle, one of no area, one both ways; vertex 4 alone
  triangles << 0, 3, 3, 1, 3, 3, 2, 3, 3;
  const PointNormals normals = surface_normals(X, triangles, random_basis(15, 2));
  for (const int s : {3, 4}) {
    EXPECT_EQ(normals.N.col(s), Vector3d::UnitZ());
    EXPECT_EQ(normals.dN.middleRows<3>(3 * s).norm(), 0.0);
  }
  EXPECT_GT(normals.dN.topRows<3>().norm(), 0.0);
}

// [Barbic07] (3.8)
TEST(TransportedNormals, AreExactUnderRotationsOfAnyAngle) {
  const Surface surface(3);
  const Matrix3Xd N = surface.normals(surface.X);
  for (const double angle : {0.3, 1.2, 2.5, 3.1}) {
    const Matrix3d R = Eigen::AngleAxisd(angle, Vector3d(1, -2, 0.5).normalized()).matrix();
    const Matrix3d G = R - Matrix3d::Identity();
    MatrixXd gradients(9 * N.cols(), 1);
    for (Index s = 0; s < N.cols(); ++s) {
      gradients.col(0).segment<9>(9 * s) = G.transpose().reshaped();  // by rows
    }
    const LinearShape shape(surface.X, (G * surface.X).reshaped(),
                            transported_normals(2 * N, gradients));
    Matrix3Xf n(3, N.cols());
    shape.normals(VectorXf::Ones(1), n);
    EXPECT_LT((n.cast<double>() - R * N).colwise().norm().maxCoeff(), 1e-5) << angle;
  }
}

// To first order they are the true normals where the surface does not shear, as a free one.
TEST(TransportedNormals, AgreeWithTheSurfaceWhereItDoesNotShear) {
  // Bending: plane sections stay plane and normal to the curved axis; the sides are free.
  const auto displacement = [](const Vector3d& x) {
    const double nu = 0.3;
    return Vector3d(-x[0] * x[2], nu * x[1] * x[2],
                    0.5 * (x[0] * x[0] + nu * (x[2] * x[2] - x[1] * x[1])));
  };
  const auto gradient = [](const Vector3d& x) {
    const double nu = 0.3;
    return (Matrix3d() << -x[2], 0, -x[0], 0, nu * x[2], nu * x[1], x[0], -nu * x[1], nu * x[2])
        .finished();
  };
  Matrix3Xd X(3, 3);  // a tiny triangle on top of the beam
  X << 0.3, 0.301, 0.3, 0.1, 0.1, 0.101, 0.2, 0.2, 0.2;
  VectorXd U(9);
  MatrixXd gradients(9 * 3, 1);
  for (int s = 0; s < 3; ++s) {
    U.segment<3>(3 * s) = displacement(X.col(s));
    gradients.col(0).segment<9>(9 * s) = gradient(X.col(s)).transpose().reshaped();
  }
  const PointNormals by_surface = surface_normals(X, Matrix3Xi(Vector3i(0, 1, 2)), U);
  const PointNormals pushed = transported_normals(by_surface.N, gradients);
  for (int s = 0; s < 3; ++s) {
    const Vector3d N = by_surface.N.col(s), dN = pushed.dN.col(0).segment<3>(3 * s);
    const Vector3d tangential = dN - N * N.dot(dN);
    EXPECT_LT((tangential - by_surface.dN.col(0).segment<3>(3 * s)).norm(), 1e-3);
    EXPECT_GT(tangential.norm(), 0.2);
  }
}

TEST(PointNormals, RefuseBadInput) {
  const Surface surface(1);
  const Index P = surface.X.cols();
  EXPECT_THROW(surface_normals(surface.X, surface.triangles, MatrixXd::Zero(5, 1)), Error);
  EXPECT_THROW(surface_normals(surface.X, Matrix3Xi::Constant(3, 1, 999), MatrixXd(3 * P, 0)),
               Error);
  EXPECT_THROW(surface_normals(surface.X, surface.triangles, MatrixXd::Constant(3 * P, 1, NAN)),
               Error);
  EXPECT_THROW(transported_normals(surface.X, MatrixXd::Zero(5, 1)), Error);
  EXPECT_THROW(transported_normals(0 * surface.X, MatrixXd::Zero(9 * P, 1)), Error);
  EXPECT_THROW(transported_normals(surface.X, MatrixXd::Constant(9 * P, 1, NAN)), Error);
}

}  // namespace
}  // namespace pliant
