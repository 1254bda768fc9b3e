// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/green/bake/green_functions.hpp"
#include "pliant/mesh/embedding.hpp"

namespace pliant {
namespace {

constexpr int mixtures = 64;         // of all columns
constexpr std::size_t of_each = 2;   // elements that a column or a mixture strains most
constexpr std::size_t chunk = 4096;  // elements

using Vector6d = Eigen::Matrix<double, 6, 1>;

Matrix3Xd middles(const VolumeMesh& mesh, const std::vector<int>& elements) {
  Matrix3Xd x = Matrix3Xd::Zero(3, std::ssize(elements));
  for (Index i = 0; i < x.cols(); ++i) {
    const int e = elements[static_cast<std::size_t>(i)];
    for (Index a = 0; a < mesh.E.rows(); ++a) x.col(i) += mesh.V.col(mesh.E(a, e));
  }
  return x / static_cast<double>(mesh.E.rows());
}

// du_i / dX_J of the displacements u of all nodes at an embedded point.
Matrix3d gradient_at(const Embedding& embedding, const MatrixXd& gradients, Index p,
                     const double* u) {
  Matrix3d H = Matrix3d::Zero();
  for (Index a = 0; a < embedding.nodes.rows(); ++a) {
    const Eigen::Map<const Vector3d> ua(u + 3 * static_cast<Index>(embedding.nodes(a, p)));
    H += ua * gradients.block<3, 1>(3 * a, p).transpose();
  }
  return H;
}

Vector3d half_curl(const Matrix3d& H) {
  return 0.5 * Vector3d(H(2, 1) - H(1, 2), H(0, 2) - H(2, 0), H(1, 0) - H(0, 1));
}

// Six strains of the displacements u of all nodes at an embedded point.
Vector6d strain_at(const Embedding& embedding, const MatrixXd& gradients, Index p,
                   const double* u) {
  const Matrix3d H = gradient_at(embedding, gradients, p, u);
  return {H(0, 0), H(1, 1), H(2, 2), H(1, 2) + H(2, 1), H(0, 2) + H(2, 0), H(0, 1) + H(1, 0)};
}

}  // namespace

MatrixXd element_strains(const VolumeMesh& mesh, const std::vector<int>& elements,
                         const MatrixXd& U) {
  const Embedding embedding = embed(middles(mesh, elements), mesh);
  const MatrixXd gradients = embedded_shape_gradients(embedding, mesh);
  MatrixXd strains(6 * std::ssize(elements), U.cols());
  for (Index k = 0; k < U.cols(); ++k) {
    for (Index p = 0; p < std::ssize(elements); ++p) {
      strains.block<6, 1>(6 * p, k) = strain_at(embedding, gradients, p, U.col(k).data());
    }
  }
  return strains;
}

MatrixXd nodal_turns(const VolumeMesh& mesh, const std::vector<NamedSet>& controls,
                     const MatrixXd& U) {
  std::vector<int> all(static_cast<std::size_t>(mesh.element_count()));
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<int>(e);
  const Embedding embedding = embed(middles(mesh, all), mesh);
  const MatrixXd gradients = embedded_shape_gradients(embedding, mesh);
  VectorXd count = VectorXd::Zero(mesh.vertex_count());
  for (const int v : mesh.E.reshaped()) count[v] += 1;
  MatrixXd turns = MatrixXd::Zero(U.rows(), U.cols());
  parallel_for(static_cast<std::size_t>(U.cols()), 1, [&](std::size_t column) {
    const auto k = static_cast<Index>(column);
    for (Index e = 0; e < mesh.E.cols(); ++e) {
      const Vector3d w = half_curl(gradient_at(embedding, gradients, e, U.col(k).data()));
      for (Index a = 0; a < mesh.E.rows(); ++a) {
        turns.block<3, 1>(3 * mesh.E(a, e), k) += w / count[mesh.E(a, e)];
      }
    }
    for (std::size_t c = 0; c < controls.size(); ++c) {
      Matrix3d H = Matrix3d::Zero();
      const Index number = k - 12 * static_cast<Index>(c) - 3;
      if (number >= 0 && number < 9) H(number / 3, number % 3) = 1;
      for (const int v : controls[c].items) turns.block<3, 1>(3 * v, k) = half_curl(H);
    }
  });
  return turns;
}

std::vector<int> gauge_elements(const VolumeMesh& mesh, const MatrixXd& U, const MatrixXd& K) {
  std::vector<int> all(static_cast<std::size_t>(mesh.element_count()));
  for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<int>(e);
  const Embedding embedding = embed(middles(mesh, all), mesh);
  const MatrixXd gradients = embedded_shape_gradients(embedding, mesh);
  Random random(1);
  std::set<int> chosen;
  const double least = 1e-14 * K.diagonal().maxCoeff();  // a motion that costs nothing
  for (Index k = 0; k < U.cols() + mixtures; ++k) {
    VectorXd c = VectorXd::Zero(U.cols());
    for (Index j = 0; j < c.size(); ++j) {
      const bool counts = k >= U.cols() || j == k;
      if (counts && K(j, j) > least) {
        c[j] = (k == j ? 1.0 : 2 * random.uniform() - 1) / std::sqrt(K(j, j));
      }
    }
    const VectorXd u = U * c;
    VectorXd size(mesh.element_count());
    parallel_chunks(all.size(), chunk, [&](std::size_t begin, std::size_t end) {
      for (auto p = static_cast<Index>(begin); p < static_cast<Index>(end); ++p) {
        const Vector6d e = strain_at(embedding, gradients, p, u.data());
        size[p] = e.head<3>().squaredNorm() + 0.5 * e.tail<3>().squaredNorm();
      }
    });
    std::vector<int> order = all;
    const auto middle =
        order.begin() + static_cast<std::ptrdiff_t>(std::min(of_each, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](int a, int b) { return size[a] != size[b] ? size[a] > size[b] : a < b; });
    chosen.insert(order.begin(), middle);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace pliant
