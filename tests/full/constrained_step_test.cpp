// SPDX-License-Identifier: MIT
#include "pliant/full/constrained_step.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "full/bodies.hpp"
#include "pliant/fem/loads.hpp"

namespace pliant {
namespace {

// All below z = 0.
void plane(const void*, const Obstacle::Points& x, Eigen::Matrix<float, 8, 1>& distance,
           Obstacle::Points& gradient) noexcept {
  distance = x.row(2).transpose();
  gradient.colwise() = Eigen::Vector3f::UnitZ();
}

// A block of side 0.2 m at a height, with a velocity, above obstacles.
struct Thrown {
  Thrown(int n, double height, const Vector3d& v, double friction = 0.0, double alpha = 0.0)
      : model(make(n, alpha)), surface(model.body().mesh()), stepper(model, 0.5), state(model) {
    for (Index i = 0; i < state.v.size(); i += 3) state.v.segment<3>(i) = v;
    load.force = VectorXd::Zero(model.body().dof());
    stepper.start(load, state);
    pose.position[2] = height;
    collisions.bodies.resize(1);
    collisions.obstacles.resize(1);
    collisions.obstacles[0].sample = plane;
    collisions.with_obstacles = MatrixXd::Constant(1, 1, friction);
    collisions.with_bodies = MatrixXd::Constant(1, 1, -1);
  }
  static FullModel make(int n, double alpha) {
    const VolumeMesh mesh = fem::test::block(ElementType::hex8, n, n, n, Vector3d::Constant(0.2));
    return FullModel(fem::ElasticModel(mesh, {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
                     fem::Constraints(mesh), {.alpha = alpha});
  }
  void set_gravity(const Vector3d& g) {
    load.force = fem::gravity_load(model.body(), g);
    stepper.start(load, state);
  }
  Vector3d middle() const {
    Vector3d sum = pose.position;
    const Index nodes = model.body().mesh().vertex_count();
    for (Index v = 0; v < nodes; ++v) {
      sum +=
          (model.body().mesh().V.col(v) + state.u.segment<3>(3 * v)) / static_cast<double>(nodes);
    }
    return sum;
  }
  ConstrainedBody body() { return {model, surface, stepper, load, state, pose}; }
  StepStatus step(double dt) {
    const ConstrainedBody own = body();
    return advance_together(std::span(&own, 1), dt, {}, collisions);
  }
  double height(int node) const {
    return pose.position[2] + model.body().mesh().V(2, node) + state.u[3 * node + 2];
  }
  double lowest() const {
    double low = 1;
    for (const int node : surface.nodes()) low = std::min(low, height(node));
    return low;
  }
  double energy() const {
    const Balance now = balance(model, state);
    return now.kinetic + now.elastic;
  }

  FullModel model;
  ContactSurface surface;
  ExplicitStepper stepper;
  FullState state;
  FullLoad load;
  Pose pose;
  Collisions collisions;
};

// (3.19): what has come in is back after the next part where it was before.
TEST(ConstrainedStep, NothingIsInsideAfterTwoSteps) {
  Thrown block(3, 1e-3, {0.3, 0, -1});
  const double dt = 0.5 * block.stepper.stable_step();
  const std::vector<int>& nodes = block.surface.nodes();
  std::vector<double> before(nodes.size()), entered(nodes.size());
  int checked = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<double> last(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) last[k] = block.height(nodes[k]);
    ASSERT_EQ(block.step(dt), StepStatus::ok);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      // It went in by the step before, with a velocity that was taken from it.
      if (entered[k] < 0 && i > 0) {
        EXPECT_NEAR(block.height(nodes[k]), before[k], 1e-12);
        ++checked;
      }
      before[k] = last[k];
      const bool pushed =
          std::ranges::any_of(block.collisions.bodies[0].reactions,
                              [&](const NodeReaction& r) { return r.node == nodes[k]; }) &&
          block.height(nodes[k]) < 0 && last[k] >= 0;
      entered[k] = pushed ? -1 : 0;
    }
  }
  EXPECT_GT(checked, 16);
}

// What a bounce takes: the energy of the layer of nodes that is stopped, which is thinner the finer
// the mesh, and with it the step.
TEST(ConstrainedStep, TheLossOfEnergyVanishesUnderRefinement) {
  const auto loss = [](int n) {
    Thrown block(n, 1e-3, {0, 0, -0.3});
    const double before = block.energy();
    const double dt = 0.5 * block.stepper.stable_step();
    bool touched = false;
    // Until it has left the floor again.
    for (int i = 0; i < 20000; ++i) {
      EXPECT_EQ(block.step(dt), StepStatus::ok);
      touched = touched || !block.collisions.bodies[0].reactions.empty();
      if (touched && block.lowest() > 2e-3) break;
    }
    EXPECT_TRUE(touched);
    EXPECT_GT(balance(block.model, block.state).momentum[2], 0);
    return std::abs(1 - block.energy() / before);
  };
  const double coarse = loss(2), middle = loss(4), fine = loss(8);
  EXPECT_LT(middle, 0.75 * coarse);
  EXPECT_LT(fine, 0.75 * middle);
  RecordProperty("coarse", std::to_string(coarse));
  RecordProperty("fine", std::to_string(fine));
}

// What the floor gave is what the block got.
TEST(ConstrainedStep, ReactionsAreTheChangeOfMomentum) {
  Thrown block(3, 1e-3, {0.5, 0, -1}, 0.2);
  const double dt = 0.5 * block.stepper.stable_step();
  Vector3d given = Vector3d::Zero();
  const Vector3d start = balance(block.model, block.state).momentum;
  Vector3d back = Vector3d::Zero();
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(block.step(dt), StepStatus::ok);
    for (const NodeReaction& r : block.collisions.bodies[0].reactions) given += dt * r.force;
    back += block.collisions.obstacles[0].impulse.head<3>();
  }
  const Vector3d change = balance(block.model, block.state).momentum - start;
  EXPECT_GT(change[2], 8);  // of 8 kg at 1 m/s
  EXPECT_LT((given - change).norm(), 1e-9 * change.norm());
  EXPECT_LT((given + back).norm(), 1e-9 * change.norm());
  // Coulomb: no more across than 0.2 of what is along, and it slows down.
  EXPECT_LT(change[0], -0.1);
  EXPECT_LE(-change[0], 0.2 * change[2] * (1 + 1e-9));
}

constexpr double slope = 20 * std::numbers::pi / 180;
const Vector3d down_the_slope = 9.81 * Vector3d(std::sin(slope), 0, -std::cos(slope));

// On a slope of 20 degrees friction above tan 20 = 0.364 holds a block where it is: its nodes touch
// at moments, and what pulls at them all the time does not take them along in between.
TEST(ConstrainedStep, FrictionHoldsABlockOnASlopeWithoutCreep) {
  const auto slid = [](double friction) {
    Thrown block(3, 1e-4, Vector3d::Zero(), friction, 4.0);
    block.set_gravity(down_the_slope);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(block.step(1e-3), StepStatus::ok);
    const double start = block.middle()[0];
    for (int i = 0; i < 500; ++i) EXPECT_EQ(block.step(1e-3), StepStatus::ok);
    return block.middle()[0] - start;
  };
  EXPECT_LT(std::abs(slid(0.6)), 1e-3);
  EXPECT_GT(slid(0.1), 0.1);
}

// A block on another, which stands on a slope of 2 degrees, is not held: it creeps by some cm/s, as
// without a slope. What is known is how fast.
TEST(ConstrainedStep, ABlockOnABlockCreepsSlowly) {
  Thrown lower(3, 1e-4, Vector3d::Zero(), 0.6, 4.0), upper(3, 0.202, Vector3d::Zero(), 0.6, 4.0);
  upper.pose.position += Vector3d(0.013, 0.017, 0);
  for (Thrown* block : {&lower, &upper}) {
    block->set_gravity({0.1 * down_the_slope[0], 0, down_the_slope[2]});
  }
  Collisions& all = lower.collisions;
  all.bodies.resize(2);
  all.with_obstacles = MatrixXd::Constant(2, 1, 0.6);
  all.with_bodies = MatrixXd::Constant(2, 2, 0.6);
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const ConstrainedBody bodies[] = {lower.body(), upper.body()};
      ASSERT_EQ(advance_together(bodies, 1e-3, {}, all), StepStatus::ok);
    }
  };
  steps(1000);
  const Vector3d start = upper.middle() - lower.middle();
  steps(500);
  const Vector3d moved = upper.middle() - lower.middle() - start;
  EXPECT_LT(moved.norm(), 0.03) << moved.transpose();
}

// An obstacle that can yield takes what the block loses.
TEST(ConstrainedStep, AFreeObstacleKeepsTheMomentum) {
  Thrown block(3, 1e-3, {0, 0, -1});
  Obstacle& obstacle = block.collisions.obstacles[0];
  constexpr double mass = 2;
  obstacle.mobility.diagonal() << 1 / mass, 1 / mass, 1 / mass, 0, 0, 0;
  const double dt = 0.5 * block.stepper.stable_step();
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(block.step(dt), StepStatus::ok);
  const double together = balance(block.model, block.state).momentum[2] + mass * obstacle.twist[2] +
                          obstacle.pending[2];
  EXPECT_NEAR(together, -8, 1e-9);
  EXPECT_LT(obstacle.twist[2], -0.8);
  // They have parted: the obstacle is faster.
  EXPECT_GT(block.lowest(), obstacle.pose.position[2]);
}

}  // namespace
}  // namespace pliant
