// SPDX-License-Identifier: MIT
// Which displacements are free. All n = 3 #V displacements follow from m <= n free ones by
//
//   u = T z + u0
//
// where a row of T is a unit vector (a free node), zero (a fixed or prescribed node), or the mean
// of the rows of its parents (a hanging node): slaves are eliminated, there are no Lagrange
// multipliers. [Zhuang00] 3.3. Forces go the other way: f_z = T^T f; stiffness: K_z = T^T K T.
#pragma once

#include <span>
#include <vector>

#include "pliant/linalg/sparse.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::fem {

class Constraints {
 public:
  // Nothing fixed but the mesh's hanging nodes slaved.
  explicit Constraints(const VolumeMesh& mesh) : Constraints(mesh, {}) {}
  // All three displacements of `fixed` nodes are zero. Throws Error: a bad mesh, a node that does
  // not exist, or one that hangs (fix its parents).
  Constraints(const VolumeMesh& mesh, const std::vector<int>& fixed);

  Index full_size() const { return T_.rows(); }
  Index free_size() const { return T_.cols(); }
  const std::vector<int>& fixed_nodes() const { return fixed_; }

  // u0 at a fixed node: its prescribed displacement [m]. Throws Error if the node is not fixed or
  // the displacement not finite.
  void prescribe(int node, const Vector3d& displacement);

  void expand(const VectorXd& z, VectorXd& u) const;  // u = T z + u0
  VectorXd expand(const VectorXd& z) const;
  void expand_direction(const VectorXd& dz, VectorXd& du) const;  // T dz
  VectorXd expand_direction(const VectorXd& dz) const;
  MatrixXd expand_directions(const MatrixXd& dZ) const;        // T dZ
  void restrict_force(const VectorXd& f, VectorXd& fz) const;  // T^T f
  VectorXd restrict_force(const VectorXd& f) const;
  // Of each node: the place of its x displacement in z, -1 if it is held or hangs.
  std::vector<int> free_index() const;
  // The z nearest to u: the free nodes' displacements.
  VectorXd free_part(const VectorXd& u) const;

  // T^T K T for matrices of one pattern (that of the first call), by a map of entries made once.
  // K: n by n, both triangles. The result has both triangles.
  class Reducer {
   public:
    Reducer(const Constraints& constraints, const SparseMatrix& pattern);
    const SparseMatrix& reduce(const SparseMatrix& K);

   private:
    struct Term {
      int from;       // entry of K
      double weight;  // product of two entries of T
    };
    SparseMatrix reduced_;
    std::vector<int> first_;  // terms of each entry of reduced_
    std::vector<Term> terms_;
  };
  SparseMatrix reduce(const SparseMatrix& K) const;

 private:
  Eigen::SparseMatrix<double, Eigen::RowMajor> T_;
  std::vector<int> fixed_;
  std::vector<HangingNode> hanging_;
  std::vector<int> free_row_;  // of each z: the row of T that is its unit vector
  VectorXd u0_;
};

}  // namespace pliant::fem
