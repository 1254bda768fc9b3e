// SPDX-License-Identifier: MIT
// An elastic body: a volume mesh with a material for each region, and from it the elastic energy
// V(u), the internal force R(u) = dV/du and the tangent stiffness K(u) = dR/du. [Barbic07] 2.3
//
//   u   3 #V, nodal displacements [m], in the order of VolumeMesh::V
//   M u'' + D u' + R(u) = f           (R balances the external force f: it pulls back with -R)
//
// Elements are sorted along a space-filling curve and cut into chunks of batches; chunks that share
// a node have different colours, and colours follow one another. So the sums are made in an order
// that does not depend on the number of threads, and no two threads write to the same node.
#pragma once

#include <memory>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/fem/material.hpp"
#include "pliant/linalg/sparse.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant::fem {

// One: the caller's thread alone, without allocating: for real-time steps. Many: all of
// base/parallel.hpp. Both give the same bits.
enum class Threads { one, many };

class ElasticModel {
 public:
  // `materials`: one for all, or one a region of the mesh. Throws Error: an inverted or flat
  // element, an element that uses a node that is not there or one twice, coordinates that are not
  // finite, a region without material, a material without mass or with constants missing.
  ElasticModel(VolumeMesh mesh, std::vector<Material> materials);
  ~ElasticModel();
  ElasticModel(ElasticModel&&) noexcept;
  ElasticModel& operator=(ElasticModel&&) noexcept;

  const VolumeMesh& mesh() const;
  const std::vector<Material>& materials() const;
  const Material& material_of(int element) const;
  Index dof() const { return 3 * static_cast<Index>(mesh().vertex_count()); }
  bool is_voxel_mesh() const;  // equal axis-aligned boxes

  // Infinite where a law has no energy (an inverted neo-Hookean element).
  double energy(const VectorXd& u) const;
  // Not finite where the energy is infinite. The vectors must have the right size: nothing is
  // allocated.
  void force(const VectorXd& u, VectorXd& R, Threads threads = Threads::many) const;
  // K must have the pattern of tangent_pattern(); its values are overwritten.
  void force_and_tangent(const VectorXd& u, VectorXd& R, SparseMatrix& K,
                         Threads threads = Threads::many) const;

  // Strain-rate damping, [Barbic07] 2.7 (see docs/errata.md): the matrix D(u) of the viscous force
  // f = D(u) v whose stress is phi tr(E') I + 2 psi E', phi and psi in Pa s. D as K above.
  void strain_rate_damping(const VectorXd& u, double phi, double psi, SparseMatrix& D,
                           Threads threads = Threads::many) const;

  // The Hessian stiffness tensor at rest contracted with all pairs of the columns of A (n by k):
  // (H : a_i) a_j for i <= j, the pairs ordered (0,0) (0,1) .. (0,k-1) (1,1) ..; n by k (k+1) / 2.
  // [Barbic07] (2.48)-(2.50)
  MatrixXd hessian_products(const MatrixXd& A) const;

  // The symmetric pattern of K, both triangles, with values zero: 3 x 3 blocks of nodes that share
  // an element.
  SparseMatrix tangent_pattern() const;
  SparseMatrix tangent(const VectorXd& u) const;
  VectorXd force(const VectorXd& u) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant::fem
