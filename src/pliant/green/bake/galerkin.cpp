// SPDX-License-Identifier: MIT
#include "pliant/green/bake/galerkin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/green/bake/boundary_system.hpp"
#include "pliant/green/bake/kelvin.hpp"
#include "pliant/green/bake/panel_pairs.hpp"
#include "pliant/linalg/dense_lu.hpp"

namespace pliant {
namespace {

constexpr std::size_t triangles_a_batch = 32;
constexpr int singular_order = 6;

struct Panel {
  std::array<Vector3d, 3> corner;
  Vector3d normal, centre;
  double area, size;
  std::array<Vector3d, 3> curl;  // n x grad of the hat functions
  std::array<Matrix3d, 3> m;     // m_ij of them
};

Panel panel_of(const BoundaryMesh& mesh, Index t) {
  Panel p;
  for (int c = 0; c < 3; ++c) p.corner[static_cast<std::size_t>(c)] = mesh.V.col(mesh.F(c, t));
  const auto& [a, b, c] = p.corner;
  const Vector3d area = (b - a).cross(c - a);
  p.area = 0.5 * area.norm();
  p.normal = area.normalized();
  p.centre = (a + b + c) / 3;
  p.size =
      std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d opposite = p.corner[(k + 2) % 3] - p.corner[(k + 1) % 3];
    const Vector3d gradient = p.normal.cross(opposite) / (2 * p.area);
    p.curl[k] = p.normal.cross(gradient);
    p.m[k] = gradient * p.normal.transpose() - p.normal * gradient.transpose();
  }
  return p;
}

// How two triangles lie, and their corners in the order that the rules want.
struct Meeting {
  PanelPair kind = PanelPair::apart;
  std::array<std::size_t, 3> x{0, 1, 2}, y{0, 1, 2};
};

Meeting meeting_of(const BoundaryMesh& mesh, Index s, Index t) {
  Meeting out;
  if (s == t) {
    out.kind = PanelPair::same;
    return out;
  }
  std::size_t shared = 0;
  std::array<bool, 3> x_taken{}, y_taken{};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (mesh.F(a, s) != mesh.F(b, t) || shared == 2) continue;
      out.x[shared] = static_cast<std::size_t>(a);
      out.y[shared] = static_cast<std::size_t>(b);
      x_taken[static_cast<std::size_t>(a)] = y_taken[static_cast<std::size_t>(b)] = true;
      ++shared;
    }
  }
  if (shared == 0) return out;
  out.kind = shared == 1 ? PanelPair::corner : PanelPair::edge;
  std::size_t nx = shared, ny = shared;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!x_taken[k]) out.x[nx++] = k;
    if (!y_taken[k]) out.y[ny++] = k;
  }
  return out;
}

class Rules {
 public:
  Rules()
      : singular_{panel_pair_rule(PanelPair::corner, singular_order),
                  panel_pair_rule(PanelPair::edge, singular_order),
                  panel_pair_rule(PanelPair::same, singular_order)} {
    for (const int order : {2, 3, 4, 6}) apart_.push_back(panel_pair_rule(PanelPair::apart, order));
  }
  const std::vector<PairPoint>& of(const Meeting& meeting, const Panel& s, const Panel& t) const {
    if (meeting.kind != PanelPair::apart) {
      return singular_[static_cast<std::size_t>(meeting.kind) - 1];
    }
    const double far = (s.centre - t.centre).norm() / std::max(s.size, t.size);
    return apart_[far > 5 ? 0 : far > 2.5 ? 1 : far > 1.2 ? 2 : 3];
  }

 private:
  std::array<std::vector<PairPoint>, 3> singular_;
  std::vector<std::vector<PairPoint>> apart_;
};

// Integrals over a pair, of hat functions of the corners.
struct PairIntegrals {
  std::array<std::array<Matrix3d, 3>, 3> U;     // U phi_a psi_b
  std::array<std::array<double, 3>, 3> normal;  // (d_n g) phi_a psi_b, n at y
  std::array<double, 3> g;                      // g phi_a
};

