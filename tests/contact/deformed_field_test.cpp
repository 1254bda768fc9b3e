// SPDX-License-Identifier: MIT
#include "pliant/contact/deformed_field.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using Eigen::Vector3f;
using test::Solid;

// Coefficients: an affine motion x = A X + t by 12, c = (A - I by rows, t), and bending,
// u = (-2 x z, 0, x^2), which turns the sections too.

constexpr Index bent = 13;

Eigen::Matrix<double, 3, bent> basis(const Vector3d& X) {
  Eigen::Matrix<double, 3, bent> U = Eigen::Matrix<double, 3, bent>::Zero();
  for (int i = 0; i < 3; ++i) {
    U.block<1, 3>(i, 3 * i) = X.transpose();
    U(i, 9 + i) = 1;
  }
  U.col(12) = Vector3d(-2 * X[0] * X[2], 0, X[0] * X[0]);
  return U;
}

// Of the thirteen by differences: an independent way.
Eigen::Matrix<double, 9, bent> basis_gradient(const Vector3d& X) {
  Eigen::Matrix<double, 9, bent> G;
  for (int J = 0; J < 3; ++J) {
    const Vector3d e = 1e-5 * Vector3d::Unit(J);
    const auto difference = ((basis(X + e) - basis(X - e)) / 2e-5).eval();
    for (int i = 0; i < 3; ++i) G.row(3 * i + J) = difference.row(i);
  }
  return G;
}

struct Subject {
  explicit Subject(const Solid& solid, int count = 40) : rest(test::field_of(solid)) {
    const Pointshell shell = make_pointshell(rest, isosurface({solid.D, solid.box, true}, 0.05),
                                             {.points = count, .levels = 1});
    MatrixXd U(3 * shell.X.cols(), bent);
    Eigen::MatrixXf G(9, shell.X.cols() * bent);
    for (Index s = 0; s < shell.X.cols(); ++s) {
      U.middleRows<3>(3 * s) = basis(shell.X.col(s));
      G.middleCols(s * bent, bent) = basis_gradient(shell.X.col(s)).cast<float>();
    }
    proxies.emplace(LinearShape(shell.X, U), G);
    field.emplace(rest, *proxies);
  }
  float at(const Vector3d& x) const {
    const Vector3f y = x.cast<float>();
    return field->values({simd::all(y[0]), simd::all(y[1]), simd::all(y[2])})[0];
  }

  DistanceField rest;
  std::optional<Proxies> proxies;
  std::optional<DeformedField> field;
};

VectorXf motion(const Matrix3d& A, const Vector3d& t, double bending = 0) {
  VectorXf c(bent);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c[3 * i + j] = static_cast<float>(A(i, j) - (i == j ? 1 : 0));
    c[9 + i] = static_cast<float>(t[i]);
  }
  c[12] = static_cast<float>(bending);
  return c;
}

TEST(DeformedField, FollowsRotationsOfAnyAngle) {
  const Solid solid = test::box();
  Subject subject(solid);
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3d A =
        Eigen::AngleAxisd(random.uniform(0, 3), test::direction(random)).toRotationMatrix();
    const Vector3d t = test::direction(random);
    subject.field->update(motion(A, t));
    for (int k = 0; k < 200; ++k) {
      const Vector3d X = random.uniform(0, 1.4) * test::direction(random);
      ASSERT_NEAR(subject.at(A * X + t), subject.rest.value(X.cast<float>()),
                  2e-3 * subject.rest.cell());
    }
  }
}

TEST(DeformedField, OfABentBarIsCloseToItsDistance) {
  const Solid solid = test::box();
  Subject subject(solid);
  subject.field->update(motion(Matrix3d::Identity(), Vector3d::Zero(), 0.3));
  // Points of the deformed surface are near zero; those a little inside or outside as far as they
  // were, because bending strains little.
  Random random(2);
  double worst = 0;
  for (int k = 0; k < 3000; ++k) {
    const double out = random.uniform(-0.1, 0.1);
    const Vector3d X(random.uniform(-0.9, 0.9), random.uniform(-0.4, 0.4), 0.3 + out);
    const Vector3d x = X + 0.3 * basis(X).col(12);
    worst = std::max(worst, std::abs(subject.at(x) - out));
  }
  EXPECT_LT(worst, 0.05);  // of a bar of 2 by 1 by 0.6
}

// A box that is stretched is a box of other sides: the pulled-back distance is off by the stretch,
// the pushed one is right where a side is the nearest.
TEST(DeformedField, PushedForwardIsExactUnderStretch) {
  Subject subject(test::box());
  DeformedField pushed(subject.rest, *subject.proxies, 0.25F, true);
  Random random(6);
  for (const Vector3d& stretch : {Vector3d(1.3, 1, 0.8), Vector3d(0.7, 1.2, 1.4)}) {
    const VectorXf c = motion(stretch.asDiagonal(), Vector3d::Zero());
    subject.field->update(c);
    pushed.update(c);
    double worst = 0, unpushed = 0;
    for (int k = 0; k < 2000; ++k) {
      const double out = random.uniform(-0.05, 0.2);
      const Vector3d X(random.uniform(-0.7, 0.7), random.uniform(-0.2, 0.2), 0.3 + out);
      const Vector3f x = stretch.cwiseProduct(X).cast<float>();
      const double expected = stretch[2] * out;
      const auto at = [&](const DeformedField& field) {
        return static_cast<double>(
            field.values({simd::all(x[0]), simd::all(x[1]), simd::all(x[2])})[0]);
      };
      worst = std::max(worst, std::abs(at(pushed) - expected));
      unpushed = std::max(unpushed, std::abs(at(*subject.field) - expected));
    }
    EXPECT_LT(worst, 0.05 * subject.rest.cell());
    EXPECT_GT(unpushed, 0.03);
  }
}

