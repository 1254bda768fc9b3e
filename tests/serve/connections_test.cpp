// SPDX-License-Identifier: MIT
#include "pliant/serve/connections.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace pliant::serve {
namespace {

TEST(Connections, TheOneThatKeepsTheServerWaitingLongestGoesFirst) {
  using Phase = Connections::Phase;
  Connections connections(5);
  std::vector<int> closed;
  std::vector<std::unique_ptr<Connections::Seat>> seats;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(connections.full());
    seats.push_back(
        std::make_unique<Connections::Seat>(connections, [&closed, i] { closed.push_back(i); }));
  }
  EXPECT_TRUE(connections.full());
  seats[0]->begin(Phase::viewer);
  seats[1]->begin(Phase::busy);
  seats[4]->begin(Phase::ending);
  seats[2]->begin(Phase::waiting);  // again: it has waited for less than 3
  for (int i = 0; i < 6; ++i) connections.make_room();
  EXPECT_EQ(closed, (std::vector<int>{4, 3, 2, 1})) << "the viewer stays";
  EXPECT_FALSE(connections.full()) << "what was closed does not count";
}

}  // namespace
}  // namespace pliant::serve
