// SPDX-License-Identifier: MIT
#include "pliant/mesh/embedding.hpp"

#include <map>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/isoparametric.hpp"
#include "pliant/mesh/triangle.hpp"
#include "pliant/mesh/voxel_grid.hpp"

namespace pliant {
namespace {

VoxelGrid full_grid(int n) {
  VoxelGrid grid;
  grid.h = 1.0 / n;
  grid.n.setConstant(n);
  grid.filled.assign(static_cast<std::size_t>(n * n * n), Voxel::interior);
  return grid;
}

// The unit cube with its inner vertices moved, so that no element is a box.
void shake(VolumeMesh& mesh, double size, std::uint64_t seed) {
  Random random(seed);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    for (int a = 0; a < 3; ++a) {
      const double x = mesh.V(a, v);
      if (x > 1e-9 && x < 1 - 1e-9) mesh.V(a, v) += size * random.uniform(-1, 1);
    }
  }
}

VolumeMesh quadratic(const VolumeMesh& linear) {
  VolumeMesh mesh = linear;
  mesh.type = ElementType::tet10;
  mesh.E.resize(10, linear.element_count());
  std::map<std::pair<int, int>, int> midpoints;
  std::vector<Vector3d> extra;
  constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (int e = 0; e < linear.element_count(); ++e) {
    mesh.E.col(e).head(4) = linear.E.col(e);
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = std::minmax(linear.E(edges[k][0], e), linear.E(edges[k][1], e));
      const auto [it, fresh] =
          midpoints.try_emplace({a, b}, linear.vertex_count() + static_cast<int>(extra.size()));
      if (fresh) extra.push_back(0.5 * (linear.V.col(a) + linear.V.col(b)));
      mesh.E(4 + k, e) = it->second;
    }
  }
  mesh.V.resize(3, linear.vertex_count() + static_cast<Index>(extra.size()));
  mesh.V.leftCols(linear.vertex_count()) = linear.V;
  for (std::size_t i = 0; i < extra.size(); ++i) {
    mesh.V.col(linear.vertex_count() + static_cast<Index>(i)) = extra[i];
  }
  return mesh;
}

std::vector<std::pair<const char*, VolumeMesh>> meshes() {
  const VoxelGrid grid = full_grid(4);
  std::vector<std::pair<const char*, VolumeMesh>> result;
  result.emplace_back("voxels", hexahedra(grid));
  result.emplace_back("bricks", hexahedra(grid));
  shake(result.back().second, 0.06, 1);
  result.emplace_back("tetrahedra", tetrahedra(grid, TetSplit::five));
  shake(result.back().second, 0.06, 2);
  result.emplace_back("quadratic", quadratic(result.back().second));
  result.emplace_back("curved", quadratic(tetrahedra(grid, TetSplit::six)));
  shake(result.back().second, 0.01, 3);
  return result;
}

Matrix3Xd random_points(int count, double low, double high, std::uint64_t seed) {
  Random random(seed);
  Matrix3Xd points(3, count);
  for (double& x : points.reshaped()) x = random.uniform(low, high);
  return points;
}

const Matrix3d A = (Matrix3d() << 1, 2, -1, 0.5, -3, 1, 2, 0.1, 0.7).finished();

TEST(Embedding, ReproducesLinearFieldsExactlyInsideAndOutside) {
  for (const auto& [name, mesh] : meshes()) {
    const Matrix3Xd points = random_points(2000, -0.5, 1.5, 7);
    const Embedding W = embed(points, mesh);
    const Vector3d b(0.3, -0.1, 0.2);
    const Matrix3Xd u = W.interpolate((A * mesh.V).colwise() + b);
    const Matrix3Xd expected = (A * points).colwise() + b;
    EXPECT_LT((u - expected).cwiseAbs().maxCoeff(), 1e-10) << name;
    EXPECT_LT((W.weights.colwise().sum().array() - 1).abs().maxCoeff(), 1e-12) << name;
    EXPECT_GT(W.outside.size(), 1000u) << name;
    EXPECT_LT(W.outside.size(), 1999u) << name;
  }
}

