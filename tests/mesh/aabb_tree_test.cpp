// SPDX-License-Identifier: MIT
#include "pliant/mesh/aabb_tree.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "pliant/base/random.hpp"

namespace pliant {
namespace {

using Box = AabbTree::Box;

Vector3d random_point(Random& random) {
  return {random.uniform(), random.uniform(), random.uniform()};
}

std::vector<Box> random_boxes(Random& random, int n) {
  std::vector<Box> boxes;
  for (int i = 0; i < n; ++i) {
    const Vector3d p = random_point(random);
    boxes.emplace_back(p, Vector3d(p + 0.1 * random_point(random)));
  }
  return boxes;
}

TEST(AabbTree, FindsExactlyTheOverlappingBoxes) {
  Random random(1);
  for (const int n : {0, 1, 3, 4, 5, 17, 1000}) {
    const auto boxes = random_boxes(random, n);
    const AabbTree tree(boxes);
    EXPECT_EQ(tree.size(), n);
    for (int k = 0; k < 50; ++k) {
      const Vector3d p = random_point(random);
      const Box query(p, Vector3d(p + 0.2 * random_point(random)));
      std::vector<int> found, expected;
      tree.overlaps(query, [&](int i) { found.push_back(i); });
      for (int i = 0; i < n; ++i) {
        if (boxes[static_cast<std::size_t>(i)].intersects(query)) expected.push_back(i);
      }
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected);

      std::vector<int> holding, holders;
      tree.containing(p, [&](int i) { holding.push_back(i); });
      for (int i = 0; i < n; ++i) {
        if (boxes[static_cast<std::size_t>(i)].contains(p)) holders.push_back(i);
      }
      std::sort(holding.begin(), holding.end());
      EXPECT_EQ(holding, holders);
    }
  }
}

TEST(AabbTree, CountsTouchingBoxesAsOverlapping) {
  const std::vector<Box> boxes{Box(Vector3d(0, 0, 0), Vector3d(1, 1, 1))};
  const AabbTree tree(boxes);
  int count = 0;
  tree.overlaps(Box(Vector3d(1, 1, 1), Vector3d(2, 2, 2)), [&](int) { ++count; });
  EXPECT_EQ(count, 1);
}

TEST(AabbTree, FindsTheNearestItem) {
  Random random(2);
  const auto boxes = random_boxes(random, 500);
  const AabbTree tree(boxes);
  for (int k = 0; k < 200; ++k) {
    const Vector3d p = 3.0 * random_point(random) - Vector3d::Ones();
    // The items here are the boxes' lower corners: not nearer than the boxes.
    const auto d2 = [&](int i) {
      return (boxes[static_cast<std::size_t>(i)].min() - p).squaredNorm();
    };
    const auto nearest = tree.nearest(p, d2);
    double least = d2(0);
    for (int i = 1; i < 500; ++i) least = std::min(least, d2(i));
    ASSERT_GE(nearest.item, 0);
    EXPECT_EQ(nearest.squared_distance, least);
    EXPECT_EQ(d2(nearest.item), least);
    EXPECT_EQ(tree.nearest(p, d2, least).item, -1) << "nothing is nearer than the bound";
  }
}

TEST(AabbTree, SurvivesEqualAndEmptyBoxes) {
  std::vector<Box> boxes(1000, Box(Vector3d(1, 2, 3)));
  boxes[7].setEmpty();
  const AabbTree tree(boxes);
  int count = 0;
  tree.overlaps(Box(Vector3d(1, 2, 3)), [&](int i) {
    EXPECT_NE(i, 7);
    ++count;
  });
  EXPECT_EQ(count, 999);
}

}  // namespace
}  // namespace pliant
