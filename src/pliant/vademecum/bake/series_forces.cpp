// SPDX-License-Identifier: MIT
#include "pliant/vademecum/bake/series_forces.hpp"

#include <cmath>

#include <Eigen/LU>

#include "pliant/base/error.hpp"
#include "pliant/fem/elements.hpp"

namespace pliant {
namespace {

Matrix3d stress(const Matrix3d& E, double lambda, double mu) {
  return lambda * E.trace() * Matrix3d::Identity() + 2 * mu * E;
}

}  // namespace

bool SeriesForces::knows(const fem::Material& material) {
  using fem::Law;
  return material.isotropic && (material.law == Law::stvk || material.law == Law::neo_hookean ||
                                material.law == Law::linear);
}

SeriesForces::SeriesForces(const fem::ElasticModel& model) : model_(model) {
  const VolumeMesh& mesh = model.mesh();
  for (int e = 0; e < mesh.element_count(); ++e) {
    const fem::Material& material = model.material_of(e);
    if (!knows(material)) {
      throw Error({"", 0, "material"}, "no power series for this law", fem::name_of(material.law),
                  "isotropic stvk, neo_hookean or linear");
    }
    const fem::Lame lame = fem::lame_of(material);
    const Matrix3Xd X = mesh.V(Eigen::all, mesh.E.col(e));
    for (const fem::QuadraturePoint& q : fem::energy_quadrature(mesh.type)) {
      const Matrix3d J = q.jacobian(X);
      points_.push_back({e, q.weight * J.determinant(), material.law, lame.lambda, lame.mu});
      dN_.push_back(J.inverse().transpose() * q.dN);
    }
  }
}

SeriesForces::Workspace::Workspace(const SeriesForces& forces, int order)
    : F(forces.points_.size() * static_cast<std::size_t>(order + 1)), A(F.size()), L(F.size()) {}

Matrix3d SeriesForces::gradient(std::size_t point, const VectorXd& u) const {
  const MatrixXi& E = model_.mesh().E;
  const int e = points_[point].element;
  Matrix3d F = Matrix3d::Zero();
  for (Index a = 0; a < E.rows(); ++a) {
    F += u.segment<3>(3 * Index{E(a, e)}) * dN_[point].col(a).transpose();
  }
  return F;
}

void SeriesForces::begin(const VectorXd& u0, Workspace& w) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& p = points_[i];
    const Matrix3d F = Matrix3d::Identity() + gradient(i, u0);
    w.F[i] = F;
    if (p.law == fem::Law::stvk) {
      w.A[i] = stress(0.5 * (F.transpose() * F - Matrix3d::Identity()), p.lambda, p.mu);
    } else if (p.law == fem::Law::neo_hookean) {
      w.A[i] = F.inverse();
      w.L[i] = std::log(F.determinant());
    }
  }
}

void SeriesForces::remainder(int order, Workspace& w, VectorXd& N) const {
  const std::size_t n = points_.size();
  const auto p = static_cast<std::size_t>(order);
  N.setZero();
  const MatrixXi& elements = model_.mesh().E;
  for (std::size_t i = 0; i < n; ++i) {
    const Point& point = points_[i];
    const auto F = [&](std::size_t k) -> const Matrix3d& { return w.F[k * n + i]; };
    const auto A = [&](std::size_t k) -> Matrix3d& { return w.A[k * n + i]; };
    const auto L = [&](std::size_t k) -> double& { return w.L[k * n + i]; };
    Matrix3d P = Matrix3d::Zero();
    if (point.law == fem::Law::stvk) {
      Matrix3d E = Matrix3d::Zero();
      for (std::size_t k = 1; k < p; ++k) E += F(k).transpose() * F(p - k);
      A(p) = stress(0.5 * E, point.lambda, point.mu);
      for (std::size_t k = 0; k < p; ++k) P += F(k) * A(p - k);
    } else if (point.law == fem::Law::neo_hookean) {
      Matrix3d B = Matrix3d::Zero();
      double l = 0;
      for (std::size_t k = 1; k < p; ++k) {
        B -= A(k) * F(p - k);
        l += static_cast<double>(k) * (A(p - k) * F(k)).trace();
      }
      A(p) = B * A(0);
      L(p) = l / static_cast<double>(p);
      P = -point.mu * A(p).transpose();
      for (std::size_t k = 0; k <= p; ++k) P += point.lambda * L(k) * A(p - k).transpose();
    }
    P *= point.weight;
    for (Index a = 0; a < elements.rows(); ++a) {
      N.segment<3>(3 * Index{elements(a, point.element)}) += P * dN_[i].col(a);
    }
  }
}

void SeriesForces::append(int order, const VectorXd& u, Workspace& w) const {
  const std::size_t n = points_.size(), p = static_cast<std::size_t>(order) * n;
  for (std::size_t i = 0; i < n; ++i) {
    const Point& point = points_[i];
    const Matrix3d F = gradient(i, u);
    w.F[p + i] = F;
    if (point.law == fem::Law::stvk) {
      const Matrix3d E = w.F[i].transpose() * F;
      w.A[p + i] += stress(0.5 * (E + E.transpose()), point.lambda, point.mu);
    } else if (point.law == fem::Law::neo_hookean) {
      const Matrix3d BF = w.A[i] * F;
      w.A[p + i] -= BF * w.A[i];
      w.L[p + i] += BF.trace();
    }
  }
}

}  // namespace pliant