void integrate(const KelvinIntegrals& kelvin, const std::vector<PairPoint>& rule,
               const Meeting& meeting, const Panel& s, const Panel& t, PairIntegrals& out) {
  for (std::size_t a = 0; a < 3; ++a) {
    out.g[a] = 0;
    out.normal[a].fill(0);
    for (Matrix3d& block : out.U[a]) block.setZero();
  }
  const double areas = s.area * t.area;
  for (const PairPoint& p : rule) {
    Vector3d r = Vector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      r += p.y[k] * t.corner[meeting.y[k]] - p.x[k] * s.corner[meeting.x[k]];
    }
    const double d = r.norm(), w = p.weight * areas;
    const double g = w / (4 * std::numbers::pi * d), along = -g * r.dot(t.normal) / (d * d);
    const Matrix3d U = w * kelvin.displacement(r);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t a = meeting.x[i];
      out.g[a] += p.x[i] * g;
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t b = meeting.y[j];
        const double both = p.x[i] * p.y[j];
        out.U[a][b] += both * U;
        out.normal[a][b] += both * along;
      }
    }
  }
}

// The rows of one triangle's corners, against all triangles.
struct Rows {
  MatrixXd V, K, D;
};

void fill_rows(const BoundaryMesh& mesh, const std::vector<Panel>& panels,
               const KelvinIntegrals& kelvin, const Rules& rules, double mu, Index s, Rows& out) {
  out.V = MatrixXd::Zero(9, 3 * mesh.tractions());
  out.K = out.D = MatrixXd::Zero(9, 3 * mesh.nodes());
  const Panel& own = panels[static_cast<std::size_t>(s)];
  PairIntegrals pair;
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    const Panel& other = panels[static_cast<std::size_t>(t)];
    const Meeting meeting = meeting_of(mesh, s, t);
    integrate(kelvin, rules.of(meeting, own, other), meeting, own, other, pair);
    const double g = pair.g[0] + pair.g[1] + pair.g[2];
    Matrix3d U = Matrix3d::Zero();
    std::array<Matrix3d, 3> at;
    for (std::size_t a = 0; a < 3; ++a) {
      at[a] = pair.U[a][0] + pair.U[a][1] + pair.U[a][2];
      U += at[a];
    }
    const Matrix3d inner = 2 * mu * g * Matrix3d::Identity() - 4 * mu * mu * U;
    for (int a = 0; a < 3; ++a) {
      const auto i = static_cast<std::size_t>(a);
      for (int b = 0; b < 3; ++b) {
        const auto j = static_cast<std::size_t>(b);
        const Matrix3d one = Matrix3d::Identity();
        out.V.block<3, 3>(3 * a, 3 * mesh.P(b, t)) += pair.U[i][j];
        auto K = out.K.block<3, 3>(3 * a, 3 * mesh.F(b, t));
        K += pair.normal[i][j] * one + (2 * mu * at[i] - pair.g[i] * one) * other.m[j];
        if (s == t) K += own.area / 24 * (a == b ? 2 : 1) * one;  // M / 2
        out.D.block<3, 3>(3 * a, 3 * mesh.F(b, t)) +=
            mu * g * own.curl[i].dot(other.curl[j]) * one +
            own.m[i].transpose() * inner * other.m[j] + mu * g * other.m[j].transpose() * own.m[i];
      }
    }
  }
}

// f' of all nodes, a column an axis: sigma* is linear on a triangle.
MatrixXd weight_forces(const BoundaryMesh& mesh, const BodyForce& body) {
  MatrixXd f = MatrixXd::Zero(3 * mesh.nodes(), 3);
  const double sideways = body.lambda / (body.lambda + 2 * body.mu);
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    const Vector3d a = mesh.V.col(mesh.F(0, t)), b = mesh.V.col(mesh.F(1, t));
    const Vector3d c = mesh.V.col(mesh.F(2, t)), area = 0.5 * (b - a).cross(c - a);
    for (int k = 0; k < 3; ++k) {
      Vector3d sigma = Vector3d::Constant(sideways);
      sigma[k] = 1;
      for (int i = 0; i < 3; ++i) {
        double x = 0;
        for (int j = 0; j < 3; ++j) x += (i == j ? 2 : 1) * mesh.V(k, mesh.F(j, t)) / 12;
        // -sigma* n = rho x sigma n
        f.block<3, 1>(3 * mesh.F(i, t), k) += body.density * x * sigma.cwiseProduct(area);
      }
    }
  }
  return f;
}

