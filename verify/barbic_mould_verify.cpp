// SPDX-License-Identifier: MIT
// [Barbic07] figure 3.28: a dragon in a mould that fits it, by all its points and by as many as a
// cycle bears.
#include <algorithm>
#include <cmath>

#include "pliant/base/timer.hpp"
#include "pliant/contact/bake/solid_distance.hpp"
#include "pliant/contact/level_blend.hpp"
#include "pliant/mesh/models.hpp"
#include "verify/contact_subjects.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr double dragon_size = 0.36;

struct Mould {
  Mould() {
    constexpr int resolution = 128;
    const SurfaceMesh surface =
        make_model("dragon", {{"size", dragon_size}, {"detail", 0.4}}).surface;
    const SolidDistance solid = solid_distance(surface, {.cell = 1.5 * dragon_size / resolution});
    const DistanceField own(distance_grid(solid.distances, solid.box, {.resolution = resolution}));
    Pointshell made =
        make_pointshell(own, solid.outside, {.points = 21845, .levels = 5, .steps = 15});
    const PointTreeData data = nest(made);
    points.emplace(LinearShape(made.X, MatrixXd(3 * made.X.cols(), 0),
                               {made.N, MatrixXd(3 * made.X.cols(), 0)}));
    tree.emplace(data, *points->linear());
    // A block as high as half of the dragon, less the dragon: open at the top.
    Eigen::AlignedBox3d block = solid.box;
    block.min() -= Vector3d::Constant(0.02);
    block.max() += Vector3d(0.02, 0, 0.02);
    block.max()[1] = solid.box.center()[1];
    const Vector3d middle = block.center(), half = 0.5 * block.sizes();
    const auto hollow = [&](const Matrix3Xd& P) {
      const VectorXd dragon = solid.distances(P);
      VectorXd d(P.cols());
      for (Index k = 0; k < d.size(); ++k) {
        const Vector3d q = (P.col(k) - middle).cwiseAbs() - half;
        const double outside = q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
        d[k] = std::max(outside, -dragon[k]);
      }
      return d;
    };
    field.emplace(distance_grid(hollow, block, {.resolution = resolution}));
  }

  std::optional<PointSet> points;
  std::optional<PointTree> tree;
  std::optional<DistanceField> field;
};

// What a hand does: it lets the dragon down and rocks it there.
Pose pose_at(double t) {
  const double down = std::min(t, 1.0), there = std::max(0.0, t - 0.8);
  return {Vector3d(1e-3 * std::sin(5 * there), 0.03 * (1 - down) - 1e-3 * there,
                   1e-3 * std::sin(7 * there)),
          Eigen::Quaterniond(Eigen::AngleAxisd(5e-3 * std::sin(4 * there), Vector3d::UnitZ()))};
}

struct Felt {
  std::vector<double> nodes, us, force;
  int changes = 0;
};

Felt render(const Mould& mould, const TraversalBudget& budget) {
  constexpr int cycles = 3000;
  Felt felt;
  Traversal traversal(*mould.tree);
  LevelBlend blend(0);
  Motion dragon(0), block(0);
  Load on_dragon(0, true), on_block(0, true);
  SpringRoom dragon_room, block_room;
  const PenaltySpec spec{.stiffness = 500, .full_depth = 1e-3};
  int levels = 0;
  for (int k = 0; k < cycles; ++k) {
    dragon.pose = pose_at(1e-3 * k);
    const ToField to{dragon.pose.rotation.toRotationMatrix().cast<float>(),
                     dragon.pose.position.cast<float>()};
    on_dragon.set_zero();
    on_block.set_zero();
    const Timer timer;
    traversal.run(*mould.tree, *mould.points->linear(), {}, *mould.field, to, budget);
    blend.begin(on_dragon);
    add_penalty(spec, traversal, {*mould.points, dragon, on_dragon, {}, dragon_room},
                {nullptr, block, on_block, block_room}, {});
    blend.end(traversal.levels(), on_dragon);
    felt.us.push_back(1e6 * timer.seconds());
    felt.nodes.push_back(traversal.visited());
    felt.force.push_back(on_dragon.force.norm());
    felt.changes += k > 0 && traversal.levels() != levels ? 1 : 0;
    levels = traversal.levels();
  }
  return felt;
}

double largest(const std::vector<double>& x) {
  return *std::ranges::max_element(x);
}
double quantile(std::vector<double> x, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(x.size() - 1));
  std::ranges::nth_element(x, x.begin() + static_cast<std::ptrdiff_t>(at));
  return x[at];
}
double largest_step(const std::vector<double>& x) {
  double most = 0;
  for (std::size_t k = 1; k < x.size(); ++k) most = std::max(most, std::abs(x[k] - x[k - 1]));
  return most;
}

std::vector<Row> mould() {
  constexpr int warm = 2000;
  const Mould subject;
  const Felt all = render(subject, {.coherent = false});
  const Felt few = render(subject, {.warm = warm, .cold = warm * 4 / 5, .coherent = false});
  const auto curve = [](const char* name, const std::vector<double>& y) {
    Curve out{.name = name, .x = {}, .y = y};
    for (std::size_t k = 0; k < y.size(); ++k) out.x.push_back(1e-3 * static_cast<double>(k));
    return out;
  };
  write_plot({.title = "Dragon in a mould: nodes of a cycle",
              .x_label = "time [s]",
              .y_label = "nodes",
              .log_y = true,
              .curves = {curve("all five levels", all.nodes), curve("at most 2,000", few.nodes)}},
             "barbic_mould_nodes");
  write_plot({.title = "Dragon in a mould: force",
              .x_label = "time [s]",
              .y_label = "force [N]",
              .curves = {curve("all five levels", all.force), curve("at most 2,000", few.force)}},
             "barbic_mould_force");
  double off = 0, sum = 0;
  for (std::size_t k = 0; k < all.force.size(); ++k) {
    off += std::abs(all.force[k] - few.force[k]);
    sum += all.force[k];
  }
  return {
      at_least("nodes_without_degradation", largest(all.nodes), 4 * warm, "", "all levels"),
      at_most("nodes", largest(few.nodes), warm, "", "2000"),
      at_most("cycle_p50", quantile(few.us, 0.5), 1000, "us", "below 1 ms"),
      at_most("cycle_p99", quantile(few.us, 0.99), 1000, "us", "below 1 ms"),
      at_least("cycle_p50_without_to_with", quantile(all.us, 0.5) / quantile(few.us, 0.5), 1.5, ""),
      at_least("level_changes", few.changes, 1, ""),
      at_most("mean_force_difference", off / sum, 0.5, "", "similar"),
      at_most("largest_step_of_the_force", largest_step(few.force) / largest(few.force), 0.1, "",
              "smooth")};
}

const Experiments experiments{{.name = "barbic.mould", .slow = true, .run = mould}};

}  // namespace
}  // namespace pliant::verify
