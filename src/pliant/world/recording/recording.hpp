// SPDX-License-Identifier: MIT
// What a world did, step by step, for a file. n steps, of each body
//
//   time F64 [n], step I64 [n], status I32 [n]
//   BODY/position F64 [n, 3], BODY/rotation F64 [n, 4] (w x y z), BODY/energy F64 [n, 2] (kinetic,
//   elastic), BODY/c F32 [n, r] of a reduced body, BODY/displacement F32 [n, 3 P] of a full one
//   BODY/pressure F32 [n, taxels + 1] of a body with a pressure image: the force on each taxel, row by
//   row, and what is beside them [N]
//   force F64 [n, 24]: of the eight hands
//
// and what was done to it, which a run may do again (script.hpp):
//
//   hand/kind I32 [n, 8] (PullState::Kind), hand/body I32 [n, 8], hand/point I32 [n, 8],
//   hand/target F64 [n, 24], hand/stiffness F64 [n, 8], gravity F64 [n, 3], wind F64 [n, 3]
//
// and, if bodies met, what they felt: BODY/contact F64 [n, 6] (force, torque about its origin),
// contact/counters I32 [n, 6] (ContactCounters: pairs, visited, asleep, contacts, levels left out,
// budget), and of all steps together m contacts, of a step as many as its state holds. Where room was
// reserved, which is for 32 a step in the mean, no more than that: how many there were is counted.
//
//   contact/step I64 [m], contact/bodies I32 [m, 2] (whose point, in whom), contact/point I32 [m],
//   contact/place F64 [m, 3], contact/normal F64 [m, 3], contact/force F64 [m, 3], contact/depth
//   F64 [m]
//
// and, if a hand held a body: handle/place F64 [n, 7] (position, rotation w x y z of the body's frame
// if it were where the hand is), handle/felt F64 [n, 6] (force and torque on the hand),
// handle/rendered F64 [n, 6] (what its device was given, in the device's axes),
//
// as a tensor file (.pliant, .safetensors), or without the displacements, the contacts and what was
// done to it as CSV (.csv).
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "pliant/world/world.hpp"

namespace pliant {

class Recording {
 public:
  // `names` of the bodies. Throws Error for a file name of another ending.
  Recording(std::filesystem::path path, std::vector<std::string> names);

  // Room for so many states like this one: the next so many add() allocate nothing, and keep no more
  // contacts than there is room for.
  void reserve(std::int64_t count, const WorldState& like);
  void add(const WorldState& state);
  std::int64_t size() const { return static_cast<std::int64_t>(times_.size()); }
  // Atomic. Throws Error.
  void write() const;
  // Of all that was recorded: the same motion, the same hash.
  std::uint64_t hash() const;

 private:
  struct Body {
    std::string name;
    std::vector<double> position, rotation, energy, contact;
    std::vector<float> c, pressure;
  };
  void add_motion(class TensorWriter& writer) const;
  void add_loads(class TensorWriter& writer) const;
  void add_contacts(class TensorWriter& writer) const;
  void add_handle(class TensorWriter& writer) const;
  std::string csv() const;

  std::filesystem::path path_;
  std::vector<double> times_, force_, target_, stiffness_, gravity_, wind_;
  std::vector<int> kind_, body_, point_;  // of the hands
  std::vector<std::int64_t> steps_;
  std::vector<int> status_;
  std::vector<Body> bodies_;
  struct Contacts {
    std::vector<std::int64_t> step;
    std::vector<int> bodies, point;
    std::vector<double> place, normal, force, depth;
  };
  Contacts contacts_;
  std::size_t most_contacts_ = std::numeric_limits<std::size_t>::max();
  std::vector<int> counters_;
  bool met_ = false;                             // some bodies did
  std::vector<double> place_, felt_, rendered_;  // of the handle
};

}  // namespace pliant
