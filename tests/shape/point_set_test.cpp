// SPDX-License-Identifier: MIT
#include "pliant/shape/point_set.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/embedding.hpp"
#include "shape/random_matrix.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using Eigen::MatrixXf;
using test::random_matrix;
using ::testing::HasSubstr;

constexpr Index points = 203;  // not a number of whole blocks or batches

// A file in memory.
class Bytes {
 public:
  explicit Bytes(const TensorWriter& writer) {
    const std::string bytes = writer.bytes();
    aligned_.resize(bytes.size() / 8 + 1);
    std::memcpy(aligned_.data(), bytes.data(), bytes.size());
    size_ = bytes.size();
  }
  TensorFile file() const {
    return {{reinterpret_cast<const char*>(aligned_.data()), size_}, "bytes"};
  }

 private:
  std::vector<std::uint64_t> aligned_;
  std::size_t size_;
};

PointSet read(const TensorWriter& writer, Index size) {
  const Bytes bytes(writer);
  return PointSet(bytes.file(), "shape/", "embedding/", size);
}

VolumeMesh brick() {
  return block(ElementType::hex8, {3, 2, 2}, Vector3d(0.6, 0.4, 0.4));
}

// Points in and around a brick, whose nodes all move; others in the place of some of the tensors.
template <class... Named>
TensorWriter dense_tensors(const VolumeMesh& mesh, const Named&... others) {
  const Matrix3Xd X = (0.35 * random_matrix(3, points, 1)).colwise() + Vector3d(0.3, 0.2, 0.2);
  const MatrixXd N = random_matrix(3, points, 2).colwise().normalized();
  const Embedding embedding = embed(X, mesh);
  TensorWriter writer;
  const auto keep = [&](const std::string& name, const auto& tensor) {
    if (!((name == others.first) || ...)) writer.keep(name, tensor);
  };
  keep("shape/X", Matrix3Xf(X.cast<float>()));
  keep("shape/N", Matrix3Xf(N.cast<float>()));
  keep("embedding/nodes", embedding.nodes);
  keep("embedding/weights", embedding.weights);
  keep("embedding/gradients", MatrixXf(embedded_shape_gradients(embedding, mesh).cast<float>()));
  (writer.keep(others.first, others.second), ...);
  return writer;
}

PointSet linear_set(Index r) {
  const Matrix3Xd X = random_matrix(3, points, 3);
  return PointSet(LinearShape(
      X, random_matrix(3 * points, r, 4),
      {random_matrix(3, points, 5).colwise().normalized(), random_matrix(3 * points, r, 6)}));
}

PointSet dense_set() {
  const VolumeMesh mesh = brick();
  return read(dense_tensors(mesh), mesh.V.size());
}

// Each kind once: rigid, linear, dense.
void for_each_kind(const std::function<void(const PointSet&)>& test) {
  for (const Index r : {0, 7, 40}) {
    SCOPED_TRACE("linear, r = " + std::to_string(r));
    test(linear_set(r));
  }
  SCOPED_TRACE("dense");
  test(dense_set());
}

Motion random_motion(const PointSet& set, std::uint64_t seed, double far = 1.0) {
  Motion motion(set.size());
  motion.pose.position = far * random_matrix(3, 1, seed);
  motion.pose.rotation.coeffs() = random_matrix(4, 1, seed + 1).normalized();
  motion.velocity = random_matrix(3, 1, seed + 2);
  motion.angular_velocity = random_matrix(3, 1, seed + 3);
  motion.c = 0.1F * random_matrix(set.size(), 1, seed + 4).cast<float>();
  motion.dc = random_matrix(set.size(), 1, seed + 5).cast<float>();
  return motion;
}

// The motion after dt, with constant rates.
Motion later(const Motion& motion, double dt) {
  Motion result = motion;
  result.pose.position += dt * motion.velocity;
  const Vector3d turn = dt * motion.angular_velocity;
  const double angle = turn.norm();
  if (angle > 0) {
    result.pose.rotation =
        Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) * motion.pose.rotation;
  }
  result.c = motion.c + static_cast<float>(dt) * motion.dc;
  return result;
}

