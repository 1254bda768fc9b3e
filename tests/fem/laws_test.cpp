// SPDX-License-Identifier: MIT
#include "pliant/fem/laws.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/material.hpp"

namespace pliant::fem {
namespace {

// A law with the constants of a material of E = 2.5, nu = 0.3, as one function of F.
struct Subject {
  std::string name;
  std::vector<double> constants;
  void (*energy)(const double*, const double*, double&, double*, double*);
  void (*stress)(const double*, const double*, double&, double*, double*);
  void (*tangent)(const double*, const double*, double&, double*, double*);
  bool linear;
};

template <class LawT>
Subject subject(std::string name, const Material& material, bool linear = false) {
  return {std::move(name),
          material.constants,
          LawT::template evaluate<Level::energy, double>,
          LawT::template evaluate<Level::stress, double>,
          LawT::template evaluate<Level::tangent, double>,
          linear};
}

Matrix6d random_stiffness() {
  Random random(5);
  Matrix6d B;
  for (double& x : B.reshaped()) x = random.uniform(-1, 1);
  return B * B.transpose() + Matrix6d::Identity();
}

std::vector<Subject> subjects() {
  const auto of = [](Law law) { return isotropic(law, 2.5, 0.3, 1000); };
  return {
      subject<LinearLaw>("linear", of(Law::linear), true),
      subject<StvkLaw>("stvk", of(Law::stvk)),
      subject<LinearAnisotropicLaw>("linear anisotropic",
                                    anisotropic(Law::linear, random_stiffness(), 1000), true),
      subject<StvkAnisotropicLaw>("stvk anisotropic",
                                  anisotropic(Law::stvk, random_stiffness(), 1000)),
      subject<CorotationalLaw>("corotational", of(Law::corotational)),
      subject<NeoHookeanLaw>("neo-Hookean", of(Law::neo_hookean)),
      subject<StableNeoHookeanLaw>("stable neo-Hookean", of(Law::stable_neo_hookean)),
      subject<MooneyRivlinLaw>("Mooney-Rivlin", of(Law::mooney_rivlin)),
  };
}

using Vector9d = Eigen::Matrix<double, 9, 1>;
using Matrix9d = Eigen::Matrix<double, 9, 9>;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Values {
  double psi;
  Vector9d P;
  Matrix9d A;
};

Values evaluate(const Subject& s, const Vector9d& F) {
  Values v;
  double A[tangent_size], unused = 0;
  s.energy(s.constants.data(), F.data(), v.psi, nullptr, nullptr);
  s.tangent(s.constants.data(), F.data(), unused, v.P.data(), A);
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b) v.A(a, b) = A[pair_index(a, b)];
  }
  return v;
}

Vector9d identity() {
  return RowMajor3d::Identity().reshaped<Eigen::RowMajor>();
}

// Deformation gradients with det F > 0, up to strong ones.
std::vector<Vector9d> samples() {
  Random random(11);
  std::vector<Vector9d> out{identity()};
  while (out.size() < 20) {
    Vector9d F = identity();
    for (double& x : F) x += random.uniform(-0.4, 0.4);
    if (F.reshaped<Eigen::RowMajor>(3, 3).eval().determinant() > 0.3) out.push_back(F);
  }
  return out;
}

TEST(Laws, StressIsTheGradientOfTheEnergy) {
  const double h = 1e-5;
  for (const Subject& s : subjects()) {
    for (const Vector9d& F : samples()) {
      const Values v = evaluate(s, F);
      Vector9d difference;
      for (int k = 0; k < 9; ++k) {
        const Vector9d d = h * Vector9d::Unit(k);
        // fourth-order central difference
        difference[k] = (8 * (evaluate(s, F + d).psi - evaluate(s, F - d).psi) -
                         (evaluate(s, F + 2 * d).psi - evaluate(s, F - 2 * d).psi)) /
                        (12 * h);
      }
      EXPECT_LT((difference - v.P).norm(), 1e-7 * (1 + v.P.norm())) << s.name;
      Vector9d P;
      double unused;
      s.stress(s.constants.data(), F.data(), unused, P.data(), nullptr);
      EXPECT_LT((P - v.P).norm(), 1e-14 * (1 + v.P.norm())) << s.name << ": levels must agree";
    }
  }
}

TEST(Laws, TangentIsTheGradientOfTheStress) {
  const double h = 1e-4;
  for (const Subject& s : subjects()) {
    for (const Vector9d& F : samples()) {
      const Values v = evaluate(s, F);
      Matrix9d difference;
      for (int k = 0; k < 9; ++k) {
        const Vector9d d = h * Vector9d::Unit(k);
        difference.col(k) = (8 * (evaluate(s, F + d).P - evaluate(s, F - d).P) -
                             (evaluate(s, F + 2 * d).P - evaluate(s, F - 2 * d).P)) /
                            (12 * h);
      }
      EXPECT_LT((difference - v.A).norm(), 1e-7 * v.A.norm()) << s.name;
    }
  }
}

TEST(Laws, RestHasNoEnergyNoStressAndTheWantedElasticity) {
  const auto [lambda, mu] = lame(2.5, 0.3);
  for (const Subject& s : subjects()) {
    const Values v = evaluate(s, identity());
    EXPECT_NEAR(v.psi, 0, 1e-14) << s.name;
    EXPECT_LT(v.P.norm(), 1e-14) << s.name;
    if (s.name.find("anisotropic") != std::string::npos) continue;
    const Subject reference = subject<LinearLaw>("", isotropic(Law::linear, 2.5, 0.3, 1));
    EXPECT_LT((v.A - evaluate(reference, identity()).A).norm(), 1e-12) << s.name;
  }
  EXPECT_NEAR(mu, 2.5 / 2.6, 1e-15);
  EXPECT_NEAR(lambda, 2.5 * 0.3 / (1.3 * 0.4), 1e-15);
}

