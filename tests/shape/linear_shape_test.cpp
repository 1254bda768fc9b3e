// SPDX-License-Identifier: MIT
#include "pliant/shape/linear_shape.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/tensor_file.hpp"
#include "shape/random_matrix.hpp"
#include "support/allocation_counter.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using test::random_matrix;
using ::testing::HasSubstr;

// 8 does not divide the points, 2 not the coefficients.
struct Sample {
  explicit Sample(Index points = 203, Index r = 7)
      : X(random_matrix(3, points, 1)), U(random_matrix(3 * points, r, 2)) {
    normals.N = random_matrix(3, points, 3).colwise().normalized();
    normals.dN = random_matrix(3 * points, r, 4);
  }
  LinearShape shape() const { return LinearShape(X, U, normals); }

  Matrix3Xd X;
  MatrixXd U;
  PointNormals normals;
};

VectorXf random_coefficients(Index r, std::uint64_t seed) {
  return random_matrix(r, 1, seed).cast<float>();
}

TEST(LinearShape, IsTheRestShapeAndTheBasisTimesTheCoefficients) {
  for (const Index r : {0, 1, 2, 7, 16}) {
    const Sample sample(203, r);
    const LinearShape shape = sample.shape();
    ASSERT_EQ(shape.point_count(), 203);
    ASSERT_EQ(shape.size(), r);
    const VectorXf c = random_coefficients(r, 5);
    Matrix3Xf x(3, 203), n(3, 203);
    shape.positions(c, x);
    shape.normals(c, n);
    const VectorXd expected = sample.X.reshaped() + sample.U * c.cast<double>();
    EXPECT_LT((x.cast<double>().reshaped() - expected).cwiseAbs().maxCoeff(), 2e-6);
    const Matrix3Xd pushed =
        (sample.normals.N.reshaped() + sample.normals.dN * c.cast<double>()).reshaped(3, 203);
    EXPECT_LT((n.cast<double>() - pushed.colwise().normalized()).cwiseAbs().maxCoeff(), 2e-5);
  }
}

TEST(LinearShape, GivesTheSameBitsForOnePointAListAndAll) {
  const Sample sample;
  const LinearShape shape = sample.shape();
  const VectorXf c = random_coefficients(7, 6);
  Matrix3Xf x(3, 203), n(3, 203);
  shape.positions(c, x);
  shape.normals(c, n);
  std::vector<int> list;
  Random random(7);
  for (int k = 0; k < 40; ++k) {  // runs of consecutive points, and points alone
    const int s = random.below(199);
    for (int run = 0; run < 1 + k % 5; ++run) list.push_back(s + run);
  }
  list.push_back(202);
  Matrix3Xf x_list(3, 500), n_list(3, 500);
  shape.positions(list, c, x_list);
  shape.normals(list, c, n_list);
  for (std::size_t k = 0; k < list.size(); ++k) {
    EXPECT_EQ(x_list.col(static_cast<Index>(k)), x.col(list[k]));
    EXPECT_EQ(n_list.col(static_cast<Index>(k)), n.col(list[k]));
  }
  for (Index s = 0; s < 203; ++s) {
    EXPECT_EQ(shape.position(s, c), x.col(s));
    EXPECT_EQ(shape.normal(s, c), n.col(s));
  }
}

TEST(LinearShape, LeadingCoefficientsLeaveTheOthersZero) {
  const LinearShape shape = Sample().shape();
  VectorXf c = random_coefficients(7, 8);
  c.tail(3).setZero();
  for (const Index s : {0, 100, 202}) {
    EXPECT_LT((shape.position(s, c) - shape.position(s, c.head(4))).norm(), 1e-6F);
    EXPECT_LT((shape.normal(s, c) - shape.normal(s, c.head(4))).norm(), 1e-6F);
    EXPECT_EQ(shape.position(s, VectorXf()), shape.rest_position(s));
    EXPECT_LT((shape.normal(s, VectorXf()) - shape.rest_normal(s)).norm(), 1e-6F);
  }
}

TEST(LinearShape, NormalsAreUnitVectorsWhateverTheCoefficients) {
  const Matrix3Xd X = Vector3d::Zero();
  const PointNormals normals{Vector3d::UnitX(), Vector3d::UnitX()};
  const LinearShape shape(X, VectorXd::Zero(3), normals);
  for (const float c : {-1.0F, 3e38F, -3e38F, 1e-30F, NAN, INFINITY}) {
    const Vector3f n = shape.normal(0, VectorXf::Constant(1, c));
    EXPECT_EQ(std::abs(n[0]), 1.0F) << c;
    EXPECT_EQ(n.tail<2>(), Eigen::Vector2f::Zero()) << c;
  }
}

