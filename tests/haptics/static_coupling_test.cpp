// SPDX-License-Identifier: MIT
#include "pliant/haptics/static_coupling.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "coupling_contacts.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

constexpr double dt = 1e-3, pi = std::numbers::pi;

Vector3d random_vector(Random& random) {
  return {random.normal(), random.normal(), random.normal()};
}

Pose random_pose(Random& random, double way, double angle) {
  return {way * random_vector(random), rotation_by(angle * random_vector(random).normalized())};
}

Pose moved(const Pose& pose, const Vector6d& z) {
  return {pose.position + z.head<3>(), rotation_by(z.tail<3>()) * pose.rotation};
}

TEST(Saturation, HasAContinuousSlopeAndStaysBelowItsLimit) {
  for (const auto curve : {Saturation::Curve::exponential, Saturation::Curve::cubic}) {
    const Saturation f{.stiffness = 200, .limit = 3, .curve = curve};
    const double bend = 3.0 / 400;
    for (double r = 0; r < 6 * bend; r += bend / 50) {
      const double h = 1e-7 * bend;
      const double slope =
          (f.at(r + h).force - f.at(std::max(0.0, r - h)).force) / (r + h - std::max(0.0, r - h));
      EXPECT_NEAR(f.at(r).slope, slope, 1e-4 * f.stiffness) << r / bend;
      EXPECT_LE(f.at(r).force, 3);
      if (r <= bend) {
        EXPECT_DOUBLE_EQ(f.at(r).force, 200 * r);
      }
    }
    EXPECT_NEAR(f.at(bend * (1 + 1e-9)).slope, 200, 1e-4);
  }
  const Saturation cubic{.stiffness = 200, .limit = 3, .curve = Saturation::Curve::cubic};
  EXPECT_NEAR(cubic.at(3 * 3.0 / 400).force, 3, 1e-12);
  EXPECT_LT(cubic.at(2.9 * 3.0 / 400).force, 3);
}

// (4.40) and (4.24), at small and at large angles, in all parts of the saturation.
TEST(CouplingSpring, HasTheGradientOfItsForces) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const double limit = trial % 2 ? 2.0 : std::numeric_limits<double>::infinity();
    const CouplingSpring spring{{.stiffness = 300, .limit = limit},
                                {.stiffness = 4, .limit = trial % 3 ? 1.5 : 100.0}};
    const Pose object = random_pose(random, 0.01, 3.0);
    const Pose hand = moved(object, (Vector6d() << 0.01 * random_vector(random),
                                     random.uniform(0.0, 3.0) * random_vector(random).normalized())
                                        .finished());
    const Matrix6d G = spring_wrench(spring, object, hand).gradient;
    for (int j = 0; j < 6; ++j) {
      const double h = 1e-6;
      const Vector6d step = h * Vector6d::Unit(j);
      const Vector6d difference = (spring_wrench(spring, moved(object, step), hand).wrench -
                                   spring_wrench(spring, moved(object, -step), hand).wrench) /
                                  (2 * h);
      EXPECT_LT((G.col(j) - difference).norm(), 1e-4 * (1 + G.norm())) << trial << ' ' << j;
    }
  }
}

TEST(CouplingSpring, TurnsTheShorterWayWhateverTheSignsOfQuaternions) {
  const CouplingSpring spring;
  Pose hand;
  hand.rotation = rotation_by({0, 0, 0.3});
  const Vector6d wrench = spring_wrench(spring, {}, hand).wrench;
  EXPECT_NEAR(wrench[5], spring.torque.stiffness * std::sin(0.15), 1e-12);
  hand.rotation.coeffs() *= -1;
  EXPECT_LT((spring_wrench(spring, {}, hand).wrench - wrench).norm(), 1e-12);
}

StaticCouplingSpec soft_limits() {
  StaticCouplingSpec spec;
  spec.most_speed = 1000;
  spec.most_turning = 10000;
  return spec;
}

