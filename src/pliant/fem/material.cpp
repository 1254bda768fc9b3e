// SPDX-License-Identifier: MIT
#include "pliant/fem/material.hpp"

#include <cmath>

#include <Eigen/Dense>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant::fem {
namespace {

constexpr double largest_nu = 0.495;

struct NamedLaw {
  Law law;
  const char* name;
};
constexpr NamedLaw laws[] = {
    {Law::linear, "linear"},
    {Law::stvk, "stvk"},
    {Law::corotational, "corotational"},
    {Law::neo_hookean, "neo_hookean"},
    {Law::stable_neo_hookean, "stable_neo_hookean"},
    {Law::mooney_rivlin, "mooney_rivlin"},
};

// Voigt index of (i, j): 11 22 33 23 13 12.
constexpr int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

void need(bool good, const char* what, double value, const char* expected) {
  if (!good) throw Error({}, what, text(value), expected);
}

void check_density(double density) {
  need(std::isfinite(density) && density > 0, "the density must be positive", density,
       "a number > 0, in kg/m^3");
}

}  // namespace

const char* name_of(Law law) {
  for (const NamedLaw& named : laws) {
    if (named.law == law) return named.name;
  }
  return "";
}

Law law_of_name(const std::string& name) {
  std::string known;
  for (const NamedLaw& named : laws) {
    if (named.name == name) return named.law;
    known += (known.empty() ? "" : ", ") + std::string(named.name);
  }
  throw Error({}, "no such material law", name, "one of " + known);
}

Lame lame(double E, double nu) {
  need(std::isfinite(E) && E > 0, "Young's modulus must be positive", E, "a number > 0, in Pa");
  need(nu > -1 && nu <= largest_nu,
       nu > -1 && nu < 0.5
           ? "Poisson's ratio is too near to the incompressible limit for these elements"
           : "Poisson's ratio must lie between -1 and 0.5",
       nu, "a number > -1 and <= 0.495");
  return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

Material isotropic(Law law, double E, double nu, double density) {
  check_density(density);
  const auto [lambda, mu] = lame(E, nu);
  switch (law) {
    case Law::linear:
    case Law::stvk:
    case Law::corotational:
    case Law::neo_hookean:
    case Law::stable_neo_hookean: {
      Material material{law, density, true, {0.0, 0.0}};
      set_lame(material, {lambda, mu});
      return material;
    }
    case Law::mooney_rivlin: {
      // Shear modulus 2 (mu01 + mu10), split evenly; bulk modulus 2 v1.
      const double bulk = lambda + 2.0 / 3.0 * mu;
      return mooney_rivlin(mu / 4, mu / 4, bulk / 2, density);
    }
  }
  throw Error("unknown material law");
}

Lame lame_of(const Material& material) noexcept {
  if (!material.isotropic || material.constants.size() != 2) return {0.0, 0.0};
  const double first = material.constants[0], second = material.constants[1];
  if (material.law != Law::stable_neo_hookean) return {first, second};
  const double mu = 3.0 / 4.0 * second;
  return {first - 5.0 / 6.0 * mu, mu};
}

// Of the stable neo-Hookean law: Smith et al. 2018, 3.4.
void set_lame(Material& material, const Lame& lame) noexcept {
  const auto [lambda, mu] = lame;
  const bool stable = material.law == Law::stable_neo_hookean;
  material.constants[0] = stable ? lambda + 5.0 / 6.0 * mu : lambda;
  material.constants[1] = stable ? 4.0 / 3.0 * mu : mu;
}

Material anisotropic(Law law, const Matrix6d& C, double density) {
  check_density(density);
  if (law != Law::linear && law != Law::stvk) {
    throw Error({}, "this law cannot be anisotropic", name_of(law), "linear or stvk");
  }
  if (!C.allFinite()) throw Error("the stiffness C_ijkl has a number that is not finite");
  const double asymmetry = (C - C.transpose()).cwiseAbs().maxCoeff();
  need(asymmetry <= 1e-9 * C.cwiseAbs().maxCoeff(), "the stiffness C_ijkl is not symmetric",
       asymmetry, "C_ijkl = C_klij");
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Matrix6d>(C, Eigen::EigenvaluesOnly).eigenvalues()[0];
  need(smallest > 0, "the stiffness C_ijkl is not positive definite", smallest,
       "a smallest eigenvalue > 0");
  Material material{law, density, false, {}};
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) material.constants.push_back((C(i, j) + C(j, i)) / 2);
  }
  return material;
}