TEST(LinearShape, ForcesDoTheSameWorkOnPointsAndCoefficients) {
  const Sample sample;
  const LinearShape shape = sample.shape();
  const Vector3f f(0.3F, -2, 1);
  const VectorXf dc = random_coefficients(7, 9);
  VectorXd Q = VectorXd::Ones(7);
  shape.add_force(77, f, Q);
  const double work = f.cast<double>().dot(sample.U.middleRows<3>(3 * 77) * dc.cast<double>());
  EXPECT_NEAR((Q - VectorXd::Ones(7)).dot(dc.cast<double>()), work, 1e-5);
  VectorXd leading = VectorXd::Ones(4);
  shape.add_force(77, f, leading);
  EXPECT_EQ(leading, Q.head(4));
}

TEST(LinearShape, AllocatesNothingOnline) {
  const LinearShape shape = Sample().shape();
  const VectorXf c = random_coefficients(7, 10);
  const std::vector<int> list{3, 4, 5, 100, 7};
  Matrix3Xf x(3, 203);
  VectorXd Q = VectorXd::Zero(7);
  const test::AllocationCounter counter;
  shape.positions(c, x);
  shape.normals(c, x);
  shape.positions(list, c, x);
  shape.normals(list, c, x);
  const Vector3f f = shape.position(5, c) + shape.normal(6, c);
  shape.add_force(8, f, Q);
  EXPECT_EQ(counter.count(), 0);
}

TEST(LinearShape, ReadsBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const Sample sample;
  const VectorXf c = random_coefficients(7, 11);
  Matrix3Xf x(3, 203), y(3, 203);
  {
    TensorWriter writer;
    sample.shape().write(writer, "shell.");
    LinearShape(sample.X, sample.U).write(writer, "bare.");
    LinearShape(sample.X, MatrixXd(609, 0)).write(writer, "rigid.");
    writer.write(folder / "a.pliant");
  }
  const TensorFile file(folder / "a.pliant");
  EXPECT_EQ(file.at("shell.U").shape, (std::vector<std::int64_t>{7, 609}));
  const LinearShape shape = sample.shape(), read(file, "shell."), bare(file, "bare.");
  EXPECT_EQ(LinearShape(file, "rigid.").position(202, VectorXf()), shape.rest_position(202));
  EXPECT_TRUE(read.has_normals());
  EXPECT_FALSE(bare.has_normals());
  shape.positions(c, x);
  read.positions(c, y);
  EXPECT_EQ(x, y);
  bare.positions(c, y);
  EXPECT_EQ(x, y);
  shape.normals(c, x);
  read.normals(c, y);
  EXPECT_EQ(x, y);
}

std::string error_of(const TensorWriter& writer) {
  const std::string bytes = writer.bytes();
  std::vector<std::uint64_t> aligned(bytes.size() / 8 + 1);
  std::memcpy(aligned.data(), bytes.data(), bytes.size());
  const TensorFile file({reinterpret_cast<const char*>(aligned.data()), bytes.size()}, "bytes");
  try {
    const LinearShape shape(file, "");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LinearShape, RefusesBadFiles) {
  const Matrix3Xf X = Matrix3Xf::Ones(3, 5);
  const Eigen::MatrixXf U = Eigen::MatrixXf::Ones(15, 2);
  const auto with = [&](const auto&... named) {
    TensorWriter writer;
    (writer.keep(named.first, named.second), ...);
    return error_of(writer);
  };
  using std::pair;
  EXPECT_EQ(with(pair("X", X), pair("U", U), pair("N", X), pair("dN", U)), "");
  EXPECT_THAT(with(pair("X", X)), HasSubstr("bytes: U: no such tensor"));
  EXPECT_THAT(with(pair("X", MatrixXd(X.cast<double>())), pair("U", U)), HasSubstr("another type"));
  EXPECT_THAT(with(pair("X", X), pair("U", Eigen::MatrixXf(U.topRows(14)))),
              HasSubstr("another shape"));
  EXPECT_THAT(with(pair("X", Eigen::MatrixXf(X.topRows(2))), pair("U", U)),
              HasSubstr("another shape"));
  EXPECT_THAT(with(pair("X", Matrix3Xf(3, 0)), pair("U", Eigen::MatrixXf(0, 0))),
              HasSubstr("X: bad number of points"));
  EXPECT_THAT(with(pair("X", X), pair("U", U), pair("N", X)), HasSubstr("dN: no such tensor"));
  EXPECT_THAT(
      with(pair("X", X), pair("U", U), pair("N", X), pair("dN", Eigen::MatrixXf(U.leftCols(1)))),
      HasSubstr("dN: of another size than the positions"));
  Eigen::MatrixXf broken = U;
  broken(7, 1) = NAN;
  EXPECT_THAT(with(pair("X", X), pair("U", broken)), HasSubstr("U: a number is not finite"));
}

TEST(LinearShape, RefusesArraysThatDoNotFit) {
  const Sample sample;
  EXPECT_THROW(LinearShape(Matrix3Xd(3, 0), MatrixXd(0, 2)), Error);
  EXPECT_THROW(LinearShape(sample.X, sample.U.topRows(600)), Error);
  EXPECT_THROW(LinearShape(sample.X, sample.U, {sample.normals.N, MatrixXd()}), Error);
  EXPECT_THROW(LinearShape(sample.X, 1e39 * sample.U), Error);
}

}  // namespace
}  // namespace pliant