void check_memory(const BoundaryMesh& mesh) {
  const double n = 3.0 * static_cast<double>(mesh.nodes());
  const double p = 3.0 * static_cast<double>(mesh.tractions());
  require_memory(8 * (2 * p * p + 2 * n * p + 3 * n * n),
                 fmt::format("boundary elements of {} nodes", mesh.nodes()), "a coarser surface");
}

}  // namespace

GalerkinSystem galerkin_system(const BoundaryMesh& mesh, double young, double poisson,
                               Progress& progress) {
  check_boundary_constants(young, poisson);
  check_memory(mesh);
  const double mu = young / (2 * (1 + poisson));
  const KelvinIntegrals kelvin(mu, poisson);
  const Rules rules;
  std::vector<Panel> panels;
  for (Index t = 0; t < mesh.F.cols(); ++t) panels.push_back(panel_of(mesh, t));
  GalerkinSystem out;
  out.V = MatrixXd::Zero(3 * mesh.tractions(), 3 * mesh.tractions());
  out.K = MatrixXd::Zero(3 * mesh.tractions(), 3 * mesh.nodes());
  out.D = MatrixXd::Zero(3 * mesh.nodes(), 3 * mesh.nodes());
  std::vector<Rows> rows(triangles_a_batch);
  const std::size_t triangles = panels.size();
  progress.begin("boundary integrals",
                 static_cast<int>((triangles + triangles_a_batch - 1) / triangles_a_batch));
  for (std::size_t first = 0; first < triangles; first += triangles_a_batch) {
    const std::size_t count = std::min(triangles_a_batch, triangles - first);
    parallel_for(count, 1, [&](std::size_t k) {
      fill_rows(mesh, panels, kelvin, rules, mu, static_cast<Index>(first + k), rows[k]);
    });
    // In the order of the triangles: the same bits for any number of threads.
    for (std::size_t k = 0; k < count; ++k) {
      const auto s = static_cast<Index>(first + k);
      for (int a = 0; a < 3; ++a) {
        out.V.middleRows<3>(3 * mesh.P(a, s)) += rows[k].V.middleRows<3>(3 * a);
        out.K.middleRows<3>(3 * mesh.P(a, s)) += rows[k].K.middleRows<3>(3 * a);
        out.D.middleRows<3>(3 * mesh.F(a, s)) += rows[k].D.middleRows<3>(3 * a);
      }
    }
    progress.advance();
  }
  progress.end();
  return out;
}

MatrixXd galerkin_stiffness(GalerkinSystem&& system) {
  const DenseLu V(std::move(system.V));
  MatrixXd inverse = system.K;
  V.solve_in_place(inverse);
  MatrixXd S = std::move(system.D);
  S.noalias() += system.K.transpose() * inverse;
  return S;
}

SurfaceCompliance galerkin_compliance(const SurfaceMesh& surface, const std::vector<int>& fixed,
                                      double young, double poisson, Progress& progress,
                                      double density) {
  const BoundaryMesh mesh = boundary_mesh(surface, fixed);
  const MatrixXd S = galerkin_stiffness(galerkin_system(mesh, young, poisson, progress));
  SurfaceCompliance out;
  out.nodes = mesh.free;
  const auto rows_of = [](const std::vector<int>& nodes) {
    std::vector<Index> rows;
    for (const int v : nodes) {
      for (int k = 0; k < 3; ++k) rows.push_back(3 * Index{v} + k);
    }
    return rows;
  };
  const std::vector<Index> rows = rows_of(mesh.free);
  const auto n = std::ssize(rows);
  const fem::Lame lame = fem::lame(young, poisson);
  const BodyForce body{density, lame.lambda, lame.mu};
  MatrixXd B(n, n + 3);
  B.leftCols(n).setIdentity();
  B.rightCols(3) = weight_forces(mesh, body)(rows, Eigen::all) +
                   S(rows, rows_of(mesh.held)) * weight_displacements(mesh, mesh.held, body);
  DenseLu(MatrixXd(S(rows, rows))).solve_in_place(B);
  out.C = B.leftCols(n);
  if (density > 0) out.W = B.rightCols(3) + weight_displacements(mesh, mesh.free, body);
  out.X = mesh.V(Eigen::all, mesh.free);
  out.asymmetry = (out.C - out.C.transpose()).norm() / out.C.norm();
  symmetrise(out.C);
  out.least_eigenvalue = least_eigenvalue(out.C);
  return out;
}

}  // namespace pliant