std::vector<int> some_points() {
  std::vector<int> list;
  Random random(7);
  for (int k = 0; k < 60; ++k) {  // runs of neighbours, points alone, and some twice
    const int s = random.below(points - 5);
    for (int run = 0; run < 1 + k % 5; ++run) list.push_back(s + run);
  }
  list.push_back(points - 1);
  return list;
}

TEST(PointSet, PutsTheShapeAtThePose) {
  const PointSet set = linear_set(7);
  const LinearShape& shape = *set.linear();
  const Motion motion = random_motion(set, 10, 1e5);
  for (Index s = 0; s < points; ++s) {
    EXPECT_EQ(set.frame_position(motion, s), shape.position(s, motion.c));
    EXPECT_EQ(
        set.position(motion, s),
        motion.pose.position + motion.pose.rotation * shape.position(s, motion.c).cast<double>());
    EXPECT_EQ(set.normal(motion, s),
              motion.pose.rotation * shape.normal(s, motion.c).cast<double>());
  }
}

TEST(PointSet, DensePointsFollowTheNodesOfTheirElements) {
  const VolumeMesh mesh = brick();
  const TensorWriter tensors = dense_tensors(mesh);
  const Bytes bytes(tensors);
  const TensorFile file = bytes.file();
  const PointSet set(file, "shape/", "embedding/", mesh.V.size());
  ASSERT_TRUE(set.is_dense());
  const Motion motion = random_motion(set, 20);
  const Matrix3Xd X = file.matrix<float>("shape/X", 3).cast<double>();
  const Matrix3Xd u =
      embed(X, mesh).interpolate(motion.c.cast<double>().reshaped(3, mesh.vertex_count()));
  for (Index s = 0; s < points; ++s) {
    EXPECT_LT((set.frame_position(motion, s).cast<double>() - X.col(s) - u.col(s)).norm(), 1e-6);
  }
}

TEST(PointSet, VelocitiesAreTheChangeOfThePositions) {
  for_each_kind([](const PointSet& set) {
    const Motion motion = random_motion(set, 30);
    const double dt = 1e-3;
    const Motion before = later(motion, -dt), after = later(motion, dt);
    for (Index s = 0; s < points; ++s) {
      const Vector3d difference = (set.position(after, s) - set.position(before, s)) / (2 * dt);
      EXPECT_LT((set.velocity(motion, s) - difference).norm(), 1e-3) << s;
    }
  });
}

TEST(PointSet, GivesTheSameBitsForOnePointAListAndAll) {
  for_each_kind([](const PointSet& set) {
    const Motion motion = random_motion(set, 40);
    const std::vector<int> list = some_points();
    const auto P = static_cast<Index>(list.size());
    Matrix3Xd x(3, points), v(3, points), n(3, points);
    Matrix3Xd x_list(3, 500), v_list(3, 500), n_list(3, 500);
    Matrix3Xf y(3, points), dy(3, points), m(3, points);
    Matrix3Xf y_list(3, 500), dy_list(3, 500), m_list(3, 500);
    set.positions(motion, x);
    set.velocities(motion, v);
    set.normals(motion, n);
    set.positions(motion, list, x_list);
    set.velocities(motion, list, v_list.leftCols(P));
    set.normals(motion, list, n_list);
    set.frame_positions(motion, y);
    set.frame_velocities(motion, dy);
    set.frame_normals(motion, m);
    set.frame_positions(motion, list, y_list);
    set.frame_velocities(motion, list, dy_list.leftCols(P));
    set.frame_normals(motion, list, m_list);
    for (Index s = 0; s < points; ++s) {
      ASSERT_EQ(set.position(motion, s), x.col(s));
      ASSERT_EQ(set.velocity(motion, s), v.col(s));
      ASSERT_EQ(set.normal(motion, s), n.col(s));
      ASSERT_EQ(set.frame_position(motion, s), y.col(s));
      ASSERT_EQ(set.frame_velocity(motion, s), dy.col(s));
      ASSERT_EQ(set.frame_normal(motion, s), m.col(s));
    }
    for (Index k = 0; k < P; ++k) {
      const int s = list[static_cast<std::size_t>(k)];
      ASSERT_EQ(x_list.col(k), x.col(s));
      ASSERT_EQ(v_list.col(k), v.col(s));
      ASSERT_EQ(n_list.col(k), n.col(s));
      ASSERT_EQ(y_list.col(k), y.col(s));
      ASSERT_EQ(dy_list.col(k), dy.col(s));
      ASSERT_EQ(m_list.col(k), m.col(s));
    }
  });
}

