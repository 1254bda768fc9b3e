// SPDX-License-Identifier: MIT
// How many messages of a kind a client may send in a second.
#pragma once

#include <cmath>

namespace pliant::serve {

class RateLimit {
 public:
  enum class Verdict {
    allowed,
    first_dropped,  // say so once
    dropped,
    excessive,  // ten times too many: no honest client does that
  };

  explicit RateLimit(int a_second) : most_(a_second) {}

  // At a time in seconds that does not decrease.
  Verdict take(double now) {
    if (now - begin_ >= 1) {
      begin_ = now;
      count_ = 0;
    }
    ++count_;
    if (count_ <= most_) return Verdict::allowed;
    if (count_ == most_ + 1) return Verdict::first_dropped;
    return count_ <= 10 * most_ ? Verdict::dropped : Verdict::excessive;
  }

 private:
  int most_, count_ = 0;
  double begin_ = -1e9;
};

}  // namespace pliant::serve
