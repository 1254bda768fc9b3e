// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/gravity_loads.hpp"

#include "pliant/fem/mass.hpp"

namespace pliant {

MatrixXd gravity_loads(const fem::ElasticModel& model, const MatrixXd& U) {
  const Index regions = static_cast<Index>(model.materials().size());
  MatrixXd loads(U.cols(), 3 * regions);
  const VolumeMesh& mesh = model.mesh();
  for (Index region = 0; region < regions; ++region) {
    VectorXd volume = VectorXd::Zero(mesh.vertex_count());
    for (int e = 0; e < mesh.element_count(); ++e) {
      if (regions > 1 && mesh.region[e] != region) continue;
      const VectorXd shares = fem::element_mass(mesh, e, MassKind::lumped).diagonal();
      for (Index a = 0; a < mesh.E.rows(); ++a) volume[mesh.E(a, e)] += shares[a];
    }
    for (int axis = 0; axis < 3; ++axis) {
      VectorXd f = VectorXd::Zero(model.dof());
      for (Index v = 0; v < volume.size(); ++v) f[3 * v + axis] = volume[v];
      loads.col(3 * region + axis) = U.transpose() * f;
    }
  }
  return loads;
}

}  // namespace pliant
