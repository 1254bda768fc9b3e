// SPDX-License-Identifier: MIT
#include "pliant/green/bake/compressed_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/base/parallel.hpp"
#include "pliant/linalg/dense_eigen.hpp"
#include "pliant/linalg/thin_qr.hpp"

namespace pliant {
namespace {

constexpr int leaf_points = 32;
constexpr double eta = 1.5;
constexpr int trials = 3;  // points whose rows a cross is tried on

// Rows and columns of one piece, three at a time, kept as they were asked for.
class Slices {
 public:
  Slices(const CompressedMatrix::Fill& fill, std::span<const int> rows,
         std::span<const int> columns)
      : fill_(fill), rows_(rows), columns_(columns) {}

  // 3 #columns, of row i.
  VectorXd row(Index i) {
    MatrixXd& own = found_rows_[i / 3];
    if (own.size() == 0) fill_(rows_.subspan(static_cast<std::size_t>(i / 3), 1), columns_, own);
    return own.row(i % 3).transpose();
  }
  VectorXd column(Index j) {
    MatrixXd& own = found_columns_[j / 3];
    if (own.size() == 0) fill_(rows_, columns_.subspan(static_cast<std::size_t>(j / 3), 1), own);
    return own.col(j % 3);
  }

 private:
  const CompressedMatrix::Fill& fill_;
  std::span<const int> rows_, columns_;
  std::map<Index, MatrixXd> found_rows_, found_columns_;
};

struct Cross {
  MatrixXd U, V;
  Index k = 0;

  void append(const VectorXd& u, const VectorXd& v) {
    if (k == U.cols()) {
      U.conservativeResize(Eigen::NoChange, 2 * k + 8);
      V.conservativeResize(Eigen::NoChange, 2 * k + 8);
    }
    U.col(k) = u;
    V.col(k++) = v;
  }
  VectorXd row_left(Slices& slices, Index i) const {
    return slices.row(i) - V.leftCols(k) * U.row(i).head(k).transpose();
  }
  VectorXd column_left(Slices& slices, Index j) const {
    return slices.column(j) - U.leftCols(k) * V.row(j).head(k).transpose();
  }
};

// U V^T to the accuracy, as short as that is.
void shorten(double accuracy, const Cross& cross, Eigen::MatrixXf& U, Eigen::MatrixXf& V) {
  const ThinQr u = thin_qr(cross.U.leftCols(cross.k)), v = thin_qr(cross.V.leftCols(cross.k));
  const ThinSvd svd = thin_svd(u.R * v.R.transpose());
  const VectorXd& s = svd.values;
  Index kept = 0;
  double rest = s.squaredNorm();
  const double allowed = accuracy * accuracy * rest;
  while (kept < s.size() && rest > allowed) rest -= s[kept] * s[kept], ++kept;
  U = (u.Q * svd.U.leftCols(kept) * s.head(kept).asDiagonal()).cast<float>();
  V = (v.Q * svd.V.leftCols(kept)).cast<float>();
}

void approximate(const CompressedMatrix::Fill& fill, double accuracy, std::span<const int> rows,
                 std::span<const int> columns, Eigen::MatrixXf& U, Eigen::MatrixXf& V) {
  Slices slices(fill, rows, columns);
  const Index m = 3 * std::ssize(rows), n = 3 * std::ssize(columns);
  Cross cross{MatrixXd(m, 0), MatrixXd(n, 0)};
  std::vector<char> used(static_cast<std::size_t>(m));
  double square = 0;  // of the norm of U V^T
  Index i = 0;
  int tried = 0, small = 0;
  const Index most = std::min(m, n);
  while (cross.k < most) {
    used[static_cast<std::size_t>(i)] = 1;
    const VectorXd v = cross.row_left(slices, i);
    Index j = 0;
    const double pivot = v.cwiseAbs().maxCoeff(&j);
    bool done = true;
    Index next = -1;
    if (pivot > 0) {
      const VectorXd u = cross.column_left(slices, j) / v[j];
      const double size = u.norm() * v.norm();
      // The product of what is new with all before.
      square += size * size + 2 * (cross.U.leftCols(cross.k).transpose() * u)
                                      .dot(cross.V.leftCols(cross.k).transpose() * v);
      cross.append(u, v);
      done = size <= 0.3 * accuracy * std::sqrt(std::max(square, 0.0));
      double largest = 0;
      for (Index r = 0; r < m; ++r) {
        if (used[static_cast<std::size_t>(r)] != 0 || !(std::abs(u[r]) > largest)) continue;
        largest = std::abs(u[r]);
        next = r;
      }
    }
    small = done ? small + 1 : 0;
    if (done && (small > 1 || next < 0)) {
      // Rows of all components elsewhere.
      next = -1;
      while (tried < 3 * trials && next < 0) {
        const Index point = (2 * (tried / 3) + 1) * std::ssize(rows) / (2 * trials);
        const Index r = 3 * point + tried % 3;
        ++tried;
        if (used[static_cast<std::size_t>(r)] != 0) continue;
        const double left = cross.row_left(slices, r).norm() * std::sqrt(static_cast<double>(m));
        if (left > accuracy * std::sqrt(std::max(square, 0.0))) next = r;
      }
      if (next < 0) break;
      small = 0;
    }
    if (next < 0) break;
    i = next;
  }
  shorten(accuracy, cross, U, V);
}

}  // namespace

CompressedMatrix::CompressedMatrix(const Matrix3Xd& X, const Fill& fill, double accuracy,
                                   Progress& progress)
    : tree_(cluster_tree(X, leaf_points)) {
  list_pieces(0, 0);
  const int batch = 512;
  progress.begin("pieces of the boundary's equations",
                 static_cast<int>((pieces_.size() + batch - 1) / batch));
  for (std::size_t first = 0; first < pieces_.size(); first += batch) {
    const std::size_t count = std::min<std::size_t>(batch, pieces_.size() - first);
    parallel_for(count, 1, [&](std::size_t k) {
      Piece& piece = pieces_[first + k];
      const Cluster& row = tree_.clusters[static_cast<std::size_t>(piece.row)];
      const Cluster& column = tree_.clusters[static_cast<std::size_t>(piece.column)];
      if (far_apart(row, column, eta)) {
        approximate(fill, accuracy, tree_.points(row), tree_.points(column), piece.U, piece.V);
      } else {
        MatrixXd A;
        fill(tree_.points(row), tree_.points(column), A);
        piece.A = A.cast<float>();
      }
    });
    progress.advance();
  }
  progress.end();
  for (std::size_t c = 0; c < tree_.clusters.size(); ++c) {
    if (tree_.clusters[c].leaf()) leaves_.push_back(static_cast<int>(c));
  }
  std::ranges::sort(leaves_, {},
                    [&](int c) { return tree_.clusters[static_cast<std::size_t>(c)].first; });
  of_leaf_.resize(leaves_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const Cluster& row = tree_.clusters[static_cast<std::size_t>(pieces_[p].row)];
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
      const Cluster& leaf = tree_.clusters[static_cast<std::size_t>(leaves_[l])];
      if (leaf.first >= row.first && leaf.last <= row.last) {
        of_leaf_[l].push_back(static_cast<int>(p));
      }
    }
  }
}

