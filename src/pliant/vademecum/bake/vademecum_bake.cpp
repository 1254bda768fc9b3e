// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/vademecum_bake.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"

namespace pliant {
namespace {

constexpr int turns = 12;      // of alternating directions
constexpr int trials = 24;     // random loads for the errors of the predictor
constexpr int mixtures = 32;   // of several loads, to train the correction
constexpr Index samples = 96;  // of answers to one load, for the same

// Adds to X the shapes that correct most of rho (m by any number), at most `more`.
Index correct(const SparseMatrix& K, const Cholesky& solver, MatrixXd rho, MatrixXd& X, Index n,
              Index more) {
  const Index begin = n;
  while (n < begin + more) {
    Index worst = 0;
    rho.colwise().squaredNorm().maxCoeff(&worst);
    VectorXd R = solver.solve(rho.col(worst)), S;
    bool found = orthonormalise(K, X.leftCols(n), R);
    for (int i = 0; found && i < turns; ++i) {
      const VectorXd before = R;
      S = rho.transpose() * R;
      R = solver.solve(rho * S);
      found = orthonormalise(K, X.leftCols(n), R);
      if (found && 1 - std::abs(R.dot(K * before)) < 1e-3) break;
    }
    if (!found) break;
    rho -= (K * R) * (rho.transpose() * R).transpose();
    X.col(n++) = R;
  }
  return n;
}

// Shapes of large deformations behind those of X, up to `most`; all of them. `residual`: of the header.
MatrixXd enriched(const fem::ElasticModel& model, const fem::Constraints& constraints,
                  const SparseMatrix& K, const Cholesky& solver, const LoadSpace& loads, MatrixXd X,
                  Index most, const VademecumOptions& options, std::vector<double>& residual,
                  Progress& progress) {
  const Index cases = loads.cases();
  const Index training = std::min<Index>(options.training, cases);
  const double largest = loads.magnitudes[loads.magnitudes.size() - 1];
  const VectorXd levels = Vector3d(0.25, 0.5, 1) * largest;
  Index n = X.cols();
  X.conservativeResize(Eigen::NoChange, most);
  progress.begin("shapes of large deformations", most - n);
  while (true) {
    const LoadPath path(model, constraints, X.leftCols(n), options.path);
    MatrixXd rho(X.rows(), training * levels.size());
    VectorXd left(rho.cols());
    rho.setZero();
    left.setZero();
    std::vector<char> lost(static_cast<std::size_t>(training), 0);
    parallel_for(static_cast<std::size_t>(training), 1, [&](std::size_t i) {
      progress.throw_if_cancelled();
      const VectorXd f = loads.unit_load(static_cast<Index>(i) * cases / training);
      LoadPath::Workspace w(path);
      MatrixXd c;
      try {
        c = path.follow(f, levels, w);
      } catch (const Error&) {
        if (!options.drop_lost) throw;
        lost[i] = 1;
        return;
      }
      for (Index t = 0; t < levels.size(); ++t) {
        const Index at = static_cast<Index>(i) * levels.size() + t;
        rho.col(at) = path.residual(f, levels[t], c.col(t), w) / c.col(t).norm();
        left[at] = rho.col(at).dot(solver.solve(rho.col(at)));
      }
    });
    const auto followed = std::max<Index>(std::ranges::count(lost, 0), 1);
    residual.push_back(std::sqrt(left.sum() / static_cast<double>(followed * levels.size())));
    if (n == most || residual.back() < options.tolerance) break;
    const Index before = n;
    n = correct(K, solver, std::move(rho), X, n, std::min<Index>(options.together, most - n));
    progress.advance(n - before);
    if (n == before) break;
  }
  progress.end();
  return X.leftCols(n);
}

// c of all nodes, directions and magnitudes, in the order of separate(). `lost`: the cases that could
// not be followed.
MatrixXd answers(const LoadPath& path, const LoadSpace& loads, bool may_lose,
                 std::vector<char>& lost, Progress& progress) {
  const Index cases = loads.cases(), levels = loads.magnitudes.size();
  MatrixXd C(path.shapes().cols(), cases * levels);
  lost.assign(static_cast<std::size_t>(cases), 0);
  progress.begin("answers to loads", cases);
  constexpr std::size_t chunk = 8;
  parallel_chunks(static_cast<std::size_t>(cases), chunk, [&](std::size_t begin, std::size_t end) {
    LoadPath::Workspace w(path);
    for (std::size_t i = begin; i < end; ++i) {
      const auto load = static_cast<Index>(i);
      try {
        const MatrixXd c = path.follow(loads.unit_load(load), loads.magnitudes, w);
        for (Index t = 0; t < levels; ++t) C.col(t * cases + load) = c.col(t);
      } catch (const Error&) {
        if (!may_lose) throw;
        lost[i] = 1;
      }
      progress.advance();
    }
  });
  progress.end();
  return C;
}

// Without the nodes of lost cases, in the loads and in the columns of C; the nodes.
std::vector<int> without_lost(const fem::ElasticModel& model, const fem::Constraints& constraints,
                              const LoadOptions& options, const std::vector<char>& lost,
                              LoadSpace& loads, MatrixXd& C) {
  const Index nodes = loads.node_count();
  LoadOptions kept = options;
  kept.nodes.clear();
  std::vector<int> dropped;
  std::vector<Index> places, columns;
  for (Index s = 0; s < nodes; ++s) {
    bool whole = true;
    for (Index e = 0; e < loads.directions.cols(); ++e) {
      whole = whole && lost[static_cast<std::size_t>(s + nodes * e)] == 0;
    }
    const int node = loads.nodes[static_cast<std::size_t>(s)];
    (whole ? kept.nodes : dropped).push_back(node);
    if (whole) places.push_back(s);
  }
  if (dropped.empty()) return dropped;
  if (places.empty()) {
    throw Error({"", 0, "load"}, "the body cannot be followed to the largest load at any node", "",
                "a smaller load");
  }
  for (Index first = 0; first < C.cols(); first += nodes) {
    for (const Index s : places) columns.push_back(first + s);
  }
  loads = load_space(model.mesh(), constraints, kept);
  C = C(Eigen::all, columns).eval();
  return dropped;
}

// Random loads at once, all of one sum.
struct SeveralLoads {
  std::vector<Index> cases;
  std::vector<double> shares;  // of the sum, which is t [N]
  double t = 0;

