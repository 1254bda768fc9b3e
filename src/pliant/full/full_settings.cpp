// SPDX-License-Identifier: MIT
#include "pliant/full/full_settings.hpp"

#include "pliant/fem/damping_table.hpp"
#include "pliant/fem/newmark_keys.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Table;
using table::Words;

namespace {

Table<ExplicitSpec> explicit_table() {
  Table<ExplicitSpec> t("Central differences with lumped mass, as many steps as stability needs.");
  t.key({.name = "safety",
         .least = 0,
         .most = 1,
         .above = true,
         .description = "Part of the critical step that is taken at most."},
        &ExplicitSpec::safety);
  return t;
}

Table<ConsistentSpec> consistent_table() {
  Table<ConsistentSpec> t("Central differences without lumping, with factors made beforehand.");
  t.key({.name = "levels",
         .least = 1,
         .most = 20,
         .description = "How often the step 1 / rate may be halved."},
        &ConsistentSpec::levels);
  return t;
}

Table<ImplicitOptions> implicit_table() {
  using Scheme = ImplicitOptions::Scheme;
  using Solver = ImplicitOptions::Solver;
  Table<ImplicitOptions> t("Newton's method on every step of 1 / rate.");
  t.option({.name = "scheme", .description = "The time scheme."},
           Words<Scheme>{{"newmark", Scheme::newmark}, {"backward_euler", Scheme::backward_euler}},
           &ImplicitOptions::scheme);
  t.option({.name = "solver", .description = "Of the linear systems."},
           Words<Solver>{{"direct", Solver::direct}, {"pcg", Solver::pcg}},
           &ImplicitOptions::solver);
  t.key(newmark_beta(), &ImplicitOptions::beta);
  t.key(newmark_gamma(), &ImplicitOptions::gamma);
  t.key(newton_iterations("Newton iterations a step at most."), &ImplicitOptions::max_iterations);
  t.key(newton_tolerance(), &ImplicitOptions::tolerance);
  return t;
}

Table<FullIntegrator> full_integrator_table() {
  Table<FullIntegrator> t("How a step of the full engine is made.");
  t.alternative("explicit", explicit_table());
  t.alternative("consistent", consistent_table());
  t.alternative("implicit", implicit_table());
  return t;
}

}  // namespace

const Table<FullSettings>& full_settings_table() {
  static const Table<FullSettings> table = [] {
    Table<FullSettings> t(
        "Every node: the ground truth, slower than real time for all but small meshes.");
    t.table({.name = "integrator", .description = "How a step is made."}, &FullSettings::integrator,
            full_integrator_table());
    t.table({.name = "damping", .description = "Rayleigh damping."}, &FullSettings::damping,
            damping_table());
    t.check([](const table::Value& v, FullSettings& full, table::Reader& r) {
      if (!std::holds_alternative<ExplicitSpec>(full.integrator) || full.damping.beta == 0) return;
      const table::Reader::Step damping(r, "damping"), beta(r, "beta");
      const table::Object& object = std::get<table::Object>(v.data);
      const table::Value& written = object.find("damping")->second.value;
      r.fail(table::source_of(written, "beta"),
             "the explicit integrator lumps the damping, and stiffness cannot be lumped", "",
             "beta = 0, or another integrator");
    });
    return t;
  }();
  return table;
}

FullSettings FullSettings::for_mesh() {
  FullSettings settings;
  settings.damping = {0.5, 2e-4};
  return settings;
}

std::string FullSettings::words() const {
  const auto* implicit = std::get_if<ImplicitOptions>(&integrator);
  const bool newmark = implicit && implicit->scheme == ImplicitOptions::Scheme::newmark;
  const char* scheme = newmark    ? "implicit Newmark"
                       : implicit ? "backward Euler"
                       : std::holds_alternative<ExplicitSpec>(integrator)
                           ? "explicit"
                           : "explicit, consistent mass";
  return std::string("full, ") + scheme + ", " + words_of(damping);
}

}  // namespace pliant
