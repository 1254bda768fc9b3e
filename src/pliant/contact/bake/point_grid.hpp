// SPDX-License-Identifier: MIT
// Points sorted into the cubes of a lattice, to find those within a distance of a place. Copies of
// the points lie side by side, in the order of the cubes and of their numbers in each: what is found
// comes in the same order for any number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

class PointGrid {
 public:
  // `size`: side of a cube, and the largest distance that may be asked for.
  PointGrid(const Eigen::Ref<const Matrix3Xd>& points, double size) : scale_(1 / size) {
    const auto count = static_cast<std::size_t>(points.cols());
    std::size_t buckets = 16;
    while (buckets < count) buckets *= 2;
    mask_ = buckets - 1;
    first_.assign(buckets + 1, 0);
    std::vector<Cube> cubes(count);
    for (std::size_t k = 0; k < count; ++k) {
      cubes[k] = cube_of(points.col(static_cast<Index>(k)));
      ++first_[bucket(cubes[k]) + 1];
    }
    for (std::size_t b = 0; b < buckets; ++b) first_[b + 1] += first_[b];
    entries_.resize(count);
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t k = 0; k < count; ++k) {
      entries_[next[bucket(cubes[k])]++] = {points.col(static_cast<Index>(k)), cubes[k],
                                            static_cast<int>(k)};
    }
  }

  // Calls visit(number, place) for all points in the cubes around x: those within `size`, and more.
  template <class Visit>
  void around(const Vector3d& x, const Visit& visit) const {
    const Cube at = cube_of(x);
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const Cube cube{at.x + dx, at.y + dy, at.z + dz};
          const std::size_t b = bucket(cube);
          for (std::uint32_t e = first_[b]; e < first_[b + 1]; ++e) {
            if (entries_[e].cube == cube) visit(entries_[e].number, entries_[e].place);
          }
        }
      }
    }
  }

  // The nearest of the points within `size` of x, of several the first; -1: none.
  int nearest(const Vector3d& x) const {
    int best = -1;
    double least = 1 / (scale_ * scale_);
    around(x, [&](int number, const Vector3d& place) {
      const double d = (place - x).squaredNorm();
      if (d > least || (d == least && best >= 0 && number > best)) return;
      least = d;
      best = number;
    });
    return best;
  }

 private:
  struct Cube {
    std::int64_t x, y, z;
    bool operator==(const Cube&) const = default;
  };
  struct Entry {
    Vector3d place;
    Cube cube;
    int number;
  };

  Cube cube_of(const Vector3d& x) const {
    const auto whole = [&](double t) { return static_cast<std::int64_t>(std::floor(t * scale_)); };
    return {whole(x[0]), whole(x[1]), whole(x[2])};
  }
  std::size_t bucket(const Cube& c) const {
    const auto mix = [](std::int64_t i, std::uint64_t factor) {
      return static_cast<std::uint64_t>(i) * factor;
    };
    const std::uint64_t key =
        mix(c.x, 0x9e3779b97f4a7c15) ^ mix(c.y, 0xc2b2ae3d27d4eb4f) ^ mix(c.z, 0x165667b19e3779f9);
    return static_cast<std::size_t>(key >> 20) & mask_;
  }

  double scale_;
  std::size_t mask_ = 0;
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
};

}  // namespace pliant
