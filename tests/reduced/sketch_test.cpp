// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/sketch.hpp"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/thinning.hpp"
#include "reduced/bake_bodies.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

using test::BakeBody;
using test::expect_error;
using ::testing::HasSubstr;

TEST(Thinning, KeepsSamplesApartAndLeavesNoneWithoutAKeptNeighbour) {
  Random random(1);
  for (const Index n : {1, 30, 300}) {
    const MatrixXd C = MatrixXd::NullaryExpr(2, n, [&] { return random.normal(); });
    const double separation = 0.4;
    for (const int locked : {0, 1}) {
      const std::vector<int> kept = thin(C, separation, locked);
      for (int i = 0; i < n; ++i) {
        const bool here = std::find(kept.begin(), kept.end(), i) != kept.end();
        double nearest = 1e9;
        for (const int j : kept) {
          if (j != i) nearest = std::min(nearest, (C.col(i) - C.col(j)).norm());
        }
        EXPECT_EQ(nearest >= separation, here) << i;
      }
      EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    }
  }
}

TEST(Thinning, RemovesFromTheDensestPlaceFirst) {
  // A crowd around 0 and a pair around 10: the crowd's middle goes first.
  MatrixXd C(1, 5);
  C << -0.6, 0.0, 0.6, 10.0, 10.5;
  EXPECT_EQ(thin(C, 1.0), (std::vector<int>{0, 2, 3}));
  // Locked samples stay, even if they are too close to each other.
  EXPECT_EQ(thin(C, 1.0, 2), (std::vector<int>{0, 1, 3}));
}

// Pulls at the tip's corner along a path that repeats itself and comes back to rest.
std::vector<SketchLoad> stroke(const BakeBody& body, double size, int samples, int axis) {
  const VolumeMesh& mesh = body.model.mesh();
  const int tip = mesh.vertex_count() - 1;
  std::vector<SketchLoad> loads;
  for (int i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / (samples - 1);
    Vector3d force = size * std::sin(3.1415926 * t) * Vector3d::Unit(axis);
    force[0] += 0.3 * size * t * (1 - t);
    loads.push_back({t, {{tip, force}}});
  }
  return loads;
}

Sketch solve(const BakeBody& body, const std::vector<SketchLoad>& loads,
             const SketchOptions& options = {}, const Sketch& earlier = {}) {
  const LinearModes modes = linear_modes(body.model, body.constraints, 6);
  return solve_sketch(body.model, body.constraints, modes, loads, options, earlier);
}

TEST(Sketch, SolvesAFewOfTheLoadsForTheirEquilibrium) {
  const BakeBody body = test::beam();
  const std::vector<SketchLoad> loads = stroke(body, 15, 200, 2);
  const Sketch sketch = solve(body, loads);
  EXPECT_TRUE(sketch.dropped.empty());
  EXPECT_EQ(sketch.solved, sketch.shapes.cols());
  EXPECT_GT(sketch.solved, 8);
  EXPECT_LT(sketch.solved, 60);
  for (Index i = 0; i < sketch.shapes.cols(); ++i) {
    const VectorXd f = sketch.loads[static_cast<std::size_t>(i)].vector(body.model.dof());
    const VectorXd rest =
        body.constraints.restrict_force(body.model.force(sketch.shapes.col(i)) - f);
    EXPECT_LT(rest.norm(), 1e-5 * f.norm());
  }
  // A warm start saves iterations.
  int cold = 0;
  for (const SketchLoad& load : sketch.loads) {
    const VectorXd f = load.vector(body.model.dof());
    cold += fem::solve_static(body.model, body.constraints, f, SketchOptions().statics).iterations;
  }
  EXPECT_LT(sketch.newton_iterations, cold);
  // Large deformations, far beyond the linear answer.
  EXPECT_GT(sketch.shapes.cwiseAbs().maxCoeff(), 0.2);
  // The shapes kept are apart in the mass metric.
  const SparseMatrix M = mass_matrix(body.model, MassKind::lumped);
  double largest = 0;
  for (Index i = 0; i < sketch.shapes.cols(); ++i) {
    largest = std::max(largest, std::sqrt(sketch.shapes.col(i).dot(M * sketch.shapes.col(i))));
  }
  ASSERT_GT(sketch.kept.size(), 3);
  for (const int i : sketch.kept) {
    for (const int j : sketch.kept) {
      const VectorXd d = sketch.shapes.col(i) - sketch.shapes.col(j);
      if (i < j) {
        EXPECT_GE(std::sqrt(d.dot(M * d)), 0.0999 * largest);
      }
    }
  }
  // A basis of few vectors holds all of them.
  ShapeSet set;
  set.add(sketch.kept_shapes());
  const Basis basis = mass_pca(body.model, body.constraints, set, {.energy = 0.9999});
  EXPECT_LE(basis.rank(), 6);
}

