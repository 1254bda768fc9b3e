// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/state_distances.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {
namespace {

constexpr Index first_rank = 64;
constexpr Index rows_together = 256;
constexpr int turns = 2;  // of the subspace iteration

using Distances = Eigen::Map<const MatrixXf>;  // nx ny by nz #states

MatrixXf orthonormal(const MatrixXf& A) {
  const Eigen::HouseholderQR<MatrixXf> qr(A);
  return qr.householderQ() * MatrixXf::Identity(A.rows(), std::min(A.rows(), A.cols()));
}

// M B, by rows.
MatrixXf product(const Distances& M, const MatrixXf& B) {
  MatrixXf out(M.rows(), B.cols());
  const auto n = static_cast<std::size_t>(M.rows());
  parallel_chunks(n, rows_together, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), count = static_cast<Index>(end - begin);
    out.middleRows(first, count).noalias() = M.middleRows(first, count) * B;
  });
  return out;
}
// Q^T M, by columns.
MatrixXf projected(const MatrixXf& Q, const Distances& M) {
  MatrixXf out(Q.cols(), M.cols());
  const auto n = static_cast<std::size_t>(M.cols());
  parallel_chunks(n, rows_together, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), count = static_cast<Index>(end - begin);
    out.middleCols(first, count).noalias() = Q.transpose() * M.middleCols(first, count);
  });
  return out;
}

// Q and H = Q^T M of `rank` leading singular vectors, in order.
struct Factors {
  MatrixXf Q, H;
};

Factors leading(const Distances& M, Index rank) {
  Random random(1);
  MatrixXf B(M.cols(), rank);
  for (float& b : B.reshaped()) b = static_cast<float>(random.normal());
  Factors out;
  out.Q = orthonormal(product(M, B));
  for (int i = 0; i < turns; ++i) {
    B = projected(out.Q, M).transpose();
    out.Q = orthonormal(product(M, orthonormal(B)));
  }
  out.H = projected(out.Q, M);
  MatrixXd gram = MatrixXd::Zero(out.Q.cols(), out.Q.cols());
  for (Index first = 0; first < out.H.cols(); first += 4096) {
    const MatrixXd part =
        out.H.middleCols(first, std::min<Index>(4096, out.H.cols() - first)).cast<double>();
    gram.selfadjointView<Eigen::Lower>().rankUpdate(part);
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
  const MatrixXf V = solver.eigenvectors().rowwise().reverse().cast<float>();
  out.Q = (out.Q * V).eval();
  out.H = (V.transpose() * out.H).eval();
  return out;
}

// The largest of what the first n singular vectors leave.
double left_by(const Factors& f, const Distances& M, Index n) {
  const auto columns = static_cast<std::size_t>(M.cols());
  return parallel_reduce(
      columns, rows_together, 0.0,
      [&](std::size_t begin, std::size_t end) {
        const auto first = static_cast<Index>(begin), count = static_cast<Index>(end - begin);
        MatrixXf off = M.middleCols(first, count);
        off.noalias() -= f.Q.leftCols(n) * f.H.block(0, first, n, count);
        return static_cast<double>(off.cwiseAbs().maxCoeff());
      },
      [](double a, double b) { return std::max(a, b); });
}

Eigen::AlignedBox3d box_of(const SurfaceMesh& surface, const MatrixXd& states) {
  Eigen::AlignedBox3d box;
  for (Index j = 0; j < states.cols(); ++j) {
    const Matrix3Xd V = surface.V + states.col(j).reshaped(3, surface.V.cols());
    box.extend(V.rowwise().minCoeff());
    box.extend(V.rowwise().maxCoeff());
  }
  return box;
}

// The largest gradient of any cell of the train: a component is a mean of those of four edges.
double largest_gradient(const StateTrain& t) {
  const int x = (t.line + 1) % 3, y = (t.line + 2) % 3;
  const Index nx = t.nodes[x], ny = t.nodes[y], nz = t.nodes[t.line];
  const auto inverse = [&](int axis) { return static_cast<float>(1 / t.spacing[axis]); };
  const float sx = inverse(x), sy = inverse(y), sz = inverse(t.line);
  const double square = parallel_reduce(
      static_cast<std::size_t>(t.states()), 1, 1.0,
      [&](std::size_t begin, std::size_t end) {
        float most = 1;
        for (std::size_t j = begin; j < end; ++j) {
          const MatrixXf d =
              t.G.transpose() * t.H.middleCols(static_cast<Index>(j) * nz, nz);  // nx ny by nz
          for (Index c = 0; c + 1 < nz; ++c) {
            const float *low = d.col(c).data(), *high = d.col(c + 1).data();
            for (Index b = 0; b + 1 < ny; ++b) {
              for (Index a = 0; a + 1 < nx; ++a) {
                const Index i = b * nx + a;
                float gx = 0, gy = 0, gz = 0;
                for (const float* p : {low + i, high + i}) {
                  gx = std::max({gx, std::abs(p[1] - p[0]), std::abs(p[nx + 1] - p[nx])});
                  gy = std::max({gy, std::abs(p[nx] - p[0]), std::abs(p[nx + 1] - p[1])});
                }
                for (const Index k : {i, i + 1, i + nx, i + nx + 1}) {
                  gz = std::max(gz, std::abs(high[k] - low[k]));
                }
                gx *= sx;
                gy *= sy;
                gz *= sz;
                most = std::max(most, gx * gx + gy * gy + gz * gz);
              }
            }
          }
        }
        return static_cast<double>(most);
      },
      [](double a, double b) { return std::max(a, b); });
  return std::sqrt(square);
}

}  // namespace

