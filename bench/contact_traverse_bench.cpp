// SPDX-License-Identifier: MIT
// Contact in a cycle: the four meetings of [Barbic07] table 3.1 with models of ours, and traversals
// alone.
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/bumpy_torus.hpp"
#include "bench/contact_meeting.hpp"
#include "pliant/mesh/tube.hpp"

namespace pliant {
namespace {

using bench::Meeting;
using bench::MeetingSpec;

SurfaceMesh model(const char* name) {
  return make_model(name).surface;
}

// Means of a cycle, over a second of motion.
struct Counts {
  std::int64_t nodes = 0, without = 0, contacts = 0;  // without: nodes if there were no coherence
};
Counts count(Meeting& meeting, int cycles) {
  Counts sum;
  for (int k = 0; k < cycles; ++k) {
    meeting.place(k);
    meeting.traverse(*meeting.coherent, true);
    meeting.traverse(*meeting.plain, false);
    sum.nodes += meeting.coherent->visited();
    sum.without += meeting.plain->visited();
    sum.contacts += static_cast<std::int64_t>(meeting.coherent->points().size());
  }
  return {sum.nodes / cycles, sum.without / cycles, sum.contacts / cycles};
}

// A whole cycle of contact: traversal, forces, reduced forces and tangents, over a second of motion.
bench::Result table31(const MeetingSpec& spec) {
  Meeting meeting(spec);
  constexpr int cycles = 1000;
  int at = 0;
  const auto average = [&](Traversal& traversal, bool coherence) {
    return bench::seconds([&] {
      meeting.place(++at % cycles);
      meeting.cycle(traversal, coherence);
    });
  };
  const double coherent = average(*meeting.coherent, true);
  const double plain = average(*meeting.plain, false);
  const Counts counts = count(meeting, cycles);
  return {.value = 1e6 * coherent,
          .reference_value = 1e6 * meeting.treeless(),
          .detail = fmt::format(
              "{} points, {} levels, {} nodes ({} without coherence, {:.0f} us), {} in contact",
              meeting.tree->point_count(), meeting.tree->levels(), counts.nodes, counts.without,
              1e6 * plain, counts.contacts)};
}

// Two bumpy tori, as deep as gives the wanted contacts.
MeetingSpec tori(int points, int levels, Index r, Index body_r, int contacts) {
  const SurfaceMesh torus = bench::bumpy_torus(300, 250);
  return {.shell = torus,
          .field = torus,
          .points = points,
          .levels = levels,
          .resolution = 256,
          .shell_shapes = r,
          .field_shapes = body_r,
          .contacts = contacts};
}

// With coherence over a second of motion, as the published nodes and times are; placing the bodies
// is part of it.
bench::Result traverse(const MeetingSpec& spec) {
  Meeting meeting(spec);
  constexpr int cycles = 1000;
  int at = 0;
  const auto average = [&](Traversal& traversal, bool coherence) {
    return bench::seconds([&] {
      meeting.place(++at % cycles);
      meeting.traverse(traversal, coherence);
    });
  };
  const double coherent = average(*meeting.coherent, true);
  const double plain = average(*meeting.plain, false);
  const Counts counts = count(meeting, cycles);
  return {
      .value = 1e6 * coherent,
      .reference_value = 1e6 * meeting.treeless(),
      .detail = fmt::format("{} points, {} nodes ({} without coherence, {:.0f} us), {} in contact",
                            meeting.tree->point_count(), counts.nodes, counts.without, 1e6 * plain,
                            counts.contacts)};
}

bench::Result points_per_us(Index r) {
  Meeting meeting(tori(64000, 4, r, 0, 200));
  return {.value = 1e-6 * static_cast<double>(meeting.points->point_count()) / meeting.treeless(),
          .detail = "a point after the other, one thread"};
}

const bench::Rows rows{
    {.name = "contact.traverse.rigid1M",
     .unit = "us",
     .published = "780 us",
     .reference = "every point",
     .target = {.at_most = 100.0},
     .slow = true,
     .run = [] { return traverse(tori(1'020'000, 6, 0, 0, 820)); }},
    {.name = "contact.traverse.deformable256k",
     .unit = "us",
     .published = "615 us",
     .reference = "every point",
     .target = {.at_most = 100.0},
     .slow = true,
     .run = [] { return traverse(tori(256'000, 5, 15, 0, 650)); }},
    {.name = "contact.traverse.deformable_deformable",
     .unit = "us",
     .published = "660 us",
     .reference = "every point",
     .target = {.at_most = 90.0},
     .slow = true,
     .run = [] { return traverse(tori(256'000, 5, 15, 15, 40)); }},
    {.name = "contact.table31.knight_axe",
     .unit = "us",
     .published = "870 us; 80,000 us treeless",
     .reference = "every point",
     .target = {.at_most = 109.0},
     .slow = true,
     .run =
         [] {
           return table31({.shell = model("knight"),
                           .field = model("axe"),
                           .points = 1'020'000,
                           .levels = 6,
                           .resolution = 256,
                           .contacts = 820});
         }},
    {.name = "contact.table31.hoses_part",
     .unit = "us",
     .published = "260 us; 6,600 us treeless",
     .reference = "every point",
     .target = {.at_most = 32.0},
     .slow = true,
     .run =
         [] {
           return table31({.shell = model("hose"),
                           .field = bench::bumpy_torus(100, 60),
                           .points = 80'000,
                           .levels = 4,
                           .resolution = 128,
                           .shell_shapes = 15,
                           .contacts = 50});
         }},
    {.name = "contact.table31.dragon_heart",
     .unit = "us",
     .published = "750 us; 29,800 us treeless",
     .reference = "every point",
     .target = {.at_most = 94.0},
     .slow = true,
     .run =
         [] {
           return table31({.shell = model("dragon"),
                           .field = model("heart"),
                           .points = 256'000,
                           .levels = 5,
                           .resolution = 256,
                           .shell_shapes = 15,
                           .contacts = 650});
         }},
    {.name = "contact.table31.dragon_dinosaur",
     .unit = "us",
     .published = "840 us; 590,000 us treeless",
     .reference = "every point",
     .target = {.at_most = 105.0},
     .slow = true,
     .run =
         [] {
           return table31({.shell = model("dragon"),
                           .field = model("dinosaur"),
                           .points = 256'000,
                           .levels = 5,
                           .resolution = 256,
                           .shell_shapes = 15,
                           .field_shapes = 15,
                           .contacts = 40});
         }},
    {.name = "contact.points_per_us.rigid",
     .unit = "points/us",
     .published = "about 4",
     .target = {.at_least = 60.0},
     .slow = true,
     .run = [] { return points_per_us(0); }},
    {.name = "contact.points_per_us.r15",
     .unit = "points/us",
     .published = "about 4",
     .target = {.at_least = 20.0},
     .slow = true,
     .run = [] { return points_per_us(15); }},
};

}  // namespace
}  // namespace pliant
