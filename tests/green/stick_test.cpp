// SPDX-License-Identifier: MIT
// Contact in which nothing slips.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "green/boundary_bodies.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/mesh/half_ball.hpp"
#include "pliant/shape/rigid_shape.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

const SurfaceCompliance& pad() {
  static const SurfaceCompliance own = [] {
    const SurfaceMesh cube = cube_surface(8);
    return boundary_compliance(cube, face_nodes(cube, 2, 0.0), young, poisson);
  }();
  return own;
}

RigidShape ball(const Vector3d& at, double radius, const Matrix3d& R = Matrix3d::Identity()) {
  return {.kind = RigidShape::Kind::sphere,
          .position = at,
          .rotation = R,
          .size = Vector3d::Constant(radius)};
}

Eigen::Matrix<double, 6, 1> wrench_of(const SurfaceContact& contact, const Vector3d& about) {
  Vector3d force, torque;
  contact.wrench(about, force, torque);
  Eigen::Matrix<double, 6, 1> all;
  all << force, torque;
  return all;
}

SurfaceContact stuck(const RigidShape& probe) {
  SurfaceContact contact(pad().C, pad().X, SurfaceContact::usual_most, Grip::stick);
  EXPECT_TRUE(contact.press(probe).converged);
  return contact;
}

TEST(Stick, NothingSlipsWhileTheProbeMovesAndTurns) {
  const Vector3d at(0.5, 0.48, 1.75);
  SurfaceContact contact = stuck(ball(at, 0.8));
  std::vector<Vector3d> places;  // on the probe
  std::vector<Index> nodes;
  for (Index i = 0; i < pad().X.cols(); ++i) {
    if (!(contact.forces()[i] > 0)) continue;
    nodes.push_back(i);
    places.push_back(contact.position(i) - at);
  }
  ASSERT_GT(nodes.size(), 5U);
  const Eigen::Matrix<double, 6, 1> before = wrench_of(contact, at);
  const Eigen::Matrix<double, 6, 6> K = contact.stiffness(at);
  const Vector3d moved = at + Vector3d(0.002, -0.001, -0.001);
  const Matrix3d R = Eigen::AngleAxisd(0.003, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(contact.press(ball(moved, 0.8, R)).converged);
  int kept = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!(contact.forces()[nodes[k]] > 0)) continue;
    ++kept;
    const Vector3d expected = moved + R * places[k];
    // Along the normals to the second order of the way.
    EXPECT_LT((contact.position(nodes[k]) - expected).norm(), 2e-5) << k;
  }
  EXPECT_GT(kept, 5);
  // It is held back. The ball lies beside a row of nodes, so that they push it sideways before it moves;
  // and the patch, r = -0.75 z below its centre, goes by dx + dw x r = (0.0008, -0.0004, -0.001).
  const Eigen::Matrix<double, 6, 1> change = wrench_of(contact, moved) - before;
  EXPECT_LT(change[0], 0);
  EXPECT_GT(change[1], 0);
  Eigen::Matrix<double, 6, 1> way;
  way << moved - at, 0.003 * Vector3d(1, 2, 3).normalized();
  const Eigen::Matrix<double, 6, 1> expected = -K * way;
  EXPECT_LT((change - expected).head<2>().norm(), 0.02 * expected.head<2>().norm());
  EXPECT_NEAR(change[2], expected[2], 0.02 * expected[2]);
}

TEST(Stick, PushesAndNeverPulls) {
  SurfaceContact contact = stuck(ball({0.5, 0.48, 1.75}, 0.8));
  for (double way = 0; way < 0.05; way += 2e-3) {
    const RigidShape probe = ball({0.5 + way, 0.48, 1.75 + 0.5 * way}, 0.8);
    EXPECT_TRUE(contact.press(probe).converged) << way;
    EXPECT_GE(contact.forces().minCoeff(), 0);
    for (Index i = 0; i < pad().X.cols(); ++i) {
      if (contact.forces()[i] == 0) {
        EXPECT_EQ(contact.force_vectors().col(i).norm(), 0);
      }
    }
  }
  // Taken away, nothing is left, and it may begin elsewhere.
  contact.press(ball({0.5, 0.48, 3}, 0.8));
  EXPECT_EQ(contact.u().norm(), 0);
}

