// SPDX-License-Identifier: MIT
#include "pliant/mesh/octree.hpp"

#include <gtest/gtest.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"

namespace pliant {
namespace {

// Finest round a few random points.
Octree random_octree(std::uint64_t seed, int depth) {
  Octree tree({-1, 0, 2}, 4, depth);
  Random random(seed);
  for (int i = 0; i < 3; ++i) {
    Vector3i cell;
    for (int& x : cell) x = random.below(tree.resolution());
    tree.refine([&](int n) {
      const Vector3i c = cell - tree.node(n).corner;
      return (c.array() >= 0).all() && (c.array() < tree.cells(n)).all();
    });
  }
  return tree;
}

bool touch(const Octree& tree, int a, int b) {
  for (int d = 0; d < 3; ++d) {
    const int x = tree.node(a).corner[d], y = tree.node(b).corner[d];
    if (x > y + tree.cells(b) || y > x + tree.cells(a)) return false;
  }
  return true;
}

TEST(Octree, LeavesFillTheCubeInMortonOrder) {
  const Octree tree = random_octree(1, 6);
  const auto morton = [&](int n) {
    std::uint64_t code = 0;
    for (int bit = 0; bit < tree.depth(); ++bit) {
      for (int d = 0; d < 3; ++d) {
        code |= std::uint64_t(tree.node(n).corner[d] >> bit & 1) << (3 * bit + d);
      }
    }
    return code;
  };
  std::uint64_t next = 0;
  for (const int n : tree.leaves()) {
    ASSERT_TRUE(tree.node(n).leaf());
    ASSERT_EQ(morton(n), next);
    next += std::uint64_t(1) << 3 * (tree.depth() - tree.node(n).level);
  }
  EXPECT_EQ(next, std::uint64_t(1) << 3 * tree.depth());
}

TEST(Octree, BalanceLeavesNoTwoTouchingLeavesMoreThanOneLevelApart) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Octree tree = random_octree(seed, 6);
    const auto worst = [&] {
      int difference = 0;
      const std::vector<int> leaves = tree.leaves();
      for (const int a : leaves) {
        for (const int b : leaves) {
          if (touch(tree, a, b)) {
            difference = std::max(difference, tree.node(a).level - tree.node(b).level);
          }
        }
      }
      return difference;
    };
    ASSERT_GT(worst(), 1);
    tree.balance();
    ASSERT_EQ(worst(), 1);
    const int count = tree.node_count();
    tree.balance();
    EXPECT_EQ(tree.node_count(), count);
  }
}

// Wrong if balancing split more than the rule asks for: round one finest cell of the corner, each
// level keeps the seven siblings and what the next finer level asks of it.
TEST(Octree, BalanceSplitsNoMoreThanNeeded) {
  Octree tree({0, 0, 0}, 1, 5);
  tree.refine([&](int n) { return tree.node(n).corner.isZero(); });
  const int count = tree.node_count();
  tree.balance();  // towards a corner of the cube, the levels fall by one from sibling to sibling
  EXPECT_EQ(tree.node_count(), count);
}

TEST(Octree, FindsTheLeafOfAPoint) {
  Octree tree = random_octree(5, 6);
  tree.balance();
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Vector3d p(random.uniform(-1, 3), random.uniform(0, 4), random.uniform(2, 6));
    const int n = tree.leaf_at(p);
    ASSERT_GE(n, 0);
    ASSERT_TRUE(tree.node(n).leaf());
    ASSERT_TRUE(tree.box(n).contains(p));
    ASSERT_NEAR((tree.box(n).center() - tree.center(n)).norm(), 0, 1e-14);
  }
  EXPECT_EQ(tree.leaf_at({-1.001, 1, 3}), -1);
  EXPECT_EQ(tree.leaf_at({0, 1, 6}), -1);
  EXPECT_EQ(tree.leaf_at({std::nan(""), 1, 3}), -1);
  EXPECT_EQ(tree.leaf_at({1e300, 1, 3}), -1);
}

TEST(Octree, NeighboursTouchAndAreNeverFiner) {
  Octree tree = random_octree(6, 5);
  tree.balance();
  for (const int n : tree.leaves()) {
    for (int i = 0; i < 27; ++i) {
      const Vector3i direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      const int m = tree.neighbour(n, direction);
      const Vector3i place = tree.node(n).corner + tree.cells(n) * direction;
      const bool outside = (place.array() < 0).any() || (place.array() >= tree.resolution()).any();
      ASSERT_EQ(m < 0, outside);
      if (outside) continue;
      ASSERT_TRUE(touch(tree, n, m));
      ASSERT_LE(tree.node(m).level, tree.node(n).level);
      ASSERT_TRUE(tree.node(m).leaf() || tree.node(m).level == tree.node(n).level);
      if (direction.isZero()) {
        ASSERT_EQ(m, n);
      }
    }
  }
}

TEST(Octree, LeavesAroundAPointTouchItFromTheirOctant) {
  Octree tree = random_octree(7, 4);
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    Vector3i point;
    for (int& x : point) x = random.below(tree.resolution() + 1);
    const std::array<int, 8> around = tree.leaves_around(point);
    for (int k = 0; k < 8; ++k) {
      const Vector3d inside =
          tree.position(point) +
          0.5 * tree.finest_size() * Vector3d((k & 1) ? 1 : -1, (k & 2) ? 1 : -1, (k & 4) ? 1 : -1);
      ASSERT_EQ(around[std::size_t(k)], tree.leaf_at(inside));
    }
  }
}

TEST(Octree, RefinesToASizeTheSameForAnyNumberOfThreads) {
  const auto build = [] {
    Octree tree({0, 0, 0}, 1, 7);
    tree.refine_to_size([&](int n) {
      return std::max(1.0 / 64, 0.3 * tree.box(n).exteriorDistance(Vector3d(0.3, 0.4, 0.5)));
    });
    return tree;
  };
  const Octree tree = build();
  bool finest = false;
  for (const int n : tree.leaves()) {
    const double wanted =
        std::max(1.0 / 64, 0.3 * tree.box(n).exteriorDistance(Vector3d(0.3, 0.4, 0.5)));
    ASSERT_LE(tree.size(n), wanted * (1 + 1e-9));
    finest = finest || tree.node(n).level == 6;
    ASSERT_LE(tree.node(n).level, 6);
  }
  EXPECT_TRUE(finest);
  set_threads(1);
  const Octree same = build();
  set_threads(0);
  ASSERT_EQ(same.node_count(), tree.node_count());
  for (int n = 0; n < tree.node_count(); ++n) {
    ASSERT_EQ(same.node(n).corner, tree.node(n).corner);
    ASSERT_EQ(same.node(n).first_child, tree.node(n).first_child);
  }
}

}  // namespace
}  // namespace pliant
