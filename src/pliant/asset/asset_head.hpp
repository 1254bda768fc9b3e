// SPDX-License-Identifier: MIT
// The head of an asset: all that its metadata say of the scene and of each body. It is written and
// read by tables of keys, as scenes are; nothing of it names an engine. The tensors are listed in
// docs/asset.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pliant/asset/contact_specs.hpp"
#include "pliant/asset/world_specs.hpp"
#include "pliant/base/tensor_view.hpp"
#include "pliant/fem/model_input.hpp"

namespace pliant {

inline constexpr int asset_version = 3;

// A step of the bake that made it.
struct BakeStepReport {
  std::string name, key;
  std::vector<std::size_t> needs;
  bool figures = false;
  bool cached = false;    // found, not made
  double seconds = 0.0;   // that it took when it was made
  std::size_t bytes = 0;  // of its tensors
};

// Of forces from cubature, relative errors: reduced/bake/cubature.hpp.
struct CubatureFigures {
  int points = 0;
  double training = 0.0;    // of the forces at the poses that it was trained on
  double validation = 0.0;  // at others
  double stiffness = 0.0;   // of the stiffness at rest
  bool met = false;         // the tolerance that was asked for
};

// How well a body follows the full one: reduced/bake/quality.hpp.
struct QualityFigures {
  double mean = 0.0, worst = 0.0;  // relative errors of displacement
  double frequency_error = 0.0;    // of the first frequency, relative
  int loads = 0;                   // that were tried
};

// A body, or several of one model that stand at different places.
struct AssetBody {
  std::string name;
  std::string engine;           // its name
  table::Value settings;        // the keys of the engine, which it reads itself: a table
  std::optional<double> rate;   // steps a second; absent: the world's
  std::vector<Pose> instances;  // at least one
  std::optional<Colour> colour;
  std::vector<ShapeSpec> shape;            // by formulas; empty: its surface alone says it
  std::optional<BodyContactSpec> contact;  // with its role; absent: it meets nobody
  std::string element;                     // of its volume; empty: it has none
  bool free = false;                       // no node is held
  std::vector<BodyRegion> regions;
  std::vector<double> frequencies;          // of the linear modes [Hz], ascending
  std::optional<QualityFigures> quality;    // if it was measured
  std::optional<CubatureFigures> cubature;  // if its forces come from it

  std::string tensor(const std::string& tensor_name) const { return name + "/" + tensor_name; }
};

// What the world calls it.
inline std::string instance_name(const AssetBody& body, std::size_t instance) {
  return body.instances.size() == 1 ? body.name : body.name + "." + std::to_string(instance);
}

struct AssetHead {
  std::string generator;
  std::string scene;  // in canonical form, JSON
  std::string title, description;
  double rate = 1000;    // Hz
  double duration = 10;  // of a run without other word [s]
  Vector3d gravity = Vector3d::Zero();
  std::optional<WindSpec> wind;
  std::optional<HandleSpec> handle;
  DeviceSpec device;
  CameraSpec camera;
  ColourSpec colours;
  ContactSpec contact;
  std::vector<AssetBody> bodies;
  std::vector<BakeStepReport> steps;
};

std::map<std::string, std::string> metadata_of(const AssetHead& head);

// Throws Error: not an asset, a version that is not known (it says what to do), a value out of
// range, a body twice.
AssetHead read_asset_head(const TensorView& file);

// What laws are called in files.
const table::Words<fem::Law>& law_words();

}  // namespace pliant