TEST(Embedding, HoldsInnerPointsInTheElementThatContainsThem) {
  for (const auto& [name, mesh] : meshes()) {
    const Matrix3Xd points = random_points(2000, 0.0, 1.0, 8);
    const Embedding W = embed(points, mesh);
    EXPECT_TRUE(W.outside.empty()) << name;
    for (int p = 0; p < W.point_count(); ++p) {
      const NodePositions x = element_nodes(mesh, W.element[p]);
      Vector3d xi;
      ASSERT_TRUE(invert_map(mesh.type, x, points.col(p), xi)) << name;
      EXPECT_GT(depth(mesh.type, xi), -1e-8) << name;
      EXPECT_LT((x * W.weights.col(p) - points.col(p)).norm(), 1e-12) << name;
      EXPECT_EQ(W.nodes.col(p), mesh.E.col(W.element[p]));
    }
  }
}

TEST(Embedding, ReproducesQuadraticFieldsInQuadraticTetrahedra) {
  const VolumeMesh mesh = meshes()[3].second;
  const auto field = [](const Vector3d& x) {
    return Vector3d(x[0] * x[1], x[2] * x[2] - x[0], 3 * x[1] * x[2] + x[0] * x[0]);
  };
  const Matrix3Xd points = random_points(1000, 0.0, 1.0, 9);
  Matrix3Xd u(3, mesh.vertex_count());
  for (int v = 0; v < mesh.vertex_count(); ++v) u.col(v) = field(mesh.V.col(v));
  const Matrix3Xd result = embed(points, mesh).interpolate(u);
  for (Index p = 0; p < points.cols(); ++p) {
    EXPECT_LT((result.col(p) - field(points.col(p))).norm(), 1e-12);
  }
}

TEST(Embedding, ForcesDoTheSameWorkOnPointsAndNodes) {
  for (const auto& [name, mesh] : meshes()) {
    const Embedding W = embed(random_points(500, -0.2, 1.2, 10), mesh);
    const Matrix3Xd u = random_points(mesh.vertex_count(), -1, 1, 11);
    const Matrix3Xd f = random_points(500, -1, 1, 12);
    Matrix3Xd f_nodes = Matrix3Xd::Zero(3, mesh.vertex_count());
    W.add_transpose(f, f_nodes);
    const double work = f.cwiseProduct(W.interpolate(u)).sum();
    EXPECT_NEAR(f_nodes.cwiseProduct(u).sum(), work, 1e-10 * f.norm() * u.norm()) << name;
    EXPECT_LT((f_nodes.rowwise().sum() - f.rowwise().sum()).norm(), 1e-10) << name;
  }
}

TEST(Embedding, ListsPointsOutsideWithTheirDistance) {
  const Eigen::AlignedBox3d cube(Vector3d::Zero(), Vector3d::Ones());
  for (const auto& [name, mesh] : meshes()) {
    const Matrix3Xd points = random_points(1000, -1.0, 2.0, 13);
    const Embedding W = embed(points, mesh);
    std::size_t next = 0;
    for (int p = 0; p < 1000; ++p) {
      const double distance = cube.exteriorDistance(Vector3d(points.col(p)));
      if (distance == 0) continue;
      ASSERT_LT(next, W.outside.size()) << name;
      EXPECT_EQ(W.outside[next].point, p) << name;
      EXPECT_NEAR(W.outside[next].distance, distance, 1e-9) << name;
      ++next;
    }
    EXPECT_EQ(next, W.outside.size()) << name;
  }
}

