// SPDX-License-Identifier: MIT
// A cycle of a world, or a command that it was given, as a row of numbers: what a device sensed, what
// the hand felt and the device was given, and counters. A file of them (cycle_recorder.hpp) is one
// tensor `cycles` F64 [n, columns], with the names of the columns in the metadata.
//
//   kind 0   a cycle: the columns by their names
//   kind 1   a command, given before the next cycle: kind, cycle, lost, its index in Command, its numbers
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "pliant/haptics/device.hpp"
#include "pliant/world/command.hpp"

namespace pliant {

struct WorldData;

inline constexpr std::array cycle_columns = {"kind",     "cycle",    "lost",
                                             "step",     "stepped",  "status",
                                             "took",     "there",    "number",
                                             "x",        "y",        "z",
                                             "qw",       "qx",       "qy",
                                             "qz",       "vx",       "vy",
                                             "vz",       "wx",       "wy",
                                             "wz",       "buttons",  "gripper",
                                             "hand.x",   "hand.y",   "hand.z",
                                             "hand.qw",  "hand.qx",  "hand.qy",
                                             "hand.qz",  "felt.fx",  "felt.fy",
                                             "felt.fz",  "felt.tx",  "felt.ty",
                                             "felt.tz",  "given.fx", "given.fy",
                                             "given.fz", "given.tx", "given.ty",
                                             "given.tz", "port",     "fault",
                                             "faults",   "guarded",  "contacts",
                                             "visited",  "deepest",  "given.gripper",
                                             "budget"};

using CycleRow = std::array<double, cycle_columns.size()>;

// The position of a column, at compile time.
consteval std::size_t column_of(std::string_view name) {
  for (std::size_t i = 0; i < cycle_columns.size(); ++i) {
    if (name == cycle_columns[i]) return i;
  }
  throw "there is no such column";
}
inline constexpr std::size_t row_kind = column_of("kind");
inline constexpr std::size_t row_cycle = column_of("cycle");
inline constexpr std::size_t row_lost = column_of("lost");
inline constexpr std::size_t row_took = column_of("took");
inline constexpr std::size_t row_felt = column_of("felt.fx");
inline constexpr std::size_t row_given = column_of("given.fx");
inline constexpr std::size_t row_wrenches = 12;  // felt and given

// --- online: nothing is allocated.
CycleRow row_of(const Command& command) noexcept;
CycleRow row_of(const WorldData& world, const DeviceSample* sample, bool stepped) noexcept;

// Empty: no command, or one with numbers that none has.
std::optional<Command> command_of(std::span<const double> row) noexcept;
// Nodes that contact could look at in a cycle, 0: no limit. Empty: a number that is none.
std::optional<int> budget_of(std::span<const double> row) noexcept;
// Of a cycle in which the device was there; empty otherwise.
std::optional<DeviceSample> sample_of(std::span<const double> row) noexcept;

}  // namespace pliant
