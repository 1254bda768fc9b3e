// SPDX-License-Identifier: MIT
#include "pliant/fem/element_batches.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/morton.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant::fem {
namespace {

constexpr int batches_per_chunk = 16;
constexpr int mask_colours = 64;
constexpr double box_tolerance = 1e-9;    // of the shortest edge
constexpr double flat_tolerance = 1e-14;  // of the cube of an edge

KernelSet kernels_of(const Material& material, GeometryKind kind) {
  switch (material.law) {
    case Law::linear:
    case Law::stvk:
      return strain_kernels(material.law == Law::stvk, material.isotropic, kind);
    case Law::corotational:
      return corotational_kernels(kind);
    case Law::neo_hookean:
      return neo_hookean_kernels(kind);
    case Law::stable_neo_hookean:
      return stable_neo_hookean_kernels(kind);
    case Law::mooney_rivlin:
      return mooney_rivlin_kernels(kind);
  }
  throw Error("unknown material law");
}

std::vector<int> elements_along_a_curve(const VolumeMesh& mesh) {
  const Eigen::AlignedBox3d box = bounds(mesh.V);
  const double extent = std::max(longest_side(box), 1e-300);
  std::vector<std::pair<std::uint64_t, int>> keys;
  for (int e = 0; e < mesh.element_count(); ++e) {
    Vector3d centre = Vector3d::Zero();
    for (int a = 0; a < mesh.E.rows(); ++a) centre += mesh.V.col(mesh.E(a, e));
    centre = (centre / static_cast<double>(mesh.E.rows()) - box.min()) / extent;
    keys.emplace_back(morton_code(centre), e);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order;
  for (const auto& [key, e] : keys) order.push_back(e);
  return order;
}

// The smallest Jacobian determinant dX/dxi of element e at its quadrature points.
template <class Element>
double smallest_jacobian(const VolumeMesh& mesh, int e) {
  const auto& table = Element::table();
  double smallest = std::numeric_limits<double>::infinity();
  for (int p = 0; p < Element::points; ++p) {
    Matrix3d J = Matrix3d::Zero();
    for (int a = 0; a < Element::nodes; ++a) {
      J += mesh.V.col(mesh.E(a, e)) * Eigen::Map<const Vector3d>(table.dN[p][a]).transpose();
    }
    smallest = std::min(smallest, J.determinant());
  }
  return smallest;
}

double smallest_jacobian(const VolumeMesh& mesh, int e) {
  switch (mesh.type) {
    case ElementType::tet4:
      return smallest_jacobian<Tet4>(mesh, e);
    case ElementType::tet10:
      return smallest_jacobian<Tet10>(mesh, e);
    case ElementType::hex8:
      return smallest_jacobian<Hex8>(mesh, e);
  }
  return 0.0;
}

}  // namespace

ElementBatches::ElementBatches(VolumeMesh m, std::vector<Material> of_regions)
    : mesh(std::move(m)), materials(std::move(of_regions)) {
  check();
  choose_geometry();
  make_blocks();
  colour_chunks();
  make_pattern();
}

void ElementBatches::check() const {
  if (mesh.element_count() == 0) throw Error("the mesh has no elements");
  validate(mesh);
  if (materials.empty()) throw Error("the body has no material");
  if (materials.size() > 1 && mesh.region.size() != mesh.element_count()) {
    throw Error({}, "several materials need a region for each element",
                std::to_string(mesh.region.size()), std::to_string(mesh.element_count()));
  }
  for (int e = 0; materials.size() > 1 && e < mesh.element_count(); ++e) {
    if (mesh.region[e] < 0 || mesh.region[e] >= static_cast<int>(materials.size())) {
      throw Error({"", 0, "element " + std::to_string(e)}, "its region has no material",
                  std::to_string(mesh.region[e]), fmt::format("0 to {}", materials.size() - 1));
    }
  }
  for (std::size_t m = 0; m < materials.size(); ++m) {
    const Material& material = materials[m];
    const std::string item = "material " + std::to_string(m);
    if (!(material.density > 0) || !std::isfinite(material.density)) {
      throw Error({"", 0, item}, "the density must be positive",
                  fmt::format("{:g}", material.density), "a number > 0, in kg/m^3");
    }
    const int needed = kernels_of(material, GeometryKind::tet4).constants;
    if (static_cast<int>(material.constants.size()) != needed) {
      throw Error({"", 0, item}, "wrong number of constants",
                  std::to_string(material.constants.size()),
                  fmt::format("{} for the law {}", needed, name_of(material.law)));
    }
    for (const double constant : material.constants) {
      if (!std::isfinite(constant)) {
        throw Error({"", 0, item}, "a constant is not finite", fmt::format("{:g}", constant));
      }
    }
  }
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int a = 1; a < nodes(); ++a) {
      for (int b = 0; b < a; ++b) {
        if (mesh.E(a, e) != mesh.E(b, e)) continue;
        throw Error({"", 0, "element " + std::to_string(e)}, "it uses a node twice",
                    std::to_string(mesh.E(a, e)));
      }
    }
  }
}

