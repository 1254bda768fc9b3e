// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/inertia.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

VectorXd nodal_mass(const VectorXd& mass, Index n) {
  if (mass.size() != n && mass.size() != 3 * n) {
    throw Error({}, "a lumped mass of another size", std::to_string(mass.size()),
                fmt::format("{} or {}", n, 3 * n));
  }
  VectorXd m(n);
  for (Index a = 0; a < n; ++a) {
    const Place place{"", 0, fmt::format("node {}", a)};
    m[a] = mass.size() == n ? mass[a] : mass[3 * a];
    if (!(m[a] >= 0) || !std::isfinite(m[a])) {
      throw Error(place, "a mass must not be negative", fmt::format("{:g}", m[a]), ">= 0, finite");
    }
    if (mass.size() == 3 * n && !(mass.segment<3>(3 * a).array() == m[a]).all()) {
      throw Error(place, "a lumped mass that depends on the direction", "", "three equal numbers");
    }
  }
  return m;
}

void check_shapes(const Matrix3Xd& X, const MatrixXd& U) {
  if (U.rows() != 3 * X.cols()) {
    throw Error({}, "shapes of another mesh", fmt::format("{} rows", U.rows()),
                fmt::format("{}, three for each of {} nodes", 3 * X.cols(), X.cols()));
  }
  if (!X.allFinite() || !U.allFinite()) throw Error("a place or a shape is not finite");
}

// From the products with the mass of the nodes (n by n, the same for every direction): of ones, of
// X and of U.
BodyMoments moments(const Matrix3Xd& X, const MatrixXd& U, double mass, const Matrix3Xd& mX,
                    const MatrixXd& mU) {
  const Index n = X.cols(), r = U.cols();
  BodyMoments s;
  s.set_zero(r);
  s.mass = mass;
  s.X = mX.rowwise().sum();
  s.XX = mX * X.transpose();
  for (Index k = 0; k < r; ++k) {
    const Matrix3Xd mUk = mU.col(k).reshaped(3, n);
    s.U.col(k) = mUk.rowwise().sum();
    s.XU.col(k) = (X * mUk.transpose()).reshaped();
    for (Index j = 0; j <= k; ++j) {
      const Matrix3d UU = U.col(j).reshaped(3, n) * mUk.transpose();
      s.UU.block<9, 1>(9 * j, k) = UU.reshaped();
      s.UU.block<9, 1>(9 * k, j) = UU.transpose().reshaped();
    }
  }
  return s;
}

}  // namespace

BodyMoments body_moments(const Matrix3Xd& X, const VectorXd& mass, const MatrixXd& U) {
  const VectorXd m = nodal_mass(mass, X.cols());
  check_shapes(X, U);
  if (!(m.sum() > 0)) throw Error("a free body needs a mass");
  const VectorXd m3 = m.replicate(1, 3).transpose().reshaped();
  return moments(X, U, m.sum(), X * m.asDiagonal(), m3.asDiagonal() * U);
}

std::vector<BodyMoments> reduce_moments(const fem::ElasticModel& model, const MatrixXd& U,
                                        MassKind kind) {
  const VolumeMesh& mesh = model.mesh();
  check_shapes(mesh.V, U);
  const int regions = static_cast<int>(model.materials().size());
  std::vector<BodyMoments> result;
  for (int g = 0; g < regions; ++g) {
    double mass = 0.0;
    Matrix3Xd mX = Matrix3Xd::Zero(3, mesh.vertex_count());
    MatrixXd mU = MatrixXd::Zero(U.rows(), U.cols());
    for (int e = 0; e < mesh.element_count(); ++e) {
      if (regions > 1 && mesh.region[e] != g) continue;
      const MatrixXd m = fem::element_mass(mesh, e, kind);
      mass += m.sum();
      for (Index b = 0; b < m.cols(); ++b) {
        for (Index a = 0; a < m.rows(); ++a) {
          if (m(a, b) == 0) continue;
          mX.col(mesh.E(a, e)) += m(a, b) * mesh.V.col(mesh.E(b, e));
          mU.middleRows<3>(3 * mesh.E(a, e)) += m(a, b) * U.middleRows<3>(3 * mesh.E(b, e));
        }
      }
    }
    result.push_back(moments(mesh.V, U, mass, mX, mU));
  }
  return result;
}

}  // namespace pliant