// 4.8: none without static damping, k v T alpha / (1 - alpha) with it.
TEST(StaticCoupling, DragsInFreeSpaceAsItsDampingSays) {
  for (const double alpha : {0.0, 0.3, 0.5}) {
    StaticCouplingSpec spec = soft_limits();
    spec.damping = alpha;
    StaticCoupling coupling(spec, dt, {});
    const double v = 0.05;
    HandForce out;
    Pose hand;
    for (int n = 1; n <= 400; ++n) {
      hand.position = Vector3d(v * dt * n, 0, 0);
      out = coupling.advance(hand, {});
    }
    EXPECT_NEAR(-out.on_hand[0], spec.spring.force.stiffness * v * dt * alpha / (1 - alpha), 1e-9)
        << alpha;
  }
}

// Against a wall the two springs are in series: (4.30).
TEST(StaticCoupling, RendersNoMoreThanItsOwnStiffness) {
  StaticCouplingSpec spec = soft_limits();
  StaticCoupling coupling(spec, dt, {});
  const test::PlaneContacts wall{{{Vector3d::Zero()}}, {{Vector3d::UnitZ(), 0.0}}, 2000};
  Pose hand;
  HandForce out;
  for (int n = 0; n < 100; ++n) {
    hand.position[2] = -0.002;
    out = coupling.advance(hand, wall.at(coupling.object()));
  }
  const double k = spec.spring.force.stiffness;
  EXPECT_NEAR(out.on_hand[2], 0.002 / (1 / k + 1 / 2000.0), 1e-9);
}

// The felt stiffness of any set of planes is at most k_VC: [Barbic07] 4.7.
TEST(StaticCoupling, KeepsItsStiffnessBoundForRandomContacts) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    StaticCouplingSpec spec = soft_limits();
    spec.spring.torque.stiffness = 1e6;  // no turning, as in the theorem
    spec.device_torque = 1e6;
    test::PlaneContacts walls{{{Vector3d::Zero()}}, {}, 3000};
    for (int n = 0; n < 1 + trial % 6; ++n) {
      walls.planes.push_back({random_vector(random).normalized(), 0.05});
    }
    const auto settle = [&](const Vector3d& at) {
      StaticCoupling coupling(spec, dt, {});
      Pose hand;
      hand.position = at;
      HandForce out;
      for (int n = 0; n < 60; ++n) out = coupling.advance(hand, walls.at(coupling.object()));
      return out;
    };
    const Vector3d start = 0.001 * random_vector(random), step = 1e-6 * random_vector(random);
    spec.device_force = 1e6;
    const double rendered =
        (settle(start + step).on_hand - settle(start).on_hand).head<3>().norm() / step.norm();
    EXPECT_LE(rendered, spec.spring.force.stiffness * (1 + 1e-6));
  }
}

// The same scene in metres and in millimetres: forces are the same, ways a thousand times larger.
TEST(StaticCoupling, DoesNotDependOnTheUnits) {
  Random random(11);
  StaticCouplingSpec metres;
  metres.spring.force.limit = 1.0;
  metres.spring.torque.limit = 0.05;
  StaticCouplingSpec millimetres = metres;
  millimetres.spring.force.stiffness *= 1e-3;
  millimetres.spring.torque.stiffness *= 1e3;
  millimetres.spring.torque.limit *= 1e3;
  millimetres.most_speed *= 1e3;
  millimetres.length *= 1e3;
  millimetres.device_torque *= 1e3;
  StaticCoupling a(metres, dt, {}), b(millimetres, dt, {});
  const test::PlaneContacts in_metres{{{{0.05, 0, 0}}, {{-0.05, 0, 0}}},
                                      {{Vector3d::UnitZ(), -0.001}, {Vector3d::UnitX(), -0.06}},
                                      1000};
  test::PlaneContacts in_millimetres = in_metres;
  for (test::HeldPoint& p : in_millimetres.points) p.X *= 1e3;
  for (test::Plane& p : in_millimetres.planes) p.offset *= 1e3;
  in_millimetres.stiffness *= 1e-3;
  Pose hand;
  for (int n = 0; n < 500; ++n) {
    hand.position += 2e-4 * random_vector(random) + Vector3d(-1e-4, 0, -2e-4);
    hand.rotation = (rotation_by(0.01 * random_vector(random)) * hand.rotation).normalized();
    const HandForce f = a.advance(hand, in_metres.at(a.object()));
    const HandForce g =
        b.advance({1e3 * hand.position, hand.rotation}, in_millimetres.at(b.object()));
    ASSERT_LT((f.on_hand.head<3>() - g.on_hand.head<3>()).norm(), 1e-6) << n;
    ASSERT_LT((f.on_hand.tail<3>() - 1e-3 * g.on_hand.tail<3>()).norm(), 1e-6) << n;
    ASSERT_EQ(f.free_directions, g.free_directions) << n;
  }
}

