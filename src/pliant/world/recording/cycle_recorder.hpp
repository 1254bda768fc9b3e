// SPDX-License-Identifier: MIT
// Writes every cycle of a world to a file: the world's thread puts rows into a ring and never waits,
// another one writes them. A file is sound at any time, also of a program that was killed: its head
// (of a fixed length, as a tensor file's) says how many rows count and is renewed after them.
//
// A disk that is full ends the recording and not the run: what was written until then stays. Rows for
// which the ring has no room are counted, and the next one says how many there were.
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "pliant/base/queue.hpp"
#include "pliant/world/recording/cycle_rows.hpp"
#include "pliant/world/world.hpp"

namespace pliant {

class CycleRecorder final : public CycleLog {
 public:
  // Of a world that has not made a step, with the device that it has now. Throws Error: the file
  // cannot be written.
  CycleRecorder(std::filesystem::path path, const World& world);
  ~CycleRecorder() override;  // as finish()
  CycleRecorder(const CycleRecorder&) = delete;
  CycleRecorder& operator=(const CycleRecorder&) = delete;

  // --- the world's thread
  void command(const Command& command) noexcept override { push(row_of(command)); }
  void cycle(const WorldData& world, const DeviceSample* sample, bool stepped) noexcept override {
    pending_ = row_of(world, sample, stepped);
  }
  // Behind every step() of the world: how long the cycle took [us].
  void end_cycle(double took) noexcept;

  // --- any other
  // Writes what is left; no cycle may come after it.
  void finish();
  std::int64_t rows() const noexcept {
    return rows_.load(std::memory_order_relaxed);
  }  // in the file
  std::int64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }
  std::string problem() const;  // empty: none

 private:
  void push(CycleRow row) noexcept;
  void write_rows();
  bool write_all(const void* data, std::size_t size, std::int64_t at);
  bool write_head();

  std::filesystem::path path_;
  std::string metadata_;  // JSON
  int file_ = -1;
  Queue<CycleRow> queue_;
  CycleRow pending_{};
  double cycle_ = 0, lost_since_ = 0;  // of the world's thread
  std::atomic<std::int64_t> rows_{0}, lost_{0};
  std::atomic<bool> failed_{false};
  mutable std::mutex problem_lock_;  // not of the world's thread
  std::string problem_;
  std::vector<CycleRow> batch_;
  std::jthread thread_;
};

}  // namespace pliant
