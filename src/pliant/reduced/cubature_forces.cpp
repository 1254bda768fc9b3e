// SPDX-License-Identifier: MIT
#include "pliant/reduced/cubature_forces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"
#include "pliant/base/text.hpp"

namespace pliant {
namespace {

using fem::lanes;
using fem::load;
using fem::most_constants;
using fem::Pack;
using simd::store;
using simd::sum;
using simd::sums;

constexpr Index batch_rows = 9 * lanes;  // numbers of a column of a batch
constexpr Index chunk = 4;               // batches whose H is kept
constexpr Index tile_i = 3, tile_j = 4;  // of K in registers

Index rounded_up(Index n, Index to) {
  return (n + to - 1) / to * to;
}

void check(const CubaturePoints& points) {
  const Index n = points.count(), r = points.gradients.cols();
  const auto fail = [](const std::string& item, const char* message, const std::string& value = "",
                       const std::string& expected = "") {
    throw Error({"", 0, item}, message, value, expected);
  };
  if (n == 0 || r == 0) fail("cubature", "no points or no coordinates");
  if (points.gradients.rows() != 9 * n) {
    fail("gradients", "wrong number of rows", std::to_string(points.gradients.rows()),
         std::to_string(9 * n));
  }
  if (points.material.size() != n) {
    fail("material", "wrong number of points", std::to_string(points.material.size()),
         std::to_string(n));
  }
  if (!points.gradients.allFinite()) fail("gradients", "a number is not finite");
  for (Index p = 0; p < n; ++p) {
    if (!(points.weights[p] >= 0) || !std::isfinite(points.weights[p])) {
      fail("point " + std::to_string(p), "bad weight", text(points.weights[p]),
           "a finite number >= 0");
    }
    const int m = points.material[p];
    if (m < 0 || m >= static_cast<int>(points.materials.size())) {
      fail("point " + std::to_string(p), "no such material", std::to_string(m),
           "0 to " + std::to_string(static_cast<int>(points.materials.size()) - 1));
    }
  }
  for (const fem::Material& material : points.materials) fem::point_law(material);
}

}  // namespace

CubatureForces::CubatureForces(CubaturePoints points) : points_(std::move(points)) {
  check(points_);
  stride_ = size() + tile_j;
  // Points of one law and isotropy share their blocks, whatever their constants are.
  std::map<std::pair<fem::Law, bool>, std::vector<int>> by_law;
  for (int p = 0; p < points_.count(); ++p) {
    const fem::Material& m = points_.materials[static_cast<std::size_t>(points_.material[p])];
    by_law[{m.law, m.isotropic}].push_back(p);
  }
  Index count = 0;
  for (const auto& [law, list] : by_law) count += rounded_up(std::ssize(list), lanes) / lanes;
  gradients_ = VectorXd::Zero(count * stride_ * batch_rows);
  weights_ = VectorXd::Zero(count * lanes);
  for (const auto& [law, list] : by_law) add_block(list);
}

CubaturePoints CubatureForces::read(const TensorView& file, const std::string& prefix) {
  CubaturePoints points;
  const auto weights = file.matrix<double>(prefix + "weights");
  const auto material = file.matrix<std::int32_t>(prefix + "material");
  const auto vector = [&](const auto& matrix, const char* name) {
    if (matrix.cols() != 1) throw Error({file.name(), 0, prefix + name}, "not a vector");
    return matrix.col(0);
  };
  points.weights = vector(weights, "weights");
  points.material = vector(material, "material");
  points.gradients = file.matrix<double>(prefix + "gradients", 9 * points.weights.size());
  const auto laws = file.matrix<std::uint8_t>(prefix + "laws", longest_name);
  const auto constants = file.matrix<double>(prefix + "constants", most_constants);
  if (laws.cols() != constants.cols()) {
    throw Error({file.name(), 0, prefix + "constants"}, "of another number of materials",
                std::to_string(constants.cols()), std::to_string(laws.cols()));
  }
  for (Index m = 0; m < laws.cols(); ++m) {
    std::string name(reinterpret_cast<const char*>(laws.col(m).data()), longest_name);
    name.resize(std::min(name.size(), name.find('\0')));
    fem::Material& result = points.materials.emplace_back();
    result.isotropic = !name.ends_with(anisotropic_suffix);
    if (!result.isotropic) name.resize(name.size() - anisotropic_suffix.size());
    result.law = fem::law_of_name(printable(name));
    const int count = fem::constant_count(result.law, result.isotropic);
    result.constants.assign(constants.col(m).begin(), constants.col(m).begin() + count);
  }
  check(points);
  return points;
}

CubatureForces::CubatureForces(const TensorView& file, const std::string& prefix)
    : CubatureForces([&] {
        try {
          return read(file, prefix);
        } catch (const Error& error) {
          if (!error.place().file.empty()) throw;
          throw Error({file.name(), 0, prefix + "*"}, error.what());
        }
      }()) {}

// Points of one law. The last batch is filled up with points of no weight and no gradient.
void CubatureForces::add_block(const std::vector<int>& points) {
  const auto material_of = [&](int p) -> const fem::Material& {
    return points_.materials[static_cast<std::size_t>(points_.material[p])];
  };
  Block block{fem::point_law(material_of(points[0])), 0, 0, {}, {}};
  block.first = blocks_.empty() ? 0 : blocks_.back().last;
  block.last = block.first + rounded_up(std::ssize(points), lanes) / lanes;
  block.constants.resize((block.last - block.first) * block.law.constants * lanes);
  block.material.resize((block.last - block.first) * lanes);
  for (Index at = 0; at < block.material.size(); ++at) {
    const Index lane = at % lanes, batch = at / lanes;
    const int p = points[static_cast<std::size_t>(std::min(at, std::ssize(points) - 1))];
    block.material[at] = points_.material[p];
    set_constants(block, at, material_of(p));
    if (at >= std::ssize(points)) continue;
    weights_[block.first * lanes + at] = points_.weights[p];
    for (Index j = 0; j < size(); ++j) {
      for (Index k = 0; k < 9; ++k) {
        gradients_[((block.first + batch) * stride_ + j) * batch_rows + k * lanes + lane] =
            points_.gradients(9 * Index{p} + k, j);
      }
    }
  }
  blocks_.push_back(std::move(block));
}

// Of lane `at` of the block.
void CubatureForces::set_constants(Block& block, Index at, const fem::Material& material) noexcept {
  const Index lane = at % lanes, batch = at / lanes;
  for (int k = 0; k < block.law.constants; ++k) {
    block.constants[(batch * block.law.constants + k) * lanes + lane] =
        material.constants[static_cast<std::size_t>(k)];
  }
}

bool CubatureForces::try_set_lame(int material, const fem::Lame& lame) noexcept {
  if (material < 0 || material >= std::ssize(points_.materials)) return false;
  fem::Material& changed = points_.materials[static_cast<std::size_t>(material)];
  if (!fem::has_lame(changed)) return false;
  fem::set_lame(changed, lame);
  for (Block& block : blocks_) {
    for (Index at = 0; at < block.material.size(); ++at) {
      if (block.material[at] == material) set_constants(block, at, changed);
    }
  }
  return true;
}

CubatureForces::Workspace::Workspace(const CubatureForces& forces)
    : H(VectorXd::Zero(chunk * forces.stride_ * batch_rows)),
      K(VectorXd::Zero(forces.stride_ * rounded_up(forces.stride_, tile_j))) {}

const double* CubatureForces::column(Index batch, Index j) const noexcept {
  return gradients_.data() + (batch * stride_ + j) * batch_rows;
}

void CubatureForces::deformation_gradient(Index batch, const double* q, Index r,
                                          Pack* F) const noexcept {
  for (int k = 0; k < 9; ++k) F[k] = fem::constant<Pack>(k % 4 == 0 ? 1.0 : 0.0);
  for (Index j = 0; j < r; ++j) {
    const double* g = column(batch, j);
    for (int k = 0; k < 9; ++k) F[k] += q[j] * load(g + k * lanes);
  }
}

// H: w A(F) G, 9 packs a column, and behind these w P(F).
void CubatureForces::evaluate_batch(const Block& block, Index batch, const double* q, Index r,
                                    double* H) const noexcept {
  Pack F[9], P[9], packed[fem::tangent_size], constants[most_constants];
  deformation_gradient(batch, q, r, F);
  load_constants(block, batch, constants);
  block.law.tangent(constants, F, P, packed);
  const Pack w = load(weights_.data() + batch * lanes);
  double A[9][batch_rows];
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b) store(A[a] + b * lanes, w * packed[fem::pair_index(a, b)]);
    store(H + r * batch_rows + a * lanes, w * P[a]);
  }
  // In tiles of three rows of A by four columns.
  for (Index j = 0; j < r; j += tile_j) {
    const double* g = column(batch, j);
    const Index columns = std::min(r - j, tile_j);
    for (Index a = 0; a < 9; a += tile_i) {
      Pack t[tile_j][tile_i] = {};
      for (Index k = 0; k < 9; ++k) {
        const Pack a0 = load(A[a] + k * lanes), a1 = load(A[a + 1] + k * lanes),
                   a2 = load(A[a + 2] + k * lanes);
        PLIANT_UNROLL
        for (Index c = 0; c < tile_j; ++c) {
          const Pack gc = load(g + c * batch_rows + k * lanes);
          t[c][0] += a0 * gc;
          t[c][1] += a1 * gc;
          t[c][2] += a2 * gc;
        }
      }
      for (Index c = 0; c < columns; ++c) {
        double* h = H + (j + c) * batch_rows + a * lanes;
        for (Index i = 0; i < tile_i; ++i) store(h + i * lanes, t[c][i]);
      }
    }
  }
}

