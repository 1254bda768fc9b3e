// SPDX-License-Identifier: MIT
// A reduced body's energy and mass, split so that the materials of its regions can change without a
// new bake: [Barbic07] 2.11
//
//   V(q) = sum_p c_p V_p(q)        c_p: lambda or mu of a region [Pa], 1 for an anisotropic region
//   M~   = sum_g rho_g M~_g        M~_g = U^T M_g U at a density of one, rho_g [kg/m^3]
//
// Regions are those of the mesh, in the order of its materials. reduced_asset.hpp keeps it in a
// file.
#pragma once

#include <vector>

#include "pliant/reduced/energy_polynomial.hpp"

namespace pliant {

struct ReducedMaterials {
  enum class Constant { lambda, mu, stiffness };
  // What the coefficient of a part is.
  struct Meaning {
    int region;
    Constant constant;
  };

  std::vector<EnergyPolynomial> parts;
  std::vector<Meaning> meanings;  // of the parts
  VectorXd coefficients;          // of the parts
  std::vector<MatrixXd> masses;   // of the regions, r by r [m^3]
  VectorXd densities;             // of the regions

  // Writes to the coefficients; an anisotropic region keeps its own.
  void set_lame(int region, double lambda, double mu) noexcept {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (meanings[p].region != region || meanings[p].constant == Constant::stiffness) continue;
      coefficients[static_cast<Index>(p)] = meanings[p].constant == Constant::lambda ? lambda : mu;
    }
  }

  MatrixXd mass() const {
    MatrixXd M = densities[0] * masses[0];
    for (std::size_t g = 1; g < masses.size(); ++g)
      M += densities[static_cast<Index>(g)] * masses[g];
    return M;
  }
};

}  // namespace pliant
