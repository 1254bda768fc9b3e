// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_damping.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gmock/gmock.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "support/allocation_counter.hpp"

namespace pliant {
namespace {

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
  MatrixXd D(q.size(), q.size());
  damping.evaluate(q, D, workspace);
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
      const PolynomialDamping damping(reduce_damping(model, U), Eigen::Vector2d(phi, psi));
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

TEST(PolynomialDamping, CanBeEditedWithoutAllocation) {
  const ElasticModel model = body(ElementType::tet4, 0.0);
  const std::vector<DampingPolynomial> parts =
      reduce_damping(model, random_matrix(model.dof(), 5, 3));
  PolynomialDamping edited(parts, Eigen::Vector2d(1, 1));
  PolynomialDamping::Workspace workspace(edited);
  const VectorXd coefficients = Eigen::Vector2d(0.2, 3.0), q = random_matrix(5, 1, 5);
  MatrixXd D(5, 5);
  const test::AllocationCounter counter;
  edited.set_coefficients(coefficients);
  edited.evaluate(q, D, workspace);
  edited.evaluate(q.head(3), D.topLeftCorner(3, 3), workspace);
  if (test::AllocationCounter::can_count()) EXPECT_EQ(counter.count(), 0);
  const PolynomialDamping fresh(parts, coefficients);
  EXPECT_EQ(evaluated(edited, q, workspace), evaluated(fresh, q, workspace));
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PolynomialDamping, RefusesPartsThatDoNotFit) {
  using testing::HasSubstr;
  const DampingPolynomial good{VectorXd::Zero(3), MatrixXd::Zero(3, 2), VectorXd::Zero(6)};
  DampingPolynomial bad = good;
  bad.quadratic[4] = std::nan("");
  const VectorXd two = VectorXd::Ones(2);
  EXPECT_THAT(error_of([&] { PolynomialDamping({}, VectorXd()); }), HasSubstr("at least one"));
  EXPECT_THAT(error_of([&] { PolynomialDamping({good}, two); }), HasSubstr("coefficient each"));
  EXPECT_THAT(error_of([&] {
                PolynomialDamping({good, bad}, two);
              }),
              testing::AllOf(HasSubstr("part 1"), HasSubstr("not finite")));
  bad.quadratic.resize(5);
  EXPECT_THAT(error_of([&] { PolynomialDamping({good, bad}, two); }), HasSubstr("3, 6, 6"));
}

}  // namespace
}  // namespace pliant
