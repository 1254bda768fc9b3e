// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/vademecum_bake.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"

namespace pliant {
namespace {

constexpr int turns = 12;      // of alternating directions
constexpr Index together = 6;  // shapes between two paths
constexpr int trials = 24;     // random loads for the errors of the predictor

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

}  // namespace

MatrixXd enriched(const fem::ElasticModel& model, const fem::Constraints& constraints,
                  const SparseMatrix& K, const Cholesky& solver, const LoadSpace& loads, MatrixXd X,
                  Index most, const VademecumOptions& options, std::vector<double>& residual,
                  Progress& progress) {
  const Index cases = loads.node_count() * loads.directions.cols();
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
    parallel_for(static_cast<std::size_t>(training), 1, [&](std::size_t i) {
      const Index load = static_cast<Index>(i) * cases / training;
      const VectorXd f = loads.unit_load(load % loads.node_count(), load / loads.node_count());
      LoadPath::Workspace w(path);
      const MatrixXd c = path.follow(f, levels, w);
      for (Index t = 0; t < levels.size(); ++t) {
        const Index at = static_cast<Index>(i) * levels.size() + t;
        rho.col(at) = path.residual(f, levels[t], c.col(t), w) / c.col(t).norm();
        left[at] = rho.col(at).dot(solver.solve(rho.col(at)));
      }
    });
    residual.push_back(std::sqrt(left.mean()));
    if (n == most || residual.back() < options.tolerance) break;
    const Index before = n;
    n = correct(K, solver, std::move(rho), X, n, std::min(together, most - n));
    progress.advance(n - before);
    if (n == before) break;
  }
  progress.end();
  return X.leftCols(n);
}

MatrixXd answers(const LoadPath& path, const LoadSpace& loads, Progress& progress) {
  const Index nodes = loads.node_count(), cases = nodes * loads.directions.cols();
  const Index levels = loads.magnitudes.size();
  MatrixXd C(path.shapes().cols(), cases * levels);
  progress.begin("answers to loads", cases);
  constexpr std::size_t chunk = 8;
  parallel_chunks(static_cast<std::size_t>(cases), chunk, [&](std::size_t begin, std::size_t end) {
    LoadPath::Workspace w(path);
    for (std::size_t i = begin; i < end; ++i) {
      const auto load = static_cast<Index>(i);
      const MatrixXd c =
          path.follow(loads.unit_load(load % nodes, load / nodes), loads.magnitudes, w);
      for (Index t = 0; t < levels; ++t) C.col(t * cases + load) = c.col(t);
      progress.advance();
    }
  });
  progress.end();
  return C;
}

Vademecum bake_vademecum(const fem::ElasticModel& model, const fem::Constraints& constraints,
                         const LoadOptions& load_options, const VademecumOptions& options,
                         Progress& progress) {
  fem::require_held(model.mesh(), constraints);
  Vademecum out;
  out.loads = load_space(model.mesh(), constraints, load_options);
  const LoadSpace& loads = out.loads;
  const SparseMatrix K = constraints.reduce(model.tangent(VectorXd::Zero(model.dof())));
  const Cholesky solver(K);
  const Index most = std::min<Index>(options.shapes, K.rows());
  const bool linear = std::ranges::all_of(
      model.materials(), [](const fem::Material& m) { return m.law == fem::Law::linear; });
  // Half of the shapes for small loads: large deformations need about as many again.
  Pgd small = pgd(K, solver, loads,
                  {.tolerance = options.tolerance,
                   .max_terms = static_cast<int>(linear ? most : (most + 1) / 2)},
                  progress);
  std::vector<double> residual;
  MatrixXd X = small.X;
  if (!linear) {
    X = enriched(model, constraints, K, solver, loads, std::move(X), most, options, residual,
                 progress);
  }
  out.residual = Eigen::Map<const VectorXd>(residual.data(), std::ssize(residual));

  const LoadPath path(model, constraints, X, options.path);
  MatrixXd C = answers(path, loads, progress);
  // Answers of each magnitude count alike.
  const Index cases = loads.node_count() * loads.directions.cols(),
              levels = loads.magnitudes.size();
  VectorXd scale(levels);
  MatrixXd scaled = C;
  for (Index t = 0; t < levels; ++t) {
    scale[t] = 1 / C.middleCols(t * cases, cases).norm();
    scaled.middleCols(t * cases, cases) *= scale[t];
  }
  const MatrixXd V = compression(scaled, 0.1 * options.tolerance, static_cast<int>(most));
  C = (V.transpose() * C).eval();
  X = (X * V).eval();
  out.U = constraints.expand_directions(X);
  out.separation =
      separate(C, loads.node_count(), loads.directions.cols(), scale, loads.magnitudes[levels - 1],
               {.tolerance = options.tolerance, .max_terms = options.terms}, progress);

  progress.begin("points of the correction", 2);
  const Index r = X.cols(), samples = std::min<Index>(C.cols(), 96);
  MatrixXd configurations(r, samples);
  for (Index i = 0; i < samples; ++i)
    configurations.col(i) = C.col((2 * i + 1) * C.cols() / (2 * samples));
  if (!linear)
    out.hyper = train_hyper_forces(model, out.U, configurations, 3 * r);
  else
    out.hyper = {{VectorXi(0), VectorXd(0), MatrixXd(0, r)}, 0.0};
  progress.advance();
  out.gravity.resize(r, 3);
  for (int i = 0; i < 3; ++i) {
    out.gravity.col(i) = out.U.transpose() * fem::gravity_load(model, Vector3d::Unit(i));
  }
  out.mass = out.U.transpose() * fem::lumped_mass(model).asDiagonal() * out.U;

  // How good the predictor is: one load, and a third of it at each of three nodes.
  const LoadPath final_path(model, constraints, X, options.path);
  VectorXd single(trials), triple(trials);
  parallel_for(trials, 1, [&](std::size_t i) {
    Random random(1000 + i);
    LoadPath::Workspace w(final_path);
    VectorXd scratch(out.separation.weights.terms());
    const double t = loads.magnitudes[levels - 1] * random.uniform(0.05, 1);
    const Index e = random.below(static_cast<int>(loads.directions.cols()));
    const auto error = [&](int count) {
      VectorXd f = VectorXd::Zero(loads.free_size), c = VectorXd::Zero(r);
      for (int k = 0; k < count; ++k) {
        const Index s = random.below(static_cast<int>(loads.node_count()));
        f += loads.unit_load(s, e) / count;
        out.separation.weights.add(s, e, t / count, 1.0, scratch, c);
      }
      const VectorXd exact = final_path.follow(f, VectorXd::Constant(1, t), w).col(0);
      return (c - exact).norm() / exact.norm();
    };
    single[static_cast<Index>(i)] = error(1);
    triple[static_cast<Index>(i)] = error(3);
  });
  out.single_error = single.maxCoeff();
  out.triple_error = triple.maxCoeff();
  progress.end();
  return out;
}

void Vademecum::write(TensorWriter& out, const std::string& prefix) const {
  const SeparatedWeights& w = separation.weights;
  out.keep(prefix + "Z", MatrixXd(w.Z));
  out.keep(prefix + "Y", MatrixXd(w.Y));
  out.keep(prefix + "D", MatrixXd(w.D));
  out.keep(prefix + "T", MatrixXd(w.T));
  out.keep(prefix + "directions", MatrixXd(loads.directions));
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