Prism prism_of(const SurfaceMesh& surface, const MatrixXd& states, double spacing, double margin) {
  if (!(spacing > 0) || !(margin >= 0)) {
    throw Error({"", 0, "field"}, "no grid",
                fmt::format("spacing {} m, margin {} m", spacing, margin),
                "a spacing > 0 and a margin >= 0");
  }
  const Eigen::AlignedBox3d box = box_of(surface, states);
  Prism out;
  const Vector3d size = box.sizes() + Vector3d::Constant(2 * margin);
  // A side of whole cells is one of so many, whatever rounding says.
  const Vector3d cells = (size / spacing * (1 - 1e-9)).array().ceil().max(1);
  // The distances, and what compression takes beside them.
  require_memory(1.5 * 4 * (cells.array() + 1).prod() * static_cast<double>(states.cols()),
                 fmt::format("a prism of {} x {} x {} nodes in {} states", cells[0] + 1,
                             cells[1] + 1, cells[2] + 1, states.cols()),
                 "a larger spacing, a smaller load or fewer states need less");
  out.nodes = cells.cast<int>().array() + 1;
  out.spacing = size.cwiseQuotient(cells);
  out.origin = box.min() - Vector3d::Constant(margin);
  out.nodes.maxCoeff(&out.line);
  return out;
}

DenseDistance dense_distance(const SurfaceMesh& surface, const MatrixXd& states, const Prism& prism,
                             Progress& progress) {
  DenseDistance out{prism, {}};
  const int x = (out.line + 1) % 3, y = (out.line + 2) % 3, z = out.line;
  Matrix3Xd grid(3, out.nodes.cast<Index>().prod());
  Index at = 0;
  Vector3d place;
  for (int c = 0; c < out.nodes[z]; ++c) {
    for (int b = 0; b < out.nodes[y]; ++b) {
      for (int a = 0; a < out.nodes[x]; ++a) {
        place[x] = a;
        place[y] = b;
        place[z] = c;
        grid.col(at++) = out.origin + out.spacing.cwiseProduct(place);
      }
    }
  }
  out.values.resize(grid.cols(), states.cols());
  progress.begin("distances of all states", states.cols());
  parallel_for(static_cast<std::size_t>(states.cols()), 1, [&](std::size_t i) {
    const auto j = static_cast<Index>(i);
    SurfaceMesh deformed = surface;
    deformed.V += states.col(j).reshaped(3, surface.V.cols());
    out.values.col(j) = SurfaceDistance(deformed).evaluate(grid).cast<float>();
    progress.advance();
  });
  progress.end();
  return out;
}

