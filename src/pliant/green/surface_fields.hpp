// SPDX-License-Identifier: MIT
// What a surface can be coloured by, from the displacements of its nodes and the forces on them alone,
// [Klimenko03] 2.3 and appendix 4: on a triangle the strains in its plane follow from u, and stresses
// across it are the tractions p on it, so that with n its normal
//
//   e33 = (p_n - lambda (e11 + e22)) / (lambda + 2 mu)      sigma = lambda tr e + 2 mu e
//
// Without traction the energy is that of surface_energy.hpp. Values of a node are means over its
// triangles by their areas.
//
// Tractions may jump at sharp edges, as those of boundary elements do (bake/boundary_mesh.hpp): the
// triangles of a node form fans, k, and a force presses (or pulls) on those that it meets, so that
//
//   p_k = f |n_k.f| / sum_j A_j |n_j.f|      A_k = int phi dS,  n_k: of fan k
//
// and sum_k A_k p_k = f. A node without sharp edges has one fan, and p = f / A.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

constexpr double sharp_edge = 0.5;  // where a surface bends by more, tractions may jump [rad]

class SurfaceFields {
 public:
  // X: 3 by #V at rest [m]; F: triangles. Throws Error for one without area.
  SurfaceFields(const Matrix3Xd& X, const Matrix3Xi& F, double young, double poisson);

  struct Values {
    VectorXd stretch;    // dS/S, the trace of the strain in the surface
    VectorXd energy;     // density [J/m^3]
    VectorXd von_mises;  // sqrt(3/2 s:s), s the deviator of the stress [Pa]
  };
  // u: 3 by #V [m]; f: 3 by #V, forces on the nodes [N].
  Values evaluate(const Matrix3Xd& u, const Matrix3Xd& f) const;

 private:
  struct Triangle {
    Matrix3d axes;  // e1, e2, n
    double q1, v1, v2, S;
  };
  struct Fan {
    Vector3d n = Vector3d::Zero();
    double area = 0;  // int phi dS
  };
  void make_fans();
  Matrix3Xd tractions(const Matrix3Xd& f) const;

  Matrix3Xi F_;
  std::vector<Triangle> triangles_;
  VectorXd area_;  // of the nodes: int phi dS
  Matrix3Xi fan_;  // of the corners of the triangles
  std::vector<Fan> fans_;
  std::vector<Index> first_;  // fan of each node, and one more
  double lambda_, mu_;
};

}  // namespace pliant
