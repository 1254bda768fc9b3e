// SPDX-License-Identifier: MIT
#include "pliant/green/surface_contact.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "green/boundary_bodies.hpp"
#include "pliant/base/random.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/mesh/half_ball.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/shape/rigid_shape.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

using Pad = SurfaceCompliance;

Pad boundary_pad(const SurfaceMesh& surface, const std::vector<int>& fixed) {
  return boundary_compliance(surface, fixed, young, poisson);
}

// A cube by finite elements.
Pad element_pad(int n) {
  const fem::ElasticModel model(block(ElementType::hex8, Vector3i::Constant(n), Vector3d::Ones()),
                                {fem::isotropic(fem::Law::linear, young, poisson, 1000)});
  std::vector<int> fixed;
  for (int v = 0; v < model.mesh().vertex_count(); ++v) {
    if (model.mesh().V(2, v) < 1e-9) fixed.push_back(v);
  }
  return element_compliance(model, fixed);
}

const Pad& cube_pad() {
  static const Pad pad = [] {
    const SurfaceMesh cube = cube_surface(8);
    return boundary_pad(cube, face_nodes(cube, 2, 0.0));
  }();
  return pad;
}

RigidShape ball(const Vector3d& at, double radius) {
  return {.kind = RigidShape::Kind::sphere, .position = at, .size = Vector3d::Constant(radius)};
}

double force_on(const SurfaceContact& contact, const Vector3d& about) {
  Vector3d force, torque;
  contact.wrench(about, force, torque);
  return force[2];
}

TEST(SurfaceContact, NothingOverlapsNothingPullsAndOnlyWhatTouchesPushes) {
  const Pad& pad = cube_pad();
  SurfaceContact contact(pad.C, pad.X);
  for (const double depth : {0.01, 0.05, 0.1}) {
    const RigidShape probe = ball({0.52, 0.47, 1.5 - depth}, 0.5);
    ContactOutcome outcome;
    for (int i = 0; i < 3; ++i) outcome = contact.press(probe);
    EXPECT_TRUE(outcome.converged);
    EXPECT_GE(outcome.contacts, 1);
    double pushing = 0;
    for (Index i = 0; i < pad.X.cols(); ++i) {
      Vector3d n = Vector3d::Zero();
      const double gap = probe.distance(pad.X.col(i) + contact.u().col(i), n);
      const double force = contact.forces()[i];
      EXPECT_GE(force, 0);
      EXPECT_GT(gap, -1e-5 * depth);
      EXPECT_LT(force * std::abs(gap), 1e-5 * depth * contact.forces().maxCoeff());
      pushing += force;
    }
    EXPECT_GT(pushing, 0);
    // u is C f and nothing else.
    VectorXd f(3 * pad.X.cols());
    for (Index i = 0; i < pad.X.cols(); ++i) {
      f.segment<3>(3 * i) = contact.forces()[i] * contact.normals().col(i);
    }
    const VectorXd u = pad.C * f;
    EXPECT_LT((contact.u().reshaped() - u).norm(), 1e-5 * u.norm());
  }
}

// A flat punch keeps its normals: the problem is linear, and any solver must find the same forces.
TEST(SurfaceContact, SolvesTheComplementarityProblem) {
  const Pad& pad = cube_pad();
  const RigidShape punch{
      .kind = RigidShape::Kind::plane,
      .position = {0.5, 0.5, 0.98},
      .rotation = Eigen::AngleAxisd(3.2, Vector3d(1, 0.1, 0).normalized()).toRotationMatrix()};
  SurfaceContact contact(pad.C, pad.X);
  EXPECT_TRUE(contact.press(punch).converged);
  // Gauss-Seidel with projection, on all nodes.
  const Index n = pad.X.cols();
  VectorXd gap(n), lambda = VectorXd::Zero(n);
  Vector3d normal;
  for (Index i = 0; i < n; ++i) gap[i] = punch.distance(pad.X.col(i), normal);
  MatrixXd A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) A(i, j) = normal.dot(pad.C.block<3, 3>(3 * i, 3 * j) * normal);
  }
  for (int sweep = 0; sweep < 3000; ++sweep) {
    for (Index i = 0; i < n; ++i) {
      const double w = gap[i] + A.row(i).dot(lambda);
      lambda[i] = std::max(0.0, lambda[i] - w / A(i, i));
    }
  }
  EXPECT_LT((contact.forces() - lambda).norm(), 1e-4 * lambda.norm());
}

