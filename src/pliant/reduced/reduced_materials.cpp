// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_materials.hpp"

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

template <class Column>
MatrixXd columns(std::size_t count, const Column& column) {
  MatrixXd all;
  for (std::size_t i = 0; i < count; ++i) {
    const VectorXd one = column(i);
    if (i == 0) all.resize(one.size(), static_cast<Index>(count));
    all.col(static_cast<Index>(i)) = one;
  }
  return all;
}

}  // namespace

void ReducedMaterials::write(TensorWriter& writer, const std::string& prefix) const {
  writer.keep(prefix + "quadratic",
              columns(parts.size(), [&](std::size_t p) { return parts[p].quadratic; }));
  writer.keep(prefix + "cubic",
              columns(parts.size(), [&](std::size_t p) { return parts[p].cubic; }));
  writer.keep(prefix + "quartic",
              columns(parts.size(), [&](std::size_t p) { return parts[p].quartic; }));
  MatrixXi meaning(2, static_cast<Index>(parts.size()));
  for (Index p = 0; p < meaning.cols(); ++p) {
    const Meaning& m = meanings[static_cast<std::size_t>(p)];
    meaning.col(p) << m.region, static_cast<int>(m.constant);
  }
  writer.keep(prefix + "meaning", std::move(meaning));
  writer.keep(prefix + "coefficients", coefficients);
  writer.keep(prefix + "mass",
              columns(masses.size(), [&](std::size_t g) { return masses[g].reshaped().eval(); }));
  writer.keep(prefix + "densities", densities);
}

ReducedMaterials::ReducedMaterials(const TensorFile& file, const std::string& prefix) {
  const auto fail = [&](const char* name, const std::string& message, Index value, Index expected) {
    throw Error({file.name(), 0, prefix + name}, message, std::to_string(value),
                std::to_string(expected));
  };
  const auto quadratic = file.matrix<double>(prefix + "quadratic");
  Index r = 0;
  while (pair_count(r) < quadratic.rows()) ++r;
  const auto cubic = file.matrix<double>(prefix + "cubic", triple_count(r));
  const auto quartic = file.matrix<double>(prefix + "quartic", quadruple_count(r));
  const auto meaning = file.matrix<int>(prefix + "meaning", 2);
  const auto mass = file.matrix<double>(prefix + "mass", r * r);
  coefficients = file.matrix<double>(prefix + "coefficients", quadratic.cols());
  densities = file.matrix<double>(prefix + "densities", mass.cols());
  if (quadratic.rows() != pair_count(r) || r == 0) {
    fail("quadratic", "not the size of a symmetric matrix", quadratic.rows(), pair_count(r));
  }
  for (const auto& [name, count] : {std::pair("cubic", cubic.cols()),
                                    {"quartic", quartic.cols()},
                                    {"meaning", meaning.cols()}}) {
    if (count != quadratic.cols()) fail(name, "not one for each part", count, quadratic.cols());
  }
  for (Index p = 0; p < quadratic.cols(); ++p) {
    if (meaning(0, p) < 0 || meaning(0, p) >= mass.cols()) {
      fail("meaning", "a region that does not exist", meaning(0, p), mass.cols() - 1);
    }
    if (meaning(1, p) < 0 || meaning(1, p) > static_cast<int>(Constant::stiffness)) {
      fail("meaning", "a constant that is not known", meaning(1, p),
           static_cast<int>(Constant::stiffness));
    }
    parts.push_back({quadratic.col(p), cubic.col(p), quartic.col(p)});
    meanings.push_back({meaning(0, p), static_cast<Constant>(meaning(1, p))});
  }
  for (Index g = 0; g < mass.cols(); ++g) masses.push_back(mass.col(g).reshaped(r, r));
}

}  // namespace pliant
