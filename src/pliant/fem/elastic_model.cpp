// SPDX-License-Identifier: MIT
#include "pliant/fem/elastic_model.hpp"

#include <Eigen/Dense>

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/element_batches.hpp"

namespace pliant::fem {
namespace {

constexpr int most_nodes = 10;
constexpr int most_blocks = most_nodes * (most_nodes + 1) / 2;

}  // namespace

struct ElasticModel::Impl : ElementBatches {
  using ElementBatches::ElementBatches;

  void gather(const Block& block, int batch, const VectorXd& u, Pack (*out)[3]) const;
  template <class Body>
  void for_each_batch(Threads threads, const Body& body) const;
  void scatter_force(const Block& block, int batch, const Pack (*f)[3], double* R) const;
  template <int N>
  void scatter_tangent(const Block& block, int batch, const Pack (*K)[9], const int* outer,
                       double* values) const;
  void scatter_tangent(const Block& block, int batch, const Pack (*blocks)[9],
                       SparseMatrix& K) const {
    switch (mesh.type) {
      case ElementType::tet4:
        return scatter_tangent<4>(block, batch, blocks, K.outerIndexPtr(), K.valuePtr());
      case ElementType::hex8:
        return scatter_tangent<8>(block, batch, blocks, K.outerIndexPtr(), K.valuePtr());
      case ElementType::tet10:
        return scatter_tangent<10>(block, batch, blocks, K.outerIndexPtr(), K.valuePtr());
    }
  }
};

void ElasticModel::Impl::gather(const Block& block, int batch, const VectorXd& u,
                                Pack (*out)[3]) const {
  const int* node = block.nodes.data() + static_cast<std::ptrdiff_t>(batch) * nodes() * lanes;
  for (int a = 0; a < nodes(); ++a, node += lanes) {
    const double *u0 = u.data() + 3 * node[0], *u1 = u.data() + 3 * node[1],
                 *u2 = u.data() + 3 * node[2], *u3 = u.data() + 3 * node[3];
    for (int i = 0; i < 3; ++i) out[a][i] = Pack{u0[i], u1[i], u2[i], u3[i]};
  }
}

template <class Body>
void ElasticModel::Impl::for_each_batch(Threads threads, const Body& body) const {
  const auto run = [&](int chunk) {
    const auto [b, first, last] = chunks[static_cast<std::size_t>(chunk)];
    const Block& block = blocks[static_cast<std::size_t>(b)];
    for (int batch = first; batch < last; ++batch) body(block, batch);
  };
  for (const std::vector<int>& colour : colours) {
    if (threads == Threads::one) {
      for (const int chunk : colour) run(chunk);
    } else {
      parallel_for(colour.size(), 1, [&](std::size_t c) { run(colour[c]); });
    }
  }
}

void ElasticModel::Impl::scatter_force(const Block& block, int batch, const Pack (*f)[3],
                                       double* R) const {
  const int* node = block.nodes.data() + static_cast<std::ptrdiff_t>(batch) * nodes() * lanes;
  const int used = used_lanes(block, batch);
  for (int a = 0; a < nodes(); ++a, node += lanes) {
    for (int lane = 0; lane < used; ++lane) {
      double* r = R + 3 * node[lane];
      for (int i = 0; i < 3; ++i) r[i] += f[a][i][lane];
    }
  }
}

template <int N>
void ElasticModel::Impl::scatter_tangent(const Block& block, int batch, const Pack (*K)[9],
                                         const int* outer, double* values) const {
  const int* node = block.nodes.data() + static_cast<std::ptrdiff_t>(batch) * N * lanes;
  const int used = used_lanes(block, batch);
  for (int lane = 0; lane < used; ++lane) {
    const std::uint16_t* ranks =
        block.ranks.data() + (static_cast<std::ptrdiff_t>(batch) * lanes + lane) * N * N;
    const double* entries = reinterpret_cast<const double*>(K) + lane;
    for (int b = 0; b < N; ++b) {
      const int* columns = outer + 3 * node[b * lanes + lane];
      double* column[3] = {values + columns[0], values + columns[1], values + columns[2]};
      const std::uint16_t* rank = ranks + N * b;
      // Block (a, b) of the element; below the diagonal it is the transpose of (b, a).
      for (int a = 0; a <= b; ++a) {
        const double* entry = entries + 9 * lanes * block_index<N>(a, b);
        const int row = 3 * rank[a];
        PLIANT_UNROLL
        for (int k = 0; k < 3; ++k) {
          PLIANT_UNROLL
          for (int i = 0; i < 3; ++i) column[k][row + i] += entry[lanes * (3 * i + k)];
        }
      }
      for (int a = b + 1; a < N; ++a) {
        const double* entry = entries + 9 * lanes * block_index<N>(b, a);
        const int row = 3 * rank[a];
        PLIANT_UNROLL
        for (int k = 0; k < 3; ++k) {
          PLIANT_UNROLL
          for (int i = 0; i < 3; ++i) column[k][row + i] += entry[lanes * (3 * k + i)];
        }
      }
    }
  }
}
ElasticModel::ElasticModel(VolumeMesh mesh, std::vector<Material> materials)
    : impl_(std::make_unique<Impl>(std::move(mesh), std::move(materials))) {}

ElasticModel::~ElasticModel() = default;
ElasticModel::ElasticModel(ElasticModel&&) noexcept = default;
ElasticModel& ElasticModel::operator=(ElasticModel&&) noexcept = default;

const VolumeMesh& ElasticModel::mesh() const {
  return impl_->mesh;
}
const std::vector<Material>& ElasticModel::materials() const {
  return impl_->materials;
}
const Material& ElasticModel::material_of(int element) const {
  return impl_->material_of(element);
}
bool ElasticModel::is_voxel_mesh() const {
  return impl_->equal_boxes;
}

double ElasticModel::energy(const VectorXd& u) const {
  PLIANT_ASSERT(u.size() == dof(), "u has three numbers a node");
  const std::vector<Chunk>& chunks = impl_->chunks;
  return parallel_reduce(
      chunks.size(), 1, 0.0,
      [&](std::size_t begin, std::size_t) {
        const auto [b, first, last] = chunks[begin];
        const Block& block = impl_->blocks[static_cast<std::size_t>(b)];
        double sum = 0.0;
        for (int batch = first; batch < last; ++batch) {
          Pack local[most_nodes][3];
          impl_->gather(block, batch, u, local);
          const Pack V = block.kernels.energy(impl_->input(block, batch), local);
          const int used = impl_->used_lanes(block, batch);
          for (int lane = 0; lane < used; ++lane) sum += V[lane];
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

void ElasticModel::force(const VectorXd& u, VectorXd& R, Threads threads) const {
  PLIANT_ASSERT(u.size() == dof() && R.size() == dof(), "vectors have three numbers a node");
  R.setZero();
  impl_->for_each_batch(threads, [&](const Block& block, int batch) {
    Pack local[most_nodes][3], f[most_nodes][3];
    impl_->gather(block, batch, u, local);
    block.kernels.force(impl_->input(block, batch), local, f);
    impl_->scatter_force(block, batch, f, R.data());
  });
}

void ElasticModel::force_and_tangent(const VectorXd& u, VectorXd& R, SparseMatrix& K,
                                     Threads threads) const {
  PLIANT_ASSERT(u.size() == dof() && R.size() == dof(), "vectors have three numbers a node");
  PLIANT_ASSERT(K.nonZeros() == 9 * static_cast<Index>(impl_->adjacent.size()),
                "K comes from tangent_pattern()");
  R.setZero();
  std::fill_n(K.valuePtr(), K.nonZeros(), 0.0);
  impl_->for_each_batch(threads, [&](const Block& block, int batch) {
    Pack local[most_nodes][3], f[most_nodes][3], blocks[most_blocks][9];
    impl_->gather(block, batch, u, local);
    block.kernels.tangent(impl_->input(block, batch), local, f, blocks);
    impl_->scatter_force(block, batch, f, R.data());
    impl_->scatter_tangent(block, batch, blocks, K);
  });
}

void ElasticModel::strain_rate_damping(const VectorXd& u, double phi, double psi, SparseMatrix& D,
                                       Threads threads) const {
  PLIANT_ASSERT(u.size() == dof(), "vectors have three numbers a node");
  PLIANT_ASSERT(D.nonZeros() == 9 * static_cast<Index>(impl_->adjacent.size()),
                "D comes from tangent_pattern()");
  std::fill_n(D.valuePtr(), D.nonZeros(), 0.0);
  impl_->for_each_batch(threads, [&](const Block& block, int batch) {
    Pack local[most_nodes][3], blocks[most_blocks][9];
    impl_->gather(block, batch, u, local);
    block.kernels.damping(impl_->input(block, batch), local, phi, psi, blocks);
    impl_->scatter_tangent(block, batch, blocks, D);
  });
}

MatrixXd ElasticModel::hessian_products(const MatrixXd& A) const {
  PLIANT_ASSERT(A.rows() == dof(), "a displacement has three numbers a node");
  const int k = static_cast<int>(A.cols()), pairs = k * (k + 1) / 2, N = impl_->nodes();
  // Rows are nodes' displacements: a batch adds to few rows, each of them contiguous.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sums =
      MatrixXd::Zero(dof(), pairs);
  impl_->for_each_batch(Threads::many, [&](const Block& block, int batch) {
    // Packs live in matrices of four rows, which Eigen aligns.
    Lanes a(lanes, k * N * 3), gradients(lanes, 9 * k), out(lanes, pairs * N * 3);
    const int* node = block.nodes.data() + static_cast<std::ptrdiff_t>(batch) * N * lanes;
    for (int i = 0; i < k; ++i) {
      for (int n = 0; n < N; ++n) {
        for (int lane = 0; lane < lanes; ++lane) {
          a.block<1, 3>(lane, (i * N + n) * 3) = A.col(i).segment<3>(3 * node[n * lanes + lane]);
        }
      }
    }
    block.kernels.hessian(impl_->input(block, batch), reinterpret_cast<const Pack*>(a.data()), k,
                          reinterpret_cast<Pack*>(gradients.data()),
                          reinterpret_cast<Pack*>(out.data()));
    const int used = impl_->used_lanes(block, batch);
    for (int n = 0; n < N; ++n) {
      for (int lane = 0; lane < used; ++lane) {
        for (int d = 0; d < 3; ++d) {
          double* row = sums.row(3 * node[n * lanes + lane] + d).data();
          const double* from = out.data() + lanes * (3 * n + d) + lane;
          for (int pair = 0; pair < pairs; ++pair) row[pair] += from[lanes * 3 * N * pair];
        }
      }
    }
  });
  return sums;
}

SparseMatrix ElasticModel::tangent_pattern() const {
  const std::vector<int>&start = impl_->start, &adjacent = impl_->adjacent;
  SparseMatrix K(dof(), dof());
  K.resizeNonZeros(9 * static_cast<Index>(adjacent.size()));
  int* outer = K.outerIndexPtr();
  int* inner = K.innerIndexPtr();
  int at = 0;
  for (std::size_t v = 0; v + 1 < start.size(); ++v) {
    for (std::size_t k = 0; k < 3; ++k) {
      outer[3 * v + k] = at;
      for (int j = start[v]; j < start[v + 1]; ++j) {
        for (int i = 0; i < 3; ++i) inner[at++] = 3 * adjacent[static_cast<std::size_t>(j)] + i;
      }
    }
  }
  outer[dof()] = at;
  std::fill_n(K.valuePtr(), at, 0.0);
  return K;
}

SparseMatrix ElasticModel::tangent(const VectorXd& u) const {
  SparseMatrix K = tangent_pattern();
  VectorXd R(dof());
  force_and_tangent(u, R, K);
  return K;
}

VectorXd ElasticModel::force(const VectorXd& u) const {
  VectorXd R(dof());
  force(u, R);
  return R;
}

}  // namespace pliant::fem
