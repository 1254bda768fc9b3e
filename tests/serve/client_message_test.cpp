// SPDX-License-Identifier: MIT
#include "pliant/serve/client_message.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"

namespace pliant::serve {
namespace {

using Json = nlohmann::json;

TypedMessage parse(const Json& json) {
  return parse_client_message(json.dump());
}

// One of every type, as docs/protocol.md has them.
std::vector<Json> one_of_each() {
  return {{{"type", "hello"}, {"protocol", 1}, {"rate", 60}},
          {{"type", "steer"}, {"take", true}},
          {{"type", "open"}, {"scene", "bridge"}},
          {{"type", "pull"},
           {"slot", 7},
           {"body", 1},
           {"point", 5},
           {"target", {1, 2, 3}},
           {"stiffness", 0}},
          {{"type", "force"}, {"slot", 0}, {"body", 1}, {"point", 5}, {"force", {1, 2, 3}}},
          {{"type", "release"}, {"slot", 7}},
          {{"type", "material"},
           {"body", 0},
           {"region", 2},
           {"young", 1e6},
           {"poisson", 0.4},
           {"density", 1000}},
          {{"type", "damping"}, {"body", 0}, {"alpha", 1}, {"beta", 0.1}},
          {{"type", "active"}, {"body", 0}, {"count", 4}},
          {{"type", "linear"}, {"body", 0}, {"on", true}},
          {{"type", "gravity"}, {"vector", {0, -9.81, 0}}},
          {{"type", "wind"}, {"vector", {0, 1, 0}}},
          {{"type", "pause"}, {"on", false}},
          {{"type", "advance"}, {"steps", 10}},
          {{"type", "speed"}, {"factor", 0.5}},
          {{"type", "reset"}},
          {{"type", "sketch"},
           {"body", 0},
           {"r", 12},
           {"strokes", {{{"point", 3}, {"forces", {{1, 0, 0}, {2, 0, 0}}}}}}},
          {{"type", "bake"},
           {"mesh", "ab"},
           {"name", "part"},
           {"metres_per_unit", 0.001},
           {"resolution", 32},
           {"engine", "reduced"},
           {"material",
            {{"name", "x"}, {"law", "stvk"}, {"young", 1e6}, {"poisson", 0.4}, {"density", 1000}}},
           {"volume", "cd"},
           {"parts", "each"},
           {"up", "z"},
           {"fixed",
            {{"boxes", {{{"from", {0, 0, 0}}, {"to", {1, 1, 1}}}}},
             {"points", {1, 2, 3}},
             {"nodes", {4, 5}}}}},
          {{"type", "cancel"}, {"job", 3}},
          {{"type", "control"},
           {"body", 0},
           {"element", 1},
           {"motion", {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
          {{"type", "workspace"}, {"scale", 2}, {"indexing", true}},
          {{"type", "grasp"}, {"point", {1, 2, 3}}},
          {{"type", "grip"}, {"opening", 0.5}}};
}

TEST(ClientMessage, EveryTypeIsRead) {
  for (const Json& json : one_of_each()) EXPECT_EQ(parse(json).type, json["type"]);
  const auto pull =
      std::get<command::Pull>(std::get<WorldMessage>(parse(one_of_each()[3]).message).command);
  EXPECT_EQ(pull.slot, 7);
  EXPECT_EQ(pull.body, 1);
  EXPECT_EQ(pull.point, 5);
  EXPECT_EQ(Vector3d(pull.target), Vector3d(1, 2, 3));
  const auto sketch = std::get<SketchMessage>(parse(one_of_each()[16]).message);
  EXPECT_EQ(sketch.strokes.at(0).forces.at(1), Vector3d(2, 0, 0));
  const auto bake = std::get<BakeMessage>(parse(one_of_each()[17]).message);
  EXPECT_EQ(bake.points, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(bake.boxes.at(0).to, Vector3d(1, 1, 1));
  EXPECT_EQ(bake.parts, BakeMessage::Parts::each);
  EXPECT_TRUE(bake.z_up);
  EXPECT_EQ(bake.nodes, (std::vector<int>{4, 5}));
}

TEST(ClientMessage, AKeyThatIsMissingOrOfAnotherTypeIsRefused) {
  for (const Json& json : one_of_each()) {
    for (const auto& [key, value] : json.items()) {
      Json missing = json;
      missing.erase(key);
      const bool optional = key == "volume" || key == "parts" || key == "up";
      if (optional) {
        EXPECT_NO_THROW(parse(missing)) << missing;
      } else {
        EXPECT_THROW(parse(missing), Error) << missing;
      }
      for (const Json& other :
           {Json(), Json("x"), Json({1, "x", 3}), Json{{"a", 1}}, Json(-1e99)}) {
        if (value.is_string() && other.is_string() && key != "type") continue;
        Json wrong = json;
        wrong[key] = other;
        EXPECT_THROW(parse(wrong), Error) << wrong;
      }
    }
    Json more = json;
    more["later"] = 1;
    EXPECT_NO_THROW(parse(more)) << "keys that are not known are ignored";
  }
}

TEST(ClientMessage, ValuesBeyondTheirLimitsAreRefused) {
  const auto with = [](std::size_t index, const char* key, const Json& value) {
    Json json = one_of_each()[index];
    json[key] = value;
    return json;
  };
  for (const Json& wrong : {with(0, "rate", 0),
                            with(0, "rate", 61),
                            with(17, "parts", "none"),
                            with(17, "up", "x"),
                            with(0, "rate", 7.5),
                            with(3, "slot", 8),
                            with(3, "slot", -1),
                            with(3, "body", 65536),
                            with(3, "point", 4e9),
                            with(3, "stiffness", -1),
                            with(6, "poisson", 0.5),
                            with(6, "young", 0),
                            with(6, "density", 1e7),
                            with(6, "region", 256),
                            with(7, "alpha", -1),
                            with(8, "count", 0),
                            with(8, "count", 1025),
                            with(10, "vector", {0, 1e5, 0}),
                            with(10, "vector", {0, 1}),
                            with(13, "steps", 0),
                            with(13, "steps", 1001),
                            with(14, "factor", 0),
                            with(14, "factor", 1.1),
                            with(16, "r", 0),
                            with(17, "resolution", 257),
                            with(17, "metres_per_unit", 0),
                            with(2, "scene", std::string(300, 'x'))}) {
    EXPECT_THROW(parse(wrong), Error) << wrong;
  }
  // Twenty thousand forces are allowed in all, not in each stroke.
  Json stroke = {{"point", 0}, {"forces", Json::array()}};
  for (int i = 0; i < 10'001; ++i) stroke["forces"].push_back({1, 0, 0});
  EXPECT_NO_THROW(parse(with(16, "strokes", Json::array({stroke}))));
  EXPECT_THROW(parse(with(16, "strokes", Json::array({stroke, stroke}))), Error);
}

TEST(ClientMessage, WhatIsNoMessageIsRefused) {
  for (const char* text : {"", "{", "[]", "7", "null", "{\"type\": 3}", "{\"type\": \"fly\"}",
                           "\xff\xfe", "{\"type\": \"reset\"} x"}) {
    EXPECT_THROW(parse_client_message(text), Error) << text;
  }
  EXPECT_THROW(parse_client_message(std::string(100'000, '[')), Error);
}

TEST(ClientMessage, WhatIsNestedTooDeeplyIsRefusedAtOnce) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    while (text.size() < longest_message) text += open;
    try {
      parse_client_message(text);
      ADD_FAILURE() << "it was read";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the message is nested too deeply");
    }
  }
}

}  // namespace
}  // namespace pliant::serve