void CompressedMatrix::list_pieces(int row, int column) {
  const Cluster a = tree_.clusters[static_cast<std::size_t>(row)];
  const Cluster b = tree_.clusters[static_cast<std::size_t>(column)];
  if (far_apart(a, b, eta) || (a.leaf() && b.leaf())) {
    pieces_.push_back({row, column, {}, {}, {}});
    return;
  }
  const auto parts = [](const Cluster& c, int self) {
    return c.leaf() ? std::vector<int>{self} : std::vector<int>{c.left, c.right};
  };
  for (const int r : parts(a, row)) {
    for (const int c : parts(b, column)) list_pieces(r, c);
  }
}

double CompressedMatrix::bytes() const {
  double numbers = 0;
  for (const Piece& p : pieces_) {
    numbers += static_cast<double>(p.U.size() + p.V.size() + p.A.size());
  }
  return 4 * numbers;
}

double CompressedMatrix::mean_rank() const {
  double sum = 0, count = 0;
  for (const Piece& p : pieces_) {
    if (p.A.size() > 0) continue;
    sum += static_cast<double>(p.U.cols());
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

void CompressedMatrix::multiply(const Eigen::MatrixXf& X, Eigen::MatrixXf& Y) const {
  const auto range = [&](int cluster) {
    const Cluster& c = tree_.clusters[static_cast<std::size_t>(cluster)];
    return std::pair<Index, Index>(3 * c.first, 3 * c.size());
  };
  std::vector<Eigen::MatrixXf> along(pieces_.size());  // V^T X
  parallel_for(pieces_.size(), 16, [&](std::size_t p) {
    const Piece& piece = pieces_[p];
    if (piece.A.size() > 0) return;
    const auto [first, count] = range(piece.column);
    along[p].noalias() = piece.V.transpose() * X.middleRows(first, count);
  });
  Y.resize(rows(), X.cols());
  parallel_for(leaves_.size(), 1, [&](std::size_t l) {
    const auto [first, count] = range(leaves_[l]);
    auto out = Y.middleRows(first, count);
    out.setZero();
    for (const int p : of_leaf_[l]) {
      const Piece& piece = pieces_[static_cast<std::size_t>(p)];
      const Index within = first - range(piece.row).first;
      if (piece.A.size() > 0) {
        const auto [column, columns] = range(piece.column);
        out.noalias() += piece.A.middleRows(within, count) * X.middleRows(column, columns);
      } else {
        out.noalias() += piece.U.middleRows(within, count) * along[static_cast<std::size_t>(p)];
      }
    }
  });
}

}  // namespace pliant
