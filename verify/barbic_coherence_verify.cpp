// SPDX-License-Identifier: MIT
// [Barbic07] 3.10.2: temporal coherence saves work and misses nothing; and what culling misses on
// fields that deform, which no bound holds.
#include <algorithm>

#include <fmt/format.h>

#include "bench/contact_meeting.hpp"
#include "verify/contact_subjects.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using Kind = RigidShape::Kind;

// A million cycles of bounded motion: drift, spin, rests and jumps; every point looked at beside it.
std::vector<Row> coherence() {
  const ShellOfShape shell(rigid(Kind::torus, {0.25, 0.1, 0}), 0.35, 340, 3, 64, 30);
  const DistanceField field = grid_of(rigid(Kind::box, {0.4, 0.3, 0.2}), 0.4, 64);
  const bench::Waves waves(4, 3);
  const LinearShape points(shell.made.X, waves.basis(shell.made.X));
  const PointTree tree(shell.data, points);
  Traversal coherent(tree), plain(tree), all(points.point_count());
  Matrix3Xf places(3, points.point_count());
  std::vector<char> found(static_cast<std::size_t>(points.point_count()));
  Random random(1);
  Vector3d at(0.3, 0.1, 0.3), velocity = Vector3d::Zero(), spin = Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  VectorXf c = VectorXf::Zero(4), rate = VectorXf::Zero(4);
  double nodes = 0, without = 0, contacts = 0, missed = 0;
  int still = 0;
  constexpr int cycles = 1'000'000;
  constexpr double dt = 1e-3;
  for (int k = 0; k < cycles; ++k) {
    if (random.below(2000) == 0) still = random.below(300);
    if (random.below(5000) == 0) at = 0.5 * direction(random);
    if (--still < 0) {
      velocity += 0.02 * direction(random) - 1e-2 * velocity - 1e-2 * at;
      velocity *= std::min(1.0, 0.6 / velocity.norm());  // [Barbic07] 4.6: 0.6 m/s, 360 degrees/s
      spin += 0.3 * direction(random) - 1e-2 * spin;
      spin *= std::min(1.0, 6.28 / spin.norm());
      at += dt * velocity;
      turn = (Eigen::Quaterniond(Eigen::AngleAxisd(dt * spin.norm(), spin.normalized())) * turn)
                 .normalized();
      for (Index j = 0; j < c.size(); ++j) {
        rate[j] += static_cast<float>(0.05 * random.normal()) - 0.02F * rate[j] - 0.5F * c[j];
        c[j] += static_cast<float>(dt) * rate[j];
      }
    }
    const ToField to{turn.toRotationMatrix().cast<float>(), at.cast<float>()};
    coherent.run(tree, points, c, field, to);
    nodes += coherent.visited();
    contacts += static_cast<double>(coherent.points().size());
    if (k % 10 == 0) {
      plain.run(tree, points, c, field, to, {.coherent = false});
      without += 10 * plain.visited();
    }
    points.positions(c, places);
    all.run_all(places, field, to);
    // By another order of sums: what is not in by more than rounding does not count.
    std::ranges::fill(found, char{0});
    for (const int p : coherent.points()) found[static_cast<std::size_t>(p)] = 1;
    for (const int p : all.points()) {
      missed += !found[static_cast<std::size_t>(p)] && all.distance(p) < -1e-6F;
    }
  }
  return {at_most("missed_in_a_million_cycles", missed, 0, "contacts", "none"),
          at_least("contacts", contacts, 1e5),
          at_least("nodes_saved", 100 * (1 - nodes / without), 20, "%", "20 to 45 % of the time")};
}

// The deformed field of a bar against its exact distance: what culling misses, against the margin.
std::vector<Row> misses() {
  std::vector<Row> rows;
  const ShellOfShape shell(rigid(Kind::sphere, Vector3d::Constant(0.12)), 0.12, 5000, 4, 64, 30);
  const RigidShape bar = rigid(Kind::box, {0.4, 0.1, 0.08});
  const DistanceField rest = grid_of(bar, 0.4, 128);
  const ShellOfShape few(bar, 0.4, 40, 1, 96);
  const bench::Waves waves(6, 9);
  const Proxies proxies(LinearShape(few.made.X, waves.basis(few.made.X)),
                        waves.gradients(few.made.X));
  Matrix3Xf places(3, shell.set->point_count());
  shell.set->linear()->positions({}, places);
  Curve curve{.name = {}, .x = {}, .y = {}, .markers = true};
  for (const float margin : {0.0F, 0.1F, 0.25F, 0.5F}) {
    DeformedField field(rest, proxies, margin);
    Traversal tree(*shell.tree), all(shell.set->point_count());
    Random random(2);
    double contacts = 0, missed = 0;
    for (int trial = 0; trial < 20000; ++trial) {
      VectorXf c(6);
      for (float& x : c) x = static_cast<float>(0.02 * random.normal());
      field.update(c);
      const Vector3d at(random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.2),
                        random.uniform(0.1, 0.22));
      const ToField to{Eigen::AngleAxisd(random.uniform(0, 3), direction(random))
                           .toRotationMatrix()
                           .cast<float>(),
                       at.cast<float>()};
      tree.run(*shell.tree, *shell.set->linear(), {}, field, to, {.coherent = false});
      all.run_all(places, field, to);
      contacts += static_cast<double>(all.points().size());
      missed +=
          static_cast<double>(all.points().size()) - static_cast<double>(tree.points().size());
    }
    const double rate = missed / contacts;
    if (margin == 0.25F) rows.push_back(at_least("contacts", contacts, 1e6));
    curve.x.push_back(static_cast<double>(margin));
    curve.y.push_back(rate);
    const std::string name = fmt::format("missed.margin_{:.2f}", margin);
    rows.push_back(margin == 0.25F ? at_most(name, rate, 1e-4) : at_most(name, rate, 1.0));
  }
  write_plot({.title = "Contacts that culling misses on a deformed field",
              .x_label = "margin",
              .y_label = "share of all contacts",
              .curves = {curve}},
             "contact_misses");
  return rows;
}

const Experiments experiments{{.name = "barbic.coherence", .slow = true, .run = coherence},
                              {.name = "contact.misses", .slow = true, .run = misses}};

}  // namespace
}  // namespace pliant::verify
