// SPDX-License-Identifier: MIT
// Internal forces along a power series of displacements, for the asymptotic numerical method
// ([Gonzalez15] 2.2; [Cochelin94]):
//
//   u(a) = u_0 + a u_1 + a^2 u_2 + ..        R(u(a)) = R_0 + a R_1 + a^2 R_2 + ..
//   R_p = K(u_0) u_p + N_p(u_0 .. u_(p-1))
//
// by Taylor arithmetic at the quadrature points, with F_p = grad u_p (and 1 at p = 0):
//
//   stvk         E_p = 1/2 sum F_i^T F_(p-i)    S_p = lambda tr(E_p) + 2 mu E_p    P_p = sum F_i S_(p-i)
//   neo_hookean  P = mu (F - B^T) + lambda L B^T with B = F^-1, L = ln J:
//                B_p = -sum_(i<p) B_i F_(p-i) B_0      p L_p = sum_(k=1..p) k tr(B_(p-k) F_k)
//   linear       N_p = 0 for p > 1
//
// All are sums over earlier orders, and cost O(p) a point and order. Four points are evaluated at a
// time.
#pragma once

#include <vector>

#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/pack.hpp"

namespace pliant {

class SeriesForces {
 public:
  // Throws Error for a material of another law. Keeps a reference to the model.
  explicit SeriesForces(const fem::ElasticModel& model);
  static bool knows(const fem::Material& material);

  struct Tensor {
    fem::Pack a[9];  // by rows
  };
  // Of one series, up to an order.
  class Workspace {
   public:
    Workspace(const SeriesForces& forces, int order);

   private:
    friend class SeriesForces;
    std::size_t orders;        // with order 0
    std::vector<Tensor> F, A;  // of the first group all orders, of the second ..; A: S or B
    std::vector<fem::Pack> L;
  };
  void begin(const VectorXd& u0, Workspace& workspace) const;
  // N_p [N]; all orders before p are known, p >= 1 (N_1 = 0).
  void remainder(int p, Workspace& workspace, VectorXd& N) const;
  // After it: u_p is known.
  void append(int p, const VectorXd& u, Workspace& workspace) const;

 private:
  static constexpr int lanes = fem::lanes;
  // Four points of one law; those that there are not have no weight and no gradients.
  struct Group {
    fem::Law law;
    int element[lanes];
    fem::Pack weight;  // m^3
    fem::Pack lambda, mu;
  };
  Tensor gradient(std::size_t group, const VectorXd& u) const;
  void add_point(int element, double weight, const Matrix3Xd& dN);

  const fem::ElasticModel& model_;
  std::size_t nodes_;  // of an element
  std::vector<Group> groups_;
  std::vector<fem::Pack> dN_;  // of the groups: dN_a / dX_j, 3 a + j
  int filled_ = lanes;         // of the last group
};

}  // namespace pliant
