// SPDX-License-Identifier: MIT
// A matrix of 3 by 3 blocks of points whose entries are smooth where the points are far apart, kept in
// pieces (an H-matrix): those of clusters that touch or nearly so as they are, the others as products
//
//   A_IJ = U V^T     U: 3 #I by k, V: 3 #J by k
//
// found by adaptive cross approximation from few of their rows and columns (Bebendorf, Numer. Math. 86,
// 2000; Bebendorf and Rjasanow, Computing 70, 2003) and made as short as the accuracy allows by QR and
// SVD. Memory and products grow like n log n. A cross that seems done is tried on rows of all three
// components at other points: the blocks of a plane's points couple only some of them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/green/bake/cluster_tree.hpp"

namespace pliant {

class CompressedMatrix {
 public:
  // Entries of some points' rows and columns, 3 #rows by 3 #columns; from several threads at once.
  using Fill =
      std::function<void(std::span<const int> rows, std::span<const int> columns, MatrixXd& out)>;

  // `accuracy`: of the far pieces, relative. Single precision: 1e-6 at best.
  CompressedMatrix(const Matrix3Xd& X, const Fill& fill, double accuracy,
                   Progress& progress = Progress::none());

  const ClusterTree& tree() const { return tree_; }
  Index rows() const { return 3 * std::ssize(tree_.order); }
  double bytes() const;
  double mean_rank() const;  // k of the far pieces

  // Y = A X; the points in the order of the tree. The same bits for any number of threads.
  void multiply(const Eigen::MatrixXf& X, Eigen::MatrixXf& Y) const;

 private:
  struct Piece {
    int row, column;       // clusters
    Eigen::MatrixXf U, V;  // far; or
    Eigen::MatrixXf A;     // near
  };
  void list_pieces(int row, int column);

  ClusterTree tree_;
  std::vector<Piece> pieces_;
  std::vector<int> leaves_;
  std::vector<std::vector<int>> of_leaf_;  // pieces whose rows hold it, for each leaf
};

}  // namespace pliant
