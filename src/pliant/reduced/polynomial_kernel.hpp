// SPDX-License-Identifier: MIT
// Gradient and Hessian of a polynomial of degree four in r variables,
//
//   V(q) = sum a_ij q_i q_j + sum b_ijk q_i q_j q_k + sum c_ijkl q_i q_j q_k q_l
//
//          i <= j <= k <= l
//
// by contraction from the last index on, so that each of the r^4 / 24 coefficients c is read once
// and serves its six entries of the Hessian by three multiplications:
//
//   S^k_ij = b_ijk + sum_l c_ijkl q_l + sum_h c_ijhk q_h      (l >= k, j <= h <= k; i <= j <= k)
//   f_kl   = sum_ij c_ijkl q_i q_j
//   D_ij   = a_ij + sum_k q_k (b_ijk + S^k_ij) / 2
//   z^k_i  = sum_j S^k_ij q_j + sum_j S^k_ji q_j      (the gradient of S^k: i = j counts twice)
//
//   dV/dq_k        = sum_j D_kj q_j + sum_j D_jk q_j + 1/2 sum_i q_i z^k_i
//   d2V/dq_i dq_k  = D_ik + z^k_i + f_ik  for i < k,  twice that for i = k
//   V              = sum_ij D_ij q_i q_j
//
// The loops run over the packed pairs (i, j), which are long and contiguous; two k and two l are
// taken together, so that sums stay in registers. T is the type of b, c and of their sums.
#pragma once

#include <vector>

#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant {

using Eigen::VectorX;

// From derivatives at zero (energy_polynomial.hpp) to a, b, c: a_ii = V2_ii / 2, a_ij = V2_ij, and
// so on, each divided by the factorials of how often an index occurs.
void to_coefficients(EnergyPolynomial& V, Index r) noexcept;

template <class T>
class PolynomialKernel {
 public:
  explicit PolynomialKernel(Index r);  // all coefficients are zero

  // The polynomial sum_p weights_p parts_p; parts as to_coefficients() gives them.
  void assign(const std::vector<EnergyPolynomial>& parts, const VectorXd& weights) noexcept;

  // Of one thread.
  struct Scratch {
    explicit Scratch(const PolynomialKernel& kernel);
    VectorX<T> q, x, S, D, f, z, dots;
    VectorXd q_double, total, values, z_double, dots_double;
  };
  // q: r' <= r of them, the others are zero. R: r', K: r' by r'.
  void evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R, Eigen::Ref<MatrixXd> K,
                Scratch& scratch) const noexcept;
  double energy(const Eigen::Ref<const VectorXd>& q, Scratch& scratch) const noexcept;

 private:
  // Variables are grouped by two, such that the last group is full: group g has the variables
  // first(g) and first(g) + 1, of which first(0) may be -1, whose coefficients are zero.
  Index first(Index g) const { return 2 * g - odd_; }
  Index groups(Index variables) const { return (variables + odd_ + 1) / 2; }
  // Where the numbers of a group are.
  struct Layout {
    Index slice;   // length of a slice S^k, b^k or c^kl of it: pairs (i, j), filled up with zeros
    Index slices;  // where its two slices begin, in S and in b_
    Index blocks;  // where the blocks with l in it begin, in c_
  };
  const Layout& layout(Index g) const { return layout_[static_cast<std::size_t>(g)]; }

  void contract(const Eigen::Ref<const VectorXd>& q, Scratch& scratch) const noexcept;
  const T* contract_block(Index g, Index h, const T* c, const T* from,
                          Scratch& scratch) const noexcept;
  void contract_corner(Index g, const T* c, Scratch& scratch) const noexcept;
  void finish_group(Index g, Index r, Scratch& scratch) const noexcept;
  T* f_row(Scratch& scratch, Index l) const { return scratch.f.data() + (l + 1) * (r_ + 2) + 1; }
  T* z_row(VectorX<T>& rows, Index k) const { return rows.data() + k * z_stride_; }

  Index r_, odd_, z_stride_;
  std::vector<Layout> layout_;
  VectorXd a_;    // pairs
  VectorX<T> b_;  // slices, as S
  // Blocks of groups g <= h, g faster; in each the slices (k, l) are interleaved by packs: four of
  // them, or three if g = h.
  VectorX<T> c_;
};

extern template class PolynomialKernel<float>;
extern template class PolynomialKernel<double>;

}  // namespace pliant