StateTrain compress(const DenseDistance& dense, double bound, Progress& progress) {
  if (!(bound > 0)) {
    throw Error({"", 0, "field"}, "no bound of the error", fmt::format("{} m", bound),
                "a length > 0");
  }
  progress.begin("compression of distances", 2);
  const Distances M(dense.values.data(), dense.plane(), dense.values.size() / dense.plane());
  const Index full = std::min(M.rows(), M.cols());
  Factors f;
  Index rank = first_rank, most = 0;
  do {
    most = std::min(rank, full);
    f = leading(M, most);
    rank *= 2;
  } while (most < full && left_by(f, M, most) > bound);
  progress.advance();
  // Halved down to the fewest; more singular vectors may leave a little more at some node.
  Index enough = most, few = 0;
  while (enough - few > 1) {
    const Index n = (few + enough) / 2;
    (left_by(f, M, n) <= bound ? enough : few) = n;
  }
  StateTrain train{.origin = dense.origin,
                   .spacing = dense.spacing,
                   .nodes = dense.nodes,
                   .line = dense.line,
                   .G = f.Q.leftCols(enough).transpose(),
                   .H = f.H.topRows(enough)};
  train.bound = static_cast<float>(left_by(f, M, enough));
  train.lipschitz = static_cast<float>(largest_gradient(train) * (1 + 1e-5));
  progress.end();
  return train;
}

std::vector<int> covering(const MatrixXd& marks, int count, double* radius) {
  VectorXd away = marks.colwise().squaredNorm().transpose();
  std::vector<int> chosen;
  while (std::ssize(chosen) < std::min<Index>(count, marks.cols())) {
    Index farthest = 0;
    if (!(away.maxCoeff(&farthest) > 0)) break;
    chosen.push_back(static_cast<int>(farthest));
    away =
        away.cwiseMin((marks.colwise() - marks.col(farthest)).colwise().squaredNorm().transpose());
  }
  if (radius != nullptr) *radius = std::sqrt(away.maxCoeff());
  return chosen;
}

StateTable state_table(const SurfaceMesh& surface, const MatrixXd& U,
                       const std::vector<MatrixXd>& paths, const StatesOptions& options,
                       Progress& progress) {
  const Index r = U.cols();
  if (paths.empty() || U.rows() != surface.V.size()) {
    throw Error({"", 0, "states"}, "no states of this surface", fmt::format("{} rows", U.rows()),
                fmt::format("{} rows, and loads", surface.V.size()));
  }
  StateTable out;
  out.levels = static_cast<int>(paths[0].cols());
  MatrixXd metric = U.transpose() * U / static_cast<double>(surface.V.cols());
  metric.diagonal().array() += 1e-12 * metric.trace() / static_cast<double>(r);
  const MatrixXd W = metric.llt().matrixU();
  MatrixXd ends(r, std::ssize(paths));
  for (Index i = 0; i < ends.cols(); ++i) {
    ends.col(i) = paths[static_cast<std::size_t>(i)].rightCols(1);
  }
  const std::vector<int> chosen = covering(W * ends, options.loads, &out.radius);
  MatrixXd c = MatrixXd::Zero(r, 1 + std::ssize(chosen) * out.levels);
  for (Index i = 0; i < std::ssize(chosen); ++i) {
    c.middleCols(1 + i * out.levels, out.levels) =
        paths[static_cast<std::size_t>(chosen[static_cast<std::size_t>(i)])];
  }
  const MatrixXd states = U * c;
  constexpr int border = 2;  // cells on either side
  const double spacing =
      box_of(surface, states).sizes().maxCoeff() / (options.resolution - 2 * border);
  const DenseDistance dense = dense_distance(
      surface, states, prism_of(surface, states, spacing, border * spacing), progress);
  out.train = compress(dense, options.tolerance * spacing, progress);
  out.c = c.cast<float>();
  out.W = W.cast<float>();
  return out;
}

void StateTable::keep(TensorWriter& out, const std::string& prefix) const {
  VectorXd box(6);
  box << train.origin, train.spacing;
  VectorXi nodes(5);
  nodes << train.nodes, train.line, levels;
  out.keep(prefix + "box", std::move(box));
  out.keep(prefix + "nodes", std::move(nodes));
  out.keep(prefix + "bounds", VectorXf(Eigen::Vector2f(train.bound, train.lipschitz)));
  out.keep(prefix + "radius", VectorXd(VectorXd::Constant(1, radius)));
  out.keep(prefix + "G", MatrixXf(train.G));
  out.keep(prefix + "H", MatrixXf(train.H));
  out.keep(prefix + "c", MatrixXf(c));
  out.keep(prefix + "W", MatrixXf(W));
}

}  // namespace pliant
