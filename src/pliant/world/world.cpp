// SPDX-License-Identifier: MIT
#include "pliant/world/world.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/world/contact_stage.hpp"

namespace pliant {
namespace {

constexpr std::size_t waiting_commands = 1024;
constexpr int commands_a_step = 64;         // bounded work: the others wait for the next step
constexpr double snapshots_a_second = 120;  // of steps of the loop

std::unique_ptr<Worker> make_prompt_worker() {
  return std::make_unique<PromptWorker>();
}

}  // namespace

World::Shared::Shared(const WorldState& state) : commands(waiting_commands), snapshots(state) {}

World::World(const TensorView& asset, const WorldOptions& options)
    : head_(read_asset_head(asset)),
      data_(std::make_unique<WorldData>(
          make_world(asset, head_, options.engines,
                     options.make_worker != nullptr ? options.make_worker : make_prompt_worker))),
      for_each_(options.for_each),
      publish_every_(std::max<std::int64_t>(1, std::lround(head_.rate / snapshots_a_second))) {
  data_->wait = options.wait;
  data_->clock = options.clock;
  if (std::unique_ptr<Device> device = make_device(head_.device, asset, dt())) {
    attach(std::move(device), link_spec_of(head_.device));
  }
  shared_ = std::make_unique<Shared>(make_state());
}

void World::attach(std::unique_ptr<Device> device, const DeviceLinkSpec& spec) {
  if (device && data_->hold.body < 0) {
    throw Error("a device needs a [handle] in the scene, whose body it moves");
  }
  device_ = device ? std::make_unique<DeviceLink>(std::move(device), spec, data_->hold.start, dt())
                   : nullptr;
  data_->device_control = {.scale = spec.scale};
  data_->device = {.attached = device_ != nullptr};
}

void World::follow_device() noexcept {
  if (data_->step_count == 0) device_->reset(data_->hold.start);
  device_->before(data_->hold, data_->device_control);
}

void World::begin_step() noexcept {
  if (device_) follow_device();
  stages::wind(*data_);
  stages::clear_loads(*data_);
  stages::gravity(*data_);
  stages::pulls(*data_);
  stages::contact(*data_);
  stages::hold(*data_);
}

void World::add_force(int index, int point, const Vector3d& force) noexcept {
  Body& own = data_->bodies[static_cast<std::size_t>(index)];
  data_->model_of(own).surface.add_force(own.motion, point, force, own.load);
}

StepStatus World::end_step() noexcept {
  if (device_) {
    device_->after(data_->hold);
    data_->device = device_->state();
  }
  return stages::step(*data_, for_each_);
}

StepStatus World::step() noexcept {
  Command command;
  for (int i = 0; i < commands_a_step && shared_->commands.pop(command); ++i) {
    if (log_ != nullptr) log_->command(command);
    stages::take(*data_, command);
  }
  StepStatus status = StepStatus::ok;
  const bool stepped = stages::due(*data_);
  if (stepped) {
    begin_step();
    status = end_step();
  } else if (device_) {
    if (data_->paused) {
      device_->rest();
    } else {
      follow_device();
      device_->after(data_->hold);
    }
    data_->device = device_->state();
  }
  if (log_ != nullptr) log_->cycle(*data_, device_ ? device_->sample() : nullptr, stepped);
  if (++cycle_count_ % publish_every_ == 0) publish();
  return status;
}

void World::publish() noexcept {
  stages::publish(*data_, shared_->snapshots.back());
  shared_->snapshots.publish();
}

Refusal World::apply(const Command& command) noexcept {
  if (log_ != nullptr) log_->command(command);
  const std::int64_t before = data_->refused;
  stages::take(*data_, command);
  if (data_->refused == before) return Refusal::none;
  return data_->refusals[static_cast<std::size_t>(data_->refused % WorldState::kept_refusals)]
      .reason;
}

std::vector<std::span<const std::byte>> World::memory() const {
  std::vector<std::span<const std::byte>> all;
  for (const BodyModel& own : data_->models) {
    const auto points = own.surface.memory();
    all.insert(all.end(), points.begin(), points.end());
    const auto areas = static_cast<std::size_t>(own.areas.size());
    all.push_back(std::as_bytes(std::span(own.areas.data(), areas)));
  }
  for (const ContactModel& own : data_->contact.models) {
    if (own.shell) {
      const auto points = own.shell->points.memory();
      all.insert(all.end(), points.begin(), points.end());
    }
    if (!own.field || own.field->analytic()) continue;
    if (own.field->states) {
      const StateTrain& train = own.field->states->train();
      for (const MatrixXf* core : {&train.G, &train.H}) {
        all.push_back(
            std::as_bytes(std::span(core->data(), static_cast<std::size_t>(core->size()))));
      }
    }
    const DistanceGrid& grid = std::get<DistanceField>(own.field->rest).grid();
    const auto table = static_cast<std::size_t>(grid.table.size());
    const auto cells = static_cast<std::size_t>(grid.cells.size());
    all.push_back(std::as_bytes(std::span(grid.table.data(), table)));
    all.push_back(std::as_bytes(std::span(grid.cells.data(), cells)));
  }
  return all;
}

void World::give_up() noexcept {
  for (const Body& own : data_->bodies) data_->model_of(own).ops->give_up(own.state.get());
}

void World::state(WorldState& out) noexcept {
  stages::publish(*data_, out);
}

WorldState World::make_state() {
  WorldState state;
  for (const Body& own : data_->bodies) {
    BodyState body_state;
    body_state.c = own.motion.c;
    body_state.settings = own.settings;
    const BodyModel& model = data_->model_of(own);
    body_state.controls.resize(
        static_cast<std::size_t>(model.ops->control_count(model.model.get())));
    body_state.image = PressureImage(model.ops->image_layout(model.model.get()));
    state.bodies.push_back(std::move(body_state));
  }
  stages::publish(*data_, state);
  return state;
}

}  // namespace pliant