// K_ij += G_i . H_j over the batches first .. last - 1, for i <= j <= r, i < r, in tiles of 3 by 4;
// column i of K at K + i * rows.
void CubatureForces::add_products(Index first, Index last, Index r, const double* H, double* K,
                                  Index rows) const noexcept {
  for (Index i = 0; i < r; i += tile_i) {
    for (Index j = i / tile_j * tile_j; j <= r; j += tile_j) {
      Pack t[tile_i][tile_j] = {};
      for (Index b = first; b < last; ++b) {
        const double* g = column(b, i);
        const double* h = H + ((b - first) * stride_ + j) * batch_rows;
        for (int k = 0; k < 9; ++k, g += lanes, h += lanes) {
          const Pack g0 = load(g), g1 = load(g + batch_rows), g2 = load(g + 2 * batch_rows);
          PLIANT_UNROLL
          for (int c = 0; c < tile_j; ++c) {
            const Pack hc = load(h + c * batch_rows);
            t[0][c] += g0 * hc;
            t[1][c] += g1 * hc;
            t[2][c] += g2 * hc;
          }
        }
      }
      PLIANT_UNROLL
      for (Index c = 0; c < tile_i; ++c) {
        double* k = K + (i + c) * rows + j;
        store(k, load(k) + sums(t[c][0], t[c][1], t[c][2], t[c][3]));
      }
    }
  }
}