// Far from the world's origin too: neither the torque's arm nor the velocity may lose digits.
TEST(PointSet, ForcesDoTheSameWorkOnPointsAndOnTheMotion) {
  for_each_kind([](const PointSet& set) {
    for (const double far : {1.0, 1e9}) {
      const Motion motion = random_motion(set, 50, far);
      const std::vector<int> list = some_points();
      const Matrix3Xd f = random_matrix(3, static_cast<Index>(list.size()), 60);
      Load one(set.size(), false), all(set.size(), false);
      double work = 0, size = 0;
      for (std::size_t k = 0; k < list.size(); ++k) {
        const Vector3d force = f.col(static_cast<Index>(k));
        set.add_force(motion, list[k], force, one);
        const Vector3d v = set.velocity(motion, list[k]);
        work += force.dot(v);
        size += force.norm() * v.norm();
      }
      set.add_forces(motion, list, f, all);
      for (const Load& load : {one, all}) {
        EXPECT_NEAR(load.force.dot(motion.velocity) + load.torque.dot(motion.angular_velocity) +
                        load.Q.dot(motion.dc.cast<double>()),
                    work, 1e-6 * size);
      }
      EXPECT_LT((one.force - all.force).norm(), 1e-12);
      EXPECT_LT((one.torque - all.torque).norm(), 1e-10);
      EXPECT_LE((one.Q - all.Q).norm(), 1e-5 * one.Q.norm());
    }
  });
}

TEST(PointSet, ForcesAddToALoad) {
  const PointSet set = linear_set(7);
  const Motion motion = random_motion(set, 70);
  Load once(7, false), twice(7, false);
  const Vector3d f(1, -2, 3);
  set.add_force(motion, 100, f, once);
  set.add_force(motion, 100, f, twice);
  set.add_forces(motion, std::vector<int>{100}, f, twice);
  EXPECT_LT((twice.force - 2 * once.force).norm(), 1e-12);
  EXPECT_LT((twice.torque - 2 * once.torque).norm(), 1e-12);
  EXPECT_LT((twice.Q - 2 * once.Q).norm(), 1e-5);
}

// A spring from where the point is: no force now, and after a small move dz the load -K dz.
TEST(PointSet, TheTangentIsTheDerivativeOfASpringsLoad) {
  for (const Index r : {0, 7, 40}) {
    const PointSet set = linear_set(r);
    const Motion motion = random_motion(set, 80);
    const Index s = 117, n = 6 + r;
    const double k = 3.0, d = 0.5;
    Load load(r, true);
    ASSERT_TRUE(set.add_spring(motion, s, k, d, load));
    EXPECT_TRUE(load.tangent.used);
    const MatrixXd K = load.tangent.K.selfadjointView<Eigen::Lower>();
    const MatrixXd D = load.tangent.D.selfadjointView<Eigen::Lower>();
    EXPECT_LT((D - d / k * K).norm(), 1e-12 * K.norm());
    const Vector3d anchor = set.position(motion, s);
    const double h = 1e-3;
    for (Index j = 0; j < n; ++j) {
      VectorXd changes[2];
      for (const int side : {0, 1}) {
        Motion rate(r);
        rate.pose = motion.pose;
        rate.c = motion.c;
        if (j < 3) rate.velocity = Vector3d::Unit(j);
        if (j >= 3 && j < 6) rate.angular_velocity = Vector3d::Unit(j - 3);
        if (j >= 6) rate.dc[j - 6] = 1.0F;
        const Motion moved = later(rate, side == 0 ? -h : h);
        Load spring(r, false);
        set.add_force(moved, s, -k * (set.position(moved, s) - anchor), spring);
        changes[side].resize(n);
        changes[side] << spring.force, spring.torque, spring.Q;
      }
      const VectorXd column = (changes[1] - changes[0]) / (2 * h);
      EXPECT_LT((column + K.col(j)).norm(), 2e-3 * K.norm()) << r << ", " << j;
    }
  }
}

