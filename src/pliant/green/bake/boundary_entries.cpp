// SPDX-License-Identifier: MIT
#include "pliant/green/bake/boundary_entries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "pliant/base/parallel.hpp"
#include "pliant/green/bake/boundary_system.hpp"

namespace pliant {
namespace {

constexpr std::size_t nodes_per_task = 64;
constexpr double fan_depth = 0.5;  // of the shortest edge at a node

TrianglePoints corners_of(const BoundaryMesh& mesh, Index t) {
  return {mesh.V.col(mesh.F(0, t)), mesh.V.col(mesh.F(1, t)), mesh.V.col(mesh.F(2, t))};
}

// As seen from the origin, positive where the triangle's outer side is the far one.
double solid_angle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double x = a.norm(), y = b.norm(), z = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
}

// Of the triangles about a node: the two other corners in their order.
struct Spoke {
  Vector3d a, b;  // from the node
  Vector3d normal;
  int at_a, at_b;
};

// The body's corner at a node, by its dihedral angles.
double corner_angle(const std::vector<Spoke>& spokes) {
  double sum = -(static_cast<double>(spokes.size()) - 2) * std::numbers::pi;
  for (const Spoke& after : spokes) {
    const auto same = [&](const Spoke& s) { return s.at_b == after.at_a; };
    const Spoke& before = *std::ranges::find_if(spokes, same);
    const Vector3d turn = before.normal.cross(after.normal);
    sum += std::numbers::pi +
           std::atan2(turn.dot(after.a.normalized()), before.normal.dot(after.normal));
  }
  return sum;
}

}  // namespace

BoundaryEntries::BoundaryEntries(const BoundaryMesh& mesh, double young, double poisson)
    : mesh_(mesh), kelvin_(young / (2 * (1 + poisson)), poisson) {
  check_boundary_constants(young, poisson);
  const auto n = static_cast<std::size_t>(mesh.nodes());
  place_.assign(n, -1);
  for (std::size_t k = 0; k < mesh.free.size(); ++k) {
    place_[static_cast<std::size_t>(mesh.free[k])] = static_cast<int>(k);
  }
  reaction_.assign(n, -1);
  for (std::size_t k = 0; k < mesh.held.size(); ++k) {
    reaction_[static_cast<std::size_t>(mesh.held[k])] = mesh.reaction[k];
  }
  given_.assign(static_cast<std::size_t>(mesh.tractions()), 0);
  for (const int k : mesh.given) given_[static_cast<std::size_t>(k)] = 1;
  first_.assign(n + 1, 0);
  for (const int v : mesh.F.reshaped()) ++first_[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < n; ++v) first_[v + 1] += first_[v];
  triangles_.resize(static_cast<std::size_t>(mesh.F.size()));
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  double area = 0;
  for (Index t = 0; t < mesh.F.cols(); ++t) {
    for (int c = 0; c < 3; ++c) {
      triangles_[next[static_cast<std::size_t>(mesh.F(c, t))]++] = static_cast<int>(t);
    }
    const auto [a, b, c] = corners_of(mesh, t);
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  scale_ = young / std::sqrt(area / static_cast<double>(mesh.nodes()));
  diagonal_.resize(n);
  parallel_for(n, nodes_per_task, [&](std::size_t i) { fill_diagonal(static_cast<int>(i)); });
}

void BoundaryEntries::integrate(int i, Index t, KelvinBlocks& out) const {
  for (int c = 0; c < 3; ++c) {
    if (mesh_.F(c, t) == i) return kelvin_.at_corner(c, corners_of(mesh_, t), out);
  }
  kelvin_.off(mesh_.V.col(i), corners_of(mesh_, t), out);
}

void BoundaryEntries::fill_diagonal(int i) {
  const auto at = static_cast<std::size_t>(i);
  const Vector3d x = mesh_.V.col(i);
  std::vector<Spoke> spokes;
  Vector3d mean = Vector3d::Zero();
  double shortest = std::numeric_limits<double>::max();
  Matrix3d sum = Matrix3d::Zero();  // of the other corners of its triangles
  KelvinBlocks blocks;
  for (std::size_t k = first_[at]; k < first_[at + 1]; ++k) {
    const int t = triangles_[k];
    int own = 0;
    while (mesh_.F(own, t) != i) ++own;
    const int a = mesh_.F((own + 1) % 3, t), b = mesh_.F((own + 2) % 3, t);
    Spoke spoke{mesh_.V.col(a) - x, mesh_.V.col(b) - x, Vector3d::Zero(), a, b};
    const Vector3d twice = spoke.a.cross(spoke.b);
    mean += twice;
    spoke.normal = twice.normalized();
    shortest = std::min(shortest, spoke.a.norm());
    spokes.push_back(spoke);
    kelvin_.at_corner(own, corners_of(mesh_, t), blocks);
    for (int c = 0; c < 3; ++c) {
      if (c != own) sum += blocks.K[static_cast<std::size_t>(c)];
    }
  }
  const Vector3d z = -fan_depth * shortest * mean.normalized();
  double angle = corner_angle(spokes);
  Matrix3d fan = Matrix3d::Zero();
  for (const Spoke& spoke : spokes) {
    angle += solid_angle(z, spoke.a, spoke.b);
    kelvin_.off(x, {x + z, x + spoke.a, x + spoke.b}, blocks);
    fan += blocks.K[0] + blocks.K[1] + blocks.K[2];
  }
  const double w = std::round(angle / (4 * std::numbers::pi));
  diagonal_[at] = w * Matrix3d::Identity() + fan - sum;
}

void BoundaryEntries::block(std::span<const int> rows, std::span<const int> columns,
                            MatrixXd& out) const {
  out.setZero(3 * std::ssize(rows), 3 * std::ssize(columns));
  // Triangles of the columns, and which of their corners are columns.
  struct Use {
    int triangle;
    std::array<int, 3> column;
  };
  std::vector<Use> uses;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto j = static_cast<std::size_t>(columns[k]);
    for (std::size_t m = first_[j]; m < first_[j + 1]; ++m) {
      Use use{triangles_[m], {-1, -1, -1}};
      for (int c = 0; c < 3; ++c) {
        if (mesh_.F(c, use.triangle) == columns[k]) {
          use.column[static_cast<std::size_t>(c)] = static_cast<int>(k);
        }
      }
      uses.push_back(use);
    }
  }
  std::ranges::sort(uses, {}, &Use::triangle);
  std::size_t kept = 0;
  for (const Use& use : uses) {
    if (kept > 0 && uses[kept - 1].triangle == use.triangle) {
      for (std::size_t c = 0; c < 3; ++c) {
        uses[kept - 1].column[c] = std::max(uses[kept - 1].column[c], use.column[c]);
      }
    } else {
      uses[kept++] = use;
    }
  }
  uses.resize(kept);
  KelvinBlocks blocks;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int i = rows[r];
    const auto row = 3 * static_cast<Index>(r);
    for (const Use& use : uses) {
      integrate(i, use.triangle, blocks);
      for (int c = 0; c < 3; ++c) {
        const auto corner = static_cast<std::size_t>(c);
        if (use.column[corner] < 0) continue;
        const int j = mesh_.F(c, use.triangle);
        auto entry = out.block<3, 3>(row, 3 * Index{use.column[corner]});
        if (!held(j)) {
          if (j != i) entry += blocks.K[corner];
        } else if (mesh_.P(c, use.triangle) == reaction_[static_cast<std::size_t>(j)]) {
          entry -= scale_ * blocks.L[corner];
        }
      }
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] == i && !held(i)) {
        out.block<3, 3>(row, 3 * static_cast<Index>(k)) = diagonal_[static_cast<std::size_t>(i)];
      }
    }
  }
}

