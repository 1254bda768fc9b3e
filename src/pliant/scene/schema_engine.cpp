// SPDX-License-Identifier: MIT
#include "pliant/fem/damping_table.hpp"
#include "pliant/fem/newmark_keys.hpp"
#include "pliant/full/full_settings.hpp"
#include "pliant/scene/tables.hpp"

namespace pliant::scene {
namespace {

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

Table<CubatureSpec> cubature_table() {
  Table<CubatureSpec> t("Reduced forces from a few elements with weights.");
  t.key({.name = "tolerance",
         .least = 0,
         .most = 1,
         .above = true,
         .description = "Relative error of the reduced force on the training poses."},
        &CubatureSpec::tolerance);
  t.key({.name = "max_points",
         .least = 1,
         .most = 1e6,
         .description = "At most so many points of elements."},
        &CubatureSpec::max_points);
  return t;
}

Table<StepOptions> reduced_integrator_table() {
  using Scheme = StepOptions::Scheme;
  Table<StepOptions> t("How a step of 1 / rate is made in the reduced coordinates.");
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

Table<ReducedSpec> reduced_table() {
  using Basis = ReducedSpec::Basis;
  using Forces = ReducedSpec::Forces;
  Table<ReducedSpec> t("Large deformations and dynamics in r dimensions, baked once.");
  t.option({.name = "basis",
            .description = "Of what the shapes are made: linear modes, modes and their "
                           "derivatives, forces sketched by hand, or shapes of a file."},
           Words<Basis>{{"modes", Basis::modes},
                        {"derivatives", Basis::derivatives},
                        {"sketch", Basis::sketch},
                        {"file", Basis::file}},
           &ReducedSpec::basis);
  t.key({.name = "basis_file",
         .default_text = "none",
         .description = "The sketch or the shapes, for basis = \"sketch\" and \"file\"."},
        &ReducedSpec::basis_file);
  t.key({.name = "k", .least = 1, .most = 1000, .description = "Number of linear modes."},
        &ReducedSpec::k);
  t.key({.name = "r",
         .least = 1,
         .most = 1000,
         .description = "Number of shapes kept: the dimension of the simulation; with `tolerance`, "
                        "the most."},
        &ReducedSpec::r);
  t.key({.name = "amplitude",
         .least = 0,
         .most = 1,
         .description = "How far the body is going to be bent, as a part of its size: the "
                        "derivatives of its modes count the more, the farther. 0: mass-PCA with "
                        "the weights as published, whatever the size."},
        &ReducedSpec::amplitude);
  t.key({.name = "tolerance",
         .least = 0,
         .most = 1,
         .above = true,
         .default_text = "none: k and r as given",
         .description = "Relative error against the full engine that the bake aims at, with as few "
                        "shapes as it takes, and more modes if it must."},
        &ReducedSpec::tolerance);
  t.option({.name = "forces",
            .description = "Exact polynomials (linear and stvk materials only), cubature, or "
                           "what suits the materials."},
           Words<Forces>{{"automatic", Forces::automatic},
                         {"polynomial", Forces::polynomial},
                         {"cubature", Forces::cubature}},
           &ReducedSpec::forces);
  t.table({.name = "cubature", .description = "Its options."}, &ReducedSpec::cubature,
          cubature_table());
  t.option({.name = "precision", .description = "Of the polynomials' coefficients."},
           Words<Precision>{{"single", Precision::single_precision},
                            {"double", Precision::double_precision}},
           &ReducedSpec::precision);
  t.table({.name = "damping", .description = "Rayleigh damping."}, &ReducedSpec::damping,
          damping_table());
  t.table({.name = "viscosity", .description = "Strain-rate damping."}, &ReducedSpec::viscosity,
          viscosity_table());
  t.table({.name = "integrator", .description = "How a step is made."}, &ReducedSpec::integrator,
          reduced_integrator_table());
  t.option({.name = "coupling",
            .description = "Of a body that nothing holds: whether its turning and its deformation "
                           "act on each other."},
           Words<FreeBody::Coupling>{{"none", FreeBody::Coupling::none},
                                     {"full", FreeBody::Coupling::full}},
           &ReducedSpec::coupling);
  return t;
}

}  // namespace

const Table<EngineSpec>& engine_table() {
  static const Table<EngineSpec> table = [] {
    Table<EngineSpec> t("What moves the body.");
    t.alternative("reduced", reduced_table());
    t.alternative("full", full_settings_table());
    t.alternative("rigid", Table<RigidSpec>("It keeps its shape: it stays where it is, or goes "
                                            "where the handle takes it."));
    return t;
  }();
  return table;
}

}  // namespace pliant::scene
