// SPDX-License-Identifier: MIT
// A script of what is done to a world and when, as CSV. The first line names the columns, which may
// stand in any order, and of which only `time` and `kind` must be there:
//
//   time,kind,slot,body,point,x,y,z,value
//   0.0,force,0,spoon,near:0.2:0:0,0,-5,0,        a force [N] on the point next to (0.2, 0, 0) m
//   0.1,release,0,,,,,,
//   0.5,pull,1,spoon,417,0.2,0.1,0,200            a spring [N/m] from point 417 to a place [m]
//   1.0,gravity,,,,0,-1.62,0,
//
// kind: force, pull, release, move, control, gravity, wind, reset. `move` takes a kinematic body to a
// place and, with the columns qw, qx, qy, qz, to a rotation. `control` moves the control element
// number `point` from rest by x, y, z, turns it likewise, and makes it larger by the factor `value`.
// Times ascend. Lines that begin with # are comments.
//
// Or a recording (recording.hpp): its hands, gravity and wind do the same again, step by step.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "pliant/world/command.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

struct TimedCommand {
  double time;  // s
  Command command;
};

// For the bodies of this world: CSV, or a recording (.pliant, .safetensors). Throws Error with the
// line or the row.
std::vector<TimedCommand> read_script(const std::filesystem::path& path, const World& world);
std::vector<TimedCommand> parse_script(std::string_view text, const std::string& name,
                                       const World& world);
std::vector<TimedCommand> recorded_script(const TensorView& recording, const World& world);

// Gives a world the commands of a script as their times come.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(std::vector<TimedCommand> script) : script_(std::move(script)) {}

  // Before step i of a run, from 0 on. Nothing is allocated.
  void before_step(std::int64_t i, World& world) noexcept {
    // The half step absorbs the rounding of i dt.
    const double end = (static_cast<double>(i) + 0.5) * world.dt();
    while (next_ < script_.size() && script_[next_].time < end) {
      world.apply(script_[next_++].command);
    }
  }

 private:
  std::vector<TimedCommand> script_;
  std::size_t next_ = 0;
};

}  // namespace pliant