MatrixXd BoundaryEntries::load(int node) const {
  MatrixXd out = MatrixXd::Zero(3 * mesh_.nodes(), 3);
  const auto at = static_cast<std::size_t>(node);
  double area = 0;
  KelvinBlocks blocks;
  for (std::size_t k = first_[at]; k < first_[at + 1]; ++k) {
    const int t = triangles_[k];
    int own = 0;
    while (mesh_.F(own, t) != node) ++own;
    if (given_[static_cast<std::size_t>(mesh_.P(own, t))] == 0) continue;
    const auto [a, b, c] = corners_of(mesh_, t);
    area += (b - a).cross(c - a).norm() / 6;
    for (int i = 0; i < mesh_.nodes(); ++i) {
      integrate(i, t, blocks);
      out.middleRows<3>(3 * i) += blocks.L[static_cast<std::size_t>(own)];
    }
  }
  return out / area;
}

MatrixXd BoundaryEntries::weight(double density, double lambda, double mu) const {
  const BodyForce body{density, lambda, mu};
  const MatrixXd u = weight_displacements(mesh_, mesh_.held, body);
  const MatrixXd p = weight_tractions(mesh_, body);
  std::vector<int> row_of_held(static_cast<std::size_t>(mesh_.nodes()), -1);
  for (std::size_t k = 0; k < mesh_.held.size(); ++k) {
    row_of_held[static_cast<std::size_t>(mesh_.held[k])] = static_cast<int>(k);
  }
  std::vector<int> row_of_given(given_.size(), -1);
  for (std::size_t k = 0; k < mesh_.given.size(); ++k) {
    row_of_given[static_cast<std::size_t>(mesh_.given[k])] = static_cast<int>(k);
  }
  MatrixXd out = MatrixXd::Zero(3 * mesh_.nodes(), 3);
  parallel_for(static_cast<std::size_t>(mesh_.nodes()), nodes_per_task, [&](std::size_t row) {
    const auto i = static_cast<int>(row);
    KelvinBlocks blocks;
    Eigen::Matrix3d sum = Matrix3d::Zero();
    for (Index t = 0; t < mesh_.F.cols(); ++t) {
      integrate(i, t, blocks);
      for (int c = 0; c < 3; ++c) {
        const auto corner = static_cast<std::size_t>(c);
        const int j = mesh_.F(c, t), h = row_of_held[static_cast<std::size_t>(j)];
        const int g = row_of_given[static_cast<std::size_t>(mesh_.P(c, t))];
        if (h >= 0 && j != i) sum += blocks.K[corner] * u.middleRows<3>(3 * h);
        if (g >= 0) sum -= blocks.L[corner] * p.middleRows<3>(3 * g);
      }
    }
    const int own = row_of_held[row];
    if (own >= 0) sum += diagonal_[row] * u.middleRows<3>(3 * own);
    out.middleRows<3>(3 * i) = sum;
  });
  return out;
}

}  // namespace pliant
