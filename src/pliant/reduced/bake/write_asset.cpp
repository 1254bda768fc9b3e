// SPDX-License-Identifier: MIT
// The writers of reduced_asset.hpp and its parts: a bake writes, what runs only reads.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "pliant/base/tensor_file.hpp"
#include "pliant/reduced/reduced_asset.hpp"

namespace pliant {
namespace {

// One column for each item of a list.
template <class Item, class Part>
MatrixXd columns(const std::vector<Item>& list, Index rows, const Part& part) {
  MatrixXd all(rows, static_cast<Index>(list.size()));
  for (Index i = 0; i < all.cols(); ++i) {
    all.col(i) = part(list[static_cast<std::size_t>(i)]).reshaped();
  }
  return all;
}

void write_mass(const ReducedMaterials& materials, TensorWriter& writer,
                const std::string& prefix) {
  const Index r = materials.masses.front().rows();
  writer.keep(prefix + "mass", columns(materials.masses, r * r, [](const auto& M) { return M; }));
  writer.keep(prefix + "densities", materials.densities);
}

void write_parts(const ReducedMaterials& materials, TensorWriter& writer,
                 const std::string& prefix) {
  const auto& parts = materials.parts;
  const auto& first = parts.front();
  writer.keep(prefix + "quadratic",
              columns(parts, first.quadratic.size(), [](const auto& p) { return p.quadratic; }));
  writer.keep(prefix + "cubic",
              columns(parts, first.cubic.size(), [](const auto& p) { return p.cubic; }));
  writer.keep(prefix + "quartic",
              columns(parts, first.quartic.size(), [](const auto& p) { return p.quartic; }));
  MatrixXi meaning(2, static_cast<Index>(parts.size()));
  for (Index p = 0; p < meaning.cols(); ++p) {
    const ReducedMaterials::Meaning& m = materials.meanings[static_cast<std::size_t>(p)];
    meaning.col(p) << m.region, static_cast<int>(m.constant);
  }
  writer.keep(prefix + "meaning", std::move(meaning));
  writer.keep(prefix + "coefficients", materials.coefficients);
}

void write_moments(const std::vector<BodyMoments>& moments, TensorWriter& writer,
                   const std::string& prefix) {
  const Index r = moments.front().size();
  VectorXd mass(static_cast<Index>(moments.size()));
  for (Index g = 0; g < mass.size(); ++g) mass[g] = moments[static_cast<std::size_t>(g)].mass;
  writer.keep(prefix + "mass", mass);
  writer.keep(prefix + "X", columns(moments, 3, [](const auto& m) { return m.X; }));
  writer.keep(prefix + "XX", columns(moments, 9, [](const auto& m) { return m.XX; }));
  writer.keep(prefix + "U", columns(moments, 3 * r, [](const auto& m) { return m.U; }));
  writer.keep(prefix + "XU", columns(moments, 9 * r, [](const auto& m) { return m.XU; }));
  writer.keep(prefix + "UU", columns(moments, 9 * r * r, [](const auto& m) { return m.UU; }));
}

}  // namespace

void CubatureForces::write(TensorWriter& writer, const std::string& prefix) const {
  writer.keep(prefix + "gradients", points_.gradients);
  writer.keep(prefix + "weights", points_.weights);
  writer.keep(prefix + "material", points_.material);
  const auto count = static_cast<Index>(points_.materials.size());
  using Names = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic>;
  Names laws = Names::Zero(longest_name, count);
  MatrixXd constants = MatrixXd::Zero(fem::most_constants, count);
  for (Index m = 0; m < count; ++m) {
    const fem::Material& material = points_.materials[static_cast<std::size_t>(m)];
    std::string name = name_of(material.law);
    if (!material.isotropic) name += anisotropic_suffix;
    std::copy(name.begin(), name.end(), laws.col(m).begin());
    std::copy(material.constants.begin(), material.constants.end(), constants.col(m).begin());
  }
  writer.keep(prefix + "laws", std::move(laws));
  writer.keep(prefix + "constants", std::move(constants));
}

void write_damping_parts(const DampingParts& parts, TensorWriter& writer,
                         const std::string& prefix) {
  const auto keep = [&](const char* name, const auto& member) {
    MatrixXd columns(member(parts[0]).size(), 2);
    for (Index p = 0; p < 2; ++p) {
      columns.col(p) = member(parts[static_cast<std::size_t>(p)]).reshaped();
    }
    writer.keep(prefix + name, std::move(columns));
  };
  keep(
      "constant", [](const DampingPolynomial& d) -> const auto& { return d.constant; });
  keep(
      "linear", [](const DampingPolynomial& d) -> const auto& { return d.linear; });
  keep(
      "quadratic", [](const DampingPolynomial& d) -> const auto& { return d.quadratic; });
}

void ReducedAsset::write(TensorWriter& writer, const std::string& prefix) const {
  write_mass(materials, writer, prefix);
  if (cubature) {
    cubature->write(writer, prefix + "cubature/");
  } else {
    write_parts(materials, writer, prefix);
  }
  if (damping_parts) write_damping_parts(*damping_parts, writer, prefix + "viscosity/");
  if (is_free()) write_moments(moments, writer, prefix + "moments/");
}

}  // namespace pliant
