// SPDX-License-Identifier: MIT
#include "pliant/reduced/reduced_spec.hpp"

#include <fmt/format.h>

#include "pliant/fem/damping_table.hpp"
#include "pliant/table/file_codec.hpp"
#include "pliant/table/table.hpp"

namespace pliant {
namespace {

using table::Reader;
using table::Source;
using table::Table;
using table::Value;
using table::Words;

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

// What can be told without the materials.
void check(const Value& value, ReducedSpec& spec, Reader& reader) {
  using Basis = ReducedSpec::Basis;
  const auto refuse = [&](const char* key, const std::string& message,
                          const std::string& found = "", const std::string& expected = "") {
    const Reader::Step step(reader, key);
    reader.fail(table::source_of(value, key), message, found, expected);
  };
  const bool by_file = spec.basis == Basis::sketch || spec.basis == Basis::file;
  if (by_file && spec.basis_file.empty()) {
    refuse("basis", "this basis comes from a file, and there is no 'basis_file'");
  }
  if (!by_file && !spec.basis_file.empty()) {
    refuse("basis_file", "only for basis = \"sketch\" and basis = \"file\"");
  }
  const std::string k = std::to_string(spec.k);
  const int shapes = spec.basis == Basis::modes ? spec.k : spec.k + spec.k * (spec.k + 1) / 2;
  if (!by_file && !spec.tolerance && spec.r > shapes) {
    refuse(
        "r", "there are not so many shapes", std::to_string(spec.r),
        "at most " + std::to_string(shapes) + ": k = " + k +
            (spec.basis == Basis::modes ? " modes" : " modes and their k (k + 1) / 2 derivatives"));
  }
  if (spec.tolerance &&
      (spec.basis != Basis::derivatives || spec.forces == ReducedSpec::Forces::cubature)) {
    refuse("tolerance", "only for basis = \"derivatives\" with polynomial forces");
  }
  if (spec.run.coupling == FreeBody::Coupling::full &&
      spec.run.integrator.scheme != StepOptions::Scheme::newmark) {
    refuse("coupling", "full coupling needs the scheme newmark");
  }
}

}  // namespace

ReducedSpec ReducedSpec::for_mesh() {
  ReducedSpec spec;
  spec.k = 12;
  spec.r = 20;
  spec.run.damping = {0.5, 2e-4};
  return spec;
}

void ReducedSpec::take_sketch(const std::filesystem::path& file, int shapes) {
  basis = Basis::sketch;
  basis_file = file;
  r = shapes;
  tolerance.reset();
}

std::string ReducedSpec::words() const {
  const std::string from =
      basis == Basis::modes         ? fmt::format("{} modes", k)
      : basis == Basis::derivatives ? fmt::format("{} modes and their derivatives", k)
      : basis == Basis::sketch      ? "the sketch " + basis_file.filename().string()
                                    : "the shapes of " + basis_file.filename().string();
  std::string out =
      fmt::format("reduced, {}{} dimensions from {}", tolerance ? "up to " : "", r, from);
  if (tolerance) out += fmt::format(" or more, for an error of {:g}", *tolerance);
  if (forces == Forces::cubature) out += ", forces by cubature";
  const bool viscous = run.viscosity != Viscosity{};
  const bool damped = run.damping.alpha != 0 || run.damping.beta != 0;
  if (damped || !viscous) out += ", " + words_of(run.damping);
  if (viscous) {
    out += fmt::format(", strain-rate damping of {:g} and {:g} Pa s", run.viscosity.phi,
                       run.viscosity.psi);
  }
  return out;
}

const Table<ReducedSpec>& reduced_spec_table() {
  static const Table<ReducedSpec> all = [] {
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
    t.key(
        {.name = "r",
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
    t.key(
        {.name = "tolerance",
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
    t.include(&ReducedSpec::run, reduced_settings_table());
    t.check(check);
    return t;
  }();
  return all;
}

}  // namespace pliant
