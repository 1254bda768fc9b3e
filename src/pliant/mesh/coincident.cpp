// SPDX-License-Identifier: MIT
#include "pliant/mesh/coincident.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace pliant {
namespace {

std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 32)) * 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

}  // namespace

VectorXi first_at_same_place(const Matrix3Xd& points) {
  // Sorting by a hash of the coordinates touches little memory; the coordinates themselves are
  // compared only where hashes agree, so that input made to collide costs no more than a sort.
  struct Key {
    std::uint64_t hash;
    int index;
  };
  const int n = static_cast<int>(points.cols());
  std::vector<Key> keys(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    std::uint64_t h = 0;
    // Adding 0.0 turns -0.0 into 0.0.
    for (int k = 0; k < 3; ++k) h = mixed(h + std::bit_cast<std::uint64_t>(points(k, i) + 0.0));
    keys[static_cast<std::size_t>(i)] = {h, i};
  }
  const auto compare_places = [&](int a, int b) {
    for (int k = 0; k < 3; ++k) {
      if (points(k, a) != points(k, b)) return points(k, a) < points(k, b) ? -1 : 1;
    }
    return 0;
  };
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    const int order = compare_places(a.index, b.index);
    return order != 0 ? order < 0 : a.index < b.index;
  });

  VectorXi first(n);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool same = i > 0 && keys[i].hash == keys[i - 1].hash &&
                      compare_places(keys[i].index, keys[i - 1].index) == 0;
    first[keys[i].index] = same ? first[keys[i - 1].index] : keys[i].index;
  }
  return first;
}

}  // namespace pliant
