// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/sketch.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/reduced/bake/thinning.hpp"

namespace pliant {
namespace {

// Lambda^-1 Psi^T f of each load, k by #loads.
MatrixXd linear_answers(const LinearModes& modes, const std::vector<SketchLoad>& loads) {
  MatrixXd Q = MatrixXd::Zero(modes.count(), static_cast<Index>(loads.size()));
  for (std::size_t l = 0; l < loads.size(); ++l) {
    for (const NodalForce& nodal : loads[l].forces) {
      Q.col(static_cast<Index>(l)) +=
          modes.Psi.middleRows(3 * nodal.node, 3).transpose() * nodal.force;
    }
  }
  return modes.lambda().cwiseInverse().asDiagonal() * Q;
}

// Points at the mass distances of the shapes from each other and from rest: X^T M X = C^T C.
MatrixXd mass_coordinates(const SparseMatrix& M, const MatrixXd& X) {
  const MatrixXd gram = X.transpose() * multiply(M, X);
  const DenseEigen eigen = symmetric_eigen(0.5 * (gram + gram.transpose()));
  return eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * eigen.vectors.transpose();
}

// Which load starts from which: loads farthest first, each from the nearest before it.
struct StartTree {
  std::vector<std::vector<int>> levels;  // loads that wait only for those of the levels before
  std::vector<int> start;                // of each point: the point that it starts from
};

// C: one point a column; the first `done` need no solve.
StartTree start_tree(const MatrixXd& C, int done) {
  const int n = static_cast<int>(C.cols());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  StartTree tree;
  tree.start.assign(at(n), -1);
  std::vector<double> distance(at(n), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> level(at(n), 0);
  std::vector<int> open(at(n - done));
  std::iota(open.begin(), open.end(), done);
  const auto offer_as_start = [&](int i) {
    for (const int j : open) {
      const double d = (C.col(i) - C.col(j)).squaredNorm();
      if (d >= distance[at(j)]) continue;
      distance[at(j)] = d;
      tree.start[at(j)] = i;
      level[at(j)] = level[at(i)] + 1;
    }
  };
  for (int i = 0; i < done; ++i) offer_as_start(i);
  while (!open.empty()) {
    const auto farthest = std::max_element(
        open.begin(), open.end(), [&](int a, int b) { return distance[at(a)] < distance[at(b)]; });
    const int next = *farthest;
    open.erase(farthest);
    tree.levels.resize(std::max(tree.levels.size(), level[at(next)]));
    tree.levels[level[at(next)] - 1].push_back(next);
    offer_as_start(next);
  }
  return tree;
}

// Solves the loads of one level after the other, those of a level in parallel.
class LoadSolver {
 public:
  LoadSolver(const fem::ElasticModel& model, const fem::Constraints& constraints,
             const fem::StaticOptions& options)
      : model_(model),
        constraints_(constraints),
        options_(options),
        solvers_(static_cast<std::size_t>(std::max(1, threads()))) {}

  struct Answer {
    fem::StaticResult result;
    std::string failure;  // empty: solved
  };

  // Calls work(i, solver) for all i of [0, n), with a solver for each thread.
  template <class Work>
  void for_each(std::size_t n, const Work& work) {
    const std::size_t lanes = std::min(n, solvers_.size());
    std::atomic<std::size_t> next{0};
    parallel_for(lanes, 1, [&](std::size_t lane) {
      std::optional<fem::StaticSolver>& solver = solvers_[lane];
      for (std::size_t i = next++; i < n; i = next++) {
        if (!solver) solver.emplace(model_, constraints_);
        work(i, *solver);
      }
    });
  }

  // From the start, and if that leads nowhere from rest.
  Answer solve(fem::StaticSolver& solver, const VectorXd& f, const VectorXd& start) const {
    Progress quiet;
    for (const VectorXd& from : {start, VectorXd()}) {
      try {
        return {solver.solve(f, options_, from, quiet), ""};
      } catch (const Error& error) {
        if (from.size() == 0) return {{}, error.what()};
      }
    }
    return {};
  }

 private:
  const fem::ElasticModel& model_;
  const fem::Constraints& constraints_;
  const fem::StaticOptions& options_;
  std::vector<std::optional<fem::StaticSolver>> solvers_;
};

void check(const fem::ElasticModel& model, const fem::Constraints& constraints,
           const LinearModes& modes, const std::vector<SketchLoad>& recorded,
           const SketchOptions& options, const Sketch& earlier) {
  fem::require_held(model.mesh(), constraints);
  PLIANT_ASSERT(modes.Psi.rows() == model.dof() && !modes.free(), "modes under the constraints");
  PLIANT_ASSERT(earlier.shapes.cols() == static_cast<Index>(earlier.loads.size()) &&
                    (earlier.loads.empty() || earlier.shapes.rows() == model.dof()),
                "an earlier sketch of this body");
  if (recorded.empty()) throw Error("sketch: no loads are given");
  for (std::size_t l = 0; l < recorded.size(); ++l) {
    for (const NodalForce& nodal : recorded[l].forces) {
      if (nodal.node >= 0 && nodal.node < model.mesh().vertex_count() && nodal.force.allFinite()) {
        continue;
      }
      throw Error({"", 0, fmt::format("load {}", l)}, "sketch: a force",
                  fmt::format("{:g} {:g} {:g} at node {}", nodal.force[0], nodal.force[1],
                              nodal.force[2], nodal.node),
                  fmt::format("finite numbers at nodes 0 to {}", model.mesh().vertex_count() - 1));
    }
  }
  for (const double separation : {options.load_separation, options.shape_separation}) {
    if (separation > 0 && separation < 1) continue;
    throw Error({}, "sketch: separation", fmt::format("{:g}", separation), "between 0 and 1");
  }
}

// Second thinning: the shapes kept earlier stay, of those behind the first `old` the separated
// ones.
void keep_separated(const SparseMatrix& M, double separation, const std::vector<int>& earlier,
                    Index old, Sketch& sketch) {
  std::vector<int> shapes = earlier;
  for (Index i = old; i < sketch.shapes.cols(); ++i) shapes.push_back(static_cast<int>(i));
  if (shapes.empty()) return;
  const Index n = static_cast<Index>(shapes.size());
  MatrixXd C = MatrixXd::Zero(n, n + 1);  // with rest as point 0
  C.rightCols(n) = mass_coordinates(M, sketch.shapes(Eigen::all, shapes));
  const double largest = C.colwise().norm().maxCoeff();
  if (!(largest > 0)) return;
  const std::vector<int> points =
      thin(C, separation * largest, static_cast<int>(earlier.size()) + 1);
  for (std::size_t i = 1; i < points.size(); ++i) {
    sketch.kept.push_back(shapes[static_cast<std::size_t>(points[i]) - 1]);
  }
}

}  // namespace

Sketch solve_sketch(const fem::ElasticModel& model, const fem::Constraints& constraints,
                    const LinearModes& modes, const std::vector<SketchLoad>& recorded,
                    const SketchOptions& options, const Sketch& earlier, Progress& progress) {
  check(model, constraints, modes, recorded, options, earlier);
  const Index old = static_cast<Index>(earlier.loads.size());
  const int done = static_cast<int>(old) + 1;  // with rest as point 0

  // Points: rest, the earlier loads, the recorded ones.
  MatrixXd Q(modes.count(), done + static_cast<Index>(recorded.size()));
  Q << VectorXd::Zero(modes.count()), linear_answers(modes, earlier.loads),
      linear_answers(modes, recorded);
  const double largest = Q.colwise().norm().maxCoeff();
  if (!(largest > 0)) {
    throw Error("sketch: no load moves the body; are they all at fixed nodes?");
  }
  const std::vector<int> points = thin(Q, options.load_separation * largest, done);
  const MatrixXd C = Q(Eigen::all, points);
  const StartTree tree = start_tree(C, done);

  const std::size_t count = points.size() - static_cast<std::size_t>(done);
  progress.begin("sketch", static_cast<std::int64_t>(count));
  progress.throw_if_cancelled();
  LoadSolver solver(model, constraints, options.statics);
  std::vector<VectorXd> u(points.size());  // empty: rest, or no solution
  std::vector<LoadSolver::Answer> answers(points.size());
  for (Index i = 0; i < old; ++i) u[static_cast<std::size_t>(i) + 1] = earlier.shapes.col(i);
  for (const std::vector<int>& level : tree.levels) {
    solver.for_each(level.size(), [&](std::size_t i, fem::StaticSolver& lane) {
      const std::size_t point = static_cast<std::size_t>(level[i]);
      const int load = points[point] - done;
      const VectorXd f = recorded[static_cast<std::size_t>(load)].vector(model.dof());
      answers[point] = solver.solve(lane, f, u[static_cast<std::size_t>(tree.start[point])]);
      u[point] = answers[point].result.u;
      progress.advance();
    });
  }
  progress.end();

  Sketch sketch;
  sketch.loads = earlier.loads;
  std::vector<std::size_t> solved;
  for (std::size_t point = static_cast<std::size_t>(done); point < points.size(); ++point) {
    const int load = points[point] - done;
    const SketchLoad& from = recorded[static_cast<std::size_t>(load)];
    sketch.newton_iterations += answers[point].result.iterations;
    if (answers[point].failure.empty()) {
      sketch.loads.push_back(from);
      solved.push_back(point);
    } else {
      sketch.dropped.push_back({load, from.time, answers[point].failure});
    }
  }
  sketch.solved = static_cast<int>(solved.size());
  sketch.shapes.resize(model.dof(), old + sketch.solved);
  if (old > 0) sketch.shapes.leftCols(old) = earlier.shapes;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    sketch.shapes.col(old + static_cast<Index>(i)) = u[solved[i]];
  }
  keep_separated(mass_matrix(model, modes.mass), options.shape_separation, earlier.kept, old,
                 sketch);
  return sketch;
}

void write_sketch(const std::filesystem::path& path, const Sketch& sketch) {
  TensorWriter writer;
  add_sketch_loads(sketch.loads, writer);
  writer.add("shapes", sketch.shapes);
  writer.add("kept", Dtype::i32, {static_cast<std::int64_t>(sketch.kept.size())},
             sketch.kept.data());
  writer.write(path);
}

Sketch read_sketch(const std::filesystem::path& path, int node_count) {
  const TensorFile file(path);
  Sketch sketch;
  sketch.loads = sketch_loads(file, node_count);
  sketch.shapes = file.matrix<double>("shapes", 3 * node_count);
  if (sketch.shapes.cols() != static_cast<Index>(sketch.loads.size())) {
    throw Error({file.name(), 0, "shapes"}, "number of shapes",
                std::to_string(sketch.shapes.cols()),
                fmt::format("{}, one a load", sketch.loads.size()));
  }
  if (!sketch.shapes.allFinite()) throw Error({file.name(), 0, "shapes"}, "a shape is not finite");
  const auto kept = file.matrix<std::int32_t>("kept");
  int last = -1;
  for (const std::int32_t shape : kept.reshaped()) {
    if (shape <= last || shape >= sketch.shapes.cols()) {
      throw Error({file.name(), 0, "kept"}, "index of a shape", std::to_string(shape),
                  fmt::format("ascending, below {}", sketch.shapes.cols()));
    }
    sketch.kept.push_back(last = shape);
  }
  return sketch;
}

}  // namespace pliant
