// SPDX-License-Identifier: MIT
#include "pliant/fem/constraints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant::fem {

Constraints::Constraints(const VolumeMesh& mesh, const std::vector<int>& fixed)
    : fixed_(fixed), hanging_(mesh.hanging), u0_(VectorXd::Zero(3 * mesh.vertex_count())) {
  validate(mesh);
  enum class Kind : char { free, fixed, hanging };
  const int n = mesh.vertex_count();
  std::vector<Kind> kind(static_cast<std::size_t>(n), Kind::free);
  for (const HangingNode& h : mesh.hanging) kind[static_cast<std::size_t>(h.node)] = Kind::hanging;

  std::sort(fixed_.begin(), fixed_.end());
  fixed_.erase(std::unique(fixed_.begin(), fixed_.end()), fixed_.end());
  for (const int node : fixed_) {
    const std::string item = "fixed node " + std::to_string(node);
    if (node < 0 || node >= n) {
      throw Error({"", 0, item}, "it does not exist", std::to_string(node),
                  fmt::format("0 to {}", n - 1));
    }
    if (kind[static_cast<std::size_t>(node)] == Kind::hanging) {
      throw Error({"", 0, item}, "it hangs between others: fix those instead");
    }
    kind[static_cast<std::size_t>(node)] = Kind::fixed;
  }

  std::vector<int> column(static_cast<std::size_t>(n), -1);  // of a free node's x displacement
  int columns = 0;
  for (int v = 0; v < n; ++v) {
    if (kind[static_cast<std::size_t>(v)] != Kind::free) continue;
    column[static_cast<std::size_t>(v)] = columns;
    for (int i = 0; i < 3; ++i) free_row_.push_back(3 * v + i);
    columns += 3;
  }
  std::vector<Triplet> entries;
  const auto add = [&](int row_node, int parent, double weight) {
    const int c = column[static_cast<std::size_t>(parent)];
    for (int i = 0; c >= 0 && i < 3; ++i) entries.emplace_back(3 * row_node + i, c + i, weight);
  };
  for (int v = 0; v < n; ++v) {
    if (kind[static_cast<std::size_t>(v)] == Kind::free) add(v, v, 1.0);
  }
  for (const HangingNode& h : mesh.hanging) {
    for (int p = 0; p < h.count; ++p) {
      const int parent = h.parents[static_cast<std::size_t>(p)];
      add(h.node, parent, 1.0 / h.count);
    }
  }
  T_.resize(3 * n, columns);
  T_.setFromTriplets(entries.begin(), entries.end());
}

void Constraints::prescribe(int node, const Vector3d& displacement) {
  if (!std::binary_search(fixed_.begin(), fixed_.end(), node)) {
    throw Error({"", 0, "node " + std::to_string(node)},
                "a displacement can be prescribed at a fixed node only");
  }
  if (!displacement.allFinite()) {
    throw Error({"", 0, "node " + std::to_string(node)}, "a prescribed displacement is not finite",
                fmt::format("{:g} {:g} {:g}", displacement[0], displacement[1], displacement[2]));
  }
  u0_.segment<3>(3 * node) = displacement;
  for (const HangingNode& h : hanging_) {
    Vector3d mean = Vector3d::Zero();
    for (int p = 0; p < h.count; ++p) {
      mean += u0_.segment<3>(3 * h.parents[static_cast<std::size_t>(p)]) / h.count;
    }
    u0_.segment<3>(3 * h.node) = mean;
  }
}

void Constraints::expand(const VectorXd& z, VectorXd& u) const {
  u.noalias() = T_ * z;
  u += u0_;
}

VectorXd Constraints::expand(const VectorXd& z) const {
  return T_ * z + u0_;
}
void Constraints::expand_direction(const VectorXd& dz, VectorXd& du) const {
  du.noalias() = T_ * dz;
}
VectorXd Constraints::expand_direction(const VectorXd& dz) const {
  return T_ * dz;
}
MatrixXd Constraints::expand_directions(const MatrixXd& dZ) const {
  return T_ * dZ;
}

void Constraints::restrict_force(const VectorXd& f, VectorXd& fz) const {
  fz.noalias() = T_.transpose() * f;
}

VectorXd Constraints::restrict_force(const VectorXd& f) const {
  return T_.transpose() * f;
}

std::vector<int> Constraints::free_index() const {
  std::vector<int> index(static_cast<std::size_t>(full_size() / 3), -1);
  for (std::size_t k = 0; k < free_row_.size(); k += 3) {
    index[static_cast<std::size_t>(free_row_[k] / 3)] = static_cast<int>(k);
  }
  return index;
}

VectorXd Constraints::free_part(const VectorXd& u) const {
  return u(free_row_);
}

// Entry (r, c) of T^T K T is the sum over k, l of T(k, r) K(k, l) T(l, c). The terms are listed
// once, ordered by the entry that they go to.
Constraints::Reducer::Reducer(const Constraints& constraints, const SparseMatrix& pattern) {
  const auto& T = constraints.T_;
  struct Contribution {
    std::int64_t key;  // column-major place in the reduced matrix
    Term term;
  };
  const std::int64_t m = T.cols();
  std::vector<Contribution> contributions;
  contributions.reserve(static_cast<std::size_t>(pattern.nonZeros()));
  using Row = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  for (int l = 0; l < pattern.outerSize(); ++l) {
    for (int at = pattern.outerIndexPtr()[l]; at < pattern.outerIndexPtr()[l + 1]; ++at) {
      const int k = pattern.innerIndexPtr()[at];
      for (Row c(T, l); c; ++c) {
        for (Row r(T, k); r; ++r) {
          contributions.push_back({c.col() * m + r.col(), {at, r.value() * c.value()}});
        }
      }
    }
  }
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const Contribution& a, const Contribution& b) { return a.key < b.key; });

  reduced_.resize(m, m);
  std::vector<int> inner;
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const std::int64_t key = contributions[i].key;
    if (i == 0 || key != contributions[i - 1].key) {
      first_.push_back(static_cast<int>(i));
      inner.push_back(static_cast<int>(key % m));
      ++reduced_.outerIndexPtr()[key / m + 1];
    }
    terms_.push_back(contributions[i].term);
  }
  first_.push_back(static_cast<int>(terms_.size()));
  for (int c = 0; c < m; ++c) reduced_.outerIndexPtr()[c + 1] += reduced_.outerIndexPtr()[c];
  reduced_.resizeNonZeros(static_cast<Index>(inner.size()));
  std::copy(inner.begin(), inner.end(), reduced_.innerIndexPtr());
}

const SparseMatrix& Constraints::Reducer::reduce(const SparseMatrix& K) {
  const double* from = K.valuePtr();
  double* to = reduced_.valuePtr();
  parallel_for(first_.size() - 1, 4096, [&](std::size_t entry) {
    double sum = 0.0;
    for (int t = first_[entry]; t < first_[entry + 1]; ++t) {
      const Term& term = terms_[static_cast<std::size_t>(t)];
      sum += term.weight * from[term.from];
    }
    to[entry] = sum;
  });
  return reduced_;
}

SparseMatrix Constraints::reduce(const SparseMatrix& K) const {
  return Reducer(*this, K).reduce(K);
}

}  // namespace pliant::fem