// 4.9: however fast the hand, a wall thicker than the largest step is not passed.
TEST(StaticCoupling, DoesNotPopThroughAWallThickerThanAStep) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    StaticCouplingSpec spec;
    const double step = spec.most_speed * dt, half = step;  // a wall from -half to half
    const double penetration = 0.5 * half;
    spec.spring.force.limit = 3000 * penetration;
    StaticCoupling coupling(spec, dt, {{0, 0, 0.05}, Eigen::Quaterniond::Identity()});
    Pose hand;
    for (int n = 0; n < 200; ++n) {
      hand.position = Vector3d(0, 0, random.uniform(-1.0, 0.3));
      // Of the nearer face, as a distance field is.
      const double z = coupling.object().position[2];
      HeldContact contact;
      if (std::abs(z) < half) {
        contact.wrench[2] = 3000 * (z >= 0 ? half - z : -half - z);
        contact.gradient(2, 2) = -3000;
      }
      coupling.advance(hand, contact);
      ASSERT_GT(coupling.object().position[2], 0) << trial << ' ' << n;
    }
  }
}

// Points of a block in walls, with the smooth count of contact/penalty.hpp: s = min(1, L / l),
// l = sum w(depth / d_full).
HeldContact counted_smoothly(const test::PlaneContacts& all, const Pose& object) {
  constexpr double most = 4, full_depth = 1e-3;
  double count = 0;
  for (const test::HeldPoint& point : all.points) {
    const Vector3d x = object.position + object.rotation * point.X;
    for (const test::Plane& plane : all.planes) {
      const double t = (plane.offset - plane.normal.dot(x)) / full_depth;
      if (t > 0) count += t >= 1 ? 1 : t * t * (3 - 2 * t);
    }
  }
  HeldContact sum = all.at(object);
  const double scale = count > most ? most / count : 1;
  sum.wrench *= scale;
  sum.gradient *= scale;
  return sum;
}

// Along 10^5 random ways, in and out of corners: the force never changes by more than 2.5 k_VC times
// the longest way of the hand in a cycle, turning included. Each cycle brings the object nearer to
// where it balances; what it overshoots is what the hand went.
TEST(StaticCoupling, RendersNoJumpsAlongRandomWays) {
  Random random(21);
  StaticCouplingSpec spec = soft_limits();
  spec.spring.force.limit = 20;
  spec.spring.torque.limit = 0.5;
  spec.device_force = 1e3;
  spec.device_torque = 1e3;
  spec.length = 0.02;
  double most = 0;
  for (int trial = 0; trial < 100'000; ++trial) {
    test::PlaneContacts walls;
    walls.stiffness = 2000;
    for (const double x : {-0.02, 0.02}) {
      for (const double y : {-0.02, 0.02}) {
        for (const double z : {-0.02, 0.02}) walls.points.push_back({{x, y, z}});
      }
    }
    for (int n = 0; n < 1 + trial % 3; ++n) {
      const Vector3d normal = random_vector(random).normalized();
      // The nearest corner begins just outside.
      walls.planes.push_back({normal, -0.02 * normal.cwiseAbs().sum() - 1e-4});
    }
    StaticCoupling coupling(spec, dt, {});
    Pose hand;
    Vector3d v = 0.3 * random_vector(random), w = 2 * random_vector(random);
    Vector6d last = Vector6d::Zero();
    double way = 0, jump = 0;
    for (int n = 0; n < 12; ++n) {
      v += 0.05 * random_vector(random);
      w += 0.3 * random_vector(random);
      hand.position += dt * v;
      hand.rotation = (rotation_by(dt * w) * hand.rotation).normalized();
      const HandForce out = coupling.advance(hand, counted_smoothly(walls, coupling.object()));
      way = std::max(way, dt * v.norm() + 0.035 * dt * w.norm());
      jump = std::max(jump, (out.on_hand - last).head<3>().norm());
      last = out.on_hand;
    }
    most = std::max(most, jump / (spec.spring.force.stiffness * way));
  }
  EXPECT_LT(most, 2.5);
  EXPECT_GT(most, 0.1);  // something was felt
}