TEST(DeformedField, GradientsAreThoseOfTheField) {
  Subject subject(test::torus());
  subject.field->update(motion(Matrix3d::Identity(), Vector3d::Zero(), 0.2));
  Random random(7);
  int close = 0, all = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector3d x = random.uniform(0, 1.1) * test::direction(random);
    const Vector3f y = x.cast<float>();
    const auto s = subject.field->samples({simd::all(y[0]), simd::all(y[1]), simd::all(y[2])});
    ASSERT_NEAR(s.distance[0], subject.at(x), 1e-6);
    const Vector3f g(s.gradient.x[0], s.gradient.y[0], s.gradient.z[0]);
    Vector3f expected;
    for (int a = 0; a < 3; ++a) {
      const Vector3d e = 1e-3 * Vector3d::Unit(a);
      expected[a] = (subject.at(x + e) - subject.at(x - e)) / 2e-3F;
    }
    // Between cells, and where neighbours change, the gradient jumps.
    close += (g - expected).norm() < 0.05F;
    ++all;
  }
  EXPECT_GT(close, 0.8 * all);
}

TEST(DeformedField, IsContinuous) {
  Subject subject(test::torus());
  subject.field->update(motion(Matrix3d::Identity(), Vector3d::Zero(), 0.2));
  Random random(3);
  for (int line = 0; line < 50; ++line) {
    const Vector3d from = random.uniform(0, 1.2) * test::direction(random);
    const Vector3d step = 1e-4 * test::direction(random);
    float last = subject.at(from);
    for (int k = 1; k < 300; ++k) {
      const float next = subject.at(from + k * step);
      ASSERT_LT(std::abs(next - last), 2e-3) << "where neighbours change nothing may jump";
      last = next;
    }
  }
}

TEST(DeformedField, WeightsSumToOneEvenWhereTheyAreZeroByZero) {
  // Proxies on a sphere: all are equally far from its centre.
  Subject subject(test::sphere());
  const DeformedField::Influence centre = subject.field->influence(Vector3f::Zero());
  const DeformedField::Influence on =
      subject.field->influence(subject.proxies->points().rest_position(3));
  for (const DeformedField::Influence& all : {centre, on}) {
    float sum = 0;
    for (const float w : all.weight) {
      EXPECT_TRUE(std::isfinite(w) && w >= 0);
      sum += w;
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_EQ(on.proxy[0], 3);
  EXPECT_GT(on.weight[0], 0.999F);
  EXPECT_TRUE(std::isfinite(subject.at(Vector3d::Zero())));
}

// Virtual work: the force of a contact, spread over the proxies, moves the coefficients as their
// weighted motion does.
TEST(DeformedField, SpreadsForces) {
  Subject subject(test::box());
  const Vector3f x(0.3F, 0.1F, 0.3F), f(1, -2, 3);
  VectorXd Q = VectorXd::Zero(bent);
  subject.field->add_force(subject.field->influence(x), f, Q);
  const DeformedField::Influence all = subject.field->influence(x);
  for (Index j = 0; j < bent; ++j) {
    double work = 0;
    for (std::size_t k = 0; k < all.proxy.size(); ++k) {
      work += static_cast<double>(all.weight[k] *
                                  f.dot(subject.proxies->points().basis(all.proxy[k]).col(j)));
    }
    EXPECT_NEAR(Q[j], work, 1e-5);
  }
}

TEST(DeformedField, WhatCannotBeInvertedIsLeftAsItWas) {
  Subject subject(test::box());
  subject.field->update(motion(Matrix3d::Zero(), Vector3d::Zero()));
  EXPECT_TRUE(std::isfinite(subject.at({0.5, 0.2, 0.1})));
  VectorXf c = motion(Matrix3d::Identity(), Vector3d::Zero());
  c[3] = std::numeric_limits<float>::quiet_NaN();
  subject.field->update(c);
  EXPECT_TRUE(std::isfinite(subject.at({0.5, 0.2, 0.1})));
}

TEST(DeformedField, AllocatesNothing) {
  Subject subject(test::box());
  const VectorXf c = motion(Matrix3d::Identity(), Vector3d::Zero(), 0.1);
  VectorXd Q = VectorXd::Zero(bent);
  const test::AllocationCounter counter;
  subject.field->update(c);
  subject.at({0.1, 0.2, 0.3});
  subject.field->add_force(subject.field->influence({0, 0, 0}), {1, 0, 0}, Q);
  EXPECT_EQ(counter.count(), 0);
}

TEST(DeformedField, RefusesWhatIsNotSound) {
  const Matrix3Xd X = Matrix3Xd::Random(3, 4);
  EXPECT_THROW(Proxies(LinearShape(X, MatrixXd(12, 0)), Eigen::MatrixXf(9, 0)), Error);
  const Matrix3Xd Y = Matrix3Xd::Random(3, 6);
  EXPECT_THROW(Proxies(LinearShape(Y, MatrixXd::Zero(18, 2)), Eigen::MatrixXf::Zero(9, 11)), Error);
}

}  // namespace
}  // namespace pliant