TEST(Embedding, CarriesABasisToThePoints) {
  for (const auto& [name, mesh] : meshes()) {
    const Embedding W = embed(random_points(100, -0.1, 1.1, 21), mesh);
    MatrixXd U(3 * mesh.vertex_count(), 2);
    U.col(0) = random_points(mesh.vertex_count(), -1, 1, 22).reshaped();
    U.col(1) = random_points(mesh.vertex_count(), -1, 1, 23).reshaped();
    const MatrixXd at_points = embedded_basis(W, U);
    const VectorXd c = Eigen::Vector2d(0.3, -0.8);
    const Matrix3Xd u = W.interpolate((U * c).reshaped(3, mesh.vertex_count()));
    EXPECT_LT((at_points * c - u.reshaped()).norm(), 1e-13 * u.norm()) << name;
  }
}

TEST(Embedding, GradientsOfLinearFieldsAreExactInsideAndOutside) {
  for (const auto& [name, mesh] : meshes()) {
    const Embedding W = embed(random_points(500, -0.5, 1.5, 24), mesh);
    const MatrixXd gradients = embedded_gradients(W, mesh, (A * mesh.V).reshaped());
    for (Index p = 0; p < W.point_count(); ++p) {
      const Matrix3d G = gradients.col(0).segment<9>(9 * p).reshaped<Eigen::RowMajor>(3, 3);
      EXPECT_LT((G - A).norm(), 1e-10) << name;
    }
  }
}

TEST(Embedding, GradientsAreTheDifferencesOfTheField) {
  const double h = 1e-5;
  for (const auto& [name, mesh] : meshes()) {
    const Matrix3Xd points = random_points(200, 0.02, 0.98, 25);
    const Embedding W = embed(points, mesh);
    const Matrix3Xd u = random_points(mesh.vertex_count(), -1, 1, 26);
    const MatrixXd gradients = embedded_gradients(W, mesh, u.reshaped());
    int compared = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = h * Vector3d::Unit(k);
      const Embedding plus = embed(points.colwise() + step, mesh);
      const Embedding minus = embed(points.colwise() - step, mesh);
      const Matrix3Xd difference = (plus.interpolate(u) - minus.interpolate(u)) / (2 * h);
      for (Index p = 0; p < points.cols(); ++p) {
        if (plus.element[p] != W.element[p] || minus.element[p] != W.element[p]) continue;
        ++compared;
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(gradients(9 * p + 3 * i + k, 0), difference(i, p), 1e-4) << name;
        }
      }
    }
    EXPECT_GT(compared, 500) << name;
  }
}

TEST(Embedding, GradientsOfAFieldAreThoseOfTheShapeFunctionsTimesItsNodes) {
  for (const auto& [name, mesh] : meshes()) {
    const Embedding W = embed(random_points(300, -0.2, 1.2, 27), mesh);
    const Matrix3Xd u = random_points(mesh.vertex_count(), -1, 1, 28);
    const MatrixXd g = embedded_shape_gradients(W, mesh);
    const MatrixXd gradients = embedded_gradients(W, mesh, u.reshaped());
    ASSERT_EQ(g.rows(), 3 * W.nodes.rows()) << name;
    for (Index p = 0; p < W.point_count(); ++p) {
      Matrix3d G = Matrix3d::Zero();
      for (Index a = 0; a < W.nodes.rows(); ++a) {
        G += u.col(W.nodes(a, p)) * g.col(p).segment<3>(3 * a).transpose();
      }
      const Matrix3d expected = gradients.col(0).segment<9>(9 * p).reshaped<Eigen::RowMajor>(3, 3);
      EXPECT_LT((G - expected).norm(), 1e-12 * expected.norm()) << name;
    }
  }
}

