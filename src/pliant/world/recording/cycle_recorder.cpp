// SPDX-License-Identifier: MIT
#include "pliant/world/recording/cycle_recorder.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "pliant/base/error.hpp"
#include "pliant/world/recording/cycle_file.hpp"

namespace pliant {
namespace {

constexpr std::size_t waiting_rows = 16384;  // 16 s at 1 kHz
constexpr std::size_t rows_a_batch = 1024;
constexpr auto pause = std::chrono::milliseconds(10);

}  // namespace

CycleRecorder::CycleRecorder(std::filesystem::path path, const World& world)
    : path_(std::move(path)), metadata_(cycle_metadata(world)), queue_(waiting_rows) {
  batch_.reserve(rows_a_batch);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0 || !write_head()) {
    const int error = errno;
    if (file_ >= 0) ::close(file_);
    throw Error({path_.string(), 0, ""}, "cannot be written", std::strerror(error));
  }
  thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      write_rows();
      std::this_thread::sleep_for(pause);
    }
    write_rows();
  });
}

CycleRecorder::~CycleRecorder() {
  finish();
  ::close(file_);
}

void CycleRecorder::finish() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void CycleRecorder::push(CycleRow row) noexcept {
  row[row_cycle] = cycle_;
  row[row_lost] = lost_since_;
  if (queue_.push(row)) {
    lost_since_ = 0;
  } else {
    ++lost_since_;
    lost_.fetch_add(1, std::memory_order_relaxed);
  }
}

void CycleRecorder::end_cycle(double took) noexcept {
  pending_[row_took] = took;
  push(pending_);
  ++cycle_;
}

void CycleRecorder::write_rows() {
  for (;;) {
    batch_.clear();
    CycleRow row;
    while (batch_.size() < rows_a_batch && queue_.pop(row)) batch_.push_back(row);
    if (batch_.empty()) return;
    if (failed_.load(std::memory_order_relaxed)) continue;  // nobody waits for room in the ring
    const std::int64_t rows = rows_.load(std::memory_order_relaxed);
    const auto count = static_cast<std::int64_t>(batch_.size());
    const auto size = static_cast<std::int64_t>(sizeof(CycleRow));
    if (write_all(batch_.data(), batch_.size() * sizeof(CycleRow),
                  static_cast<std::int64_t>(cycle_head_size) + rows * size)) {
      rows_.store(rows + count, std::memory_order_relaxed);
      if (write_head()) continue;
      rows_.store(rows, std::memory_order_relaxed);
    }
    const std::lock_guard lock(problem_lock_);
    problem_ =
        path_.string() + ": the recording ends here, the run goes on: " + std::strerror(errno);
    failed_.store(true, std::memory_order_relaxed);
    // What the head does not count goes.
    [[maybe_unused]] const int cut =
        ::ftruncate(file_, static_cast<off_t>(cycle_head_size) + rows * size);
  }
}

bool CycleRecorder::write_all(const void* data, std::size_t size, std::int64_t at) {
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(file_, from, size, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from += done;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool CycleRecorder::write_head() {
  const std::string head = cycle_head(metadata_, rows_.load(std::memory_order_relaxed));
  return write_all(head.data(), head.size(), 0);
}

std::string CycleRecorder::problem() const {
  const std::lock_guard lock(problem_lock_);
  return problem_;
}

}  // namespace pliant
