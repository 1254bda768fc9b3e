// SPDX-License-Identifier: MIT
// Material laws of hyperelastic solids: which energy density psi(F) a body has, with its constants
// checked once, here. The formulas of energy, stress and tangent are in laws.hpp.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {
struct MaterialRecord;  // of a mesh file: mesh/volume_mesh.hpp
}

namespace pliant::fem {

using Matrix6d = Eigen::Matrix<double, 6, 6>;

enum class Law {
  linear,              // Cauchy strain, any symmetric C_ijkl; [Zhuang00] 2.1
  stvk,                // Green-Lagrange strain, any symmetric C_ijkl; [Barbic07] (2.14)-(2.19)
  corotational,        // linear law in the rotated frame of the polar decomposition
  neo_hookean,         // mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2
  stable_neo_hookean,  // survives inversion: Smith, de Goes, Kim 2018, equation (14)
  mooney_rivlin,       // mu10 (I1 J^-2/3 - 3) + mu01 (I2 J^-4/3 - 3) + v1 (J - 1)^2
};
const char* name_of(Law law);
// Throws Error naming the laws if there is none of this name.
Law law_of_name(const std::string& name);

// Lamé's constants of Young's modulus E [Pa] and Poisson's ratio nu.
// lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)); ERRATA to [Zhuang00] (2.19).
struct Lame {
  double lambda, mu;
};
Lame lame(double E, double nu);
// And back: E = mu (3 lambda + 2 mu) / (lambda + mu), nu = lambda / (2 (lambda + mu)).
inline double young_of(double lambda, double mu) {
  return mu * (3 * lambda + 2 * mu) / (lambda + mu);
}
inline double poisson_of(double lambda, double mu) {
  return lambda / (2 * (lambda + mu));
}

// One material. Built by the functions below, which refuse constants that no stable solid has.
struct Material {
  Law law = Law::stvk;
  double density = 1000.0;          // kg/m^3
  bool isotropic = true;            // linear and stvk only may be anisotropic
  std::vector<double> constants{};  // of the law, in the order in which laws.hpp reads them
};

// E [Pa] > 0, -1 < nu < 0.5, density [kg/m^3] > 0. Above nu = 0.495 elements of first order lock:
// refused with the advice to use a smaller nu.
Material isotropic(Law law, double E, double nu, double density);

// Lamé's constants at rest; zeros for a material that has others (anisotropic, Mooney-Rivlin).
Lame lame_of(const Material& material) noexcept;
inline bool has_lame(const Material& material) noexcept {
  return lame_of(material).mu != 0;
}
// And back: the law's constants for these at rest. Only of a material that has them.
void set_lame(Material& material, const Lame& lame) noexcept;

// C: 6 x 6 in the order 11 22 33 23 13 12 with engineering shear strains [Pa]; it must be symmetric
// and positive definite. law: linear or stvk.
Material anisotropic(Law law, const Matrix6d& C, double density);

// Nine constants and the material axes (columns of R).
struct Orthotropic {
  double E1, E2, E3;        // Pa
  double nu12, nu23, nu31;  // nu_ij: contraction along j when pulled along i
  double G12, G23, G31;     // Pa
  Matrix3d R = Matrix3d::Identity();
};
Matrix6d stiffness(const Orthotropic& constants);

// v1 [Pa] is the penalty of volume change; bulk modulus 2 v1.
Material mooney_rivlin(double mu01, double mu10, double v1, double density);

// What a mesh file says, as a material of the wanted law (a Mooney-Rivlin record is always of its
// own law; an orthotropic one needs linear or stvk).
Material from_record(const MaterialRecord& record, Law law);

// Rows and columns of C in the frame turned by R.
Matrix6d rotated(const Matrix6d& C, const Matrix3d& R);

// The 6 x 6 matrix of isotropic elasticity.
Matrix6d isotropic_stiffness(double lambda, double mu);

}  // namespace pliant::fem
