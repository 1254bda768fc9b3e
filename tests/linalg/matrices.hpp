// SPDX-License-Identifier: MIT
// Matrices with known properties, for the tests of the solvers.
#pragma once

#include <vector>

#include "pliant/base/random.hpp"
#include "pliant/linalg/sparse.hpp"

namespace pliant::test {

inline SparseMatrix from_triplets(Index rows, Index cols, const std::vector<Triplet>& triplets) {
  SparseMatrix A(rows, cols);
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

inline VectorXd random_vector(Index n, Random& random) {
  return VectorXd::NullaryExpr(n, [&] { return random.normal(); });
}

// Symmetric positive definite by its dominant diagonal, about `entries` pairs off the diagonal.
inline SparseMatrix random_spd(int n, int entries, Random& random) {
  std::vector<Triplet> triplets;
  VectorXd diagonal = VectorXd::Constant(n, 0.1);
  for (int e = 0; e < entries; ++e) {
    const int i = random.below(n), j = random.below(n);
    if (i == j) continue;
    const double a = random.normal();
    triplets.emplace_back(i, j, a);
    triplets.emplace_back(j, i, a);
    diagonal[i] += std::abs(a);
    diagonal[j] += std::abs(a);
  }
  for (int i = 0; i < n; ++i) triplets.emplace_back(i, i, diagonal[i]);
  return from_triplets(n, n, triplets);
}

// Laplacian of an nx by ny by nz grid. Ends held at zero (Dirichlet): eigenvalues
// Σ 4 sin²(π k / (2 (n+1))), k = 1 .. n. Free ends (Neumann): Σ 4 sin²(π k / (2 n)), k = 0 .. n-1.
inline SparseMatrix laplacian(int nx, int ny, int nz, bool held) {
  std::vector<Triplet> triplets;
  const auto at = [&](int x, int y, int z) { return x + nx * (y + ny * z); };
  const int steps[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        const int i = at(x, y, z);
        if (held) triplets.emplace_back(i, i, 2.0 * ((nx > 1) + (ny > 1) + (nz > 1)));
        for (const auto& s : steps) {
          const int u = x + s[0], v = y + s[1], w = z + s[2];
          if (u == nx || v == ny || w == nz) continue;
          const int j = at(u, v, w);
          triplets.emplace_back(i, j, -1.0);
          triplets.emplace_back(j, i, -1.0);
          if (!held) {
            triplets.emplace_back(i, i, 1.0);
            triplets.emplace_back(j, j, 1.0);
          }
        }
      }
    }
  }
  return from_triplets(nx * ny * nz, nx * ny * nz, triplets);
}

}  // namespace pliant::test