TEST(PointSet, SpringsAddUpInTheTangentAndOnlyThere) {
  const PointSet set = linear_set(7);
  const Motion motion = random_motion(set, 90);
  Load one(7, true), other(7, true), both(7, true);
  set.add_spring(motion, 3, 2.0, 0.0, one);
  set.add_spring(motion, 200, 0.0, 5.0, other);
  set.add_spring(motion, 3, 2.0, 0.0, both);
  set.add_spring(motion, 200, 0.0, 5.0, both);
  EXPECT_EQ(both.tangent.K, one.tangent.K);
  EXPECT_EQ(both.tangent.D, other.tangent.D);
  EXPECT_EQ(one.tangent.D.norm(), 0.0);
  EXPECT_EQ(both.force.norm() + both.torque.norm() + both.Q.norm(), 0.0);
}

TEST(PointSet, RefusesASpringWhereThereIsNoTangent) {
  const PointSet linear = linear_set(7), dense = dense_set();
  Load bare(7, false);
  EXPECT_FALSE(linear.add_spring(random_motion(linear, 95), 3, 1.0, 1.0, bare));
  EXPECT_FALSE(bare.tangent.used);
  Load load(dense.size(), true);
  EXPECT_FALSE(dense.add_spring(random_motion(dense, 95), 3, 1.0, 1.0, load));
  EXPECT_FALSE(load.tangent.used);
}