TEST(SurfaceContact, FiniteAndBoundaryElementsGiveTheSameForce) {
  const Pad elements = element_pad(10);
  const SurfaceMesh cube = cube_surface(10);
  const Pad boundary = boundary_pad(cube, face_nodes(cube, 2, 0.0));
  SurfaceContact one(elements.C, elements.X), two(boundary.C, boundary.X);
  const RigidShape probe = ball({0.5, 0.5, 4 - 0.03}, 3);
  EXPECT_TRUE(one.press(probe).converged);
  EXPECT_TRUE(two.press(probe).converged);
  const double a = force_on(one, probe.position), b = force_on(two, probe.position);
  EXPECT_NEAR(a, b, 0.025 * b);  // 2.0 %; pliant verify klimenko.methods has more meshes
  EXPECT_GT(b, 0);
}

struct Hertz {
  HalfBallOptions mesh;
  double radius = 0.02, depth = 1e-4;
  double a = std::sqrt(radius * depth);
  double force =
      4.0 / 3 * young / (1 - poisson * poisson) * std::sqrt(radius) * std::pow(depth, 1.5);
  Pad pad;

  Hertz() {
    mesh = {.radius = 400 * a, .spacing = a / 4, .fine_rings = 6, .growth = 1.5, .down = 4};
    const SurfaceMesh surface = half_ball(mesh);
    std::vector<int> dome;
    for (int v = first_of_dome(surface, mesh); v < surface.vertex_count(); ++v) dome.push_back(v);
    pad = boundary_pad(surface, dome);
  }
  RigidShape probe() const { return ball({0, 0, radius - depth}, radius); }
};

const Hertz& hertz() {
  static const Hertz own;
  return own;
}

TEST(SurfaceContact, ReachesHertz) {
  SurfaceContact contact(hertz().pad.C, hertz().pad.X, 600);
  const ContactOutcome outcome = contact.press(hertz().probe());
  EXPECT_TRUE(outcome.converged);
  EXPECT_NEAR(force_on(contact, hertz().probe().position), hertz().force, 0.02 * hertz().force);
  double radius = 0;
  for (Index i = 0; i < hertz().pad.X.cols(); ++i) {
    if (contact.forces()[i] > 0) radius = std::max(radius, hertz().pad.X.col(i).norm());
  }
  EXPECT_NEAR(radius, hertz().a, hertz().mesh.spacing);
}

TEST(SurfaceContact, TheHardKernelPullsAndIsOff) {
  SurfaceContact contact(hertz().pad.C, hertz().pad.X, 600);
  contact.press_kernel(hertz().probe(), hertz().depth / 4);
  EXPECT_LT(contact.forces().minCoeff(), 0);
  EXPECT_GT(std::abs(force_on(contact, hertz().probe().position) / hertz().force - 1), 0.05);
}

TEST(SurfaceContact, TheForceIsContinuousWhileAProbeSlides) {
  const Pad& pad = cube_pad();
  SurfaceContact contact(pad.C, pad.X);
  double before = 0, sum = 0, jump = 0;
  int count = 0;
  for (double x = 0.35; x < 0.65; x += 1e-3) {
    const RigidShape probe = ball({x, 0.48, 1.75}, 0.8);
    EXPECT_TRUE(contact.press(probe).converged);
    const double force = force_on(contact, probe.position);
    if (count++ > 0) jump = std::max(jump, std::abs(force - before));
    before = force;
    sum += force;
  }
  EXPECT_LT(jump, 0.01 * sum / count);
}

