// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/thinning.hpp"

#include <cmath>

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

class Thinning {
 public:
  Thinning(const MatrixXd& C, double separation, int locked)
      : C_(C),
        limit_(separation * separation),
        locked_(locked),
        n_(static_cast<int>(C.cols())),
        here_(static_cast<std::size_t>(n_), 1),
        near_(static_cast<std::size_t>(n_), 0),
        density_(static_cast<std::size_t>(n_), 0.0) {
    parallel_for(static_cast<std::size_t>(n_), 64, [&](std::size_t i) {
      for (int j = 0; j < n_; ++j) {
        if (j == static_cast<int>(i)) continue;
        const double d = distance(static_cast<int>(i), j);
        density_[i] += kernel(d);
        near_[i] += d < limit_;
      }
    });
  }

  std::vector<int> run() {
    for (int worst = densest(); worst >= 0; worst = densest()) remove(worst);
    for (int i = locked_; i < n_; ++i) {
      if (!here_[index(i)] && !has_neighbour(i)) here_[index(i)] = 1;
    }
    std::vector<int> kept;
    for (int i = 0; i < n_; ++i) {
      if (here_[index(i)]) kept.push_back(i);
    }
    return kept;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  double distance(int i, int j) const { return (C_.col(i) - C_.col(j)).squaredNorm(); }
  double kernel(double squared) const { return std::exp(-squared / limit_); }

  // Among those that are too close to another; of equal ones the last. -1: none.
  int densest() const {
    int found = -1;
    for (int i = locked_; i < n_; ++i) {
      const bool removable = here_[index(i)] && near_[index(i)] > 0;
      if (removable && (found < 0 || density_[index(i)] >= density_[index(found)])) found = i;
    }
    return found;
  }

  void remove(int i) {
    here_[index(i)] = 0;
    for (int j = 0; j < n_; ++j) {
      const double d = distance(i, j);
      density_[index(j)] -= kernel(d);
      near_[index(j)] -= d < limit_;
    }
  }

  bool has_neighbour(int i) const {
    for (int j = 0; j < n_; ++j) {
      if (here_[index(j)] && distance(i, j) < limit_) return true;
    }
    return false;
  }

  const MatrixXd& C_;
  double limit_;  // squared
  int locked_, n_;
  std::vector<char> here_;
  std::vector<int> near_;  // samples left within the separation
  std::vector<double> density_;
};

}  // namespace

std::vector<int> thin(const MatrixXd& C, double separation, int locked) {
  PLIANT_ASSERT(separation > 0 && locked >= 0 && locked <= C.cols(), "arguments in their range");
  return Thinning(C, separation, locked).run();
}

}  // namespace pliant
