// SPDX-License-Identifier: MIT
#include "pliant/fem/elastic_model.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::fem {
namespace {

using test::block;
using test::random_displacement;
using test::warped;

constexpr Law all_laws[] = {
    Law::linear,       Law::stvk, Law::corotational, Law::neo_hookean, Law::stable_neo_hookean,
    Law::mooney_rivlin};

struct Body {
  std::string name;
  VolumeMesh mesh;
};

// Every geometry that the kernels know: tetrahedra, voxels, general bricks, curved tet10.
std::vector<Body> bodies() {
  const Vector3d size(1.0, 0.7, 0.5);
  return {{"tet4", warped(block(ElementType::tet4, 2, 2, 1, size), 0.03)},
          {"voxels", block(ElementType::hex8, 3, 2, 1, size)},
          {"hex8", warped(block(ElementType::hex8, 2, 2, 1, size), 0.03)},
          {"tet10", warped(block(ElementType::tet10, 1, 1, 1, size), 0.02)}};
}

// Boxes of different sizes.
VolumeMesh graded_boxes() {
  VolumeMesh mesh = block(ElementType::hex8, 3, 2, 2, Vector3d(1.0, 0.7, 0.5));
  mesh.V = mesh.V.array() + 0.5 * mesh.V.array().square();
  return mesh;
}

TEST(ElasticModel, KnowsAVoxelMesh) {
  const std::vector<Body> all = bodies();
  const Material material = isotropic(Law::stvk, 1, 0.3, 1);
  EXPECT_TRUE(ElasticModel(all[1].mesh, {material}).is_voxel_mesh());
  EXPECT_FALSE(ElasticModel(all[2].mesh, {material}).is_voxel_mesh());
  EXPECT_FALSE(ElasticModel(graded_boxes(), {material}).is_voxel_mesh());
}

// Boxes have kernels of their own; turned in space, the same body takes those of general bricks.
TEST(ElasticModel, BoxesAgreeWithGeneralBricks) {
  const Matrix3d Q = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).matrix();
  const VolumeMesh boxes = graded_boxes();
  VolumeMesh bricks = boxes;
  bricks.V = Q * boxes.V;
  const auto turned = [&](const VectorXd& x) -> VectorXd {
    return (Q * x.reshaped(3, x.size() / 3)).reshaped();
  };
  for (const Law law : all_laws) {
    const ElasticModel model(boxes, {isotropic(law, 100, 0.3, 1)});
    const ElasticModel other(bricks, {isotropic(law, 100, 0.3, 1)});
    const VectorXd u = random_displacement(model.dof(), 0.02, 1);
    const VectorXd d = random_displacement(model.dof(), 1.0, 2);
    EXPECT_NEAR(model.energy(u), other.energy(turned(u)), 1e-13 * model.energy(u)) << name_of(law);
    const VectorXd R = turned(model.force(u));
    EXPECT_LT((R - other.force(turned(u))).norm(), 1e-12 * R.norm()) << name_of(law);
    const VectorXd Kd = turned(model.tangent(u) * d);
    EXPECT_LT((Kd - other.tangent(turned(u)) * turned(d)).norm(), 1e-12 * Kd.norm())
        << name_of(law);
    const MatrixXd H = turned(model.hessian_products(d));
    EXPECT_LT((H - other.hessian_products(turned(d))).norm(), 1e-10 * (H.norm() + 1e-3))
        << name_of(law);
    SparseMatrix D = model.tangent_pattern(), other_D = other.tangent_pattern();
    model.strain_rate_damping(u, 0.7, 0.4, D);
    other.strain_rate_damping(turned(u), 0.7, 0.4, other_D);
    const VectorXd Dd = turned(D * d);
    EXPECT_LT((Dd - other_D * turned(d)).norm(), 1e-12 * Dd.norm()) << name_of(law);
  }
}

