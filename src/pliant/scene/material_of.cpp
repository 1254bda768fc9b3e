// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "pliant/scene/scene.hpp"

namespace pliant {
namespace {

struct Builder {
  fem::Law law;
  double density;

  fem::Material operator()(const IsotropicConstants& c) const {
    return fem::isotropic(law, c.young, c.poisson, density);
  }
  // E = mu (3 lambda + 2 mu) / (lambda + mu), nu = lambda / (2 (lambda + mu)).
  fem::Material operator()(const LameConstants& c) const {
    const double sum = c.lambda + c.mu, bulk = 3 * c.lambda + 2 * c.mu;
    if (!(bulk > 0)) {
      throw Error({}, "3 lambda + 2 mu must be positive", fmt::format("{:g}", bulk));
    }
    return fem::isotropic(law, c.mu * bulk / sum, c.lambda / (2 * sum), density);
  }
  fem::Material operator()(const OrthotropicConstants& c) const {
    return fem::anisotropic(law,
                            fem::stiffness({c.young[0], c.young[1], c.young[2], c.poisson[0],
                                            c.poisson[1], c.poisson[2], c.shear[0], c.shear[1],
                                            c.shear[2], c.axes.toRotationMatrix()}),
                            density);
  }
  fem::Material operator()(const AnisotropicConstants& c) const {
    if (c.stiffness.size() != 21) {
      throw Error({}, "wrong number of constants", std::to_string(c.stiffness.size()),
                  "21 numbers");
    }
    fem::Matrix6d C;
    auto next = c.stiffness.begin();
    for (int i = 0; i < 6; ++i) {
      for (int j = i; j < 6; ++j) C(i, j) = C(j, i) = *next++;
    }
    return fem::anisotropic(law, C, density);
  }
  fem::Material operator()(const MooneyRivlinConstants& c) const {
    return fem::mooney_rivlin(c.mu01, c.mu10, c.v1, density);
  }
};

}  // namespace

fem::Material material_of(const MaterialSpec& spec) {
  return std::visit(Builder{spec.law, spec.density}, spec.constants);
}

}  // namespace pliant