TEST(Embedding, AttachesToElementsWithoutVolume) {
  VolumeMesh flat;
  flat.V.resize(3, 4);
  flat.V << 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0;
  flat.E = Eigen::Vector4i(0, 1, 2, 3);
  const Embedding W = embed(Vector3d(0.25, 0.25, 2.0), flat);
  ASSERT_EQ(W.outside.size(), 1u);
  EXPECT_NEAR(W.outside[0].distance, 2.0, 1e-12);
  EXPECT_LT((W.interpolate(flat.V).col(0) - Vector3d(0.25, 0.25, 0)).norm(), 1e-12);
  EXPECT_EQ(embedded_gradients(W, flat, flat.V.reshaped()).norm(), 0.0);
  EXPECT_EQ(embedded_shape_gradients(W, flat).norm(), 0.0);
}

TEST(Embedding, IsTheSameForAnyNumberOfThreads) {
  const VolumeMesh mesh = meshes()[2].second;
  const Matrix3Xd points = random_points(3000, -0.2, 1.2, 14);
  set_threads(1);
  const Embedding one = embed(points, mesh);
  set_threads(4);
  const Embedding four = embed(points, mesh);
  set_threads(0);
  EXPECT_EQ(one.element, four.element);
  EXPECT_EQ(one.weights, four.weights);
}

TEST(Embedding, RefusesBadInput) {
  VolumeMesh mesh = hexahedra(full_grid(1));
  EXPECT_THROW(embed(Vector3d(std::nan(""), 0, 0), mesh), Error);
  EXPECT_THROW(embed(Vector3d::Zero(), VolumeMesh{}), Error);
  EXPECT_EQ(embed(Matrix3Xd(3, 0), mesh).point_count(), 0);
  mesh.E(3, 0) = 99;
  EXPECT_THROW(embed(Vector3d::Zero(), mesh), Error);
  mesh.E.resize(4, 1);
  mesh.E.setZero();
  EXPECT_THROW(embed(Vector3d::Zero(), mesh), Error);
}

TEST(Triangle, ClosestPointBeatsEverySample) {
  Random random(15);
  for (int t = 0; t < 200; ++t) {
    Matrix3Xd corner = random_points(3, -1, 1, 100 + static_cast<std::uint64_t>(t));
    if (t % 10 == 8) corner.col(2) = 0.5 * (corner.col(0) + corner.col(1));
    if (t % 10 == 9) corner.col(1) = corner.col(2) = corner.col(0);
    const Vector3d p = random_points(1, -2, 2, 500 + static_cast<std::uint64_t>(t));
    const TrianglePoint q = closest_on_triangle(p, corner.col(0), corner.col(1), corner.col(2));
    EXPECT_LT((corner * q.weights - q.point).norm(), 1e-12);
    EXPECT_NEAR(q.weights.sum(), 1.0, 1e-12);
    EXPECT_GE(q.weights.minCoeff(), -1e-12);
    EXPECT_NEAR(q.squared_distance, (p - q.point).squaredNorm(), 1e-12);
    for (int s = 0; s < 100; ++s) {
      double u = random.uniform(), v = random.uniform();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Vector3d sample = corner * Vector3d(1 - u - v, u, v);
      EXPECT_GE((p - sample).squaredNorm(), q.squared_distance - 1e-12);
    }
  }
}

TEST(Isoparametric, GradientsAreThoseOfTheShapeFunctions) {
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    const Vector3d xi(0.2, 0.15, 0.3);
    const NodeGradients G = shape_gradients(type, xi);
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = 1e-6 * Vector3d::Unit(k);
      const NodeVector difference =
          (shape_functions(type, xi + step) - shape_functions(type, xi - step)) / 2e-6;
      EXPECT_LT((difference - G.col(k)).norm(), 1e-9);
    }
    EXPECT_NEAR(shape_functions(type, xi).sum(), 1.0, 1e-15);
    for (int a = 0; a < nodes_per_element(type); ++a) {
      const NodeVector at_node = shape_functions(type, reference_node(type, a));
      EXPECT_LT((at_node - NodeVector::Unit(at_node.size(), a)).norm(), 1e-15);
    }
  }
}

}  // namespace
}  // namespace pliant