TEST(Sketch, IsTheSameBitsForAnyNumberOfThreads) {
  const BakeBody body = test::beam(ElementType::tet4);
  const std::vector<SketchLoad> loads = stroke(body, 10, 40, 1);
  EXPECT_TRUE(test::same_bits_for_any_threads([&] { return solve(body, loads).shapes; }));
}

TEST(Sketch, RefinesByTheNewLoadsAlone) {
  const BakeBody body = test::beam();
  const Sketch first = solve(body, stroke(body, 10, 50, 2));
  // The same again brings nothing.
  const Sketch again = solve(body, stroke(body, 10, 50, 2), {}, first);
  EXPECT_EQ(again.solved, 0);
  EXPECT_EQ(again.kept, first.kept);
  EXPECT_TRUE(again.shapes == first.shapes);
  // Another direction does, and the earlier shapes stay as they are.
  const Sketch more = solve(body, stroke(body, 10, 50, 1), {}, first);
  EXPECT_GT(more.solved, 5);
  EXPECT_EQ(more.shapes.cols(), first.shapes.cols() + more.solved);
  EXPECT_TRUE(more.shapes.leftCols(first.shapes.cols()) == first.shapes);
  EXPECT_GT(more.kept.size(), first.kept.size());
  EXPECT_TRUE(std::equal(first.kept.begin(), first.kept.end(), more.kept.begin()));
}

TEST(Sketch, ReportsALoadWithoutSolutionAndGoesOn) {
  const BakeBody body = test::beam(ElementType::hex8, fem::Law::neo_hookean);
  std::vector<SketchLoad> loads = stroke(body, 5, 20, 2);
  // The neo-Hookean solid is crushed: no equilibrium in so few steps.
  loads.push_back({7.5, {{body.model.mesh().vertex_count() - 1, Vector3d(-1e7, 0, 0)}}});
  SketchOptions options;
  options.load_separation = 1e-7;  // of the last, huge one
  options.statics.max_load_steps = 4;
  options.statics.max_iterations = 20;
  const Sketch sketch = solve(body, loads, options);
  ASSERT_EQ(sketch.dropped.size(), 1);
  EXPECT_EQ(sketch.dropped[0].load, 20);
  EXPECT_EQ(sketch.dropped[0].time, 7.5);
  EXPECT_THAT(sketch.dropped[0].reason, HasSubstr("no equilibrium"));
  EXPECT_GT(sketch.solved, 5);
}

TEST(Sketch, RefusesWhatItCannotSolve) {
  const BakeBody body = test::beam();
  const LinearModes modes = linear_modes(body.model, body.constraints, 3);
  const std::vector<SketchLoad> good = stroke(body, 1, 5, 2);
  const auto run = [&](const std::vector<SketchLoad>& loads, const SketchOptions& options) {
    solve_sketch(body.model, body.constraints, modes, loads, options);
  };
  expect_error([&] { run({}, {}); }, "no loads");
  expect_error([&] { run({{0, {{-1, Vector3d::Ones()}}}}, {}); }, "load 0");
  expect_error([&] { run({{0, {{0, Vector3d(NAN, 0, 0)}}}}, {}); }, "load 0");
  const int fixed = body.constraints.fixed_nodes()[0];
  expect_error([&] { run({{0, {{fixed, Vector3d::Ones()}}}}, {}); }, "no load moves the body");
  expect_error([&] { run(good, {.load_separation = 0}); }, "separation");
  expect_error([&] { run(good, {.shape_separation = NAN}); }, "separation");
  const BakeBody floating = test::free_beam();
  expect_error([&] { solve_sketch(floating.model, floating.constraints, modes, good); },
               "not held");
  Progress progress;
  progress.cancel();
  EXPECT_THROW(solve_sketch(body.model, body.constraints, modes, good, {}, {}, progress),
               Cancelled);
}