  SeveralLoads(const LoadSpace& loads, int count, Random& random)
      : t(loads.magnitudes[loads.magnitudes.size() - 1] * random.uniform(0.05, 1)) {
    for (int k = 0; k < count; ++k) {
      cases.push_back(random.below(static_cast<int>(loads.cases())));
      shares.push_back(1.0 / count);
    }
  }
  VectorXd unit(const LoadSpace& loads) const {
    VectorXd f = VectorXd::Zero(loads.free_size);
    for (std::size_t k = 0; k < cases.size(); ++k) f += shares[k] * loads.unit_load(cases[k]);
    return f;
  }
  VectorXd superposed(const LoadSpace& loads, const SeparatedWeights& weights) const {
    VectorXd c = VectorXd::Zero(weights.Z.rows());
    for (std::size_t k = 0; k < cases.size(); ++k) {
      c += weights.answer(cases[k] % loads.node_count(), cases[k] / loads.node_count(),
                          shares[k] * t);
    }
    return c;
  }
};

// What has to be in memory at the same time.
void require_memory_for(const LoadSpace& loads, Index shapes, const VademecumOptions& options) {
  const double answers =
      static_cast<double>(loads.cases()) * static_cast<double>(loads.magnitudes.size());
  const double numbers =
      answers * (4.0 * static_cast<double>(shapes) + 2.0 * static_cast<double>(options.terms));
  require_memory(
      8 * numbers,
      fmt::format("{} answers ({} nodes, {} directions, {} magnitudes) in {} shapes and {} "
                  "terms",
                  answers, loads.node_count(), loads.directions.cols(), loads.magnitudes.size(),
                  shapes, options.terms),
      "a smaller accessible boundary, fewer levels or terms, or one direction need less");
}

// How good the predictor is: one load, and a third of it at each of three nodes.
void measure(const LoadPath& path, bool may_lose, Vademecum& out, Progress& progress) {
  VectorXd single = VectorXd::Zero(trials), triple = single;
  progress.begin("errors of the predictor", trials);
  parallel_for(trials, 1, [&](std::size_t i) {
    Random random(1000 + i);
    LoadPath::Workspace w(path);
    for (const int count : {1, 3}) {
      const SeveralLoads several(out.loads, count, random);
      VectorXd exact;
      try {
        exact = path.follow(several.unit(out.loads), VectorXd::Constant(1, several.t), w).col(0);
      } catch (const Error&) {
        if (!may_lose) throw;
        continue;
      }
      const VectorXd c = several.superposed(out.loads, out.separation.weights);
      (count == 1 ? single : triple)[static_cast<Index>(i)] = (c - exact).norm() / exact.norm();
    }
    progress.advance();
  });
  out.single_error = single.maxCoeff();
  out.triple_error = triple.maxCoeff();
  progress.end();
}

// Equilibria under one load, from the table, and under several.
MatrixXd training_of(const LoadPath& path, const LoadSpace& loads, const MatrixXd& C, bool may_lose,
                     Progress& progress) {
  const Index single = std::min(C.cols(), samples);
  MatrixXd configurations(C.rows(), single + mixtures);
  for (Index i = 0; i < single; ++i) {
    configurations.col(i) = C.col((2 * i + 1) * C.cols() / (2 * single));
  }
  progress.begin("mixed loads", mixtures);
  std::vector<char> lost(mixtures, 0);
  parallel_for(mixtures, 1, [&](std::size_t i) {
    Random random(5000 + i);
    const SeveralLoads several(loads, 2 + static_cast<int>(i % 5), random);
    LoadPath::Workspace w(path);
    try {
      configurations.col(single + static_cast<Index>(i)) =
          path.follow(several.unit(loads), VectorXd::Constant(1, several.t), w).col(0);
    } catch (const Error&) {
      if (!may_lose) throw;
      lost[i] = 1;
    }
    progress.advance();
  });
  progress.end();
  Index kept = single;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (lost[i] != 0) continue;
    configurations.col(kept++) = configurations.col(single + static_cast<Index>(i)).eval();
  }
  return configurations.leftCols(kept);
}

}  // namespace

