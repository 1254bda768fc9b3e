// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_asset.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

// A whole number below `end`, of a settings tensor.
int choice(const TensorFile& file, const std::string& name, double value, int end) {
  if (!(value >= 0 && value < end) || value != std::floor(value)) {
    throw Error({file.name(), 0, name}, "a setting out of its range", fmt::format("{:g}", value),
                fmt::format("0 .. {}", end - 1));
  }
  return static_cast<int>(value);
}

// One column a region.
template <class Part>
MatrixXd columns(const std::vector<BodyMoments>& moments, Index rows, const Part& part) {
  MatrixXd all(rows, static_cast<Index>(moments.size()));
  for (Index g = 0; g < all.cols(); ++g) {
    all.col(g) = part(moments[static_cast<std::size_t>(g)]).reshaped();
  }
  return all;
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

std::vector<BodyMoments> read_moments(const TensorFile& file, const std::string& prefix, Index r,
                                      Index regions) {
  const auto read = [&](const char* name, Index rows) {
    const auto all = file.matrix<double>(prefix + name, rows);
    if (all.cols() != regions) {
      throw Error({file.name(), 0, prefix + name}, "not one for each region",
                  std::to_string(all.cols()), std::to_string(regions));
    }
    return all;
  };
  const auto mass = file.matrix<double>(prefix + "mass", regions);
  if (mass.cols() != 1) {
    throw Error({file.name(), 0, prefix + "mass"}, "not one number for each region");
  }
  const auto X = read("X", 3), XX = read("XX", 9), U = read("U", 3 * r), XU = read("XU", 9 * r),
             UU = read("UU", 9 * r * r);
  std::vector<BodyMoments> moments(static_cast<std::size_t>(regions));
  for (Index g = 0; g < regions; ++g) {
    BodyMoments& m = moments[static_cast<std::size_t>(g)];
    m.mass = mass(g, 0);
    m.X = X.col(g);
    m.XX = XX.col(g).reshaped(3, 3);
    m.U = U.col(g).reshaped(3, r);
    m.XU = XU.col(g).reshaped(9, r);
    m.UU = UU.col(g).reshaped(9 * r, r);
  }
  return moments;
}

VectorXd settings(const TensorFile& file, const std::string& name, Index size) {
  const auto x = file.matrix<double>(name, size);
  if (x.cols() != 1) {
    throw Error({file.name(), 0, name}, "a setting is one column", std::to_string(x.cols()), "1");
  }
  return x;
}

}  // namespace

void ReducedAsset::write(TensorWriter& writer, const std::string& prefix) const {
  materials.write(writer, prefix);
  writer.keep(prefix + "damping", VectorXd(Eigen::Vector2d(damping.alpha, damping.beta)));
  if (damping_parts) {
    writer.keep(prefix + "viscosity", VectorXd(Eigen::Vector2d(viscosity.phi, viscosity.psi)));
    write_damping_parts(*damping_parts, writer, prefix + "viscosity/");
  }
  VectorXd step(8);
  step << static_cast<double>(options.scheme), options.dt, options.beta, options.gamma,
      options.max_iterations, options.tolerance, options.acceleration_limit,
      static_cast<double>(precision);
  writer.keep(prefix + "step", step);
  if (!is_free()) return;
  write_moments(moments, writer, prefix + "moments/");
  writer.keep(prefix + "coupling", VectorXd(VectorXd::Constant(1, static_cast<double>(coupling))));
}

ReducedAsset::ReducedAsset(const TensorFile& file, const std::string& prefix)
    : materials(file, prefix) {
  const VectorXd d = settings(file, prefix + "damping", 2);
  damping = {.alpha = d[0], .beta = d[1]};
  if (file.contains(prefix + "viscosity")) {
    const VectorXd v = settings(file, prefix + "viscosity", 2);
    viscosity = {.phi = v[0], .psi = v[1]};
    damping_parts = read_damping_parts(file, prefix + "viscosity/");
  }
  const std::string name = prefix + "step";
  const VectorXd s = settings(file, name, 8);
  options.scheme = static_cast<StepOptions::Scheme>(choice(file, name, s[0], 3));
  options.dt = s[1];
  options.beta = s[2];
  options.gamma = s[3];
  options.max_iterations = choice(file, name, s[4], 1 << 20);
  options.tolerance = s[5];
  options.acceleration_limit = s[6];
  precision = static_cast<Precision>(choice(file, name, s[7], 2));
  if (!file.contains(prefix + "moments/mass")) return;
  const Index r = materials.masses.front().rows();
  moments = read_moments(file, prefix + "moments/", r, materials.densities.size());
  coupling = static_cast<FreeBody::Coupling>(
      choice(file, prefix + "coupling", settings(file, prefix + "coupling", 1)[0], 2));
}

ReducedModel ReducedAsset::model() const {
  std::optional<PolynomialDamping> strain_rate_damping;
  if (damping_parts) strain_rate_damping.emplace(*damping_parts, viscosity);
  return ReducedModel(PolynomialForces(materials.parts, materials.coefficients, precision),
                      {materials.masses, materials.densities}, damping, options,
                      std::move(strain_rate_damping));
}

FreeBody ReducedAsset::free_body() const {
  if (!is_free()) throw Error("this reduced body is held: it has no moments of a free one");
  return FreeBody(model(), moments, coupling);
}

}  // namespace pliant
