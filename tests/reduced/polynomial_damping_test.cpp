// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_damping.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gmock/gmock.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using test::error_of;

using fem::ElasticModel;
using fem::Law;

MatrixXd random_matrix(Index rows, Index columns, std::uint64_t seed, double size = 1.0) {
  Random random(seed);
  MatrixXd A(rows, columns);
  for (double& x : A.reshaped()) x = random.uniform(-size, size);
  return A;
}

MatrixXd evaluated(const PolynomialDamping& damping, const VectorXd& q,
                   PolynomialDamping::Workspace& workspace) {
  MatrixXd D = MatrixXd::Zero(q.size(), q.size());
  damping.add(q, D, workspace);
  return D;
}

// Of any law: damping knows the shape alone.
ElasticModel body(ElementType type, double warp) {
  return ElasticModel(fem::test::warped(block(type, {2, 2, 1}, {1.0, 0.8, 0.5}), warp),
                      {fem::isotropic(Law::neo_hookean, 1e3, 0.3, 1e3)});
}

TEST(PolynomialDamping, IsTheProjectedStrainRateDamping) {
  const double phi = 1.7, psi = 0.6;
  const std::vector<std::pair<ElementType, double>> shapes = {{ElementType::hex8, 0.0},
                                                              {ElementType::hex8, 0.03},
                                                              {ElementType::tet4, 0.03},
                                                              {ElementType::tet10, 0.03}};
  for (const auto& [type, warp] : shapes) {
    const ElasticModel model = body(type, warp);
    SparseMatrix D = model.tangent_pattern();
    for (const Index r : {1, 2, 5, 7}) {
      const MatrixXd U = random_matrix(model.dof(), r, 3);
      const PolynomialDamping damping(reduce_damping(model, U), {phi, psi});
      PolynomialDamping::Workspace workspace(damping);
      for (const double size : {0.01, 1.0}) {
        for (const Index leading : {r, (r + 1) / 2}) {
          const VectorXd q = random_matrix(leading, 1, 5, size);
          const MatrixXd W = U.leftCols(leading);
          model.strain_rate_damping(W * q, phi, psi, D);
          const MatrixXd expected = W.transpose() * (D * W);
          const double error = (evaluated(damping, q, workspace) - expected).norm();
          EXPECT_LT(error, 1e-12 * expected.norm()) << r << " " << leading << " " << size;
        }
      }
    }
  }
}

// The power that it takes is that of the strain's rate, phi tr(E')^2 + 2 psi E' : E', here from the
// strains of tetrahedra a moment before and after. E is quadratic in time: the difference is exact.
TEST(PolynomialDamping, TakesThePowerOfTheStrainRate) {
  const Viscosity viscosity{1.7, 0.6};
  const ElasticModel model = body(ElementType::tet4, 0.03);
  const VolumeMesh& mesh = model.mesh();
  const MatrixXd U = random_matrix(model.dof(), 4, 3);
  const VectorXd q = random_matrix(4, 1, 5), v = random_matrix(4, 1, 6);
  const double h = 0.1;
  const Matrix3Xd before = mesh.V + (U * (q - h * v)).reshaped(3, mesh.vertex_count());
  const Matrix3Xd after = mesh.V + (U * (q + h * v)).reshaped(3, mesh.vertex_count());
  double power = 0.0;
  for (int e = 0; e < mesh.element_count(); ++e) {
    const auto edges = [&](const Matrix3Xd& x) {
      Matrix3d A;
      for (int a = 0; a < 3; ++a) A.col(a) = x.col(mesh.E(a + 1, e)) - x.col(mesh.E(0, e));
      return A;
    };
    const Matrix3d rest = edges(mesh.V);
    const auto strain = [&](const Matrix3Xd& x) -> Matrix3d {
      const Matrix3d F = edges(x) * rest.inverse();
      return 0.5 * (F.transpose() * F - Matrix3d::Identity());
    };
    const Matrix3d rate = (strain(after) - strain(before)) / (2 * h);
    power += std::abs(rest.determinant()) / 6 *
             (viscosity.phi * rate.trace() * rate.trace() + 2 * viscosity.psi * rate.squaredNorm());
  }
  const PolynomialDamping damping(reduce_damping(model, U), viscosity);
  PolynomialDamping::Workspace workspace(damping);
  EXPECT_NEAR(v.dot(evaluated(damping, q, workspace) * v), power, 1e-12 * power);
}