Vademecum bake_vademecum(const fem::ElasticModel& model, const fem::Constraints& constraints,
                         const LoadOptions& load_options, const VademecumOptions& options,
                         Progress& progress) {
  fem::require_held(model.mesh(), constraints);
  Vademecum out;
  out.loads = load_space(model.mesh(), constraints, load_options);
  LoadSpace& loads = out.loads;
  const SparseMatrix K = constraints.reduce(model.tangent(VectorXd::Zero(model.dof())));
  const Index most = std::min<Index>(options.shapes, K.rows());
  require_memory_for(loads, most, options);
  const Cholesky solver(K);
  const bool linear = std::ranges::all_of(
      model.materials(), [](const fem::Material& m) { return m.law == fem::Law::linear; });
  // Half of the shapes for small loads: large deformations need about as many again.
  MatrixXd X = pgd(K, solver, loads,
                   {.tolerance = options.tolerance,
                    .max_terms = static_cast<int>(linear ? most : (most + 1) / 2)},
                   progress)
                   .X;
  std::vector<double> residual;
  if (!linear) {
    X = enriched(model, constraints, K, solver, loads, std::move(X), most, options, residual,
                 progress);
  }
  out.residual = Eigen::Map<const VectorXd>(residual.data(), std::ssize(residual));

  std::vector<char> lost;
  MatrixXd C = answers(LoadPath(model, constraints, X, options.path), loads, options.drop_lost,
                       lost, progress);
  out.lost = without_lost(model, constraints, load_options, lost, loads, C);
  const AnswerScale scale = even_scale(C, loads.node_count(), loads.directions.cols());
  MatrixXd scaled = C;
  apply_scale(scale, scaled);
  const MatrixXd V = compression(scaled, 0.1 * options.tolerance, static_cast<int>(most));
  scaled.resize(0, 0);
  C = (V.transpose() * C).eval();
  X = (X * V).eval();
  out.U = constraints.expand_directions(X);
  out.separation = separate(C, loads.directions.cols(), scale, load_options.largest,
                            {.tolerance = options.tolerance, .max_terms = options.terms}, progress);

  const LoadPath path(model, constraints, X, options.path);
  const Index r = X.cols();
  if (linear || options.points == 0) {
    out.hyper = {{VectorXi(0), VectorXd(0), MatrixXd(0, r)}, linear ? 0.0 : 1.0};
  } else {
    out.hyper =
        train_hyper_forces(model, out.U, training_of(path, loads, C, options.drop_lost, progress),
                           options.points * r, 0.5 * options.tolerance, progress);
  }
  out.gravity.resize(r, 3);
  for (int i = 0; i < 3; ++i) {
    out.gravity.col(i) = out.U.transpose() * fem::gravity_load(model, Vector3d::Unit(i));
  }
  out.mass = out.U.transpose() * fem::lumped_mass(model).asDiagonal() * out.U;
  if (options.points > 0) measure(path, options.drop_lost, out, progress);
  return out;
}