// 4.10, each with a hand so far away that the spring is saturated.
test::PlaneContacts square_peg(bool shaft) {
  test::PlaneContacts c;
  for (const double x : {-0.01, 0.01}) {
    for (const double y : {-0.01, 0.01}) {
      for (const double z : {-0.01, 0.01}) c.points.push_back({{x, y, z}});
    }
  }
  const double inside = -0.0099;  // 0.1 mm into each wall
  c.planes = {{Vector3d::UnitX(), inside}, {-Vector3d::UnitX(), inside}};
  if (shaft) {
    c.planes.push_back({Vector3d::UnitY(), inside});
    c.planes.push_back({-Vector3d::UnitY(), inside});
  }
  c.stiffness = 5000;
  return c;
}

TEST(StaticCoupling, FollowsTheHandAlongAShaftAndBetweenPlanes) {
  for (const bool shaft : {true, false}) {
    StaticCouplingSpec spec = soft_limits();
    spec.damping = 0;
    spec.spring.force.limit = 0.5;
    spec.length = 0.02;
    StaticCoupling coupling(spec, dt, {});
    const test::PlaneContacts contacts = square_peg(shaft);
    Pose hand;
    hand.position = {0.03, 0.02, 0.2};  // far: saturated
    const HandForce out = coupling.advance(hand, contacts.at({}));
    const Vector3d at = coupling.object().position;
    EXPECT_EQ(out.free_directions, shaft ? 1 : 2);
    EXPECT_NEAR(at[2], 0.2, 0.01);
    if (!shaft) {
      EXPECT_NEAR(at[1], 0.02, 0.005);
    }
    EXPECT_LT(std::abs(at[0]), 1e-4);  // held by the walls
    if (shaft) {
      EXPECT_LT(std::abs(at[1]), 1e-4);
    }
  }
}

// A ball in a socket turns with the hand: nothing but the spring resists.
TEST(StaticCoupling, TurnsABallInASocketWithTheHand) {
  StaticCouplingSpec spec = soft_limits();
  spec.damping = 0;
  spec.spring.torque.limit = 1e-4;
  spec.length = 0.02;
  HeldContact socket;
  socket.gradient.topLeftCorner<3, 3>() = -5000 * Matrix3d::Identity();
  StaticCoupling coupling(spec, dt, {});
  Pose hand;
  hand.rotation = rotation_by({0.5, -0.4, 0.6});
  const HandForce out = coupling.advance(hand, socket);
  EXPECT_EQ(out.free_directions, 3);
  EXPECT_LT(rotation_vector(hand.rotation * coupling.object().rotation.conjugate()).norm(), 1e-9);
}

TEST(StaticCoupling, LimitsSpeedsAndTheDevicesForce) {
  StaticCouplingSpec spec;
  StaticCoupling coupling(spec, dt, {});
  Pose hand;
  hand.position = {0, 3, 0};
  hand.rotation = rotation_by({0, 0, 2});
  Pose last;
  for (int n = 0; n < 100; ++n) {
    const HandForce out = coupling.advance(hand, {});
    const Pose& now = coupling.object();
    EXPECT_LE((now.position - last.position).norm(), spec.most_speed * dt * (1 + 1e-9));
    EXPECT_LE(rotation_vector(now.rotation * last.rotation.conjugate()).norm(),
              spec.most_turning * dt * (1 + 1e-9));
    EXPECT_LE(out.on_hand.head<3>().norm(), spec.device_force * (1 + 1e-12));
    EXPECT_LE(out.on_hand.tail<3>().norm(), spec.device_torque * (1 + 1e-12));
    EXPECT_TRUE(out.limited);
    last = now;
  }
}

