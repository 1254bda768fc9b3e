// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_asset.hpp"

#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {
namespace {

// Tensors behind a prefix, and what is wrong with them.
class Reader {
 public:
  Reader(const TensorView& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

  auto matrix(const char* name, Index rows = -1) const {
    return file_.matrix<double>(prefix_ + name, rows);
  }
  auto matrix(const char* name, Index rows, Index cols, const char* what) const {
    const auto x = matrix(name, rows);
    if (x.cols() != cols) fail(name, what, x.cols(), cols);
    return x;
  }
  VectorXd vector(const char* name, Index size) const {
    return matrix(name, size, 1, "not a vector");
  }
  auto whole_numbers(const char* name, Index rows) const {
    return file_.matrix<int>(prefix_ + name, rows);
  }
  [[noreturn]] void fail(const char* name, const char* message, Index value, Index expected) const {
    throw Error({file_.name(), 0, prefix_ + name}, message, std::to_string(value),
                std::to_string(expected));
  }

 private:
  const TensorView& file_;
  std::string prefix_;
};

// r, of which all else is made.
Index read_mass(const Reader& reader, ReducedMaterials& materials) {
  const auto mass = reader.matrix("mass");
  const Index r = std::lround(std::sqrt(static_cast<double>(mass.rows())));
  if (r < 1 || r * r != mass.rows()) {
    reader.fail("mass", "not the size of a square matrix", mass.rows(), r * r);
  }
  for (Index g = 0; g < mass.cols(); ++g) materials.masses.push_back(mass.col(g).reshaped(r, r));
  if (materials.masses.empty()) reader.fail("mass", "not one for each region", 0, 1);
  materials.densities = reader.vector("densities", mass.cols());
  return r;
}

void read_parts(const Reader& reader, Index r, ReducedMaterials& materials) {
  using Constant = ReducedMaterials::Constant;
  constexpr const char* one_a_part = "not one for each part";
  const auto quadratic = reader.matrix("quadratic", pair_count(r));
  const Index parts = quadratic.cols();
  if (parts == 0) reader.fail("quadratic", "an energy needs a part", parts, 1);
  const auto cubic = reader.matrix("cubic", triple_count(r), parts, one_a_part);
  const auto quartic = reader.matrix("quartic", quadruple_count(r), parts, one_a_part);
  const auto meaning = reader.whole_numbers("meaning", 2);
  if (meaning.cols() != parts) reader.fail("meaning", one_a_part, meaning.cols(), parts);
  materials.coefficients = reader.vector("coefficients", parts);
  const Index regions = materials.densities.size();
  const int last = static_cast<int>(Constant::stiffness);
  for (Index p = 0; p < parts; ++p) {
    const int region = meaning(0, p), constant = meaning(1, p);
    if (region < 0 || region >= regions) {
      reader.fail("meaning", "a region that does not exist", region, regions - 1);
    }
    if (constant < 0 || constant > last) {
      reader.fail("meaning", "a constant that is not known", constant, last);
    }
    materials.parts.push_back({quadratic.col(p), cubic.col(p), quartic.col(p)});
    materials.meanings.push_back({region, static_cast<Constant>(constant)});
  }
}

std::vector<BodyMoments> read_moments(const Reader& reader, Index r, Index regions) {
  const auto read = [&](const char* name, Index rows) {
    return reader.matrix(name, rows, regions, "not one for each region");
  };
  const VectorXd mass = reader.vector("mass", regions);
  const auto X = read("X", 3), XX = read("XX", 9), U = read("U", 3 * r), XU = read("XU", 9 * r),
             UU = read("UU", 9 * r * r);
  std::vector<BodyMoments> moments(static_cast<std::size_t>(regions));
  for (Index g = 0; g < regions; ++g) {
    BodyMoments& m = moments[static_cast<std::size_t>(g)];
    m.mass = mass[g];
    m.X = X.col(g);
    m.XX = XX.col(g).reshaped(3, 3);
    m.U = U.col(g).reshaped(3, r);
    m.XU = XU.col(g).reshaped(9, r);
    m.UU = UU.col(g).reshaped(9 * r, r);
  }
  return moments;
}

}  // namespace

ReducedAsset ReducedAsset::read(const TensorView& file, const std::string& prefix) {
  ReducedAsset asset;
  const Reader reader(file, prefix);
  const Index r = read_mass(reader, asset.materials);
  if (file.contains(prefix + "cubature/weights")) {
    asset.cubature.emplace(file, prefix + "cubature/");
  } else {
    read_parts(reader, r, asset.materials);
  }
  if (file.contains(prefix + "viscosity/constant")) {
    asset.damping_parts = read_damping_parts(file, prefix + "viscosity/");
  }
  if (file.contains(prefix + "moments/mass")) {
    asset.moments =
        read_moments(Reader(file, prefix + "moments/"), r, asset.materials.densities.size());
  }
  return asset;
}

ReducedModel ReducedAsset::model(const ReducedSettings& settings) const {
  std::optional<PolynomialDamping> strain_rate_damping;
  if (settings.viscosity != Viscosity{}) {
    if (!damping_parts) throw Error("viscosity, but no polynomials of strain-rate damping");
    strain_rate_damping.emplace(*damping_parts, settings.viscosity);
  }
  ReducedForces forces =
      cubature ? ReducedForces(*cubature)
               : PolynomialForces(materials.parts, materials.coefficients, settings.precision);
  return ReducedModel(std::move(forces), {materials.masses, materials.densities}, settings.damping,
                      settings.integrator, std::move(strain_rate_damping));
}

}  // namespace pliant