TEST(Sketch, SurvivesAFile) {
  const BakeBody body = test::beam();
  const int nodes = body.model.mesh().vertex_count();
  const Sketch sketch = solve(body, stroke(body, 10, 20, 2));
  const test::TemporaryFolder folder;
  write_sketch(folder / "a.safetensors", sketch);
  const Sketch back = read_sketch(folder / "a.safetensors", nodes);
  EXPECT_TRUE(back.shapes == sketch.shapes);
  EXPECT_EQ(back.kept, sketch.kept);
  ASSERT_EQ(back.loads.size(), sketch.loads.size());
  // It can be refined as if it had not been away, and serves as a list of loads.
  EXPECT_EQ(solve(body, stroke(body, 10, 20, 2), {}, back).solved, 0);
  EXPECT_EQ(read_sketch_loads(folder / "a.safetensors", nodes).size(), sketch.loads.size());
  expect_error([&] { read_sketch(folder / "a.safetensors", nodes + 1); }, "shapes");
  Sketch wrong = sketch;
  wrong.kept.push_back(0);
  write_sketch(folder / "b.safetensors", wrong);
  expect_error([&] { read_sketch(folder / "b.safetensors", nodes); }, "kept");
}

bool same(const std::vector<SketchLoad>& a, const std::vector<SketchLoad>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const SketchLoad& x, const SketchLoad& y) {
        return x.time == y.time &&
               std::equal(x.forces.begin(), x.forces.end(), y.forces.begin(), y.forces.end(),
                          [](const NodalForce& f, const NodalForce& g) {
                            return f.node == g.node && f.force == g.force;
                          });
      });
}

TEST(SketchLoads, SurviveATextAndATensorFile) {
  const std::vector<SketchLoad> loads{
      {0.1, {{3, Vector3d(1, 2, 1.0 / 3)}}},
      {0.1, {{4, Vector3d(0, -1e-300, 1e300)}, {5, Vector3d(1, 1, 1)}}},  // same time, another load
      {-2.0, {{0, Vector3d(0, 0, 0)}}},
  };
  const test::TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.safetensors"}) {
    write_sketch_loads(folder / name, loads);
    EXPECT_TRUE(same(read_sketch_loads(folder / name, 6), loads)) << name;
    expect_error([&] { read_sketch_loads(folder / name, 5); }, "0 to 4");
  }
  expect_error([&] { write_sketch_loads(folder / "a.txt", loads); }, ".csv");
  expect_error([&] { read_sketch_loads(folder / "a.txt", 6); }, ".csv");
}

TEST(SketchLoads, SayInWhichLineATextIsWrong) {
  const auto parse = [](const std::string& lines) {
    return parse_sketch_loads("load,time,node,fx,fy,fz\n" + lines, "s.csv", 10);
  };
  EXPECT_EQ(parse("# a comment\n\n 0, 1 ,2,3,4,5\n").size(), 1);
  expect_error([&] { parse(""); }, "no force");
  expect_error([&] { parse("0,1,2,3,4,5\n0,1,2,3,4\n"); }, "s.csv:3");
  expect_error([&] { parse("0,1,2,3,4,5\n0,1,2,3,4,5,6\n"); }, "s.csv:3: more than six values");
  expect_error([&] { parse("0,1,2.5,3,4,5\n"); }, "s.csv:2");
  expect_error([&] { parse("0,1,10,3,4,5\n"); }, "s.csv:2: the node does not exist");
  expect_error([&] { parse("0,1,2,nan,4,5\n"); }, "s.csv:2");
  expect_error([&] { parse("0,1,2,3,4,5\n0,2,2,3,4,5\n"); }, "another time");
  expect_error([&] { parse_sketch_loads("time,node\n", "s.csv", 10); }, "load");
  expect_error([&] { parse_sketch_loads("", "s.csv", 10); }, "load");
}

TEST(SketchLoads, AForceInsideAnElementGoesToItsNodes) {
  const VolumeMesh mesh = test::beam().model.mesh();
  const Embedding embedding = embed(Vector3d(0.23, 0.05, 0.06), mesh);
  const SketchLoad load = embedded_load(embedding, 0, {1, 2, 3}, 0.5);
  const VectorXd f = load.vector(3 * mesh.vertex_count());
  const auto forces = f.reshaped(3, mesh.vertex_count());
  EXPECT_LT((forces.rowwise().sum() - Vector3d(1, 2, 3)).norm(), 1e-14);
  // The torque is that of the force at the point.
  Vector3d torque = Vector3d::Zero();
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3d x = mesh.V.col(v), force = forces.col(v);
    torque += x.cross(force);
  }
  EXPECT_LT((torque - Vector3d(0.23, 0.05, 0.06).cross(Vector3d(1, 2, 3))).norm(), 1e-14);
}

}  // namespace
}  // namespace pliant