void ElementBatches::choose_geometry() {
  switch (mesh.type) {
    case ElementType::tet4:
      kind = GeometryKind::tet4;
      return;
    case ElementType::tet10:
      kind = GeometryKind::tet10;
      return;
    case ElementType::hex8:
      break;
  }
  kind = GeometryKind::box;
  equal_boxes = true;
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() * mesh.V.cwiseAbs().maxCoeff();
  const Vector3d first = box_size(0);
  for (int e = 0; e < mesh.element_count() && kind == GeometryKind::box; ++e) {
    const Vector3d size = box_size(e);
    const double tolerance = box_tolerance * size.cwiseAbs().minCoeff() + rounding;
    if (!(size.minCoeff() > tolerance)) kind = GeometryKind::hex8;
    for (int a = 1; a < 8; ++a) {
      const Vector3d corner(Hex8::corner[a][0], Hex8::corner[a][1], Hex8::corner[a][2]);
      const Vector3d offset =
          mesh.V.col(mesh.E(a, e)) - mesh.V.col(mesh.E(0, e)) - corner.cwiseProduct(size);
      if (offset.cwiseAbs().maxCoeff() > tolerance) kind = GeometryKind::hex8;
    }
    if ((size - first).cwiseAbs().maxCoeff() > tolerance) equal_boxes = false;
  }
  if (kind != GeometryKind::box) equal_boxes = false;
}

// The diagonal from the first corner: the edges, if the element is a box.
Vector3d ElementBatches::box_size(int e) const {
  return mesh.V.col(mesh.E(6, e)) - mesh.V.col(mesh.E(0, e));
}

void ElementBatches::make_blocks() {
  // Elements of one law (and isotropy) share their kernels, whatever their constants are.
  std::map<std::pair<Law, bool>, std::size_t> block_of;
  for (const int e : elements_along_a_curve(mesh)) {
    const Material& material = material_of(e);
    const auto [found, added] =
        block_of.try_emplace({material.law, material.isotropic}, blocks.size());
    if (added) {
      blocks.emplace_back();
      blocks.back().kernels = kernels_of(material, kind);
    }
    blocks[found->second].elements.push_back(e);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Block& block = blocks[b];
    block.batches = (static_cast<int>(block.elements.size()) + lanes - 1) / lanes;
    block.nodes.resize(static_cast<std::size_t>(block.batches * nodes() * lanes));
    block.geometry.resize(lanes, static_cast<Index>(block.batches) * block.kernels.stored);
    block.constants.resize(lanes, static_cast<Index>(block.batches) * block.kernels.constants);
    for (int batch = 0; batch < block.batches; ++batch) fill_batch(block, batch);
    for (int first = 0; first < block.batches; first += batches_per_chunk) {
      chunks.push_back(
          {static_cast<int>(b), first, std::min(first + batches_per_chunk, block.batches)});
    }
  }
}

void ElementBatches::fill_batch(Block& block, int batch) const {
  const int used = used_lanes(block, batch);
  for (int lane = 0; lane < lanes; ++lane) {
    const int e =
        block.elements[static_cast<std::size_t>(batch * lanes + std::min(lane, used - 1))];
    for (int a = 0; a < nodes(); ++a) {
      block.nodes[static_cast<std::size_t>((batch * nodes() + a) * lanes + lane)] = mesh.E(a, e);
    }
    const std::vector<double>& constants = material_of(e).constants;
    for (int k = 0; k < block.kernels.constants; ++k) {
      block.constants(lane, batch * block.kernels.constants + k) =
          constants[static_cast<std::size_t>(k)];
    }
    auto geometry = block.geometry.middleCols(batch * block.kernels.stored, block.kernels.stored);
    const auto X = [&](int a) { return mesh.V.col(mesh.E(a, e)); };
    const double smallest = smallest_jacobian(mesh, e);
    // A flat element may have a tiny positive volume by rounding.
    double longest = 0.0;
    for (int a = 1; a < nodes(); ++a) longest = std::max(longest, (X(a) - X(0)).norm());
    if (!(smallest > flat_tolerance * longest * longest * longest)) {
      throw Error({"", 0, "element " + std::to_string(e)}, "it is inverted or flat",
                  fmt::format("{:g}", smallest), "a positive volume at each of its points");
    }
    if (kind == GeometryKind::tet4) {
      Matrix3d D;
      for (int k = 0; k < 3; ++k) D.col(k) = X(k + 1) - X(0);
      const Matrix3d inverse = D.inverse();  // row k: gradient of node k + 1
      for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < 3; ++k) geometry(lane, 3 * a + k) = inverse(a, k);
      }
      geometry(lane, 9) = element_volume(mesh, e);
    } else if (kind == GeometryKind::box) {
      const Vector3d size = box_size(e);
      for (int k = 0; k < 3; ++k) geometry(lane, k) = 2 / size[k];
      geometry(lane, 3) = size.prod() / 8;
    } else {
      for (int a = 0; a < nodes(); ++a) {
        for (int k = 0; k < 3; ++k) geometry(lane, 3 * a + k) = X(a)[k];
      }
    }
  }
}

