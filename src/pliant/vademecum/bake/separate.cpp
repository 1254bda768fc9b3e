// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/separate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

struct Product {
  VectorXd Y, D, T;

  VectorXd all() const {
    VectorXd w(Y.size() * D.size() * T.size());
    Index at = 0;
    for (const double t : T) {
      for (const double d : D) {
        w.segment(at, Y.size()) = (t * d) * Y;
        at += Y.size();
      }
    }
    return w;
  }
};

// One round of alternating directions on v(s, e, t): each factor in turn, all of length one.
void improve(const VectorXd& v, Product& p) {
  const Index S = p.Y.size(), E = p.D.size(), N = p.T.size();
  const Eigen::Map<const MatrixXd> by_node(v.data(), S, E * N);
  const auto outer = [&](const VectorXd& D, const VectorXd& T) {
    VectorXd w(E * N);
    for (Index t = 0; t < N; ++t) w.segment(t * E, E) = T[t] * D;
    return w;
  };
  p.Y = (by_node * outer(p.D, p.T)).normalized();
  const VectorXd rest = by_node.transpose() * p.Y;  // E T
  const Eigen::Map<const MatrixXd> by_direction(rest.data(), E, N);
  p.D = (by_direction * p.T).normalized();
  p.T = (by_direction.transpose() * p.D).normalized();
}

}  // namespace

AnswerScale even_scale(const MatrixXd& C, Index nodes, Index directions) {
  const Index levels = C.cols() / (nodes * directions);
  AnswerScale scale{VectorXd::Ones(nodes), VectorXd::Ones(levels)};
  const VectorXd length = C.colwise().squaredNorm();
  for (int turn = 0; turn < 3; ++turn) {
    VectorXd of_level = VectorXd::Zero(levels), of_node = VectorXd::Zero(nodes);
    for (Index i = 0; i < C.cols(); ++i) {
      of_level[i / (nodes * directions)] += std::pow(scale.nodes[i % nodes], 2) * length[i];
    }
    scale.magnitudes = of_level.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    for (Index i = 0; i < C.cols(); ++i) {
      of_node[i % nodes] += std::pow(scale.magnitudes[i / (nodes * directions)], 2) * length[i];
    }
    scale.nodes = of_node.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  }
  return scale;
}

void apply_scale(const AnswerScale& scale, MatrixXd& C) {
  const Index nodes = scale.nodes.size(), level = C.cols() / scale.magnitudes.size();
  for (Index i = 0; i < C.cols(); ++i) {
    C.col(i) *= scale.nodes[i % nodes] * scale.magnitudes[i / level];
  }
}

Separation separate(const MatrixXd& C, Index directions, const AnswerScale& scale, double largest,
                    const SeparationOptions& options, Progress& progress) {
  const Index N = C.cols(), nodes = scale.nodes.size(), levels = scale.magnitudes.size();
  PLIANT_ASSERT(N == nodes * directions * levels, "an answer for each load");
  const Index most = std::min<Index>(options.max_terms, N);
  progress.begin("separated weights", most);
  MatrixXd scaled = C;
  apply_scale(scale, scaled);
  MatrixXd left = scaled;
  const double total = left.norm();
  std::vector<Product> products;
  std::vector<double> error{1.0};
  MatrixXd W(N, most), orthogonal(N, most);
  Index n = 0;
  while (n < most && error.back() > options.tolerance) {
    // The load that is served worst.
    Index worst = 0;
    left.colwise().squaredNorm().maxCoeff(&worst);
    VectorXd z = left.col(worst).normalized();
    Product p{VectorXd::Ones(nodes), VectorXd::Ones(directions), VectorXd::Ones(levels)};
    p.Y = VectorXd::Unit(nodes, worst % nodes);
    p.D = VectorXd::Unit(directions, worst / nodes % directions);
    for (int i = 0; i < options.max_iterations; ++i) {
      improve(left.transpose() * z, p);
      const VectorXd before = z;
      z = (left * p.all()).normalized();
      if (1 - std::abs(z.dot(before)) < options.turned) break;
    }
    VectorXd w = p.all(), o = w;
    for (int pass = 0; pass < 2; ++pass) {
      o -= orthogonal.leftCols(n) * (orthogonal.leftCols(n).transpose() * o);
    }
    if (!(o.norm() > 1e-9)) break;
    o.normalize();
    left -= (left * o) * o.transpose();
    W.col(n) = w;
    orthogonal.col(n++) = o;
    products.push_back(p);
    error.push_back(left.norm() / total);
    progress.advance();
  }
  // Z W^T = C, scaled, by least squares of all terms at once.
  const auto Q = orthogonal.leftCols(n);
  const MatrixXd R = Q.transpose() * W.leftCols(n);  // upper triangular
  const MatrixXd CQ = scaled * Q;
  Separation out;
  out.weights.Z = R.triangularView<Eigen::Upper>().solve(CQ.transpose()).transpose();
  out.weights.Y.resize(n, nodes);
  out.weights.D.resize(n, directions);
  out.weights.T.resize(n, levels);
  out.weights.largest = largest;
  for (Index k = 0; k < n; ++k) {
    const Product& p = products[static_cast<std::size_t>(k)];
    out.weights.Y.row(k) = p.Y.cwiseQuotient(scale.nodes);
    out.weights.D.row(k) = p.D;
    out.weights.T.row(k) = p.T.cwiseQuotient(scale.magnitudes);
  }
  out.error = Eigen::Map<const VectorXd>(error.data(), std::ssize(error));
  progress.end();
  return out;
}

}  // namespace pliant
