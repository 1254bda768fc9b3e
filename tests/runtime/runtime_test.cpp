// SPDX-License-Identifier: MIT
// Of the runtime what the whole library has otherwise: its loops, in the calling thread.
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/shape/displacement_bounds.hpp"

namespace pliant {
namespace {

TEST(RuntimeLoops, RunTheChunksInOrderInThisThread) {
  set_threads(4);
  EXPECT_EQ(threads(), 1);
  const std::thread::id here = std::this_thread::get_id();
  std::vector<std::size_t> borders;
  parallel_chunks(10, 4, [&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    borders.push_back(begin);
    borders.push_back(end);
  });
  EXPECT_EQ(borders, (std::vector<std::size_t>{0, 4, 4, 8, 8, 10}));
  parallel_chunks(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(RuntimeLoops, FoldInTheOrderOfTheChunks) {
  const auto map = [](std::size_t begin, std::size_t end) {
    return std::to_string(begin) + "-" + std::to_string(end) + " ";
  };
  EXPECT_EQ(parallel_reduce(7, 3, std::string(), map, std::plus<>()), "0-3 3-6 6-7 ");
}

TEST(RuntimeLoops, PassOnWhatABodyThrows) {
  const auto body = [](std::size_t i) {
    if (i == 3) throw std::runtime_error("three");
  };
  EXPECT_THROW(parallel_for(5, 2, body), std::runtime_error);
}

// What is made when a scene is loaded, and uses the loops.
TEST(RuntimeShape, BoundsHoldTheDisplacements) {
  Random random(1);
  Matrix3Xd X(3, 20);
  MatrixXd U(60, 4);
  for (double& x : X.reshaped()) x = random.uniform(-1, 1);
  for (double& x : U.reshaped()) x = random.uniform(-1, 1);
  const LinearShape shape(X, U);
  std::vector<int> points(20);
  for (int s = 0; s < 20; ++s) points[static_cast<std::size_t>(s)] = s;
  const std::vector<int> first{0, 7, 20};
  const DisplacementBounds bounds(shape, points, first);
  const VectorXf c = Eigen::Vector4f(0.3F, -1.0F, 0.2F, 0.7F);
  for (int s = 0; s < 20; ++s) {
    const float moved = (shape.position(s, c) - shape.rest_position(s)).norm();
    EXPECT_LE(moved, bounds(s < 7 ? 0 : 1, c) + 1e-6F);
  }
}

}  // namespace
}  // namespace pliant
