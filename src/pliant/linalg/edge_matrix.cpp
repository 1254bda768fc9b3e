// SPDX-License-Identifier: MIT
#include "pliant/linalg/edge_matrix.hpp"

#include <string>

#include <Eigen/Cholesky>

#include "pliant/base/error.hpp"

namespace pliant {

EdgeMatrix::EdgeMatrix(const SparseMatrix& A) {
  if (A.rows() % 3 != 0 || A.rows() != A.cols()) {
    throw Error({"", 0, "matrix"}, "not of nodes with three numbers each", std::to_string(A.rows()),
                "a square one of a multiple of three");
  }
  nodes_.assign(static_cast<std::size_t>(A.rows() / 3), Matrix3d::Zero());
  for (Index node = 0; node < A.rows() / 3; ++node) {
    // The blocks below the diagonal in this column of blocks.
    std::vector<std::pair<int, Matrix3d>> below;
    for (int c = 0; c < 3; ++c) {
      for (SparseMatrix::InnerIterator it(A, 3 * node + c); it; ++it) {
        const auto row = static_cast<Index>(it.row());
        if (row < 3 * node + c) continue;
        if (row / 3 == node) {
          Matrix3d& own = nodes_[static_cast<std::size_t>(node)];
          own(row % 3, c) = own(c, row % 3) = it.value();
          continue;
        }
        const auto other = static_cast<int>(row / 3);
        auto at = below.begin();
        while (at != below.end() && at->first != other) ++at;
        if (at == below.end()) {
          below.emplace_back(other, Matrix3d::Zero());
          at = below.end() - 1;
        }
        at->second(row % 3, c) = it.value();
      }
    }
    for (const auto& [other, block] : below)
      edges_.push_back({other, static_cast<int>(node), block});
  }
}

void EdgeMatrix::multiply(const VectorXd& x, VectorXd& y) const {
  y.resize(rows());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto at = 3 * static_cast<Index>(i);
    y.segment<3>(at).noalias() = nodes_[i] * x.segment<3>(at);
  }
  for (const Edge& e : edges_) {
    const Index a = 3 * Index{e.a}, b = 3 * Index{e.b};
    y.segment<3>(a).noalias() += e.block * x.segment<3>(b);
    y.segment<3>(b).noalias() += e.block.transpose() * x.segment<3>(a);
  }
}

LinearOperator EdgeMatrix::product() const {
  return [this](const VectorXd& x, VectorXd& y) { multiply(x, y); };
}

LinearOperator EdgeMatrix::block_jacobi() const {
  std::vector<Matrix3d> inverses;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Eigen::LLT<Matrix3d> factor(nodes_[i]);
    if (factor.info() != Eigen::Success) {
      throw Error({"", 0, "matrix"}, "the block of a node is not positive", std::to_string(i),
                  "a matrix that is positive definite");
    }
    inverses.push_back(factor.solve(Matrix3d::Identity()));
  }
  return [inverses](const VectorXd& r, VectorXd& z) {
    z.resize(r.size());
    for (std::size_t i = 0; i < inverses.size(); ++i) {
      const auto at = 3 * static_cast<Index>(i);
      z.segment<3>(at).noalias() = inverses[i] * r.segment<3>(at);
    }
  };
}

}  // namespace pliant
