// SPDX-License-Identifier: MIT
#include "pliant/vademecum/vademecum_settings.hpp"

#include "pliant/base/text.hpp"
#include "pliant/table/table.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;
using table::Words;

namespace {

const Table<CorrectionSettings>& correction_table() {
  static const Table<CorrectionSettings> all = [] {
    Table<CorrectionSettings> t("How answers to several loads are made of those to one.");
    t.option({.name = "use",
              .description = "Whether superposed answers are corrected by the forces of a few "
                             "points of the body; automatic: where they would be off by more than "
                             "5 %."},
             Words<Correction>{{"automatic", Correction::automatic},
                               {"always", Correction::always},
                               {"never", Correction::never}},
             &CorrectionSettings::use);
    t.key({.name = "iterations", .least = 1, .most = 20, .description = "At most, a step."},
          &CorrectionSettings::iterations);
    return t;
  }();
  return all;
}

}  // namespace

const Table<VademecumSettings>& vademecum_settings_table() {
  static const Table<VademecumSettings> all = [] {
    Table<VademecumSettings> t("How answers are looked up.");
    t.option({.name = "between",
              .description = "What a load between nodes is taken for: one at the nearest node, or "
                             "linear between those at the corners of a triangle."},
             Words<LoadPlace>{{"nearest", LoadPlace::nearest}, {"linear", LoadPlace::linear}},
             &VademecumSettings::between);
    t.table({.name = "correction", .description = "Of several loads at once."},
            &VademecumSettings::correction, correction_table());
    return t;
  }();
  return all;
}

const Table<VademecumSpec>& vademecum_spec_table() {
  static const Table<VademecumSpec> all = [] {
    Table<VademecumSpec> t(
        "Large deformations without inertia, looked up in the answers to one load anywhere on the "
        "surface, which were made beforehand.");
    t.key({.name = "load",
           .unit = "N",
           .least = 0,
           .above = true,
           .required = true,
           .description = "The largest load for which answers are made."},
          &VademecumSpec::load);
    t.key({.name = "levels",
           .least = 1,
           .most = 64,
           .description = "Magnitudes up to the largest load."},
          &VademecumSpec::levels);
    t.key({.name = "direction",
           .default_text = "along the axes, both ways",
           .description = "Of the loads. Others are answered as small ones."},
          &VademecumSpec::direction);
    t.key({.name = "directions",
           .default_text = "along the axes, both ways",
           .description = "Of the loads, several of them in place of `direction`. What they do not "
                          "span is answered as small loads."},
          &VademecumSpec::directions);
    t.key({.name = "shapes",
           .least = 2,
           .most = VademecumSpec::most_shapes,
           .description = "Shapes of the body, at most."},
          &VademecumSpec::shapes);
    t.key({.name = "terms",
           .least = 1,
           .most = 5000,
           .description = "Terms of the separated answers, at most."},
          &VademecumSpec::terms);
    t.key({.name = "tolerance",
           .least = 0,
           .most = 1,
           .above = true,
           .description = "Relative error at which shapes and terms suffice."},
          &VademecumSpec::tolerance);
    t.include(&VademecumSpec::own, vademecum_settings_table());
    t.check([](const Value& v, VademecumSpec& spec, Reader& r) {
      const auto refuse = [&](const char* key, const char* what, const std::string& found,
                              const char* expected) {
        const Reader::Step step(r, key);
        r.fail(source_of(v, key), what, found, expected);
      };
      if (spec.direction && !(spec.direction->norm() > 0)) {
        refuse("direction", "a load without direction", "[0, 0, 0]", "a vector that is not zero");
      }
      if (!spec.directions) return;
      if (spec.direction) {
        refuse("directions", "the loads have a direction already", "", "direction, or directions");
      }
      const auto count = static_cast<int>(spec.directions->size());
      if (count < 1 || count > VademecumSpec::most_directions) {
        refuse("directions", "not as many directions as loads can have", text(count), "1 to 64");
      }
      for (const Vector3d& direction : *spec.directions) {
        if (direction.norm() > 0) continue;
        refuse("directions", "a load without direction", "[0, 0, 0]", "vectors that are not zero");
      }
    });
    return t;
  }();
  return all;
}

VademecumSettings read_vademecum_settings(const Value& value) {
  VademecumSettings settings;
  Reader reader;
  vademecum_settings_table().read(value, settings, reader);
  return settings;
}

Matrix3Xd VademecumSpec::all_directions() const {
  if (direction) return *direction;
  Matrix3Xd all(3, directions ? static_cast<Index>(directions->size()) : 0);
  for (Index e = 0; e < all.cols(); ++e) all.col(e) = (*directions)[static_cast<std::size_t>(e)];
  return all;
}

std::string VademecumSpec::words() const {
  const Index count = all_directions().cols();
  return "vademecum, loads of up to " + text(load) + " N" +
         (count == 1  ? " in one direction"
          : count > 1 ? " in " + text(static_cast<int>(count)) + " directions"
                      : "") +
         ", " + text(shapes) + " shapes";
}

}  // namespace pliant