// [Klimenko03] table 3 (e), at 1 mm a cycle, over 40 nodes or more: along rows of nodes and between them.
TEST(SurfaceContact, TheForceHardlyChangesWhileASphereSlidesOnThePad) {
  const SurfaceMesh surface = make_model("pad").surface;
  ASSERT_EQ(surface.vertex_count(), 800);
  const Pad pad = boundary_pad(surface, face_nodes(surface, 1, -0.11));
  for (const auto& [radius, depth] : {std::pair{0.1, 0.006}, {0.1, 0.003}, {0.05, 0.006}}) {
    for (const double z : {0.0, 0.001, 0.0025}) {
      SurfaceContact contact(pad.C, pad.X);
      double before = 0, sum = 0, jump = 0;
      int count = 0;
      for (double x = -0.03; x < 0.03; x += 1e-3) {
        const RigidShape probe = ball({x, radius - depth, z}, radius);
        EXPECT_TRUE(contact.press(probe).converged);
        Vector3d force, torque;
        contact.wrench(probe.position, force, torque);
        if (count++ > 0) jump = std::max(jump, std::abs(force[1] - before));
        before = force[1];
        sum += force[1];
      }
      EXPECT_LT(jump, 0.008 * sum / count) << radius << ' ' << depth << ' ' << z;
    }
  }
}

// By central differences of the wrench, about the probe's own centre, of a punch whose normals stay.
TEST(SurfaceContact, TheWrenchChangesAsItsStiffnessSays) {
  const Pad& pad = cube_pad();
  const Vector3d about(0.5, 0.5, 0.98);
  const Matrix3d down = Eigen::AngleAxisd(3.2, Vector3d(1, 0.1, 0).normalized()).toRotationMatrix();
  const auto wrench_at = [&](const Vector3d& dx, const Vector3d& dw, SurfaceContact& contact) {
    const double angle = dw.norm();
    const Matrix3d turn =
        angle > 0 ? Matrix3d(Eigen::AngleAxisd(angle, dw / angle)) : Matrix3d::Identity();
    const RigidShape punch{
        .kind = RigidShape::Kind::plane, .position = about + dx, .rotation = turn * down};
    EXPECT_TRUE(contact.press(punch).converged);
    Eigen::Matrix<double, 6, 1> w;
    Vector3d force, torque;
    contact.wrench(about, force, torque);
    w << force, torque;
    return w;
  };
  SurfaceContact contact(pad.C, pad.X);
  wrench_at(Vector3d::Zero(), Vector3d::Zero(), contact);
  const auto K = contact.stiffness(about);
  EXPECT_LT((K - K.transpose()).norm(), 1e-12 * K.norm());
  const double step = 1e-5;
  for (int k = 0; k < 3; ++k) {  // translations: turning also turns the normals
    SurfaceContact other(pad.C, pad.X);
    const auto up = wrench_at(step * Vector3d::Unit(k), Vector3d::Zero(), other);
    const auto low = wrench_at(-step * Vector3d::Unit(k), Vector3d::Zero(), other);
    EXPECT_LT(((low - up) / (2 * step) - K.col(k)).norm(), 0.02 * K.norm()) << k;
  }
}

// Where other loads have moved the surface, the probe meets it there.
TEST(SurfaceContact, AProbeMeetsTheSurfaceWhereOtherLoadsPutIt) {
  const Pad& pad = cube_pad();
  SurfaceContact still(pad.C, pad.X), moved(pad.C, pad.X);
  const Vector3d shift(0.01, -0.02, 0.03);
  moved.base().colwise() = shift;
  still.press(ball({0.5, 0.5, 1.75}, 0.8));
  moved.press(ball(Vector3d(0.5, 0.5, 1.75) + shift, 0.8));
  EXPECT_GT(still.forces().maxCoeff(), 0);
  EXPECT_LT((still.forces() - moved.forces()).norm(), 1e-6 * still.forces().norm());
  EXPECT_LT((still.u() - moved.u()).norm(), 1e-6 * still.u().norm());
}

TEST(SurfaceContact, AllocatesNothing) {
  const Pad& pad = cube_pad();
  SurfaceContact contact(pad.C, pad.X);
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) {
    const RigidShape probe = ball({0.4 + 0.01 * i, 0.5, 1.75}, 0.8);
    contact.press(probe);
    contact.stiffness(probe.position);
    contact.press_kernel(probe, 0.01);
  }
  contact.release();
  EXPECT_EQ(counter.count(), 0);
}

TEST(SurfaceContact, SaysWhenTooManyNodesTouch) {
  const Pad& pad = cube_pad();
  SurfaceContact contact(pad.C, pad.X, 4);
  const ContactOutcome outcome = contact.press(ball({0.5, 0.5, 1.7}, 0.8));
  EXPECT_FALSE(outcome.converged);
  EXPECT_GE(contact.forces().minCoeff(), 0);
}

}  // namespace
}  // namespace pliant::test