// A contact whose gradient is ten times too small makes Newton's steps overshoot for ever.
TEST(StaticCoupling, SettlesALimitCycle) {
  StaticCouplingSpec spec;
  spec.damping = 0;
  StaticCoupling coupling(spec, dt, {});
  Pose hand;
  hand.position[2] = -0.002;
  const auto contact = [&] {
    HeldContact c;
    const double depth = -coupling.object().position[2];
    if (depth > 0) {
      c.wrench[2] = 20000 * depth;
      c.gradient(2, 2) = -2000;
    }
    return c;
  };
  bool slowed = false;
  double low = 1, high = -1;
  for (int n = 0; n < 4000; ++n) {
    slowed |= coupling.advance(hand, contact()).slowed;
    const double z = coupling.object().position[2];
    if (n >= 400) {
      low = std::min(low, z);
      high = std::max(high, z);
    }
  }
  EXPECT_TRUE(slowed);
  EXPECT_LT(high - low, 2e-5);  // 3e-4 a cycle, to and fro, without
  // The hand goes on: the limits of speed are soon as they were.
  hand.position[2] = 0.05;
  for (int n = 0; n < 400; ++n) coupling.advance(hand, contact());
  EXPECT_FALSE(coupling.advance(hand, contact()).slowed);
  EXPECT_NEAR(coupling.object().position[2], 0.05, 1e-3);
}

// What the device is given is the same up to half of its limit, then bends towards it.
TEST(DeviceClamp, HasAContinuousSlope) {
  const double h = 1e-6;
  const auto force = [](double f) {
    return device_clamp((Vector6d() << f, 0, 0, 0, f, 0).finished(), 8.0, 0.5);
  };
  double last = 1;
  for (double f = 0.1; f < 40; f += 0.01) {
    EXPECT_LE(force(f)[0], 8.0);
    EXPECT_LE(force(f)[4], 0.5);
    const double slope = (force(f + h)[0] - force(f - h)[0]) / (2 * h);
    EXPECT_NEAR(slope, last, 0.01) << f;  // it bends by 2 / limit a newton at most
    last = slope;
  }
  EXPECT_EQ(force(3.9)[0], 3.9);
  EXPECT_NEAR(force(40.0)[0], 8.0, 1e-3);
}

TEST(StaticCoupling, AllocatesNothingAndSurvivesNumbersThatAreNone) {
  StaticCoupling coupling({}, dt, {});
  HeldContact bad;
  bad.wrench.setConstant(std::nan(""));
  bad.gradient.setConstant(std::nan(""));
  Pose hand;
  hand.position = {0.01, 0, 0};
  test::AllocationCounter counter;
  const HandForce out = coupling.advance(hand, bad);
  coupling.advance(hand, {});
  EXPECT_EQ(counter.count(), 0);
  EXPECT_TRUE(out.on_hand.allFinite());
  EXPECT_TRUE(coupling.object().position.allFinite());
}

TEST(StaticCoupling, RefusesWhatNoSpringHas) {
  StaticCouplingSpec spec;
  spec.damping = 1;
  EXPECT_THROW(StaticCoupling(spec, dt, {}), Error);
  spec = {};
  spec.spring.force.stiffness = std::nan("");
  EXPECT_THROW(StaticCoupling(spec, dt, {}), Error);
  spec = {};
  spec.spring.force.limit = 0;
  EXPECT_THROW(StaticCoupling(spec, dt, {}), Error);
  EXPECT_THROW(StaticCoupling({}, 0, {}), Error);
}

}  // namespace
}  // namespace pliant