// Of a deformed body that turns: a basis of the turns of its rest shape, one deformation, and the
// turns of that.
TEST(PolynomialDamping, LeavesRigidMotionFree) {
  const ElasticModel model = body(ElementType::hex8, 0.03);
  const Index n = model.mesh().vertex_count();
  const MatrixXd u = random_matrix(3, n, 3, 0.2);
  MatrixXd U(3 * n, 10);
  for (int axis = 0; axis < 3; ++axis) {
    const auto turned = [&](const MatrixXd& x) {
      Matrix3Xd y(3, n);
      for (Index v = 0; v < n; ++v) y.col(v) = Vector3d::Unit(axis).cross(Vector3d(x.col(v)));
      return VectorXd(y.reshaped());
    };
    U.col(axis) = Vector3d::Unit(axis).replicate(n, 1);
    U.col(3 + axis) = turned(model.mesh().V);
    U.col(7 + axis) = turned(u);
  }
  U.col(6) = u.reshaped();
  const PolynomialDamping damping(reduce_damping(model, U), {1.7, 0.6});
  PolynomialDamping::Workspace workspace(damping);
  const double amount = 0.8;
  const MatrixXd D = evaluated(damping, amount * VectorXd::Unit(10, 6), workspace);
  VectorXd rate(10);
  rate << 0.3, 0.1, -0.2, 0.5, -0.4, 0.7, 0, amount * 0.5, -amount * 0.4, amount * 0.7;
  EXPECT_LT((D * rate).norm(), 1e-13 * D.norm() * rate.norm());
  rate[6] = 0.1;  // it also deforms
  EXPECT_GT((D * rate).norm(), 1e-4 * D.norm() * rate.norm());
}

TEST(PolynomialDamping, CanBeEditedWithoutAllocation) {
  const ElasticModel model = body(ElementType::tet4, 0.0);
  const DampingParts parts = reduce_damping(model, random_matrix(model.dof(), 5, 3));
  PolynomialDamping edited(parts, {1, 1});
  PolynomialDamping::Workspace workspace(edited);
  const Viscosity viscosity{0.2, 3.0};
  const VectorXd q = random_matrix(5, 1, 5);
  MatrixXd D = MatrixXd::Zero(5, 5);
  const test::AllocationCounter counter;
  edited.set_viscosity(viscosity);
  edited.add(q, D, workspace);
  edited.add(q.head(3), D.topLeftCorner(3, 3), workspace);
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  EXPECT_EQ(edited.viscosity(), viscosity);
  const PolynomialDamping fresh(parts, viscosity);
  EXPECT_EQ(evaluated(edited, q, workspace), evaluated(fresh, q, workspace));
}

TEST(PolynomialDamping, RefusesPartsThatDoNotFit) {
  using testing::HasSubstr;
  const DampingPolynomial good{VectorXd::Zero(3), MatrixXd::Zero(3, 2), VectorXd::Zero(6)};
  DampingPolynomial bad = good;
  bad.quadratic[4] = std::nan("");
  const auto error = [&](const DampingPolynomial& second, const Viscosity& viscosity) {
    return error_of([&] { PolynomialDamping({good, second}, viscosity); });
  };
  EXPECT_EQ(error(good, {1, 1}), "no error");
  EXPECT_THAT(error(bad, {1, 1}), HasSubstr("not finite"));
  bad.quadratic.resize(5);
  EXPECT_THAT(error(bad, {1, 1}), HasSubstr("3, 6, 6"));
  EXPECT_THAT(error(good, {-1, 1}), HasSubstr("phi -1"));
  EXPECT_THAT(error(good, {1, std::nan("")}), HasSubstr("must not be negative"));
}

// ---- in a step

