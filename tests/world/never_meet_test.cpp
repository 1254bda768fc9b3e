// SPDX-License-Identifier: MIT
#include "pliant/asset/never_meet.hpp"

#include <gmock/gmock.h>

namespace pliant::test {
namespace {

AssetBody body(const std::string& name, ContactRole role, bool elastic = true) {
  AssetBody out;
  out.name = name;
  out.instances = {Pose{}};
  out.contact.emplace().role = role;
  if (elastic) out.regions.emplace_back();
  return out;
}

AssetHead three() {
  AssetHead head;
  head.bodies = {body("pad", ContactRole::shell), body("jelly", ContactRole::both),
                 body("cube", ContactRole::shell)};
  return head;
}

TEST(NeverMeet, NamesBodiesWhoseSurfacesHaveNoDistance) {
  const std::vector<NeverMeet> found = pairs_that_never_meet(three());
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(words_of(found[0]),
            "pad and cube never meet: both have points, and neither a distance that these could "
            "feel");
}

TEST(NeverMeet, NamesBodiesWithoutPoints) {
  AssetHead head;
  head.bodies = {body("pad", ContactRole::field), body("floor", ContactRole::field, false),
                 body("wall", ContactRole::field, false)};
  const std::vector<NeverMeet> found = pairs_that_never_meet(head);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].second, "floor");
  EXPECT_THAT(found[1].reason, testing::HasSubstr("neither points"));
}

TEST(NeverMeet, SaysNothingOfWhatTheSceneRulesOut) {
  AssetHead head = three();
  head.contact.pair.emplace_back();
  head.contact.pair.back().first = "cube";
  head.contact.pair.back().second = "pad";
  head.contact.pair.back().meet = false;
  EXPECT_TRUE(pairs_that_never_meet(head).empty());
  head = three();
  head.contact.pairs = ContactSpec::Pairs::listed;
  EXPECT_TRUE(pairs_that_never_meet(head).empty());
  head = three();
  head.bodies[0].contact.reset();
  EXPECT_TRUE(pairs_that_never_meet(head).empty());
}

TEST(NeverMeet, ThoseThatCollideByConstraintsDo) {
  AssetHead head = three();
  head.bodies[0].contact->method = head.bodies[2].contact->method = ContactMethod::constraint;
  EXPECT_TRUE(pairs_that_never_meet(head).empty());
}

TEST(NeverMeet, NamesABodyOfWhichThereAreTwo) {
  AssetHead head = three();
  head.bodies.resize(1);
  EXPECT_TRUE(pairs_that_never_meet(head).empty());
  head.bodies[0].instances.resize(2);
  ASSERT_EQ(pairs_that_never_meet(head).size(), 1);
}

}  // namespace
}  // namespace pliant::test