// A sphere pressed without friction, which then sticks: its stiffness against motions along the
// surface over that into it is 2 (1 - nu) / (2 - nu) on a half space (Mindlin, J. Appl. Mech. 16,
// 1949).
TEST(Stick, HasMindlinsTangentialStiffness) {
  const double radius = 0.02, depth = 1e-4, a = std::sqrt(radius * depth);
  const HalfBallOptions options{
      .radius = 400 * a, .spacing = a / 5, .fine_rings = 7, .growth = 1.5, .down = 4};
  const SurfaceMesh surface = half_ball(options);
  std::vector<int> dome;
  for (int v = first_of_dome(surface, options); v < surface.vertex_count(); ++v) dome.push_back(v);
  const SurfaceCompliance body = boundary_compliance(surface, dome, young, poisson);
  SurfaceContact slip(body.C, body.X, 600);
  SurfaceContact stick(body.C, body.X, 600, Grip::stick);
  const Vector3d at(0, 0, radius - depth);
  ASSERT_TRUE(slip.press(ball(at, radius)).converged);
  ASSERT_TRUE(stick.press(ball(at, radius)).converged);
  const double normal = slip.stiffness(at)(2, 2);
  const double before = wrench_of(stick, at)[0], step = 1e-3 * depth;
  ASSERT_TRUE(stick.press(ball(at + Vector3d(step, 0, 0), radius)).converged);
  const double tangential = -(wrench_of(stick, at)[0] - before) / step;
  EXPECT_NEAR(tangential / normal, 2 * (1 - poisson) / (2 - poisson), 0.03);
  // Of a rigid punch of the radius of the contact: 8 a G / (2 - nu).
  const double G = young / (2 * (1 + poisson));
  EXPECT_NEAR(tangential, 8 * a * G / (2 - poisson), 0.06 * tangential);
}

// Around a closed way on which the same nodes stick, the probe does no work.
TEST(Stick, AClosedWayTakesNoEnergy) {
  const Vector3d at(0.5, 0.48, 1.75);
  SurfaceContact contact = stuck(ball(at, 0.8));
  const int steps = 200;
  const double r = 1e-4;
  double work = 0, size = 0;
  const auto place = [&](int i) {
    const double angle = 2 * M_PI * i / steps;
    return Vector3d(at + Vector3d(r * (std::cos(angle) - 1), r * std::sin(angle), 0));
  };
  Eigen::Matrix<double, 6, 1> before = wrench_of(contact, at);
  for (int i = 1; i <= steps; ++i) {
    contact.press(ball(place(i), 0.8));
    const auto now = wrench_of(contact, place(i));
    const Vector3d way = place(i) - place(i - 1);
    work += 0.5 * (before + now).head<3>().dot(way);
    size += std::abs(0.5 * (before + now).head<3>().dot(way));
    before = now;
  }
  EXPECT_LT(std::abs(work), 1e-2 * size);
}

TEST(Stick, TheWrenchChangesAsItsStiffnessSays) {
  const Vector3d at(0.5, 0.48, 1.75);
  SurfaceContact contact = stuck(ball(at, 0.8));
  const auto K = contact.stiffness(at);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
  const double step = 1e-6;
  for (int k = 0; k < 2; ++k) {
    SurfaceContact up = stuck(ball(at, 0.8)), low = stuck(ball(at, 0.8));
    up.press(ball(at + step * Vector3d::Unit(k), 0.8));
    low.press(ball(at - step * Vector3d::Unit(k), 0.8));
    const double found = (wrench_of(low, at)[k] - wrench_of(up, at)[k]) / (2 * step);
    EXPECT_NEAR(found, K(k, k), 0.03 * K(k, k)) << k;
  }
}

TEST(Stick, AllocatesNothing) {
  SurfaceContact contact = stuck(ball({0.4, 0.48, 1.75}, 0.8));
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    const RigidShape probe = ball({0.4 + 0.01 * i, 0.48, 1.75}, 0.8);
    contact.press(probe);
    contact.stiffness(probe.position);
  }
  contact.release();
  if (AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
}

}  // namespace
}  // namespace pliant::test