// Greedy: the first colour that no chunk with a common node has.
void ElementBatches::colour_chunks() {
  std::vector<std::uint64_t> taken(static_cast<std::size_t>(mesh.vertex_count()), 0);
  std::vector<std::vector<int>> alone;
  colours.resize(mask_colours);
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const auto [b, first, last] = chunks[c];
    const std::vector<int>& nodes_of = blocks[static_cast<std::size_t>(b)].nodes;
    const auto begin = nodes_of.begin() + first * nodes() * lanes;
    const auto end = nodes_of.begin() + last * nodes() * lanes;
    std::uint64_t mask = 0;
    for (auto node = begin; node != end; ++node) mask |= taken[static_cast<std::size_t>(*node)];
    const int colour = std::countr_one(mask);
    if (colour == mask_colours) {
      alone.push_back({static_cast<int>(c)});
      continue;
    }
    for (auto node = begin; node != end; ++node) {
      taken[static_cast<std::size_t>(*node)] |= std::uint64_t{1} << colour;
    }
    colours[static_cast<std::size_t>(colour)].push_back(static_cast<int>(c));
  }
  std::erase_if(colours, [](const auto& colour) { return colour.empty(); });
  colours.insert(colours.end(), alone.begin(), alone.end());
}

void ElementBatches::make_pattern() {
  const auto n = static_cast<std::size_t>(mesh.vertex_count());
  // Elements of each node, then the sorted nodes of these.
  std::vector<int> first(n + 1, 0);
  for (const int v : mesh.E.reshaped()) ++first[static_cast<std::size_t>(v) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> elements_of(static_cast<std::size_t>(mesh.E.size())), at = first;
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (int a = 0; a < nodes(); ++a) {
      elements_of[static_cast<std::size_t>(at[static_cast<std::size_t>(mesh.E(a, e))]++)] = e;
    }
  }
  start.assign(n + 1, 0);
  std::vector<int> near;
  for (std::size_t v = 0; v < n; ++v) {
    near.clear();
    for (int k = first[v]; k < first[v + 1]; ++k) {
      const int e = elements_of[static_cast<std::size_t>(k)];
      near.insert(near.end(), mesh.E.col(e).begin(), mesh.E.col(e).end());
    }
    if (near.empty()) near.push_back(static_cast<int>(v));  // keeps a diagonal for a lonely node
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    if (near.size() > 65535) {
      throw Error({"", 0, "node " + std::to_string(v)}, "too many elements meet here",
                  std::to_string(near.size()), "at most 65535 neighbours");
    }
    adjacent.insert(adjacent.end(), near.begin(), near.end());
    start[v + 1] = static_cast<int>(adjacent.size());
  }
  if (adjacent.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 9) {
    throw Error("the stiffness matrix has more than 2^31 entries: use a coarser mesh");
  }
  for (Block& block : blocks) {
    const auto N = static_cast<std::size_t>(nodes());
    block.ranks.resize(static_cast<std::size_t>(block.batches) * lanes * N * N);
    std::size_t out = 0;
    for (int batch = 0; batch < block.batches; ++batch) {
      for (int lane = 0; lane < lanes; ++lane) {
        const auto node = [&](std::size_t a) {
          return block.nodes[(static_cast<std::size_t>(batch) * N + a) * lanes +
                             static_cast<std::size_t>(lane)];
        };
        for (std::size_t b = 0; b < N; ++b) {
          const auto v = static_cast<std::size_t>(node(b));
          const auto begin = adjacent.begin() + start[v], end = adjacent.begin() + start[v + 1];
          for (std::size_t a = 0; a < N; ++a) {
            block.ranks[out++] =
                static_cast<std::uint16_t>(std::lower_bound(begin, end, node(a)) - begin);
          }
        }
      }
    }
  }
}

}  // namespace pliant::fem