TEST(ElasticModel, ForceIsTheGradientOfTheEnergy) {
  for (const Body& body : bodies()) {
    for (const Law law : all_laws) {
      const ElasticModel model(body.mesh, {isotropic(law, 100, 0.3, 1)});
      const VectorXd u = random_displacement(model.dof(), 0.02, 1);
      const VectorXd R = model.force(u);
      const VectorXd d = random_displacement(model.dof(), 1.0, 2);
      const double h = 1e-4;
      const double difference = (8 * (model.energy(u + h * d) - model.energy(u - h * d)) -
                                 (model.energy(u + 2 * h * d) - model.energy(u - 2 * h * d))) /
                                (12 * h);
      EXPECT_NEAR(difference, R.dot(d), 1e-7 * R.norm() * d.norm())
          << body.name << ", " << name_of(law);
    }
  }
}

TEST(ElasticModel, TangentIsTheSymmetricGradientOfTheForce) {
  for (const Body& body : bodies()) {
    for (const Law law : all_laws) {
      const ElasticModel model(body.mesh, {isotropic(law, 100, 0.3, 1)});
      const VectorXd u = random_displacement(model.dof(), 0.02, 1);
      VectorXd R(model.dof());
      SparseMatrix K = model.tangent_pattern();
      model.force_and_tangent(u, R, K);
      EXPECT_LT((R - model.force(u)).norm(), 1e-12 * R.norm());
      EXPECT_LT((K - SparseMatrix(K.transpose())).norm(), 1e-13 * K.norm());
      const VectorXd d = random_displacement(model.dof(), 1.0, 3);
      const double h = 1e-4;
      const VectorXd difference = (8 * (model.force(u + h * d) - model.force(u - h * d)) -
                                   (model.force(u + 2 * h * d) - model.force(u - 2 * h * d))) /
                                  (12 * h);
      EXPECT_LT((difference - K * d).norm(), 1e-7 * (K * d).norm())
          << body.name << ", " << name_of(law);
    }
  }
}

TEST(ElasticModel, RotationCostsNothingButForTheLinearLaw) {
  const Matrix3d rotation = Eigen::AngleAxisd(2.0, Vector3d(1, 2, 3).normalized()).matrix();
  for (const Body& body : bodies()) {
    for (const Law law : all_laws) {
      const ElasticModel model(body.mesh, {isotropic(law, 1, 0.3, 1)});
      const Matrix3Xd moved = (rotation * body.mesh.V).colwise() + Vector3d(1, -2, 3);
      const VectorXd u = (moved - body.mesh.V).reshaped();
      if (law == Law::linear) {
        EXPECT_GT(model.force(u).norm(), 1e-2);
      } else {
        EXPECT_LT(model.force(u).lpNorm<Eigen::Infinity>(), 1e-12)
            << body.name << ", " << name_of(law);
        EXPECT_NEAR(model.energy(u), 0, 1e-12);
      }
    }
  }
}

// The patch test: an affine displacement gives no force inside, and the exact energy.
TEST(ElasticModel, AffineDisplacementsAreExact) {
  Matrix3d G;
  G << 0.05, 0.02, -0.01, 0.03, -0.04, 0.02, 0.01, 0.02, 0.03;
  for (const ElementType type : {ElementType::tet4, ElementType::hex8, ElementType::tet10}) {
    const VolumeMesh mesh = block(type, 3, 3, 3, Vector3d::Ones());
    VolumeMesh moved = mesh;
    if (type == ElementType::hex8) {  // inner nodes only: the sides stay plane
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Vector3d x = mesh.V.col(v);
        if (x.minCoeff() > 0.1 && x.maxCoeff() < 0.9) moved.V.col(v) += 0.03 * x.reverse();
      }
    }
    const ElasticModel model(moved, {isotropic(Law::stvk, 1, 0.3, 1)});
    const VectorXd u = (G * moved.V).reshaped();
    const VectorXd R = model.force(u);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const Vector3d x = mesh.V.col(v);
      if (x.minCoeff() > 0.1 && x.maxCoeff() < 0.9) {
        EXPECT_LT(R.segment<3>(3 * v).norm(), 1e-14) << name_of(type);
      }
    }
    const Matrix3d E = (G + G.transpose() + G.transpose() * G) / 2;
    const auto [lambda, mu] = lame(1, 0.3);
    EXPECT_NEAR(model.energy(u), lambda / 2 * E.trace() * E.trace() + mu * E.squaredNorm(), 1e-14)
        << name_of(type);
  }
}

