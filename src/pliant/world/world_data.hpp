// SPDX-License-Identifier: MIT
// A world as arrays: models, bodies that use them, and what acts. The stages (stages.hpp) are free
// functions on it; World (world.hpp) runs them in the order of the cycle.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pliant/asset/asset_head.hpp"
#include "pliant/shape/point_set.hpp"
#include "pliant/world/contact_data.hpp"
#include "pliant/world/device_link.hpp"
#include "pliant/world/divided_step.hpp"
#include "pliant/world/engine.hpp"
#include "pliant/world/hand.hpp"
#include "pliant/world/hold.hpp"
#include "pliant/world/world_state.hpp"

namespace pliant {

// What bodies of one kind share.
struct BodyModel {
  std::string name;  // of the asset's body
  const EngineOps* ops;
  EngineOps::Handle model;
  Edits edits;
  PointSet surface;
  VectorXd areas;  // of the surface's points [m^2]
  double dt;       // of a step of its bodies [s]
  int divider;     // world's steps to one of theirs
  int regions;
  Load probe;    // scratch: what a unit force would do
  HandFit hand;  // on one of its bodies
};

struct Body {
  int model;
  std::string name;
  EngineOps::Handle state;
  Motion motion;  // as others see it now
  Load load;      // of the step under way
  // Slow loads are collected over many steps and act, as a whole, from their renewal to the next.
  Load slow, next_slow;
  bool windy = false;
  StepStatus status = StepStatus::ok;  // of its last step
  std::optional<DividedStep> divided;  // if its model has another rate
  BodySettings settings;               // since the last edit
};

struct WorldData {
  const BodyModel& model_of(const Body& body) const {
    return models[static_cast<std::size_t>(body.model)];
  }
  BodyModel& model_of(const Body& body) { return models[static_cast<std::size_t>(body.model)]; }

  double dt = 1e-3;
  std::vector<BodyModel> models;
  std::vector<Body> bodies;
  Hold hold;           // of the handle, if there is one
  DeviceState device;  // at the handle

  Vector3d gravity = Vector3d::Zero();
  WindSpec wind;
  Vector3d gravity_at_start = Vector3d::Zero();
  WindSpec wind_at_start;
  std::array<PullState, WorldState::slots> pulls;
  ContactData contact;

  bool wait = true;  // for late workers
  std::int64_t step_count = 0, owed = 0;
  double speed = 1.0, saved_up = 0.0;
  bool paused = false;

  StepStatus last_status = StepStatus::ok;
  std::array<std::int64_t, WorldState::status_bits> status_counts{};
  Fault fault;
  std::int64_t refused = 0;
  std::array<RefusedCommand, WorldState::kept_refusals> refusals;
};

// Models and bodies of an asset. Throws Error: it is not sound, an engine that this build does not
// have, a rate that does not divide the world's.
WorldData make_world(const TensorView& asset, const AssetHead& head, EngineList engines,
                     MakeWorker make_worker);

}  // namespace pliant
