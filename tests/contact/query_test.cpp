// SPDX-License-Identifier: MIT
#include "pliant/contact/query.hpp"

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/contact/bake/domains.hpp"
#include "pliant/contact/bake/field_error.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/contact/bake/voxmap_of.hpp"
#include "pliant/contact/domain_field.hpp"
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

TEST(FieldError, IsSmallForRotationsAndTellsStretch) {
  const Stretched subject;
  DeformedField pulled(subject.rest, *subject.proxies),
      pushed(subject.rest, *subject.proxies, 0.25F, true);
  const std::vector<VectorXd> poses = {Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0.2), Eigen::Vector2d(0.3, 0)};
  const std::vector<FieldError> errors = field_errors(pulled, subject.mesh, subject.U, poses);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_LT(errors[0].largest, 0.03);  // of the mesh and the grid
  EXPECT_NEAR(errors[1].largest, errors[0].largest, 5e-3);
  EXPECT_GT(errors[2].largest, errors[0].largest + 0.005);
  EXPECT_LT(field_errors(pushed, subject.mesh, subject.U, poses)[2].mean, errors[2].mean);
  EXPECT_LT(errors[0].wrong_side, 0.05);
  EXPECT_THROW(field_errors(pulled, subject.mesh, MatrixXd::Zero(3, 2), poses), Error);
}

// A tuning fork: two prongs along x, joined at one end.
Solid fork() {
  return {"fork",
          [](const Vector3d& x) {
            const auto box = [](const Vector3d& y, const Vector3d& half) {
              const Vector3d q = y.cwiseAbs() - half;
              return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
            };
            const Vector3d prong(0.5, 0.07, 0.07);
            return std::min({box(x - Vector3d(0, 0.14, 0), prong), box(x + Vector3d(0, 0.14, 0), prong),
                             box(x + Vector3d(0.45, 0, 0), {0.05, 0.21, 0.07})});
          },
          test::half_sides(0.5, 0.21, 0.07)};
}

struct Exact {
  std::function<double(const Vector3d&)> D;
  VectorXd operator()(const Matrix3Xd& P) const {
    VectorXd d(P.cols());
    for (Index k = 0; k < d.size(); ++k) d[k] = D(P.col(k));
    return d;
  }
};

TEST(Domains, AreOneForAConvexBodyAndAPlateAndSeveralForAFork) {
  const Solid plate{"plate",
                    [](const Vector3d& x) {
                      const Vector3d q = x.cwiseAbs() - Vector3d(0.5, 0.4, 0.06);
                      return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
                    },
                    test::half_sides(0.5, 0.4, 0.06)};
  const auto domains_of = [](const Solid& solid) {
    const Pointshell samples =
        make_pointshell(test::field_of(solid), isosurface({solid.D, solid.box, true}, 0.02),
                        {.points = 400, .levels = 1});
    return choose_domains(Exact{solid.D}, samples);
  };
  EXPECT_EQ(domains_of(test::sphere()).count(), 1);
  EXPECT_EQ(domains_of(plate).count(), 1) << "its two sides are joined through it";
  const Domains domains = domains_of(fork());
  EXPECT_GE(domains.count(), 2);
  EXPECT_LT(domains.mirrored, 0.01);
  // Each domain is a part of the body, and together they are the body.
  Random random(1);
  for (int k = 0; k < 3000; ++k) {
    const Vector3d x(random.uniform(-0.6, 0.6), random.uniform(-0.3, 0.3), random.uniform(-0.1, 0.1));
    double least = 1e9;
    for (const ExactDistances& D : domains.distances) {
      const double d = D(x)[0];
      EXPECT_GE(d, fork().D(x) - 1e-12);
      least = std::min(least, d);
    }
    EXPECT_NEAR(least, fork().D(x), 1e-9) << x.transpose();
  }
}