TEST(ElasticModel, RegionsHaveTheirOwnMaterialsAndLaws) {
  VolumeMesh mesh = block(ElementType::hex8, 4, 2, 2, Vector3d(2, 1, 1));
  mesh.region.resize(mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) mesh.region[e] = e % 4 < 2 ? 0 : 1;
  mesh.regions = {{"left", 0}, {"right", 1}};
  const Material soft = isotropic(Law::stvk, 1, 0.3, 1),
                 stiff = isotropic(Law::neo_hookean, 9, 0.2, 2);
  const VectorXd u = random_displacement(3 * mesh.vertex_count(), 0.02, 4);
  const double both = ElasticModel(mesh, {soft, stiff}).energy(u);
  // Each half alone, as a mesh of its own.
  double sum = 0;
  for (int r = 0; r < 2; ++r) {
    VolumeMesh half = mesh;
    std::vector<int> chosen;
    for (int e = 0; e < mesh.element_count(); ++e) {
      if (mesh.region[e] == r) chosen.push_back(e);
    }
    half.E = mesh.E(Eigen::all, chosen).eval();
    half.region.resize(0);
    half.regions.clear();
    sum += ElasticModel(half, {r == 0 ? soft : stiff}).energy(u);
  }
  EXPECT_NEAR(both, sum, 1e-14 * both);
}

TEST(ElasticModel, SameBitsForAnyNumberOfThreads) {
  const VolumeMesh mesh = block(ElementType::hex8, 12, 12, 12, Vector3d::Ones());
  const ElasticModel model(mesh, {isotropic(Law::stvk, 1, 0.3, 1)});
  const VectorXd u = random_displacement(model.dof(), 0.01, 5);
  const auto run = [&](int n, Threads threads) {
    set_threads(n);
    VectorXd R(model.dof());
    SparseMatrix K = model.tangent_pattern();
    model.force_and_tangent(u, R, K, threads);
    const double V = model.energy(u);
    set_threads(0);
    return std::tuple(R, VectorXd(K.coeffs()), V);
  };
  EXPECT_EQ(run(1, Threads::many), run(2, Threads::many));
  EXPECT_EQ(run(1, Threads::one), run(2, Threads::many));
}

TEST(ElasticModel, OneThreadAllocatesNothing) {
  const ElasticModel model(block(ElementType::hex8, 4, 4, 4, Vector3d::Ones()),
                           {isotropic(Law::stvk, 1, 0.3, 1)});
  const VectorXd u = random_displacement(model.dof(), 0.01, 5);
  VectorXd R(model.dof());
  SparseMatrix K = model.tangent_pattern();
  const ::pliant::test::AllocationCounter counter;
  model.force(u, R, Threads::one);
  model.force_and_tangent(u, R, K, Threads::one);
  EXPECT_EQ(counter.count(), 0);
}

TEST(ElasticModel, RefusesBadMeshes) {
  const Material material = isotropic(Law::stvk, 1, 0.3, 1);
  const auto refused = [&](const VolumeMesh& mesh, std::vector<Material> materials) {
    try {
      const ElasticModel model(mesh, std::move(materials));
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  const VolumeMesh good = block(ElementType::hex8, 2, 1, 1, Vector3d::Ones());
  EXPECT_FALSE(refused(good, {material}));
  EXPECT_TRUE(refused(good, {}));
  EXPECT_TRUE(refused(good, {material, material}));
  EXPECT_TRUE(refused(VolumeMesh(), {material}));
  VolumeMesh bad = good;
  bad.E(3, 1) = 99;
  EXPECT_TRUE(refused(bad, {material}));
  bad = good;
  bad.V(1, 2) = NAN;
  EXPECT_TRUE(refused(bad, {material}));
  bad = good;
  bad.V.row(0) *= -1;
  EXPECT_TRUE(refused(bad, {material}));
  bad = good;
  bad.V.row(2).setZero();
  EXPECT_TRUE(refused(bad, {material}));
}

}  // namespace
}  // namespace pliant::fem
