// SPDX-License-Identifier: MIT
#include "pliant/fem/point_law.hpp"

#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant::fem {
namespace {

template <class LawT>
PointLaw of() {
  return {LawT::constants,
          [](const Pack* p, const Pack* F, Pack& psi) noexcept {
            LawT::template evaluate<Level::energy, Pack>(p, F, psi, nullptr, nullptr);
          },
          [](const Pack* p, const Pack* F, Pack* P) noexcept {
            Pack psi;
            LawT::template evaluate<Level::stress, Pack>(p, F, psi, P, nullptr);
          },
          [](const Pack* p, const Pack* F, Pack* P, Pack* A) noexcept {
            Pack psi;
            LawT::template evaluate<Level::tangent, Pack>(p, F, psi, P, A);
          }};
}

PointLaw by_name(Law law, bool isotropic) {
  switch (law) {
    case Law::linear:
      return isotropic ? of<LinearLaw>() : of<LinearAnisotropicLaw>();
    case Law::stvk:
      return isotropic ? of<StvkLaw>() : of<StvkAnisotropicLaw>();
    case Law::corotational:
      return of<CorotationalLaw>();
    case Law::neo_hookean:
      return of<NeoHookeanLaw>();
    case Law::stable_neo_hookean:
      return of<StableNeoHookeanLaw>();
    case Law::mooney_rivlin:
      return of<MooneyRivlinLaw>();
  }
  throw Error("unknown material law");
}

}  // namespace

int constant_count(Law law, bool isotropic) {
  return by_name(law, isotropic).constants;
}

PointLaw point_law(const Material& material) {
  const PointLaw law = by_name(material.law, material.isotropic);
  if (static_cast<int>(material.constants.size()) != law.constants) {
    throw Error({}, "wrong number of constants", std::to_string(material.constants.size()),
                std::to_string(law.constants) + " for the law " + name_of(material.law));
  }
  for (const double constant : material.constants) {
    if (!std::isfinite(constant)) {
      throw Error({}, "a constant is not finite", text(constant));
    }
  }
  return law;
}

}  // namespace pliant::fem
