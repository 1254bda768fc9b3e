// SPDX-License-Identifier: MIT
// The equations entry by entry against those that are made at once.
#include "pliant/green/bake/boundary_entries.hpp"

#include <gtest/gtest.h>

#include "green/boundary_bodies.hpp"
#include "pliant/fem/material.hpp"
#include "pliant/green/bake/boundary_system.hpp"

namespace pliant::test {
namespace {

constexpr double young = 2e5, poisson = 0.3;

// A cube without an eighth: edges and a corner that go inward.
SurfaceMesh notched_cube(int n) {
  VolumeMesh mesh = block(ElementType::tet4, Vector3i::Constant(2 * n), Vector3d::Ones());
  MatrixXi kept = mesh.E;
  Index count = 0;
  for (Index e = 0; e < mesh.E.cols(); ++e) {
    Vector3d middle = Vector3d::Zero();
    for (int a = 0; a < 4; ++a) middle += mesh.V.col(mesh.E(a, e)) / 4;
    if (middle.minCoeff() < 0.5) kept.col(count++) = mesh.E.col(e);
  }
  mesh.E = kept.leftCols(count);
  if (mesh.region.size() > 0) mesh.region = mesh.region.head(count).eval();
  return boundary_surface(mesh);
}

struct Case {
  SurfaceMesh surface;
  BoundaryMesh mesh;
  explicit Case(SurfaceMesh s)
      : surface(std::move(s)), mesh(boundary_mesh(surface, face_nodes(surface, 2, 0.0))) {}
};

TEST(BoundaryEntries, AreThoseOfTheWholeSystem) {
  for (const Case& body : {Case(cube_surface(3)), Case(notched_cube(2)), Case([] {
                             SurfaceMesh ball = unit_sphere(2);
                             ball.V.row(2) = ball.V.row(2).cwiseMax(-0.5);  // flat below
                             ball.V.row(2).array() += 0.5;
                             return ball;
                           }())}) {
    const BoundaryMesh& mesh = body.mesh;
    const BoundarySystem system = boundary_system(mesh, young, poisson);
    const BoundaryEntries entries(mesh, young, poisson);
    std::vector<int> all = all_nodes(mesh);
    MatrixXd A;
    entries.block(all, all, A);
    for (std::size_t k = 0; k < mesh.held.size(); ++k) {
      const MatrixXd L = -entries.scale() * system.L.middleCols<3>(3 * mesh.reaction[k]);
      EXPECT_LT((A.middleCols<3>(3 * mesh.held[k]) - L).norm(), 1e-9 * L.norm());
    }
    for (const int v : mesh.free) {
      const MatrixXd K = system.K.middleCols<3>(3 * v);
      EXPECT_LT((A.middleCols<3>(3 * v) - K).norm(), 1e-7 * K.norm()) << v;
    }
    const std::vector<int> rows{3, 0, 7}, columns{1, 7, 2, 3};
    MatrixXd part;
    entries.block(rows, columns, part);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const Matrix3d difference =
            part.block<3, 3>(3 * static_cast<Index>(i), 3 * static_cast<Index>(j)) -
            A.block<3, 3>(3 * rows[i], 3 * columns[j]);
        EXPECT_LT(difference.norm(), 1e-12 * A.norm());
      }
    }
  }
}

TEST(BoundaryEntries, LoadsAndWeightAreThoseOfTheWholeSystem) {
  const Case body(cube_surface(3));
  const BoundaryMesh& mesh = body.mesh;
  const BoundaryEntries entries(mesh, young, poisson);
  MatrixXd A;
  entries.block(all_nodes(mesh), all_nodes(mesh), A);
  const fem::Lame lame = fem::lame(young, poisson);
  const BodyForce force{1000, lame.lambda, lame.mu};
  const BoundaryResponse response =
      boundary_response(mesh, boundary_system(mesh, young, poisson), Progress::none(), &force);
  const MatrixXd C = nodal_compliance(mesh, response.C_ss);
  const auto lu = A.partialPivLu();
  const Index k = std::ssize(mesh.free) / 2;
  const MatrixXd u = lu.solve(entries.load(mesh.free[static_cast<std::size_t>(k)]));
  const MatrixXd w = lu.solve(entries.weight(1000, lame.lambda, lame.mu));
  const MatrixXd known = weight_displacements(mesh, mesh.free, force);
  for (std::size_t i = 0; i < mesh.free.size(); ++i) {
    const auto row = 3 * static_cast<Index>(i);
    EXPECT_LT((u.middleRows<3>(3 * mesh.free[i]) - C.block<3, 3>(row, 3 * k)).norm(),
              1e-7 * C.norm());
    EXPECT_LT((w.middleRows<3>(3 * mesh.free[i]) + known.middleRows<3>(row) -
               response.W.middleRows<3>(row))
                  .norm(),
              1e-7 * response.W.norm());
  }
}

}  // namespace
}  // namespace pliant::test
