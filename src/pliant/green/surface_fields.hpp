// SPDX-License-Identifier: MIT
// What a surface can be coloured by, from the displacements of its nodes and the forces on them alone,
// [Klimenko03] 2.3 and appendix 4: on a triangle the strains in its plane follow from u, and stresses
// across it are the tractions p on it, so that with n its normal
//
//   e33 = (p_n - lambda (e11 + e22)) / (lambda + 2 mu)      sigma = lambda tr e + 2 mu e
//
// Without traction the energy is that of surface_energy.hpp. Values of a node are means over its
// triangles by their areas.
#pragma once

#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

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
  Matrix3Xi F_;
  std::vector<Triangle> triangles_;
  VectorXd area_;  // of the nodes: int phi dS
  double lambda_, mu_;
};

}  // namespace pliant
