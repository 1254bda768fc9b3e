// SPDX-License-Identifier: MIT
#include "pliant/contact/domain_field.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "pliant/contact/bake/domains.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "solids.hpp"

namespace pliant {
namespace {

using test::Solid;

// A tuning fork: two prongs along x, joined at one end.
Solid fork() {
  return {
      "fork",
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
    const Vector3d x(random.uniform(-0.6, 0.6), random.uniform(-0.3, 0.3),
                     random.uniform(-0.1, 0.1));
    double least = 1e9;
    for (const ExactDistances& D : domains.distances) {
      const double d = D(x)[0];
      EXPECT_GE(d, fork().D(x) - 1e-12);
      least = std::min(least, d);
    }
    EXPECT_EQ(least < 0, fork().D(x) < 0) << x.transpose();
    EXPECT_NEAR(least, fork().D(x), 0.02) << x.transpose();
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
    const float x = static_cast<float>(random.uniform(0.1, 0.5)),
                y = static_cast<float>(random.uniform(-0.1, 0.1));
    const DeformedField::Points at{simd::all(x), simd::all(y), simd::all(0.0F)};
    felt += single.values(at)[0] < 0;
    felt_in_domains += field.values(at)[0] < 0;
  }
  EXPECT_LE(felt_in_domains, felt);
  EXPECT_LT(felt_in_domains, 40);
  VectorXd Q = VectorXd::Zero(1);
  field.influence({0.4F, 0.25F, 0}).add_force({0, 1, 0}, Q);
  EXPECT_GT(Q[0], 0.1) << "the upper prong opens";
}

}  // namespace
}  // namespace pliant
