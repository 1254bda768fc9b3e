// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/coefficients.hpp"

#include <algorithm>
#include <numeric>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"
#include "pliant/reduced/bake/strain_rows.hpp"

namespace pliant {
namespace {

constexpr Index rows_of_a_batch = 1024;  // of B_mu, more or less: they stay in the cache
constexpr Index tile = 168;

// One tile of the lower triangle of G gets the rows of a batch (the columns of B).
struct TileUpdate {
  const Eigen::Ref<const MatrixXd>* B;
  MatrixXd* G;
  Index i, j;

  void operator()() const {
    const Index n = std::min(tile, G->rows() - i), m = std::min(tile, G->rows() - j);
    if (i == j) {
      G->block(i, i, n, n).selfadjointView<Eigen::Lower>().rankUpdate(B->middleRows(i, n));
    } else {
      G->block(i, j, n, m).noalias() += B->middleRows(i, n) * B->middleRows(j, m).transpose();
    }
  }
};

// The lower triangles of G, each tile summed over the batches in order: the same bits for any
// number of threads.
struct GramMatrices {
  MatrixXd mu;     // empty if the material is anisotropic
  MatrixXd other;  // of lambda, or of the whole stiffness
};

GramMatrices gram_matrices(const StrainRows& rows, const std::vector<int>& elements, bool isotropic,
                           Progress& progress) {
  const Index m = rows.columns();
  GramMatrices gram;
  if (isotropic) gram.mu = MatrixXd::Zero(m, m);
  gram.other = MatrixXd::Zero(m, m);

  const std::size_t batch =
      static_cast<std::size_t>(std::max(Index{1}, rows_of_a_batch / rows.samples()));
  MatrixXd B_mu(m, rows.samples() * static_cast<Index>(batch));
  MatrixXd B_other(m, rows.combinations() * static_cast<Index>(batch));
  for (std::size_t first = 0; first < elements.size(); first += batch) {
    const std::size_t count = std::min(batch, elements.size() - first);
    parallel_for(count, std::max(std::size_t{1}, batch / 16), [&](std::size_t k) {
      const Index s = rows.samples(), c = rows.combinations(), at = static_cast<Index>(k);
      rows.fill(elements[first + k], B_mu.middleCols(at * s, s), B_other.middleCols(at * c, c));
    });
    const Index used = static_cast<Index>(count);
    const Eigen::Ref<const MatrixXd> of_mu = B_mu.leftCols(used * rows.samples());
    const Eigen::Ref<const MatrixXd> of_other = B_other.leftCols(used * rows.combinations());
    std::vector<TileUpdate> tiles;
    for (Index j = 0; j < m; j += tile) {
      for (Index i = j; i < m; i += tile) {
        if (isotropic) tiles.push_back({&of_mu, &gram.mu, i, j});
        tiles.push_back({&of_other, &gram.other, i, j});
      }
    }
    parallel_for(tiles.size(), 1, [&](std::size_t t) { tiles[t](); });
    progress.advance(static_cast<std::int64_t>(count));
  }
  return gram;
}

// Entries of G, of which the lower triangle is there, by indices in any order.
struct GramEntries {
  const MatrixXd& G;
  Index r;

  Index pair(Index i, Index j) const { return r + (i <= j ? pair_place(i, j) : pair_place(j, i)); }
  double operator()(Index i, Index j) const { return i >= j ? G(i, j) : G(j, i); }
  double operator()(Index i, Index j, Index k) const { return G(pair(j, k), i); }
  double operator()(Index i, Index j, Index k, Index l) const {
    return (*this)(pair(i, j), pair(k, l));
  }
};

EnergyPolynomial energy_of(const MatrixXd& gram, Index r) {
  const GramEntries G{gram, r};
  EnergyPolynomial V{VectorXd(pair_count(r)), VectorXd::Zero(triple_count(r)),
                     VectorXd::Zero(quadruple_count(r))};
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i <= j; ++i) V.quadratic[pair_place(i, j)] = G(i, j);
  }
  if (gram.rows() == r) return V;  // the Cauchy strain: a quadratic energy
  for (Index k = 0; k < r; ++k) {
    for (Index j = 0; j <= k; ++j) {
      for (Index i = 0; i <= j; ++i) {
        V.cubic[triple_place(i, j, k)] = G(i, j, k) + G(j, i, k) + G(k, i, j);
      }
    }
  }
  for (Index l = 0; l < r; ++l) {
    for (Index k = 0; k <= l; ++k) {
      for (Index j = 0; j <= k; ++j) {
        for (Index i = 0; i <= j; ++i) {
          V.quartic[quadruple_place(i, j, k, l)] = G(i, j, k, l) + G(i, k, j, l) + G(i, l, j, k);
        }
      }
    }
  }
  return V;
}

DampingPolynomial damping_of(const MatrixXd& gram, Index r) {
  const GramEntries G{gram, r};
  const Index n = pair_count(r);
  DampingPolynomial D{VectorXd(n), MatrixXd(n, r), VectorXd(pair_count(n))};
  for (Index j = 0; j < r; ++j) {
    for (Index i = 0; i <= j; ++i) {
      const Index ij = pair_place(i, j);
      D.constant[ij] = G(i, j);
      for (Index k = 0; k < r; ++k) D.linear(ij, k) = G(i, j, k) + G(j, i, k);
      for (Index l = 0; l < r; ++l) {
        for (Index k = 0; k <= l && pair_place(k, l) <= ij; ++k) {
          D.quadratic[pair_place(pair_place(k, l), ij)] = G(i, k, j, l) + G(i, l, j, k);
        }
      }
    }
  }
  return D;
}

