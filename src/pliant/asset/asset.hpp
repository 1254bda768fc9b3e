// SPDX-License-Identifier: MIT
// The head of an asset: what its metadata say of the scene and of each body. The tensors are listed
// in docs/asset.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/reduced/free_body.hpp"
#include "pliant/bake/bake_graph.hpp"
#include "pliant/bake/body_mesh.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

inline constexpr int asset_version = 2;

enum class Engine { reduced, full, rigid };
const char* name_of(Engine engine);

// Of forces from cubature, relative errors: reduced/bake/cubature.hpp.
struct CubatureFigures {
  int points = 0;
  double training = 0.0;    // of the forces at the poses that it was trained on
  double validation = 0.0;  // at others
  double stiffness = 0.0;   // of the stiffness at rest
  bool met = false;         // the tolerance that was asked for
};

// How well a reduced body follows the full one: reduced/bake/quality.hpp.
struct QualityFigures {
  double mean = 0.0, worst = 0.0;  // relative errors of displacement
  double frequency_error = 0.0;    // of the first frequency, relative
  int loads = 0;                   // that were tried
};

struct AssetBody {
  std::string name;
  Engine engine = Engine::rigid;
  PoseSpec pose = {};
  std::optional<Colour> colour = {};
  std::optional<ElementType> element = {};  // of its volume, if it has one
  bool free = false;                        // no node is held
  std::vector<BodyRegion> regions = {};
  std::vector<double> frequencies = {};          // of the linear modes [Hz], ascending
  std::optional<QualityFigures> quality = {};    // if it was measured
  std::optional<CubatureFigures> cubature = {};  // of a reduced body whose forces come from it
  // Of its engine; those of the others are not used.
  Damping damping = {};
  std::optional<Viscosity> viscosity = {};  // with strain-rate damping
  FullIntegrator full = {};
  StepOptions integrator = {};
  Precision precision = Precision::single_precision;
  FreeBody::Coupling coupling = FreeBody::Coupling::none;  // if it is free

  std::string tensor(const std::string& name) const { return this->name + "/" + name; }
};

struct AssetHead {
  std::string generator;
  std::string scene;  // in canonical form, JSON
  std::string title, description;
  double rate = 1000;
  Vector3d gravity = Vector3d::Zero();
  std::optional<WindSpec> wind = {};
  std::vector<AssetBody> bodies = {};
  std::vector<BakeStepReport> steps = {};

  std::map<std::string, std::string> metadata() const;
};

// Throws Error: not an asset, a version that is not known (it says what to do), a value out of
// range, a body twice.
AssetHead read_asset_head(const TensorFile& file);

}  // namespace pliant
