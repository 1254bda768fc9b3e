// SPDX-License-Identifier: MIT
#include "pliant/contact/query.hpp"

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/contact/bake/field_error.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

using test::Solid;

Matrix3Xf places_of(int count, double reach) {
  Random random(1);
  Matrix3Xf P(3, count);
  for (Index k = 0; k < count; ++k) {
    P.col(k) = (random.uniform(0.1, reach) * test::direction(random)).cast<float>();
  }
  return P;
}

TEST(Query, AnswersInsideAndOutsideAndBeyondTheBox) {
  for (const Solid& solid : {test::sphere(), test::torus()}) {
    const DistanceField field = test::field_of(solid);
    const Matrix3Xf P = places_of(1003, 3);
    DistanceAnswers answers(P.cols());
    query(field, P, answers);
    int witnesses = 0;
    for (Index k = 0; k < P.cols(); ++k) {
      const Vector3d x = P.col(k).cast<double>();
      if (!std::isfinite(answers.error[k])) continue;
      ++witnesses;
      EXPECT_LE(std::abs(static_cast<double>(answers.distance[k]) - solid.D(x)),
                static_cast<double>(answers.error[k]) + 1e-6)
          << solid.name << " at " << x.transpose();
      EXPECT_NEAR(solid.D(answers.witness.col(k).cast<double>()), 0, field.cell());
    }
    EXPECT_GT(witnesses, 900) << solid.name;
  }
}

TEST(Query, OfFormulasIsExact) {
  RigidShape capsule;
  capsule.kind = RigidShape::Kind::capsule;
  capsule.size = {0.3, 0.5, 0};
  const AnalyticField field({capsule});
  const Matrix3Xf P = places_of(200, 2);
  DistanceAnswers answers(P.cols());
  query(field, P, answers);
  for (Index k = 0; k < P.cols(); ++k) {
    EXPECT_LT(answers.error[k], 1e-4F);
    EXPECT_NEAR((P.col(k) - answers.witness.col(k)).norm(), std::abs(answers.distance[k]), 1e-4);
  }
}

// A ball that is stretched and moved, with its exact distance.
struct Stretched {
  Stretched() : rest(test::field_of(ball)) {
    const SurfaceMesh surface = isosurface({ball.D, ball.box, true}, 0.05);
    const Pointshell few = make_pointshell(rest, surface, {.points = 40, .levels = 1});
    const auto basis = [](const Matrix3Xd& X) {
      MatrixXd U(3 * X.cols(), 2);
      for (Index p = 0; p < X.cols(); ++p) {
        U.block<3, 1>(3 * p, 0) = Vector3d(X(0, p), 0, 0);
        U.block<3, 1>(3 * p, 1) = Vector3d(0, 0, 1);
      }
      return U;
    };
    Eigen::MatrixXf G = Eigen::MatrixXf::Zero(9, 2 * few.X.cols());
    for (Index p = 0; p < few.X.cols(); ++p) G(0, 2 * p) = 1;
    proxies.emplace(LinearShape(few.X, basis(few.X)), G);
    mesh = surface;
    U = basis(surface.V);
  }
  Solid ball = test::sphere();
  DistanceField rest;
  std::optional<Proxies> proxies;
  SurfaceMesh mesh;
  MatrixXd U;
};

TEST(Query, OfADeformedBodySaysHowFarItMayBeOff) {
  const Stretched subject;
  DeformedField field(subject.rest, *subject.proxies);
  field.update(VectorXf(Eigen::Vector2f(0, 0.3F)));  // moved alone: exact
  const Matrix3Xf P = places_of(400, 0.9);
  DistanceAnswers answers(P.cols());
  const test::AllocationCounter counter;
  query(field, P, answers);
  EXPECT_EQ(counter.count(), 0);
  int right = 0;
  for (Index k = 0; k < P.cols(); ++k) {
    const double exact = subject.ball.D(P.col(k).cast<double>() - Vector3d(0, 0, 0.3));
    right += std::abs(static_cast<double>(answers.distance[k]) - exact) <=
             static_cast<double>(answers.error[k]);
  }
  EXPECT_GT(right, 390);
}

// Of two domains, each place is answered by the nearer one.
TEST(Query, OfABodyInDomainsIsThatOfTheNearest) {
  const Stretched subject;
  const auto moved_to = [&](float z) {
    DeformedField domain(subject.rest, *subject.proxies);
    domain.update(VectorXf(Eigen::Vector2f(0, z)));
    return domain;
  };
  // Domains follow the coefficients of one body: these are where they were put.
  const DomainField field({moved_to(0.0F), moved_to(0.3F)});
  const Matrix3Xf P = places_of(400, 0.9);
  DistanceAnswers answers(P.cols()), first(P.cols()), second(P.cols());
  const test::AllocationCounter counter;
  query(field, P, answers);
  EXPECT_EQ(counter.count(), 0);
  query(field.domain(0), P, first);
  query(field.domain(1), P, second);
  for (Index k = 0; k < P.cols(); ++k) {
    EXPECT_EQ(answers.distance[k], std::min(first.distance[k], second.distance[k]));
  }
  EXPECT_TRUE((first.distance.array() < second.distance.array()).any());
  EXPECT_TRUE((first.distance.array() > second.distance.array()).any());
}

TEST(FieldError, IsSmallForRotationsAndTellsStretch) {
  const Stretched subject;
  DomainField pulled({DeformedField(subject.rest, *subject.proxies)}),
      pushed({DeformedField(subject.rest, *subject.proxies, 0.25F, true)});
  const std::vector<VectorXd> poses = {Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0.2),
                                       Eigen::Vector2d(0.3, 0)};
  const std::vector<FieldError> errors = field_errors(pulled, subject.mesh, subject.U, poses);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_LT(errors[0].largest, 0.03);  // of the mesh and the grid
  EXPECT_NEAR(errors[1].largest, errors[0].largest, 5e-3);
  EXPECT_GT(errors[2].largest, errors[0].largest + 0.005);
  EXPECT_LT(field_errors(pushed, subject.mesh, subject.U, poses)[2].mean, errors[2].mean);
  EXPECT_LT(errors[0].wrong_side, 0.05);
  EXPECT_THROW(field_errors(pulled, subject.mesh, MatrixXd::Zero(3, 2), poses), Error);
}

}  // namespace
}  // namespace pliant
