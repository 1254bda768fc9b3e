// SPDX-License-Identifier: MIT
// A scene that runs: the bodies of an asset, what acts on them, and one step for all of it.
//
//   every step:  commands -> gravity, wind, pulls -> step of each body's engine -> snapshot
//
// One thread owns the world and calls step(); another may post commands and fetch snapshots, and
// neither waits for the other. The same asset and the same commands at the same steps give the same
// bits. With `reduced` and `rigid` bodies a step allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/base/snapshot.hpp"
#include "pliant/base/step_status.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/world/command.hpp"

namespace pliant {

// The state of one body as others see it.
struct BodyState {
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::VectorXf c;              // r coefficients of its shape; none: rigid, or a dense body
  Eigen::Matrix3Xf displacement;  // of the surface's points in the body's frame; `full` bodies
  double kinetic = 0.0, elastic = 0.0;  // J
};

// A hand on a body.
struct PullState {
  enum class Kind : std::uint8_t { none, spring, force };
  Kind kind = Kind::none;
  std::int32_t body = 0, point = 0;
  Vector3d at = Vector3d::Zero();      // where the point is [m]
  Vector3d target = Vector3d::Zero();  // where the hand is
  Vector3d force = Vector3d::Zero();   // on the body [N]
  double stiffness = 0.0;              // of a spring [N/m]
};

struct WorldState {
  static constexpr int slots = 8;
  static constexpr int status_bits = 8;

  std::int64_t step = 0;
  double time = 0.0;  // s
  bool paused = false;
  double speed = 1.0;
  Vector3d gravity = Vector3d::Zero(), wind = Vector3d::Zero();
  std::vector<BodyState> bodies;
  std::array<PullState, slots> pulls;
  StepStatus last_status = StepStatus::ok;
  std::array<std::int64_t, status_bits> status_counts{};  // steps in which each bit was set
  std::int64_t refused_commands = 0;                      // that made no sense: out of range
};

struct AssetHead;
class ReducedModel;

class World {
 public:
  // Throws Error if the asset is not sound, or of a version that is not known.
  explicit World(const TensorFile& asset);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  double dt() const;  // of a step [s]
  int body_count() const;
  const AssetHead& head() const;
  // Points of the body's surface, and where one is now.
  int point_count(int body) const;
  Vector3d position(int body, int point) const noexcept;
  // Of all nodes of a full body, in its frame, 3 #V; null for a body of another engine.
  const VectorXd* nodal_displacement(int body) const noexcept;
  // Of the spring that suits a hand at this point [N/m]; 0 where nothing moves.
  double pull_stiffness(int body, int point) const noexcept;
  // The engine of a reduced body; null for another one.
  const ReducedModel* reduced_model(int body) const;

  // --- owner's thread
  // One cycle of the loop: a step of the world, or none while it is paused or slowed down.
  StepStatus step() noexcept;
  // Does a command at once.
  void apply(const Command& command) noexcept;
  void state(WorldState& out) const noexcept;  // `out` has been through make_state()
  WorldState make_state() const;

  // --- one other thread
  // Takes effect at the beginning of a later step. False if too many are waiting.
  bool post(const Command& command) noexcept;
  // The newest state, published about 120 times a second of wall-clock time.
  Snapshot<WorldState>& snapshots();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant
