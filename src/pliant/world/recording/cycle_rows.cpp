// SPDX-License-Identifier: MIT
#include "pliant/world/recording/cycle_rows.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "pliant/world/world_data.hpp"

namespace pliant {
namespace {

constexpr std::size_t first_number = 4;  // of a command; its index is before

// The numbers of a command, in the order in which they stand in a row.
template <class F>
void numbers(command::Reset&, F&&) {}
template <class F>
void numbers(command::Pull& c, F&& f) {
  f(c.slot, c.body, c.point, c.target.x, c.target.y, c.target.z, c.stiffness);
}
template <class F>
void numbers(command::Force& c, F&& f) {
  f(c.slot, c.body, c.point, c.force.x, c.force.y, c.force.z);
}
template <class F>
void numbers(command::Release& c, F&& f) {
  f(c.slot);
}
template <class F>
void numbers(command::Material& c, F&& f) {
  f(c.body, c.region, c.constants.lambda, c.constants.mu, c.constants.density);
}
template <class F>
void numbers(command::ChangeDamping& c, F&& f) {
  f(c.body, c.alpha, c.beta);
}
template <class F>
void numbers(command::Active& c, F&& f) {
  f(c.body, c.count);
}
template <class F>
void numbers(command::Linear& c, F&& f) {
  f(c.body, c.on);
}
template <class F>
void numbers(command::Move& c, F&& f) {
  f(c.body, c.position.x, c.position.y, c.position.z);
  for (double& q : c.rotation) f(q);
}
template <class F>
void numbers(command::Handle& c, F&& f) {
  f(c.position.x, c.position.y, c.position.z);
  for (double& q : c.rotation) f(q);
}
template <class F>
void numbers(command::Control& c, F&& f) {
  f(c.body, c.element);
  for (double& x : c.motion) f(x);
}
template <class F>
void numbers(command::Gravity& c, F&& f) {
  f(c.vector.x, c.vector.y, c.vector.z);
}
template <class F>
void numbers(command::Wind& c, F&& f) {
  f(c.velocity.x, c.velocity.y, c.velocity.z);
}
template <class F>
void numbers(command::Pause& c, F&& f) {
  f(c.on);
}
template <class F>
void numbers(command::Advance& c, F&& f) {
  f(c.steps);
}
template <class F>
void numbers(command::Speed& c, F&& f) {
  f(c.factor);
}
template <class F>
void numbers(command::Workspace& c, F&& f) {
  f(c.scale, c.indexing);
}

template <class F>
void numbers(command::Grasp& c, F&& f) {
  f(c.point.x, c.point.y, c.point.z);
}
template <class F>
void numbers(command::Grip& c, F&& f) {
  f(c.opening);
}

template <class F>
void numbers(command::LetGo&, F&&) {}

// Whether a number can be held by a whole one.
template <class T>
bool fits(double x) {
  return x == std::floor(x) && x >= static_cast<double>(std::numeric_limits<T>::min()) &&
         x <= static_cast<double>(std::numeric_limits<T>::max());
}

template <class C>
std::optional<Command> read_command(std::span<const double> row) noexcept {
  C command{};
  std::size_t at = first_number;
  bool sound = true;
  const auto read = [&](auto& value) {
    using T = std::remove_reference_t<decltype(value)>;
    const double x = row[at++];
    if constexpr (std::is_same_v<T, double>) {
      value = x;
    } else if (fits<T>(x)) {
      value = static_cast<T>(x);
    } else {
      sound = false;
    }
  };
  numbers(command, [&](auto&... values) { (read(values), ...); });
  return sound ? std::optional<Command>(command) : std::nullopt;
}

template <std::size_t... i>
std::optional<Command> read_command(std::size_t index, std::span<const double> row,
                                    std::index_sequence<i...>) noexcept {
  std::optional<Command> out;
  ((index == i ? void(out = read_command<std::variant_alternative_t<i, Command>>(row)) : void()),
   ...);
  return out;
}

}  // namespace

CycleRow row_of(const Command& command) noexcept {
  CycleRow row{};
  row[row_kind] = 1;
  row[first_number - 1] = static_cast<double>(command.index());
  std::size_t at = first_number;
  Command copy = command;
  std::visit(
      [&](auto& c) {
        numbers(c, [&](auto&... values) { ((row[at++] = static_cast<double>(values)), ...); });
      },
      copy);
  return row;
}

CycleRow row_of(const WorldData& world, const DeviceSample* sample, bool stepped) noexcept {
  CycleRow row{};
  std::size_t at = column_of("step");
  const auto put = [&](auto... values) { ((row[at++] = static_cast<double>(values)), ...); };
  const auto put_vector = [&](const auto& v) {
    for (Index i = 0; i < v.size(); ++i) put(v[i]);
  };
  const auto put_pose = [&](const Pose& pose) {
    put_vector(pose.position);
    const Eigen::Quaterniond& q = pose.rotation;
    put(q.w(), q.x(), q.y(), q.z());
  };
  put(world.step_count, stepped ? 1 : 0, static_cast<unsigned>(world.last_status));
  at = column_of("there");
  const DeviceSample none;
  const DeviceSample& sensed = sample != nullptr ? *sample : none;
  put(sample != nullptr ? 1 : 0, sensed.number);
  put_pose(sensed.pose);
  put_vector(sensed.twist);
  put(sensed.buttons, sensed.gripper);
  put_pose(world.hold.hand);
  put_vector(world.hold.felt.on_hand);
  put_vector(world.device.rendered);
  put(static_cast<unsigned>(world.device.port), static_cast<unsigned>(world.device.fault),
      world.device.faults, world.device.guarded ? 1 : 0);
  const ContactCounters& contact = world.contact.counters;
  put(contact.contacts, contact.visited, contact.deepest, world.device.gripper_force,
      contact.budget);
  return row;
}

std::optional<Command> command_of(std::span<const double> row) noexcept {
  const double index = row[first_number - 1];
  if (row[row_kind] != 1 || !fits<std::uint8_t>(index)) return std::nullopt;
  return read_command(static_cast<std::size_t>(index), row,
                      std::make_index_sequence<std::variant_size_v<Command>>());
}

std::optional<int> budget_of(std::span<const double> row) noexcept {
  const double nodes = row[column_of("budget")];
  return fits<int>(nodes) && nodes >= 0 ? std::optional(static_cast<int>(nodes)) : std::nullopt;
}

std::optional<DeviceSample> sample_of(std::span<const double> row) noexcept {
  const double* at = row.data() + column_of("there");
  const double buttons = row[column_of("buttons")];
  if (at[0] != 1 || !(at[1] >= 0 && at[1] < 9e15) || !fits<std::uint32_t>(buttons)) {
    return std::nullopt;
  }
  DeviceSample sample;
  sample.number = static_cast<std::uint64_t>(at[1]);
  sample.pose.position = {at[2], at[3], at[4]};
  sample.pose.rotation = Eigen::Quaterniond(at[5], at[6], at[7], at[8]);
  sample.twist = Vector6d(at + 9);
  sample.buttons = static_cast<std::uint32_t>(buttons);
  sample.gripper = row[column_of("gripper")];
  return sample;
}

}  // namespace pliant