// [Zhuang00] 2.2: the quadratic strain does not see a rotation, the linear one does.
TEST(Laws, OnlyTheLinearStrainSeesARotation) {
  const RowMajor3d R = Eigen::AngleAxisd(1.1, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Vector9d F = R.reshaped<Eigen::RowMajor>();
  for (const Subject& s : subjects()) {
    const Values v = evaluate(s, F);
    if (s.linear) {
      EXPECT_GT(v.psi, 0.01) << s.name;
    } else {
      EXPECT_NEAR(v.psi, 0, 1e-13) << s.name;
      EXPECT_LT(v.P.norm(), 1e-13) << s.name;
    }
  }
}

TEST(Laws, PacksGiveWhatDoublesGive) {
  const std::vector<Vector9d> all = samples();
  const Material material = isotropic(Law::mooney_rivlin, 2.5, 0.3, 1);
  Pack F[9], P[9], A[tangent_size], psi, p[3];
  for (int k = 0; k < 9; ++k) {
    for (std::size_t l = 0; l < lanes; ++l) F[k][l] = all[l][k];
  }
  for (std::size_t k = 0; k < 3; ++k) p[k] = constant<Pack>(material.constants[k]);
  MooneyRivlinLaw::evaluate<Level::tangent, Pack>(p, F, psi, P, A);
  const Subject s = subject<MooneyRivlinLaw>("", material);
  for (std::size_t l = 0; l < lanes; ++l) {
    const Values v = evaluate(s, all[l]);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(P[k][l], v.P[k], 1e-14);
    EXPECT_NEAR(A[pair_index(2, 7)][l], v.A(2, 7), 1e-13);
  }
}

TEST(Laws, InvertedElementsHaveInfiniteEnergyOrSurvive) {
  Vector9d F = identity();
  F[0] = -0.5;
  for (const Subject& s : subjects()) {
    const double psi = evaluate(s, F).psi;
    if (s.name == "neo-Hookean" || s.name == "Mooney-Rivlin") {
      EXPECT_EQ(psi, std::numeric_limits<double>::infinity()) << s.name;
    } else {
      EXPECT_TRUE(std::isfinite(psi) && psi > 0) << s.name;
      EXPECT_TRUE(evaluate(s, F).P.allFinite()) << s.name;
    }
  }
}

TEST(Material, YoungAndPoissonComeBackFromLame) {
  for (const double E : {1.0, 3e5, 2.1e11}) {
    for (const double nu : {-0.9, -0.2, 0.0, 0.25, 0.3, 0.49}) {
      const auto [lambda, mu] = lame(E, nu);
      EXPECT_NEAR(young_of(lambda, mu), E, 1e-13 * E) << nu;
      EXPECT_NEAR(poisson_of(lambda, mu), nu, 1e-13) << E;
    }
  }
}

TEST(Material, RefusesConstantsOfNoStableSolid) {
  EXPECT_THROW(isotropic(Law::stvk, 1e6, 0.5, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, 1e6, 0.499, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, 1e6, -1, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, 0, 0.3, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, NAN, 0.3, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, 1e6, NAN, 1000), Error);
  EXPECT_THROW(isotropic(Law::stvk, 1e6, 0.3, 0), Error);
  Matrix6d C = isotropic_stiffness(1, 1);
  EXPECT_NO_THROW(anisotropic(Law::stvk, C, 1));
  EXPECT_THROW(anisotropic(Law::neo_hookean, C, 1), Error);
  C(0, 1) += 0.1;
  EXPECT_THROW(anisotropic(Law::stvk, C, 1), Error);
  EXPECT_THROW(anisotropic(Law::stvk, isotropic_stiffness(-1, 1), 1), Error);
  EXPECT_THROW(mooney_rivlin(-1, 1, 1, 1), Error);
  EXPECT_THROW(law_of_name("rubber"), Error);
  EXPECT_EQ(law_of_name("stvk"), Law::stvk);
}

TEST(Material, OrthotropicConstantsOfAnIsotropicSolidGiveItsStiffness) {
  const double E = 3, nu = 0.3, G = E / (2 * (1 + nu));
  const auto [lambda, mu] = lame(E, nu);
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1, 1, 0).normalized()).toRotationMatrix();
  const Matrix6d C = stiffness({E, E, E, nu, nu, nu, G, G, G, R});
  EXPECT_LT((C - isotropic_stiffness(lambda, mu)).norm(), 1e-13);
}

// C turned by R must give, for a strain turned by R, the energy of C for the strain itself.
TEST(Material, RotatedStiffnessKeepsTheEnergyOfRotatedStrains) {
  const Matrix6d C = random_stiffness();
  const Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  Matrix3d e;
  e << 0.1, 0.2, -0.3, 0.2, 0.4, 0.15, -0.3, 0.15, -0.2;
  const auto energy = [](const Matrix6d& stiffness, const Matrix3d& m) {
    Eigen::Matrix<double, 6, 1> v;
    v << m(0, 0), m(1, 1), m(2, 2), 2 * m(1, 2), 2 * m(0, 2), 2 * m(0, 1);
    return v.dot(stiffness * v);
  };
  EXPECT_NEAR(energy(rotated(C, R), R * e * R.transpose()), energy(C, e), 1e-13);
}

}  // namespace
}  // namespace pliant::fem
