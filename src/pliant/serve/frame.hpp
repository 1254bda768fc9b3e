// SPDX-License-Identifier: MIT
// The binary frames of docs/protocol.md: a header, sections, little-endian. What all viewers get
// alike is encoded once; the header and the counters are each viewer's own and stand around it:
//
//   frame = head | sections | counters
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pliant/world/world.hpp"

namespace pliant::serve {

inline constexpr std::uint32_t frame_magic = 0x544e4c50;  // "PLNT"
inline constexpr std::uint16_t frame_version = 1;
inline constexpr std::size_t largest_frame = std::size_t{4} << 20;
// Points of a dense body that fit into a frame with all else.
inline constexpr int most_dense_points = 600'000;

enum class FrameTag : std::uint16_t {
  body = 1,
  dense = 2,
  pulls = 3,
  contacts = 4,
  handle = 5,
  counters = 6,
  histogram = 7,
  springs = 8,
  device = 9,
  controls = 10,
  meeting = 11,
  pressure = 12,
};

// Cycle times in microseconds.
struct CycleFigures {
  float p50 = 0, p99 = 0, max = 0;  // of the last second
  float mean = 0, peak = 0;         // since the frame before
  std::uint32_t overruns = 0;       // since the scene was opened
  std::uint32_t status = 0;         // bits of StepStatus since the frame before
  std::int32_t fault_body = -1;     // of the last step that had some, a body that had; -1: none
  std::uint32_t fault = 0;          // its bits
};

// Bin i counts cycles of first ratio^i to first ratio^(i + 1) us.
struct CycleHistogram {
  static constexpr float first = 1, ratio = 1.189207115F;  // 2^(1/4)
  std::array<std::uint32_t, 64> counts{};

  void add(double us);
};

using FrameHead = std::array<char, 32>;
FrameHead encode_head(std::uint32_t sequence, std::uint32_t epoch, const WorldState& state);

// Bodies, hands, contacts, pressure images and, if given, the histogram. `dense`: of each body the points that are drawn if it
// is dense, else null. Replaces what was in `out`, whose memory is used again.
void encode_sections(const WorldState& state, const std::vector<const PointSet*>& dense,
                     const CycleHistogram* histogram, std::string& out);

using FrameCounters = std::array<char, 48>;
FrameCounters encode_counters(const CycleFigures& figures, std::uint32_t skipped);

}  // namespace pliant::serve
