// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/domains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <queue>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr double far = std::numeric_limits<double>::infinity();

// Pairs of samples nearer than `reach`, and whether the body fills the line between them.
struct Pair {
  int a, b;
  double apart;
  bool joined;
};

std::vector<Pair> near_pairs(const ExactDistances& body, const Pointshell& samples, double reach) {
  std::vector<Pair> pairs;
  for (int a = 0; a < samples.X.cols(); ++a) {
    for (int b = 0; b < a; ++b) {
      const double apart = (samples.X.col(a) - samples.X.col(b)).norm();
      if (apart <= reach) pairs.push_back({a, b, apart, true});
    }
  }
  const double enough = 0.25 * samples.evenness.back().mean;
  for (const double t : {0.25, 0.5, 0.75}) {
    Matrix3Xd P(3, static_cast<Index>(pairs.size()));
    for (Index k = 0; k < P.cols(); ++k) {
      const Pair& pair = pairs[static_cast<std::size_t>(k)];
      P.col(k) = (1 - t) * samples.X.col(pair.a) + t * samples.X.col(pair.b);
    }
    const VectorXd d = body(P);
    for (Index k = 0; k < P.cols(); ++k) pairs[static_cast<std::size_t>(k)].joined &= d[k] < enough;
  }
  return pairs;
}

// Ways along the neighbours from a sample to all.
VectorXd ways_from(int start, const Pointshell& samples,
                   const std::vector<std::vector<int>>& next) {
  VectorXd way = VectorXd::Constant(samples.X.cols(), far);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  way[start] = 0;
  open.emplace(0.0, start);
  while (!open.empty()) {
    const auto [d, s] = open.top();
    open.pop();
    if (d > way[s]) continue;
    for (const int o : next[static_cast<std::size_t>(s)]) {
      const double longer = d + (samples.X.col(s) - samples.X.col(o)).norm();
      if (longer < way[o]) {
        way[o] = longer;
        open.emplace(longer, o);
      }
    }
  }
  return way;
}

double nearest(const Matrix3Xd& P, const Vector3d& x) {
  return P.cols() == 0 ? far : std::sqrt((P.colwise() - x).colwise().squaredNorm().minCoeff());
}

}  // namespace

Domains choose_domains(const ExactDistances& body, const Pointshell& samples,
                       const DomainOptions& options) {
  const Index count = samples.X.cols();
  if (count < 8) {
    throw Error({"", 0, "domains"}, "too few samples", std::to_string(count), "at least 8");
  }
  const double size = bounds(samples.X).sizes().maxCoeff();
  const double spacing = samples.evenness.back().mean;
  const std::vector<Pair> pairs =
      near_pairs(body, samples, std::max(options.near * size, 2.2 * spacing));
  std::vector<std::vector<int>> next(static_cast<std::size_t>(count));
  for (const Pair& pair : pairs) {
    if (!pair.joined || pair.apart > 2.2 * spacing) continue;
    next[static_cast<std::size_t>(pair.a)].push_back(pair.b);
    next[static_cast<std::size_t>(pair.b)].push_back(pair.a);
  }
  MatrixXd ways(count, count);
  parallel_for(static_cast<std::size_t>(count), 8, [&](std::size_t s) {
    ways.col(static_cast<Index>(s)) = ways_from(static_cast<int>(s), samples, next);
  });
  Domains domains;
  std::vector<int> seeds;
  for (;;) {
    // The first seed is the end of the longest way, each other the farthest from all before it.
    if (seeds.empty()) {
      Index start = 0;
      ways.col(0).unaryExpr([](double d) { return std::isfinite(d) ? d : -1.0; }).maxCoeff(&start);
      seeds.push_back(static_cast<int>(start));
    } else {
      VectorXd apart = VectorXd::Constant(count, far);
      for (const int s : seeds) apart = apart.cwiseMin(ways.col(s));
      Index start = 0;
      apart.maxCoeff(&start);
      seeds.push_back(static_cast<int>(start));
    }
    domains.of_sample = VectorXi::Zero(count);
    for (Index s = 0; s < count; ++s) {
      for (std::size_t k = 1; k < seeds.size(); ++k) {
        if (ways(s, seeds[k]) < ways(s, seeds[static_cast<std::size_t>(domains.of_sample[s])])) {
          domains.of_sample[s] = static_cast<int>(k);
        }
      }
    }
    Eigen::Array<bool, Eigen::Dynamic, 1> mirrors(count);
    mirrors.setConstant(false);
    for (const Pair& pair : pairs) {
      if (pair.joined || domains.of_sample[pair.a] != domains.of_sample[pair.b] ||
          ways(pair.a, pair.b) <= options.detour * std::max(pair.apart, spacing))
        continue;
      mirrors[pair.a] = mirrors[pair.b] = true;
    }
    domains.mirrored = static_cast<double>(mirrors.count()) / static_cast<double>(count);
    if (domains.mirrored < 0.01 || static_cast<int>(seeds.size()) >= options.most) break;
  }
  if (seeds.size() == 1) {
    domains.distances = {body};
    return domains;
  }
  for (int k = 0; k < static_cast<int>(seeds.size()); ++k) {
    std::vector<Index> own, others;
    for (Index s = 0; s < count; ++s) {
      double way = far;
      for (Index o = 0; o < count; ++o) {
        if (domains.of_sample[o] == k) way = std::min(way, ways(s, o));
      }
      (way <= options.overlap * size ? own : others).push_back(s);
    }
    const auto mine = std::make_shared<Matrix3Xd>(samples.X(Eigen::all, own));
    const auto theirs = std::make_shared<Matrix3Xd>(samples.X(Eigen::all, others));
    domains.distances.push_back([body, mine, theirs](const Matrix3Xd& P) {
      VectorXd d = body(P);
      parallel_for(static_cast<std::size_t>(P.cols()), 256, [&](std::size_t at) {
        const auto p = static_cast<Index>(at);
        const double others = nearest(*theirs, P.col(p));
        if (others < far) d[p] = std::max(d[p], (nearest(*mine, P.col(p)) - others) / 2);
      });
      return d;
    });
  }
  return domains;
}

}  // namespace pliant