// The prongs move apart: each mirrors the other in a single field, and not in domains.
TEST(Domains, DoNotMirrorEachOther) {
  const Solid solid = fork();
  const SurfaceMesh surface = isosurface({solid.D, solid.box, true}, 0.02);
  const DistanceField rest = test::field_of(solid, {.resolution = 96});
  const Pointshell samples = make_pointshell(rest, surface, {.points = 400, .levels = 1});
  const Domains domains = choose_domains(Exact{solid.D}, samples);
  // Opening: each prong turns outwards, by the square of how far along it is.
  const auto shape = [](const Vector3d& X) {
    const double s = X[0] + 0.4, side = std::tanh(40 * X[1]);
    return s > 0 ? Vector3d(-2 * s * std::abs(X[1]), side * s * s, 0) : Vector3d(0, 0, 0);
  };
  const auto proxies_of = [&](const Matrix3Xd& X) {
    MatrixXd U(3 * X.cols(), 1);
    Eigen::MatrixXf G(9, X.cols());
    for (Index p = 0; p < X.cols(); ++p) {
      U.block<3, 1>(3 * p, 0) = shape(X.col(p));
      for (int J = 0; J < 3; ++J) {
        const Vector3d e = 1e-4 * Vector3d::Unit(J);
        const Vector3d slope = (shape(X.col(p) + e) - shape(X.col(p) - e)) / 2e-4;
        for (int i = 0; i < 3; ++i) G(3 * i + J, p) = static_cast<float>(slope[i]);
      }
    }
    return Proxies(LinearShape(X, U), G);
  };
  const Proxies all = proxies_of(make_pointshell(rest, surface, {.points = 40, .levels = 1}).X);
  DeformedField single(rest, all);
  std::vector<DistanceField> fields;
  std::vector<Proxies> proxies;
  for (int k = 0; k < domains.count(); ++k) {
    fields.emplace_back(distance_grid(domains.distances[static_cast<std::size_t>(k)], solid.box,
                                      {.resolution = 96}));
    std::vector<Index> own;
    for (Index s = 0; s < samples.X.cols(); s += 1) {
      if (domains.of_sample[s] == k && s % 5 == 0) own.push_back(s);
    }
    proxies.push_back(proxies_of(samples.X(Eigen::all, own)));
  }
  std::vector<DeformedField> parts;
  for (std::size_t k = 0; k < fields.size(); ++k) parts.emplace_back(fields[k], proxies[k]);
  DomainField field(std::move(parts));
  const VectorXf c = VectorXf::Constant(1, 0.35F);
  single.update(c);
  field.update(c);
  // In the gap, which is open: a mirrored prong would be felt there.
  int felt = 0, felt_in_domains = 0;
  Random random(2);
  for (int k = 0; k < 4000; ++k) {
    const float x = static_cast<float>(random.uniform(0.1, 0.5)), y = static_cast<float>(random.uniform(-0.1, 0.1));
    const DeformedField::Points at{simd::all(x), simd::all(y), simd::all(0.0F)};
    felt += single.values(at)[0] < 0;
    felt_in_domains += field.values(at)[0] < 0;
  }
  EXPECT_LE(felt_in_domains, felt);
  EXPECT_LT(felt_in_domains, 40);
  VectorXd Q = VectorXd::Zero(1);
  field.add_force({0.4F, 0.25F, 0}, {0, 1, 0}, Q);
  EXPECT_GT(Q[0], 0.1) << "the upper prong opens";
}

TEST(Voxmap, SaysWhereTheSurfaceIs) {
  const Solid ball = test::sphere();
  const DistanceField field = test::field_of(ball, {.resolution = 64});
  const Voxmap map(voxmap_of(field));
  const double h = map.voxel();
  Random random(1);
  for (int k = 0; k < 20000; ++k) {
    const Vector3d x = random.uniform(0, 1) * test::direction(random);
    const double d = ball.D(map.centre(x));
    const int wide = map.value(x);
    if (std::abs(d) > 0.6 * h) {
      EXPECT_EQ(wide < 0, d < 0);
      EXPECT_NEAR(std::abs(wide), std::abs(d) / h, 3.7);  // coarse cells
    } else if (std::abs(d) < 0.4 * h) {
      EXPECT_EQ(wide, 0);
      EXPECT_EQ(map.two_bits(x), 2);
    }
    if (wide < 0) {
      EXPECT_EQ(map.two_bits(x), 3);
    }
  }
  EXPECT_EQ(map.value({9, 9, 9}), 127);
  const Voxmap narrow(voxmap_of(field, two_bit_voxels));
  EXPECT_LT(2 * narrow.byte_count(), map.byte_count());
  for (int k = 0; k < 5000; ++k) {
    const Vector3d x = random.uniform(0, 1) * test::direction(random);
    EXPECT_EQ(narrow.two_bits(x), map.two_bits(x));
  }
  // Beyond the centre of its voxel a point is pushed back along its normal.
  const Vector3d x(0.7, 0.01, 0.01), inward(1, 0, 0);
  EXPECT_LE(map.depth(x, inward), h);
  EXPECT_EQ(map.depth({0, 0, 0}, inward), 0) << "inside nothing is felt";
}

}  // namespace
}  // namespace pliant
