// SPDX-License-Identifier: MIT
#include "pliant/mesh/klimenko_mesh.hpp"

#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

void check(const TetMaterial& m, Index t) {
  const auto require = [&](bool ok, const char* name, double value, const char* expected) {
    if (!ok)
      throw Error({"", 0, fmt::format("tetrahedron {}", t)}, fmt::format("bad {}", name),
                  fmt::format("{:g}", value), expected);
  };
  require(m.density > 0 && std::isfinite(m.density), "density", m.density, "a density > 0");
  require(m.young > 0 && std::isfinite(m.young), "Young's modulus", m.young, "a modulus > 0");
  require(m.poisson > -1 && m.poisson < 0.5, "Poisson's ratio", m.poisson, "between -1 and 0.5");
}

}  // namespace

VolumeMesh klimenko_mesh(const Matrix3Xd& V, const MatrixXi& T,
                         std::span<const TetMaterial> materials, std::string_view flags) {
  const auto tets = static_cast<std::size_t>(T.cols());
  const auto nodes = static_cast<std::size_t>(V.cols());
  if (T.rows() != 4) throw Error({}, "rows of T", std::to_string(T.rows()), "4");
  if (materials.size() != tets)
    throw Error({}, "materials", std::to_string(materials.size()),
                fmt::format("one per tetrahedron, {}", tets));
  if (!flags.empty() && flags.size() != nodes)
    throw Error({}, "control element flags", std::to_string(flags.size()),
                fmt::format("one per node, {}", nodes));

  VolumeMesh mesh;
  mesh.type = ElementType::tet4;
  mesh.V = V;
  mesh.E = T;
  mesh.region.resize(T.cols());
  std::map<std::tuple<double, double, double>, int> known;
  for (Index t = 0; t < T.cols(); ++t) {
    for (int k = 0; k < 4; ++k) {
      if (T(k, t) < 0 || T(k, t) >= V.cols())
        throw Error({"", 0, fmt::format("tetrahedron {}", t)}, "no such node",
                    std::to_string(T(k, t)), fmt::format("0 to {}", V.cols() - 1));
    }
    const TetMaterial& m = materials[static_cast<std::size_t>(t)];
    check(m, t);
    const int next = static_cast<int>(known.size());
    const auto [it, is_new] = known.try_emplace({m.density, m.young, m.poisson}, next);
    if (is_new) {
      const std::string name = fmt::format("material_{}", next);
      mesh.regions.push_back({name, next});
      mesh.materials.push_back(
          {name, MaterialRecord::Law::isotropic, m.density, {m.young, m.poisson}});
    }
    mesh.region[t] = it->second;
  }

  std::map<unsigned char, std::vector<int>> control;
  for (std::size_t n = 0; n < flags.size(); ++n) {
    if (flags[n] != '0')
      control[static_cast<unsigned char>(flags[n])].push_back(static_cast<int>(n));
  }
  for (auto& [flag, items] : control)
    mesh.node_sets.push_back({fmt::format("control_{}", mesh.node_sets.size()), std::move(items)});
  return mesh;
}

}  // namespace pliant
