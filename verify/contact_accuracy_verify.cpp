// SPDX-License-Identifier: MIT
// Distance fields against exact distances, and [Barbic07] 3.6.2: normals under deformation against
// the exact ones.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include <Eigen/LU>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/contact/bake/solid_distance.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/mesh/surface_repair.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/shape/linear_shape.hpp"
#include "verify/contact_subjects.hpp"
#include "verify/motions.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using Kind = RigidShape::Kind;

// A million places of the box: the largest error near the surface and anywhere, and signs that are
// wrong farther from it than interpolation can be off.
void add_accuracy(const std::string& name, const ExactDistances& exact,
                  const Eigen::AlignedBox3d& box, int resolution, std::vector<Row>& rows) {
  const DistanceField field(distance_grid(exact, box, {.resolution = resolution}));
  const double h = field.cell();
  Random random(1);
  double near = 0, far = 0, wrong = 0;
  constexpr int together = 50'000;
  for (int batch = 0; batch < 20; ++batch) {
    Matrix3Xd P(3, together);
    for (double& x : P.reshaped()) x = random.uniform();
    P = (field.box().sizes().asDiagonal() * P).colwise() + field.box().min();
    const VectorXd D = exact(P);
    for (Index k = 0; k < P.cols(); ++k) {
      const double d = static_cast<double>(field.value(P.col(k).cast<float>()));
      const double off = std::abs(d - D[k]) / h;
      (std::abs(D[k]) < 2 * h ? near : far) = std::max(std::abs(D[k]) < 2 * h ? near : far, off);
      wrong += std::abs(D[k]) > std::sqrt(0.75) * h && (d < 0) != (D[k] < 0);
    }
  }
  rows.push_back(at_most(name + ".near", near, 0.87, "cells"));
  rows.push_back(at_most(name + ".far", far, 3.7, "cells"));
  rows.push_back(at_most(name + ".wrong_signs", wrong, 0, "of a million"));
}

std::vector<Row> accuracy() {
  std::vector<Row> rows;
  const std::pair<const char*, RigidShape> shapes[] = {
      {"sphere", rigid(Kind::sphere, Vector3d::Constant(0.7))},
      {"box", rigid(Kind::box, {0.7, 0.5, 0.3})},
      {"torus", rigid(Kind::torus, {0.5, 0.2, 0})}};
  for (const auto& [name, shape] : shapes) {
    add_accuracy(
        name,
        [&](const Matrix3Xd& P) {
          VectorXd d(P.cols());
          for (Index k = 0; k < d.size(); ++k) d[k] = distance_of(shape, P.col(k));
          return d;
        },
        {Vector3d::Constant(-0.7), Vector3d::Constant(0.7)}, 128, rows);
  }
  std::vector<std::pair<std::string, SurfaceMesh>> meshes;
  for (const char* name : {"bunny", "dragon", "dinosaur"}) {
    meshes.emplace_back(name, make_model(name).surface);
  }
  // Scans that tools/fetch_models has brought; without them there are no such rows.
  for (const char* name : {"bunny.obj", "dragon.ply"}) {
    const std::filesystem::path path = std::filesystem::path("build/models") / name;
    if (!std::filesystem::exists(path)) continue;
    RepairReport done;
    meshes.emplace_back("scan_" + path.stem().string(),
                        repair(read_surface_mesh(path), {.min_component_size = 0.05}, done));
  }
  for (const auto& [name, surface] : meshes) {
    const double size = longest_side(bounds(surface.V));
    const SolidDistance solid = solid_distance(surface, {.cell = 1.5 * size / 128});
    add_accuracy(name, solid.distances, solid.box, 128, rows);
  }
  return rows;
}

// A spoon of 12 shapes after a blow, where it is bent most: the normals of the points of its shell
// as a step takes them, F N, against F^-T N.
std::vector<Row> normals() {
  constexpr int k = 6, r = 12, steps_per_period = 120;
  const FullModel body = voxel_body("spoon", 60);
  const LinearModes modes = linear_modes(body.body(), body.constraints(), k);
  const MatrixXd Phi = modal_derivatives(body.body(), body.constraints(), modes);
  const MatrixXd U =
      mass_pca(body.body(), body.constraints(), modal_shapes(body.body(), modes, Phi), {.count = r})
          .U;
  const VolumeMesh& mesh = body.body().mesh();
  const SurfaceMesh surface = make_model("spoon").surface;
  const double size = longest_side(bounds(surface.V));
  Index tip = 0;
  mesh.V.row(0).maxCoeff(&tip);
  VectorXd unit = VectorXd::Zero(body.body().dof());
  unit[3 * tip + 1] = 1;
  const double softness =
      fem::solve_linear_static(body.body(), body.constraints(), unit)(3 * tip + 1, 0);
  // Of the force that would bend a linear spoon by its length.
  const Impulse impulse{
      static_cast<int>(tip), {0, 0.8 * size / softness, 0}, steps_per_period / 10};
  const double dt = 2 * std::numbers::pi / modes.omega[0] / steps_per_period;
  const MatrixXd motion = reduced_motion(body, U, impulse, {.dt = dt, .steps = steps_per_period});
  Index most = 0;
  const double bent = (U.row(3 * tip + 1) * motion).cwiseAbs().maxCoeff(&most) / size;
  const VectorXd q = motion.col(most);

  const SolidDistance solid = solid_distance(surface, {.cell = 1.5 * size / 128});
  const Pointshell shell =
      make_pointshell(DistanceField(distance_grid(solid.distances, solid.box, {.resolution = 128})),
                      solid.outside, {.points = 5000, .levels = 3, .steps = 20});
  const Embedding embedding = embed(shell.X, mesh);
  const MatrixXd by_shapes = embedded_gradients(embedding, mesh, U);
  const VectorXd gradients = by_shapes * q;
  const LinearShape points(shell.X, embedded_basis(embedding, U),
                           transported_normals(shell.N, by_shapes));
  Matrix3Xf normals_now(3, shell.X.cols());
  points.normals(VectorXf(q.cast<float>()), normals_now);
  std::vector<double> angles;
  double turned = 0;
  for (Index p = 0; p < shell.X.cols(); ++p) {
    const Matrix3d F =
        Matrix3d::Identity() + gradients.segment<9>(9 * p).reshaped(3, 3).transpose();
    const Vector3d N = shell.N.col(p), exact = (F.inverse().transpose() * N).normalized(),
                   ours = normals_now.col(p).cast<double>();
    const auto angle = [](const Vector3d& a, const Vector3d& b) {
      return 180 / std::numbers::pi * std::atan2(a.cross(b).norm(), a.dot(b));
    };
    angles.push_back(angle(ours, exact));
    turned = std::max(turned, angle(N, exact));
  }
  std::ranges::sort(angles);
  return {at_most("largest", angles.back(), 5.2, "degrees", "5.2 degrees"),
          at_most("all_but_a_thousandth", angles[angles.size() - 1 - angles.size() / 1000], 3.6,
                  "degrees", "3.6 degrees for all but five points"),
          at_least("turned_by", turned, 10, "degrees", "large"),
          at_least("tip_of_the_length", 100 * bent, 10, "%")};
}

const Experiments experiments{{.name = "contact.accuracy", .slow = true, .run = accuracy},
                              {.name = "barbic.normals", .slow = true, .run = normals}};

}  // namespace
}  // namespace pliant::verify