// U^T M U of some elements, at a density of one.
MatrixXd reduced_mass(const VolumeMesh& mesh, const std::vector<int>& elements, const MatrixXd& U,
                      MassKind kind) {
  MatrixXd MU = MatrixXd::Zero(U.rows(), U.cols());
  for (const int e : elements) {
    const MatrixXd m = fem::element_mass(mesh, e, kind);
    for (Index b = 0; b < m.cols(); ++b) {
      for (Index a = 0; a < m.rows(); ++a) {
        if (m(a, b) == 0) continue;
        MU.middleRows<3>(3 * mesh.E(a, e)) += m(a, b) * U.middleRows<3>(3 * mesh.E(b, e));
      }
    }
  }
  const MatrixXd M = U.transpose() * MU;
  return (M + M.transpose()) / 2;
}

void check_basis(const fem::ElasticModel& model, const MatrixXd& U) {
  if (U.rows() != model.dof()) {
    throw Error({"", 0, "basis"}, "wrong number of rows", std::to_string(U.rows()),
                fmt::format("{}, three a node", model.dof()));
  }
  if (U.cols() < 1 || U.cols() > most_polynomial_shapes) {
    throw Error({"", 0, "basis"}, "wrong number of shapes for force polynomials",
                std::to_string(U.cols()),
                fmt::format("1 to {}; for more use cubature", most_polynomial_shapes));
  }
  if (!U.allFinite()) throw Error({"", 0, "basis"}, "a number is not finite");
}

void check_laws(const fem::ElasticModel& model) {
  for (std::size_t g = 0; g < model.materials().size(); ++g) {
    const fem::Law law = model.materials()[g].law;
    if (law == fem::Law::stvk || law == fem::Law::linear) continue;
    throw Error({"", 0, fmt::format("material {}", g)}, "the forces of this law are no polynomials",
                fem::name_of(law), "stvk or linear; for other laws use cubature");
  }
}

fem::Matrix6d stiffness_of(const fem::Material& material) {
  fem::Matrix6d C;
  std::size_t k = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) C(i, j) = C(j, i) = material.constants[k++];
  }
  return C;
}

// The elements of each region.
std::vector<std::vector<int>> elements_by_region(const fem::ElasticModel& model) {
  const std::size_t regions = model.materials().size();
  std::vector<std::vector<int>> elements(regions);
  for (int e = 0; e < model.mesh().element_count(); ++e) {
    elements[regions == 1 ? 0 : static_cast<std::size_t>(model.mesh().region[e])].push_back(e);
  }
  return elements;
}

}  // namespace

ReducedMaterials reduce_masses(const fem::ElasticModel& model, const MatrixXd& U, MassKind mass) {
  require_basis(model, U);
  const auto elements = elements_by_region(model);
  ReducedMaterials result;
  result.densities.resize(static_cast<Index>(elements.size()));
  for (std::size_t g = 0; g < elements.size(); ++g) {
    result.masses.push_back(reduced_mass(model.mesh(), elements[g], U, mass));
    result.densities[static_cast<Index>(g)] = model.materials()[g].density;
  }
  return result;
}

ReducedMaterials reduce_materials(const fem::ElasticModel& model, const MatrixXd& U, MassKind mass,
                                  Progress& progress) {
  check_basis(model, U);
  check_laws(model);
  using Constant = ReducedMaterials::Constant;
  const auto elements = elements_by_region(model);
  ReducedMaterials result = reduce_masses(model, U, mass);
  std::vector<double> coefficients;
  const auto add = [&](int region, Constant constant, const MatrixXd& G, double coefficient) {
    result.parts.push_back(energy_of(G, U.cols()));
    result.meanings.push_back({region, constant});
    coefficients.push_back(coefficient);
  };
  progress.begin("force polynomials", model.mesh().element_count());
  for (int g = 0; g < static_cast<int>(elements.size()); ++g) {
    const fem::Material& material = model.materials()[static_cast<std::size_t>(g)];
    const std::vector<int>& of_region = elements[static_cast<std::size_t>(g)];
    const bool green = material.law == fem::Law::stvk;
    if (material.isotropic) {
      const GramMatrices gram =
          gram_matrices(StrainRows(model, U, green), of_region, true, progress);
      add(g, Constant::lambda, gram.other, material.constants[0]);
      add(g, Constant::mu, gram.mu, material.constants[1]);
    } else {
      const fem::Matrix6d C = stiffness_of(material);
      const GramMatrices gram =
          gram_matrices(StrainRows(model, U, green, &C), of_region, false, progress);
      add(g, Constant::stiffness, gram.other, 1.0);
    }
  }
  progress.end();
  result.coefficients =
      Eigen::Map<const VectorXd>(coefficients.data(), static_cast<Index>(coefficients.size()));
  return result;
}

DampingParts reduce_damping(const fem::ElasticModel& model, const MatrixXd& U, Progress& progress) {
  check_basis(model, U);
  std::vector<int> elements(static_cast<std::size_t>(model.mesh().element_count()));
  std::iota(elements.begin(), elements.end(), 0);
  progress.begin("damping polynomials", model.mesh().element_count());
  const GramMatrices gram = gram_matrices(StrainRows(model, U, true), elements, true, progress);
  progress.end();
  return {damping_of(gram.other, U.cols()), damping_of(gram.mu, U.cols())};
}

}  // namespace pliant
