// SPDX-License-Identifier: MIT
// The connections that are open, up to so many: another one takes the place of the one that has made
// the server wait for longest. So clients who are slow, or never say anything, lock nobody out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <tuple>
#include <utility>

namespace pliant::serve {

class Connections {
 public:
  // In the order in which they have to go; viewers stay.
  enum class Phase { ending, waiting, busy, viewer };

 private:
  struct Entry {
    Phase phase;
    std::uint64_t since;  // when the phase began: a number that grows
    std::function<void()> close;
    bool closed = false;
  };

 public:
  // The place of one connection, as long as that lives.
  class Seat {
   public:
    Seat(Connections& all, std::function<void()> close)
        : all_(all),
          at_(all.open_.insert(all.open_.end(), {Phase::waiting, all.next_++, std::move(close)})) {}
    ~Seat() { all_.open_.erase(at_); }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    void begin(Phase phase) {
      at_->phase = phase;
      at_->since = all_.next_++;
    }
    // It is another's now, who closes it so.
    void hand_over(std::function<void()> close) { at_->close = std::move(close); }

   private:
    Connections& all_;
    std::list<Entry>::iterator at_;
  };

  explicit Connections(std::size_t most) : most_(most) {}

  // Viewers alone may fill it.
  bool full() const {
    const auto open = std::count_if(open_.begin(), open_.end(), [](auto& e) { return !e.closed; });
    return static_cast<std::size_t>(open) >= most_;
  }
  // Closes the one that has to go first, if there is one.
  void make_room() {
    const auto first = std::min_element(open_.begin(), open_.end(), [](auto& a, auto& b) {
      return std::tuple(a.closed, a.phase, a.since) < std::tuple(b.closed, b.phase, b.since);
    });
    if (first == open_.end() || first->closed || first->phase == Phase::viewer) return;
    first->closed = true;
    first->close();
  }

 private:
  std::size_t most_;
  std::list<Entry> open_;
  std::uint64_t next_ = 0;
};

}  // namespace pliant::serve
