// SPDX-License-Identifier: MIT
// A scene that runs: the bodies of an asset, what acts on them, and one step for all of it.
//
//   every cycle:  commands -> gravity, wind, pulls, contact, hold -> step of bodies that are due ->
//                 snapshot
//
// One thread owns the world and calls step(); another may post commands and fetch snapshots, and
// neither waits for the other. The same asset and the same commands at the same steps give the same
// bits. Where all engines are bounded a step allocates nothing; bodies with a rate of their own are
// stepped by workers (divided_step.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "pliant/base/queue.hpp"
#include "pliant/base/snapshot.hpp"
#include "pliant/world/cycle_log.hpp"
#include "pliant/world/device_link.hpp"
#include "pliant/world/stages.hpp"

namespace pliant {

struct WorldOptions {
  EngineList engines;
  // Of bodies with a rate of their own; null: their steps are made at once.
  MakeWorker make_worker = nullptr;
  // For late workers: the motion is that of a fast machine. Else their last state is held, and
  // counted as StepStatus::late.
  bool wait = true;
  // Seconds, by which contact is kept to the time that it is given; null: by what a machine needs
  // usually, and the motion is the same on every machine.
  double (*clock)() noexcept = nullptr;
  stages::ForEach for_each = stages::one_by_one;
};

class World {
 public:
  // Throws Error if the asset is not sound, or of a version that is not known.
  World(const TensorView& asset, const WorldOptions& options);

  double dt() const { return data_->dt; }  // of a step [s]
  int body_count() const { return static_cast<int>(data_->bodies.size()); }
  const AssetHead& head() const { return head_; }
  const WorldData& data() const { return *data_; }
  const Body& body(int index) const { return data_->bodies[static_cast<std::size_t>(index)]; }
  const BodyModel& model(int body_index) const { return data_->model_of(body(body_index)); }
  // The head's body that a body is an instance of.
  const AssetBody& asset_body(int index) const {
    return head_.bodies[static_cast<std::size_t>(body(index).model)];
  }
  // Points of the body's surface, and where one is now.
  int point_count(int index) const { return static_cast<int>(model(index).surface.point_count()); }
  Vector3d position(int index, int point) const noexcept {
    return model(index).surface.position(body(index).motion, point);
  }
  // What a step may touch now and then only, and could be paged out meanwhile: the points of the
  // bodies, and their distance fields. The rest is touched in every step.
  std::vector<std::span<const std::byte>> memory() const;
  // Of the spring of a hand at this point without other word [N/m]; 0 where nothing moves.
  double pull_stiffness(int index, int point) noexcept {
    return stages::pull_stiffness(*data_, index, point, 0.0);
  }

  // --- owner's thread
  // One cycle of the loop: a step of the world, or none while it is paused or slowed down. Between the
  // steps of a slow world a device moves the hand on and renders what was felt last.
  StepStatus step() noexcept;
  // The same in two parts, for who acts on bodies in between: after begin_step() all loads are
  // there, and add_force() adds to them. end_step() makes the step.
  void begin_step() noexcept;
  void add_force(int index, int point, const Vector3d& force) noexcept;
  StepStatus end_step() noexcept;
  // A device at the handle, in place of the one that the scene asks for; null: none. Throws Error: the
  // scene has no handle, or the settings are out of their range.
  void attach(std::unique_ptr<Device> device, const DeviceLinkSpec& spec);
  const DeviceLink* device() const { return device_.get(); }  // null: none
  // Is told of every step() from now on; null: nobody.
  void set_log(CycleLog* log) { log_ = log; }
  // As many nodes as contact may look at in the steps from now on (0: no limit), whatever time they
  // take: of a recorded step. Empty: as the scene says.
  void set_contact_budget(const std::optional<int>& nodes) noexcept {
    data_->contact.budget.recorded = nodes;
  }
  // Does a command at once.
  Refusal apply(const Command& command) noexcept;
  // step() does so 120 times a second if it keeps its rate; whose steps take longer may do more.
  void publish() noexcept;
  void state(WorldState& out) noexcept;  // `out` has been through make_state()
  WorldState make_state();

  // --- one other thread
  // Takes effect at the beginning of a later step. False if too many are waiting.
  bool post(const Command& command) noexcept { return shared_->commands.push(command); }
  // No step that takes long is made any more: one under way ends soon, as failed.
  void give_up() noexcept;
  // The newest state, published about 120 times a second of wall-clock time.
  Snapshot<WorldState>& snapshots() { return shared_->snapshots; }

 private:
  struct Shared {
    explicit Shared(const WorldState& state);
    Queue<Command> commands;
    Snapshot<WorldState> snapshots;
  };

  void follow_device() noexcept;

  AssetHead head_;
  std::unique_ptr<WorldData> data_;
  stages::ForEach for_each_;
  std::int64_t publish_every_ = 1, cycle_count_ = 0;
  std::unique_ptr<DeviceLink> device_;
  CycleLog* log_ = nullptr;
  std::unique_ptr<Shared> shared_;
};

}  // namespace pliant
