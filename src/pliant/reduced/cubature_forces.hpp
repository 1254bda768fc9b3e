// SPDX-License-Identifier: MIT
// Reduced internal forces and stiffness of any material, by cubature: instead of all elements, a
// few points p of the body with positive weights. [An08]
//
//   F_p = I + G_p q                                  deformation gradient at the point
//   V = sum_p w_p psi(F_p)                           [J]
//   R = sum_p w_p G_p^T P(F_p)                       P = d psi / dF
//   K = sum_p w_p G_p^T A(F_p) G_p                   A = dP / dF
//
//   G_p   9 by r: gradient of the basis at the point, row 3 i + J: d u_i / d X_J
//   w_p   m^3
//
// R is the gradient of V, and K of R, whatever the points and weights; how near they are to those
// of the body is a matter of the bake (bake/cubature.hpp). The cost is O(r^2) a point. Four points
// are a batch, one a lane. Where a law has no energy (an inverted neo-Hookean point) the energy is
// infinite and R and K are not finite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/fem/point_law.hpp"

namespace pliant {

class TensorView;
class TensorWriter;

struct CubaturePoints {
  std::vector<fem::Material> materials;
  VectorXi material;   // of each point
  VectorXd weights;    // of each point, >= 0 [m^3]
  MatrixXd gradients;  // 9 #points by r: G of point p are the rows from 9 p

  Index count() const { return weights.size(); }
};

class CubatureForces {
 public:
  // Throws Error if there is no point or no coordinate, sizes do not agree, a material does not
  // exist or is not sound, a weight is negative or a number not finite.
  explicit CubatureForces(CubaturePoints points);

  // Tensors behind `prefix`, M materials, n points:
  //   gradients  F64 [r, 9 n]     weights  F64 [n]     material  I32 [n]
  //   laws       U8 [M, 32]   names, filled up with zeros; "/anisotropic" behind those that are
  //   constants  F64 [M, 21]  of the law, filled up with zeros
  // Throws Error as above; densities are not kept.
  CubatureForces(const TensorView& file, const std::string& prefix);
  void write(TensorWriter& writer, const std::string& prefix) const;  // bake/write_asset.cpp

  Index size() const { return points_.gradients.cols(); }  // r
  const CubaturePoints& points() const { return points_; }

  // Gives a material other constants, which it has at rest; the points and their weights stay.
  // Nothing is allocated. False: there is no such material, or its law has others.
  bool try_set_lame(int material, const fem::Lame& lame) noexcept;

  // Scratch of one thread.
  struct Workspace {
    explicit Workspace(const CubatureForces& forces);
    VectorXd H, K;
  };
  // q: the first r' <= r coordinates, the others are zero. R: r', K: r' by r', both triangles.
  void evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R, Eigen::Ref<MatrixXd> K,
                Workspace& workspace) const noexcept;
  double energy(const Eigen::Ref<const VectorXd>& q, Workspace& workspace) const noexcept;

 private:
  // Batches of points of one law.
  struct Block {
    fem::PointLaw law;
    Index first, last;  // batches
    VectorXd constants;
    VectorXi material;  // of each lane
  };

  static constexpr int longest_name = 32;
  static constexpr std::string_view anisotropic_suffix = "/anisotropic";

  static CubaturePoints read(const TensorView& file, const std::string& prefix);
  void add_block(const std::vector<int>& points);
  void set_constants(Block& block, Index at, const fem::Material& material) noexcept;
  const double* column(Index batch, Index j) const noexcept;
  void deformation_gradient(Index batch, const double* q, Index r, fem::Pack* F) const noexcept;
  void load_constants(const Block& block, Index batch, fem::Pack* constants) const noexcept;
  void evaluate_batch(const Block& block, Index batch, const double* q, Index r,
                      double* H) const noexcept;
  void add_products(Index first, Index last, Index r, const double* H, double* K,
                    Index rows) const noexcept;

  CubaturePoints points_;
  std::vector<Block> blocks_;
  Index stride_ = 0;    // columns of a batch: r and some zeros, so that whole tiles can be read
  VectorXd gradients_;  // batch, column, 3 i + J, lane
  VectorXd weights_;    // batch, lane
};

}  // namespace pliant
