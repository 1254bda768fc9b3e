// SPDX-License-Identifier: MIT
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/contact/traversal.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

DistanceField field_of(const SurfaceDistance& distance, int resolution) {
  return DistanceField(distance_grid([&](const Matrix3Xd& P) { return distance.evaluate(P); },
                                     distance.box(), {.resolution = resolution}));
}

// The reference: every node of the dense grid, from some of its rows.
bench::Result distance_field(int resolution, const SurfaceMesh& mesh) {
  const SurfaceDistance distance(mesh);
  Index bytes = 0;
  float gradient = 0;
  const double s = bench::seconds_once([&] {
    const DistanceField field = field_of(distance, resolution);
    bytes = field.byte_count();
    gradient = field.grid().lipschitz;
  });
  const DistanceField field = field_of(distance, 16);
  constexpr int every = 61;
  const int n = resolution + 1;
  Matrix3Xd P(3, Index{n} * n * n / every);
  for (Index k = 0; k < P.cols(); ++k) {
    const Index i = k * every;
    P.col(k) =
        field.box().min() + Vector3d(static_cast<double>(i % n), static_cast<double>(i / n % n),
                                     static_cast<double>(i / n / n))
                                    .cwiseProduct(field.box().sizes()) /
                                resolution;
  }
  const double some = bench::seconds_once([&] { distance.evaluate(P); });
  return {.value = s,
          .reference_value = some * every,
          .detail = fmt::format("{} triangles, {:.0f} MB, gradient at most {:.2f}",
                                mesh.face_count(), 1e-6 * static_cast<double>(bytes), gradient)};
}

bench::Result pointshell_256k() {
  const SurfaceMesh mesh = bench::bumpy_torus(300, 250);
  const DistanceField field = field_of(SurfaceDistance(mesh), 256);
  Pointshell shell;
  const double s = bench::seconds_once(
      [&] { shell = make_pointshell(field, mesh, {.points = 256000, .levels = 5}); });
  const Evenness& even = shell.evenness.back();
  return {
      .value = s,
      .detail = fmt::format(
          "{} points; nearest neighbours {:.2f} mm, deviation {:.1f} %, least {:.2f} of the mean",
          shell.X.cols(), 1e3 * even.mean, 1e2 * even.deviation, even.least)};
}

// A shell of a bumpy torus against the field of another one, as deep as gives the wanted contacts.
struct Meeting {
  Meeting(int points, int levels, Index r, int contacts) {
    const SurfaceMesh mesh = bench::bumpy_torus(300, 250);
    field.emplace(field_of(SurfaceDistance(mesh), 256));
    Pointshell all =
        make_pointshell(*field, mesh, {.points = points, .levels = levels, .steps = 15});
    const PointTreeData data = nest(all);
    Random random(1);
    MatrixXd U(3 * all.X.cols(), r);
    for (Index j = 0; j < r; ++j) {
      const auto number = [&] { return random.normal(); };
      const Vector3d axis = Vector3d::NullaryExpr(number).normalized();
      const Vector3d wave = Vector3d::NullaryExpr(number);
      for (Index p = 0; p < all.X.cols(); ++p) {
        U.block<3, 1>(3 * p, j) =
            0.1 * std::sin(wave.dot(all.X.col(p)) + static_cast<double>(j)) * axis;
      }
    }
    shell.emplace(all.X, U);
    tree.emplace(data, *shell);
    traversal.emplace(*tree);
    c = VectorXf::Constant(r, 0.1F);
    pose.rotation =
        Eigen::AngleAxisf(1.2F, Eigen::Vector3f(1, 2, 3).normalized()).toRotationMatrix();
    // Towards one another, halving.
    float near = 0, far = 4;
    for (int k = 0; k < 40; ++k) {
      const float middle = (near + far) / 2;
      pose.translation = middle * Eigen::Vector3f(0.9F, 0.4F, 0.1F);
      run();
      (static_cast<int>(traversal->points().size()) > contacts ? near : far) = middle;
    }
  }
  void run() { traversal->run(*tree, *shell, c, *field, pose); }
  // Every point, without the tree.
  double all_points() {
    const double s = bench::seconds([&] {
      int touching = 0;
      for (Index block = 0; block < shell->point_count() / 8; ++block) {
        const auto [x, y, z] = shell->position_lanes(block, c);
        const Eigen::Matrix3f& A = pose.rotation;
        const Eigen::Vector3f& t = pose.translation;
        const auto d = field->values({A(0, 0) * x + A(0, 1) * y + A(0, 2) * z + t[0],
                                      A(1, 0) * x + A(1, 1) * y + A(1, 2) * z + t[1],
                                      A(2, 0) * x + A(2, 1) * y + A(2, 2) * z + t[2]});
        for (int k = 0; k < 8; ++k) touching += d[k] < 0;
      }
      bench::keep(&touching);
    });
    return 1e6 * s;
  }

  std::optional<DistanceField> field;
  std::optional<LinearShape> shell;
  std::optional<PointTree> tree;
  std::optional<Traversal> traversal;
  VectorXf c;
  ToField pose;
};

bench::Result traverse(int points, int levels, Index r, int contacts) {
  Meeting meeting(points, levels, r, contacts);
  const double s = bench::seconds([&] { meeting.run(); });
  return {.value = 1e6 * s,
          .reference_value = meeting.all_points(),
          .detail =
              fmt::format("{} points, {} nodes visited, {} in contact", meeting.tree->point_count(),
                          meeting.traversal->visited(), meeting.traversal->points().size())};
}

bench::Result points_per_us(Index r) {
  Meeting meeting(64000, 4, r, 200);
  return {.value = static_cast<double>(meeting.shell->point_count()) / meeting.all_points(),
          .detail = "a point after the other, one thread"};
}

const bench::Rows rows{
    {.name = "contact.sdf128",
     .unit = "s",
     .published = "about 1 h for 256^3",
     .reference = "every node of the dense grid",
     .target = {.at_most = 2.0},
     .run = [] { return distance_field(128, bench::bumpy_torus(128, 80)); }},
    {.name = "contact.sdf256",
     .unit = "s",
     .published = "about 1 h",
     .reference = "every node of the dense grid",
     .target = {.at_most = 15.0},
     .slow = true,
     .run = [] { return distance_field(256, bench::bumpy_torus(300, 250)); }},
    {.name = "contact.pointshell256k",
     .unit = "s",
     .published = "several hours",
     .target = {.at_most = 30.0},
     .slow = true,
     .run = pointshell_256k},
    {.name = "contact.traverse.rigid1M",
     .unit = "us",
     .published = "780 us",
     .reference = "every point",
     .target = {.at_most = 100.0},
     .slow = true,
     .run = [] { return traverse(1'020'000, 6, 0, 820); }},
    {.name = "contact.traverse.deformable256k",
     .unit = "us",
     .published = "615 us",
     .reference = "every point",
     .target = {.at_most = 100.0},
     .slow = true,
     .run = [] { return traverse(256'000, 5, 15, 650); }},
    {.name = "contact.points_per_us.rigid",
     .unit = "points/us",
     .published = "about 4",
     .slow = true,
     .run = [] { return points_per_us(0); }},
    {.name = "contact.points_per_us.r15",
     .unit = "points/us",
     .published = "about 4",
     .slow = true,
     .run = [] { return points_per_us(15); }},
};

}  // namespace
}  // namespace pliant