Matrix6d stiffness(const Orthotropic& o) {
  for (const double modulus : {o.E1, o.E2, o.E3, o.G12, o.G23, o.G31}) {
    need(std::isfinite(modulus) && modulus > 0, "an orthotropic modulus must be positive", modulus,
         "a number > 0, in Pa");
  }
  Matrix6d compliance = Matrix6d::Zero();
  compliance.diagonal() << 1 / o.E1, 1 / o.E2, 1 / o.E3, 1 / o.G23, 1 / o.G31, 1 / o.G12;
  compliance(0, 1) = compliance(1, 0) = -o.nu12 / o.E1;
  compliance(1, 2) = compliance(2, 1) = -o.nu23 / o.E2;
  compliance(2, 0) = compliance(0, 2) = -o.nu31 / o.E3;
  const Eigen::LLT<Matrix6d> factor(compliance);
  if (!compliance.allFinite() || factor.info() != Eigen::Success) {
    throw Error({}, "these orthotropic constants give no positive energy",
                "nu12 " + text(o.nu12) + ", nu23 " + text(o.nu23) + ", nu31 " + text(o.nu31),
                "smaller Poisson's ratios: nu_ij^2 < E_i / E_j");
  }
  return rotated(factor.solve(Matrix6d::Identity()), o.R);
}

Material mooney_rivlin(double mu01, double mu10, double v1, double density) {
  check_density(density);
  need(std::isfinite(mu01) && mu01 >= 0, "mu01 must not be negative", mu01, "a number >= 0, in Pa");
  need(std::isfinite(mu10) && mu10 >= 0 && mu01 + mu10 > 0, "mu10 must not be negative", mu10,
       "a number >= 0, in Pa, and mu01 + mu10 > 0");
  need(std::isfinite(v1) && v1 > 0, "v1 must be positive", v1, "a number > 0, in Pa");
  return {Law::mooney_rivlin, density, true, {mu01, mu10, v1}};
}

// C'_ijkl = R_ip R_jq R_kr R_ls C_pqrs, by the 6 x 6 matrix that turns engineering strains.
Matrix6d rotated(const Matrix6d& C, const Matrix3d& R) {
  const double defect = (R.transpose() * R - Matrix3d::Identity()).norm();
  need(defect <= 1e-6, "the material axes are not orthonormal", defect, "|R^T R - I| below 1e-6");
  Matrix6d T = Matrix6d::Zero();  // strain in material axes = T * strain in body axes
  for (int p = 0; p < 3; ++p) {
    for (int q = p; q < 3; ++q) {
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
          // e_pq = R_ip R_jq e_ij, summed over both orders of i, j; shears count twice.
          const double both = R(i, p) * R(j, q) + (i != j ? R(j, p) * R(i, q) : 0.0);
          T(voigt[p][q], voigt[i][j]) = both * (p != q ? 2.0 : 1.0) * (i != j ? 0.5 : 1.0);
        }
      }
    }
  }
  return T.transpose() * C * T;
}

Matrix6d isotropic_stiffness(double lambda, double mu) {
  Matrix6d C = Matrix6d::Zero();
  C.topLeftCorner<3, 3>().setConstant(lambda);
  C.diagonal() += (Eigen::Matrix<double, 6, 1>() << 2 * mu, 2 * mu, 2 * mu, mu, mu, mu).finished();
  return C;
}

}  // namespace pliant::fem
