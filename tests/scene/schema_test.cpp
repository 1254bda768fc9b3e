// SPDX-License-Identifier: MIT
#include "pliant/scene/schema.hpp"

#include <cmath>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Schema, TheDocumentationIsMadeOfIt) {
  std::ifstream file(PLIANT_SOURCE_DIR "/docs/scene.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(page, schema_markdown()) << "renew it: pliant info --schema --markdown > docs/scene.md";
}

TEST(Schema, EveryRowSaysWhatAUserNeeds) {
  std::set<std::string> seen;
  for (const SchemaSection& section : schema()) {
    EXPECT_FALSE(section.description.empty()) << section.path;
    EXPECT_EQ(section.description.back(), '.') << section.path;
    for (const KeyInfo& key : section.keys) {
      const std::string name = section.within + section.path + "." + section.kind + "." + key.name;
      EXPECT_TRUE(seen.insert(name).second) << "twice: " << name;
      ASSERT_FALSE(key.description.empty()) << name;
      EXPECT_EQ(key.description.back(), '.') << name;
      EXPECT_EQ(key.description.find_first_of("|\n"), key.description.npos) << name;
      const bool is_section = key.type == KeyType::table || key.type == KeyType::tables ||
                              key.type == KeyType::named_tables;
      EXPECT_EQ(key.required || is_section, key.default_text.empty()) << name;
      EXPECT_LE(key.least, key.most) << name;
      EXPECT_EQ(key.options.empty(), key.type != KeyType::option && key.type != KeyType::options)
          << name;
    }
  }
}

TEST(Schema, LimitsOfLengthsHoldInAllUnits) {
  for (const SchemaSection& section : schema()) {
    for (const KeyInfo& key : section.keys) {
      if (!key.is_length()) continue;
      EXPECT_TRUE(key.least == 0 || std::isinf(key.least)) << key.name;
      EXPECT_TRUE(std::isinf(key.most)) << key.name;
    }
  }
}

TEST(Schema, SaysWhatIsAllowed) {
  EXPECT_EQ(allowed_text({.name = "r", .type = KeyType::whole, .least = 1, .most = 10}),
            "a whole number 1 to 10");
  EXPECT_EQ(allowed_text({.name = "E", .unit = "Pa", .least = 0, .above = true}),
            "a number > 0 (in Pa)");
  EXPECT_EQ(allowed_text({.name = "nu", .least = -1, .most = 0.5, .above = true}),
            "a number > -1 and <= 0.5");
  EXPECT_EQ(allowed_text({.name = "h", .unit = "m", .least = 0}), "a number >= 0 (a length)");
  EXPECT_EQ(allowed_text({.name = "e", .type = KeyType::option, .options = {"a", "b"}}),
            "one of a, b");
}

}  // namespace
}  // namespace pliant