Vademecum Vademecum::truncated(Index shapes) const {
  const Index r = std::min(shapes, U.cols());
  Vademecum out = *this;
  out.U = U.leftCols(r);
  out.separation.weights.Z = separation.weights.Z.topRows(r);
  out.hyper.points.gradients = hyper.points.gradients.leftCols(r);
  out.gravity = gravity.topRows(r);
  out.mass = mass.topLeftCorner(r, r);
  return out;
}

void Vademecum::write(TensorWriter& out, const std::string& prefix) const {
  const SeparatedWeights& w = separation.weights;
  out.keep(prefix + "Z", MatrixXd(w.Z));
  out.keep(prefix + "Y", MatrixXd(w.Y));
  out.keep(prefix + "D", MatrixXd(w.D));
  out.keep(prefix + "T", MatrixXd(w.T));
  out.keep(prefix + "directions", MatrixXd(loads.directions));
  out.keep(prefix + "errors", MatrixXd(separation.error));
  out.keep(prefix + "places", Eigen::Matrix3Xf(loads.positions.cast<float>()));
  out.keep(prefix + "triangles", Matrix3Xi(loads.triangles));
  MatrixXd touch(U.cols(), 3 * loads.node_count());  // of the loaded nodes: U^T
  for (Index s = 0; s < loads.node_count(); ++s) {
    touch.middleCols<3>(3 * s) =
        U.middleRows<3>(3 * Index{loads.nodes[static_cast<std::size_t>(s)]}).transpose();
  }
  out.keep(prefix + "touch", std::move(touch));
  out.keep(prefix + "gravity", MatrixXd(gravity));
  out.keep(prefix + "mass", MatrixXd(mass));
  out.keep(prefix + "gradients", MatrixXd(hyper.points.gradients));
  out.keep(prefix + "weights", MatrixXd(hyper.points.weights));
  out.keep(prefix + "material", MatrixXi(hyper.points.material));
  Eigen::Vector4d figures(w.largest, single_error, triple_error, hyper.error);
  out.keep(prefix + "figures", MatrixXd(figures));
}

}  // namespace pliant