TEST(PointSet, DenseNormalsTurnWithTheNodes) {
  const VolumeMesh mesh = brick();
  const PointSet set = dense_set();
  Motion motion(set.size());
  Matrix3Xf rest(3, points);
  set.frame_normals(motion, rest);
  const Matrix3d R = Eigen::AngleAxisd(2.5, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  motion.c = ((R - Matrix3d::Identity()) * mesh.V).reshaped().cast<float>();
  for (Index s = 0; s < points; ++s) {
    const Vector3d expected = R * rest.col(s).cast<double>();
    EXPECT_LT((set.normal(motion, s) - expected).norm(), 2e-6);
  }
}

TEST(PointSet, DenseNormalsAreTransportedByALinearField) {
  const VolumeMesh mesh = brick();
  const PointSet set = dense_set();
  Motion motion(set.size());
  Matrix3Xf rest(3, points);
  set.frame_normals(motion, rest);
  const Matrix3d F = (Matrix3d() << 1.2, 0.5, 0, -0.1, 0.7, 0.3, 0.2, 0, 1.1).finished();
  motion.c = ((F - Matrix3d::Identity()) * mesh.V).reshaped().cast<float>();
  for (Index s = 0; s < points; ++s) {
    const Vector3d expected = (F * rest.col(s).cast<double>()).normalized();
    EXPECT_LT((set.normal(motion, s) - expected).norm(), 2e-6);
  }
}

// So a body shows the same normals whether a basis moves it or all its nodes.
TEST(PointSet, DenseNormalsAreThoseOfALinearSetOfTheSameDisplacements) {
  const VolumeMesh mesh = brick();
  const Bytes bytes(dense_tensors(mesh));
  const TensorFile file = bytes.file();
  const PointSet dense(file, "shape/", "embedding/", mesh.V.size());
  const Matrix3Xd X = file.matrix<float>("shape/X", 3).cast<double>();
  const Matrix3Xd N = file.matrix<float>("shape/N", 3).cast<double>();
  const Embedding embedding = embed(X, mesh);
  const MatrixXd U = random_matrix(mesh.V.size(), 5, 100);
  const PointSet linear(
      LinearShape(X, embedded_basis(embedding, U),
                  transported_normals(N, embedded_gradients(embedding, mesh, U))));
  Motion reduced(5), full(mesh.V.size());
  reduced.c = 0.05F * random_matrix(5, 1, 101).cast<float>();
  full.c = (U * reduced.c.cast<double>()).cast<float>();
  for (Index s = 0; s < points; ++s) {
    EXPECT_LT((dense.position(full, s) - linear.position(reduced, s)).norm(), 1e-6);
    EXPECT_LT((dense.normal(full, s) - linear.normal(reduced, s)).norm(), 1e-5);
  }
}

TEST(PointSet, NormalsAreUnitVectorsWhateverTheDisplacements) {
  const PointSet set = dense_set();
  Motion motion(set.size());
  for (const float u : {3e38F, -3e38F, 1e-30F, NAN, INFINITY}) {
    motion.c = u * random_matrix(set.size(), 1, 110).cast<float>();
    for (Index s = 0; s < points; ++s) EXPECT_NEAR(set.normal(motion, s).norm(), 1.0, 1e-6) << u;
  }
}

TEST(PointSet, AllocatesNothingOnline) {
  for_each_kind([](const PointSet& set) {
    const Motion motion = random_motion(set, 120);
    const std::vector<int> list = some_points();
    Matrix3Xd x(3, points), x_list(3, 500);
    Matrix3Xf y(3, points), y_list(3, 500);
    const Matrix3Xd f = random_matrix(3, 500, 130);
    Load load(set.size(), !set.is_dense());
    const test::AllocationCounter counter;
    set.positions(motion, x);
    set.velocities(motion, x);
    set.normals(motion, x);
    set.positions(motion, list, x_list);
    set.velocities(motion, list, x_list);
    set.normals(motion, list, x_list);
    set.frame_positions(motion, y);
    set.frame_velocities(motion, y);
    set.frame_normals(motion, y);
    set.frame_positions(motion, list, y_list);
    set.frame_velocities(motion, list, y_list);
    set.frame_normals(motion, list, y_list);
    const Vector3d sum = set.position(motion, 5) + set.velocity(motion, 6) + set.normal(motion, 7);
    set.add_force(motion, 8, sum, load);
    set.add_forces(motion, list, f, load);
    set.add_spring(motion, 9, 1.0, 2.0, load);
    EXPECT_EQ(counter.count(), 0);
  });
}

TEST(PointSet, IsRigidWithoutABasisAndAnEmbedding) {
  TensorWriter writer;
  writer.keep("shape/X", Matrix3Xf(random_matrix(3, 9, 140).cast<float>()));
  const PointSet bare = read(writer, 0);
  EXPECT_FALSE(bare.has_normals());
  writer.keep("shape/N", Matrix3Xf(Vector3f::UnitX().replicate(1, 9)));
  const PointSet set = read(writer, 0);
  EXPECT_EQ(set.point_count(), 9);
  EXPECT_EQ(set.size(), 0);
  EXPECT_FALSE(set.is_dense());
  const Motion motion = random_motion(set, 141);
  EXPECT_EQ(set.position(motion, 3), motion.pose.to_world(set.rest_position(3).cast<double>()));
  EXPECT_LT((set.normal(motion, 3) - motion.pose.rotation * Vector3d::UnitX()).norm(), 1e-15);
}

std::string error_of(const TensorWriter& writer, Index size) {
  try {
    read(writer, size);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PointSet, RefusesBadFiles) {
  const VolumeMesh mesh = brick();
  const Index size = mesh.V.size();
  const auto with = [&](const auto& named) { return error_of(dense_tensors(mesh, named), size); };
  using std::pair;
  const MatrixXi nodes = MatrixXi::Zero(8, points);
  const MatrixXf g = MatrixXf::Zero(24, points);
  EXPECT_EQ(with(pair("embedding/nodes", nodes)), "");
  EXPECT_THAT(error_of(dense_tensors(mesh), size - 3),
              HasSubstr("no such node: found '35', expected 0 to 34"));
  EXPECT_THAT(error_of(dense_tensors(mesh), size + 1), HasSubstr("number of coefficients"));
  EXPECT_THAT(error_of(dense_tensors(mesh), 0), HasSubstr("no such node"));
  MatrixXi negative = nodes;
  negative(3, 77) = -1;
  EXPECT_THAT(with(pair("embedding/nodes", negative)),
              HasSubstr("embedding/nodes of point 77: no such node: found '-1'"));
  EXPECT_THAT(with(pair("embedding/nodes", MatrixXi(nodes.leftCols(9)))),
              HasSubstr("embedding/nodes: wrong number of points: found '9', expected 203"));
  EXPECT_THAT(with(pair("embedding/weights", MatrixXd(MatrixXd::Zero(4, points)))),
              HasSubstr("embedding/weights"));
  EXPECT_THAT(with(pair("embedding/weights", MatrixXd(MatrixXd::Constant(8, points, 1e300)))),
              HasSubstr("embedding/weights: a number is not finite"));
  EXPECT_THAT(with(pair("embedding/weights", MatrixXf(MatrixXf::Zero(8, points)))),
              HasSubstr("another type"));
  EXPECT_THAT(with(pair("embedding/gradients", MatrixXf(g.topRows(8)))),
              HasSubstr("embedding/gradients"));
  EXPECT_THAT(with(pair("embedding/gradients", MatrixXf(g.leftCols(8)))),
              HasSubstr("embedding/gradients: wrong number of points"));
  EXPECT_THAT(with(pair("embedding/gradients", MatrixXf(MatrixXf::Constant(24, points, NAN)))),
              HasSubstr("embedding/gradients: a number is not finite"));
  EXPECT_THAT(with(pair("shape/N", MatrixXf(MatrixXf::Ones(3, 5)))),
              HasSubstr("shape/N: wrong number of points"));
  EXPECT_THAT(with(pair("shape/X", MatrixXf(MatrixXf::Constant(3, points, INFINITY)))),
              HasSubstr("shape/X: a number is not finite"));
  EXPECT_THAT(with(pair("shape/X", Matrix3Xf(3, 0))), HasSubstr("bad number of points"));

  TensorWriter without;
  without.keep("shape/X", Matrix3Xf(Matrix3Xf::Ones(3, 5)));
  without.keep("shape/N", Matrix3Xf(Matrix3Xf::Ones(3, 5)));
  without.keep("embedding/nodes", MatrixXi(MatrixXi::Zero(8, 5)));
  without.keep("embedding/weights", MatrixXd(MatrixXd::Zero(8, 5)));
  EXPECT_THAT(error_of(without, size), HasSubstr("embedding/gradients: no such tensor"));

  TensorWriter linear;
  LinearShape(random_matrix(3, 5, 1), random_matrix(15, 2, 2)).write(linear, "shape/");
  EXPECT_EQ(error_of(linear, 2), "");
  EXPECT_THAT(error_of(linear, 3), HasSubstr("shape/U: points of another number"));

  const auto rigid = [](const MatrixXf& X, const MatrixXf& N, Index size) {
    TensorWriter writer;
    writer.keep("shape/X", X);
    writer.keep("shape/N", N);
    return error_of(writer, size);
  };
  const MatrixXf five = MatrixXf::Ones(3, 5);
  EXPECT_EQ(rigid(five, five, 0), "");
  EXPECT_THAT(rigid(five, five, 3), HasSubstr("shape/X: points of another number"));
  EXPECT_THAT(rigid(five, five.leftCols(4), 0), HasSubstr("shape/N: wrong number of points"));
  EXPECT_THAT(rigid(five, NAN * five, 0), HasSubstr("shape/N: a number is not finite"));
  EXPECT_THAT(rigid(five.leftCols(0), five, 0), HasSubstr("bad number of points"));
  EXPECT_THAT(error_of(TensorWriter(), 0), HasSubstr("shape/X: no such tensor"));
}

TEST(PointAreas, AThirdOfEachTriangleBelongsToItsCorners) {
  Matrix3Xd X(3, 5);
  X << 0, 2, 0, 2, 9, 0, 0, 3, 3, 9, 0, 0, 0, 0, 9;
  Matrix3Xi triangles(3, 2);
  triangles << 0, 1, 1, 3, 2, 2;
  const VectorXd areas = point_areas(X, triangles);
  EXPECT_LT((areas - (VectorXd(5) << 1, 2, 2, 1, 0).finished()).norm(), 1e-15);
  triangles(1, 1) = 5;
  EXPECT_THROW(point_areas(X, triangles), Error);
  triangles(1, 1) = -1;
  EXPECT_THROW(point_areas(X, triangles), Error);
}

}  // namespace
}  // namespace pliant