void CubatureForces::evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R,
                              Eigen::Ref<MatrixXd> K, Workspace& w) const noexcept {
  const Index r = q.size(), rows = rounded_up(stride_, tile_j);
  PLIANT_ASSERT(r <= size() && R.size() == r && K.rows() == r && K.cols() == r,
                "as many forces as coordinates, at most r");
  w.K.setZero();
  for (const Block& block : blocks_) {
    for (Index first = block.first; first < block.last; first += chunk) {
      const Index last = std::min(first + chunk, block.last);
      for (Index b = first; b < last; ++b) {
        evaluate_batch(block, b, q.data(), r, w.H.data() + (b - first) * stride_ * batch_rows);
      }
      add_products(first, last, r, w.H.data(), w.K.data(), rows);
    }
  }
  const Index outer = K.outerStride();
  for (Index i = 0; i < r; ++i) {
    const double* column = w.K.data() + i * rows;
    for (Index j = i; j < r; ++j) K.data()[i * outer + j] = K.data()[j * outer + i] = column[j];
    R.data()[i] = column[r];
  }
}

void CubatureForces::load_constants(const Block& block, Index batch,
                                    Pack* constants) const noexcept {
  const int count = block.law.constants;
  const double* data = block.constants.data() + (batch - block.first) * count * lanes;
  for (int k = 0; k < count; ++k) constants[k] = load(data + k * lanes);
}

double CubatureForces::energy(const Eigen::Ref<const VectorXd>& q, Workspace&) const noexcept {
  double total = 0;
  for (const Block& block : blocks_) {
    for (Index b = block.first; b < block.last; ++b) {
      Pack F[9], psi, constants[most_constants];
      deformation_gradient(b, q.data(), q.size(), F);
      load_constants(block, b, constants);
      block.law.energy(constants, F, psi);
      total += sum(load(weights_.data() + b * lanes) * psi);
    }
  }
  return total;
}

}  // namespace pliant
