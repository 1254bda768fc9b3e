// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_settings.hpp"

#include "pliant/fem/damping_table.hpp"
#include "pliant/fem/newmark_keys.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

using table::Table;
using table::Words;

Table<Viscosity> viscosity_table() {
  Table<Viscosity> t(
      "Strain-rate damping: the stress phi tr(E') I + 2 psi E' of the rate E' of the strain. It "
      "resists deformation and leaves all rigid motion free; a step costs about twice as much.");
  t.key({.name = "phi",
         .unit = "Pa s",
         .least = 0,
         .description = "Against changes of volume, as lambda resists it."},
        &Viscosity::phi);
  t.key({.name = "psi",
         .unit = "Pa s",
         .least = 0,
         .description = "Against every change of shape, as mu resists it."},
        &Viscosity::psi);
  return t;
}

Table<StepOptions> integrator_table() {
  using Scheme = StepOptions::Scheme;
  Table<StepOptions> t("How a step is made in the reduced coordinates.");
  t.option({.name = "scheme",
            .description = "Implicit Newmark, explicit central differences, or equilibrium without "
                           "inertia."},
           Words<Scheme>{{"newmark", Scheme::newmark},
                         {"central_differences", Scheme::central_differences},
                         {"quasi_static", Scheme::quasi_static}},
           &StepOptions::scheme);
  t.key(newmark_beta(), &StepOptions::beta);
  t.key(newmark_gamma(), &StepOptions::gamma);
  t.key(newton_iterations("Newton iterations a step; 1 or 2: as many, unchecked."),
        &StepOptions::max_iterations);
  t.key(newton_tolerance(), &StepOptions::tolerance);
  t.key({.name = "acceleration_limit",
         .least = 0,
         .above = true,
         .default_text = "no limit",
         .description = "Of the reduced acceleration; bounds what contact has to expect."},
        &StepOptions::acceleration_limit);
  return t;
}

}  // namespace

const Table<ReducedSettings>& reduced_settings_table() {
  static const Table<ReducedSettings> all = [] {
    Table<ReducedSettings> t("How a reduced body is run.");
    t.option({.name = "precision", .description = "Of the polynomials' coefficients."},
             Words<Precision>{{"single", Precision::single_precision},
                              {"double", Precision::double_precision}},
             &ReducedSettings::precision);
    t.table({.name = "damping", .description = "Rayleigh damping."}, &ReducedSettings::damping,
            damping_table());
    t.table({.name = "viscosity", .description = "Strain-rate damping."},
            &ReducedSettings::viscosity, viscosity_table());
    t.table({.name = "integrator", .description = "How a step is made."},
            &ReducedSettings::integrator, integrator_table());
    t.option({.name = "coupling",
              .description = "Of a body that nothing holds: whether its turning and its "
                             "deformation act on each other."},
             Words<FreeBody::Coupling>{{"none", FreeBody::Coupling::none},
                                       {"full", FreeBody::Coupling::full}},
             &ReducedSettings::coupling);
    return t;
  }();
  return all;
}

}  // namespace pliant
