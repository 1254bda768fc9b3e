// SPDX-License-Identifier: MIT
// The equations of a surface of many nodes (boundary_entries.hpp), compressed and solved for many right
// sides at once by GMRES, each column for itself. It is preconditioned from the right by
//
//   M^-1 r = x_c + B (r - A x_c)      x_c = Z (Z^T A Z)^-1 Z^T r
//
//   B  inverses of the pieces of some hundred nodes each
//   Z  rigid motions of the free nodes of each piece, and uniform tractions of its held ones
//
// B takes what is local and Z what goes through the whole body, so that few iterations do, however
// many nodes there are.
#pragma once

#include <memory>

#include <Eigen/LU>

#include "pliant/green/bake/boundary_entries.hpp"
#include "pliant/green/bake/compressed_matrix.hpp"

namespace pliant {

class BoundarySolver {
 public:
  // `accuracy`: of the pieces of the matrix. Keeps a reference to the entries.
  BoundarySolver(const BoundaryEntries& entries, double accuracy,
                 Progress& progress = Progress::none());

  // X of A X = B, 3 #V rows in the order of the mesh, to a residual of `accuracy` of B's columns.
  // Throws Error if it does not come near.
  MatrixXd solve(const MatrixXd& B) const;

  const CompressedMatrix& matrix() const { return matrix_; }
  int iterations() const { return iterations_; }  // most of any solve so far

 private:
  struct Part {
    Index first, count;  // rows
    Eigen::PartialPivLU<Eigen::MatrixXf> inverse;
  };
  void make_parts(const BoundaryEntries& entries);
  void make_coarse(const BoundaryEntries& entries);
  void precondition(const Eigen::MatrixXf& R, Eigen::MatrixXf& X) const;
  void solve_batch(Eigen::MatrixXf& B) const;

  CompressedMatrix matrix_;
  double accuracy_;
  std::vector<Part> parts_;
  Eigen::MatrixXf Z_, AZ_;  // 3 #V by coarse
  std::unique_ptr<Eigen::PartialPivLU<MatrixXd>> coarse_;
  mutable int iterations_ = 0;
};

}  // namespace pliant