// A beam with some of its shapes, which is not held: U is random, its mass is that of U.
ReducedModel beam(const ElasticModel& model, const MatrixXd& U, const StepOptions& options,
                  std::optional<PolynomialDamping> damping) {
  const ReducedMaterials m = reduce_materials(model, U);
  return ReducedModel(PolynomialForces(m.parts, m.coefficients), {m.masses, m.densities}, {},
                      options, std::move(damping));
}
ElasticModel soft_block() {
  return ElasticModel(block(ElementType::hex8, {2, 1, 1}, {0.4, 0.2, 0.2}),
                      {fem::isotropic(Law::stvk, 1e4, 0.3, 1000)});
}

double total(const ReducedEnergy& e) {
  return e.kinetic + e.elastic;
}

TEST(StrainRateDampingStep, DissipatesWhatItSays) {
  const ElasticModel model = soft_block();
  const Index r = 5;
  const MatrixXd U = random_matrix(model.dof(), r, 3, 0.1);
  const PolynomialDamping damping(reduce_damping(model, U), {10.0, 60.0});
  for (const auto scheme :
       {StepOptions::Scheme::newmark, StepOptions::Scheme::central_differences}) {
    const StepOptions options{
        .scheme = scheme, .dt = 1e-4, .max_iterations = 20, .tolerance = 1e-10};
    const ReducedModel damped = beam(model, U, options, damping);
    const ReducedModel free = beam(model, U, options, std::nullopt);
    ReducedState state(damped), undamped(free);
    PolynomialDamping::Workspace workspace(damping);
    const ReducedLoad load{VectorXd::Zero(r)};
    for (ReducedState* s : {&state, &undamped}) s->v.setConstant(3.0);
    start(damped, load, state);
    start(free, load, undamped);
    const double first = total(energy(damped, state));
    double taken = 0.0, last = first;
    const auto power = [&] {
      return state.v.dot(evaluated(damping, state.q, workspace) * state.v);
    };
    for (int i = 0; i < 400; ++i) {
      const double before = power();
      EXPECT_EQ(step(damped, load, state), StepStatus::ok);
      EXPECT_EQ(step(free, load, undamped), StepStatus::ok);
      taken += options.dt * (before + power()) / 2;
      const double now = total(energy(damped, state));
      EXPECT_LT(now, last + 1e-6 * first);
      last = now;
    }
    EXPECT_NEAR(total(energy(free, undamped)), first, 1e-3 * first);
    EXPECT_GT(taken, 0.2 * first);
    EXPECT_NEAR(last, first - taken, 2e-3 * first);
  }
}

TEST(StrainRateDampingStep, CanBeEditedAndAllocatesNothing) {
  const ElasticModel model = soft_block();
  const Index r = 5;
  const MatrixXd U = random_matrix(model.dof(), r, 3, 0.1);
  const DampingParts parts = reduce_damping(model, U);
  ReducedModel edited = beam(model, U, {}, PolynomialDamping(parts, {0, 0}));
  const ReducedModel fresh = beam(model, U, {}, PolynomialDamping(parts, {3, 20}));
  ReducedState state(edited), expected(fresh);
  const ReducedLoad load{VectorXd::Constant(r, 10.0)};
  const test::AllocationCounter counter;
  edited.set_viscosity({3, 20});
  for (int i = 0; i < 20; ++i) step(edited, load, state);
  edited.set_active(3);
  step(edited, load, state);
  if (test::AllocationCounter::can_count()) {
    EXPECT_EQ(counter.count(), 0);
  }
  edited.set_active(r);
  state = ReducedState(edited);
  for (int i = 0; i < 20; ++i) {
    step(edited, load, state);
    step(fresh, load, expected);
  }
  EXPECT_EQ(state.q, expected.q);
}

TEST(StrainRateDampingStep, RefusesDampingOfAnotherBody) {
  const ElasticModel model = soft_block();
  const MatrixXd U = random_matrix(model.dof(), 4, 3, 0.1);
  const PolynomialDamping damping(reduce_damping(model, U.leftCols(3)), {1, 1});
  EXPECT_THROW(beam(model, U, {}, damping), Error);
  ReducedModel without = beam(model, U, {}, std::nullopt);
  EXPECT_THROW(without.set_viscosity({1, 1}), Error);
}

}  // namespace
}  // namespace pliant
