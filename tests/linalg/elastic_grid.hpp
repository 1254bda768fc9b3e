// SPDX-License-Identifier: MIT
// Stiffness and consistent mass of a box of equal bricks (8-node hexahedra, linear elasticity),
// with matrices of the pattern and the conditioning that bodies have; for tests and benches.
#pragma once

#include <array>
#include <vector>

#include "pliant/linalg/sparse.hpp"

namespace pliant::test {

struct ElasticGrid {
  Matrix3Xd X;        // 3 by n, free nodes
  MatrixXi E;         // 8 by #E, -1 for a fixed node
  SparseMatrix K, M;  // 3 n by 3 n, both triangles
};

// nx by ny by nz nodes of spacing h [m]; with fixed, the nodes of the face x = 0 are held and are
// no unknowns. E = 1e6 Pa, nu = 0.3, 1000 kg/m^3.
inline ElasticGrid elastic_grid(int nx, int ny, int nz, double h, bool fixed) {
  const double young = 1e6, nu = 0.3, density = 1000.0;
  const double lambda = young * nu / ((1 + nu) * (1 - 2 * nu)), mu = young / (2 * (1 + nu));
  // One brick on [0, h]^3 by 2 x 2 x 2 Gauss points, exact for a box; N_a = Π (1 ± ξ)/2.
  Eigen::Matrix<double, 24, 24> Ke = Eigen::Matrix<double, 24, 24>::Zero();
  Eigen::Matrix<double, 8, 8> Me = Eigen::Matrix<double, 8, 8>::Zero();
  const auto sign = [](int a, int c) { return (a >> c) & 1 ? 1.0 : -1.0; };
  for (int g = 0; g < 8; ++g) {
    Eigen::Matrix<double, 3, 8> gradient;
    Eigen::Matrix<double, 8, 1> N;
    for (int a = 0; a < 8; ++a) {
      std::array<double, 3> f;
      for (int c = 0; c < 3; ++c) {
        f[static_cast<std::size_t>(c)] = 0.5 * (1.0 + sign(a, c) * sign(g, c) / std::sqrt(3.0));
      }
      N[a] = f[0] * f[1] * f[2];
      gradient(0, a) = sign(a, 0) / h * f[1] * f[2];
      gradient(1, a) = sign(a, 1) / h * f[0] * f[2];
      gradient(2, a) = sign(a, 2) / h * f[0] * f[1];
    }
    const double w = h * h * h / 8.0;
    Me += w * density * N * N.transpose();
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b) {
        const Vector3d p = gradient.col(a), q = gradient.col(b);
        Ke.block<3, 3>(3 * a, 3 * b) += w * (lambda * p * q.transpose() + mu * q * p.transpose() +
                                             mu * p.dot(q) * Matrix3d::Identity());
      }
    }
  }
  ElasticGrid grid;
  const int first = fixed ? 1 : 0, mx = nx - first;
  const auto node = [&](int x, int y, int z) {
    return x < first ? -1 : (x - first) + mx * (y + ny * z);
  };
  const int n = mx * ny * nz;
  grid.X.resize(3, n);
  grid.E.resize(8, (nx - 1) * (ny - 1) * (nz - 1));
  std::vector<Triplet> K, M;
  int e = 0;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        if (x >= first) grid.X.col(node(x, y, z)) = h * Vector3d(x, y, z);
        if (x == nx - 1 || y == ny - 1 || z == nz - 1) continue;
        for (int a = 0; a < 8; ++a) {
          grid.E(a, e) = node(x + (a & 1), y + ((a >> 1) & 1), z + ((a >> 2) & 1));
        }
        for (int a = 0; a < 8; ++a) {
          for (int b = 0; b < 8; ++b) {
            const int A = grid.E(a, e), B = grid.E(b, e);
            if (A < 0 || B < 0) continue;
            for (int i = 0; i < 3; ++i) {
              M.emplace_back(3 * A + i, 3 * B + i, Me(a, b));
              for (int j = 0; j < 3; ++j) {
                K.emplace_back(3 * A + i, 3 * B + j, Ke(3 * a + i, 3 * b + j));
              }
            }
          }
        }
        ++e;
      }
    }
  }
  grid.K.resize(3 * n, 3 * n);
  grid.K.setFromTriplets(K.begin(), K.end());
  grid.M.resize(3 * n, 3 * n);
  grid.M.setFromTriplets(M.begin(), M.end());
  return grid;
}

}  // namespace pliant::test
