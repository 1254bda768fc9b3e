// SPDX-License-Identifier: MIT
// No key without effect: with another value of it a body is baked to other tensors, or moves
// otherwise, or viewers are told something else. That a key is read, or kept among the settings, is
// no effect.
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "bake/effect_scenes.hpp"
#include "pliant/bake/bake.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/scene/toml.hpp"
#include "pliant/serve/scene_message.hpp"
#include "pliant/table/table.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/recording.hpp"
#include "scene/sample_lines.hpp"

namespace pliant {
namespace {

// What can be seen of a scene, in parts; the cheap ones first, made when they are asked for.
using Views = std::vector<std::function<std::string()>>;
using Look = std::function<Views(const std::string& text)>;

// A key of a scene, and the scene with another value of it.
struct Trial {
  test::SampleLine line;
  std::string other;  // text of the scene
  bool refused;       // by the world, and so it is seen
};

struct Sample {
  std::string text;
  std::vector<Trial> trials;
};

Sample sample_of(const std::string& written) {
  std::vector<std::string> lines = test::lines_of(written);
  std::map<std::size_t, std::string> others;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t mark = lines[i].find(" # ");
    if (mark == std::string::npos) continue;
    others[i] = lines[i].substr(mark + 3);
    lines[i].resize(mark);
  }
  Sample sample{test::text_of(lines), {}};
  for (const test::SampleLine& line : test::sample_lines(sample.text)) {
    const auto other = others.find(line.index);
    if (other == others.end()) continue;
    std::vector<std::string> changed = lines;
    std::string value = other->second;
    const bool refused = value.ends_with(" !");
    if (refused) value.resize(value.size() - 2);
    changed[line.index] = value == "none" ? "" : line.key + " = " + value;
    sample.trials.push_back({line, test::text_of(changed), refused});
  }
  return sample;
}

// Whether some view shows it. `seen`: the base's views, as far as they were made.
bool differs(const Trial& trial, const Views& base, std::vector<std::optional<std::string>>& seen,
             const Look& look) {
  const Views views = look(trial.other);
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!seen[i]) seen[i] = base[i]();
    try {
      if (views[i]() != *seen[i]) return !trial.refused;
    } catch (const Error&) {
      if (trial.refused) return true;
      throw;
    }
  }
  return false;
}

// The keys whose other value shows nowhere, "body.NAME.rate = 250".
std::vector<std::string> keys_without_effect(const Sample& sample, const Look& look) {
  const Views base = look(sample.text);
  std::vector<std::optional<std::string>> seen(base.size());
  std::vector<std::string> idle;
  for (const Trial& trial : sample.trials) {
    const std::string name = trial.line.path + " = " + trial.line.value;
    try {
      if (!differs(trial, base, seen, look)) idle.push_back(name);
    } catch (const Error& error) {
      idle.push_back(name + ": " + error.what());
    }
  }
  return idle;
}

std::string tensors_of(const TensorFile& asset) {
  Hasher hash;
  for (const auto& [name, tensor] : asset.tensors()) {
    hash.add(name);
    for (const std::int64_t size : tensor.shape) hash.add(size);
    hash.add(tensor.bytes);
  }
  return hash.hex();
}

// What viewers and runs are told, but for numbers that are the scene's own.
std::string message_of(const TensorFile& asset) {
  World world(asset, desktop_options());
  nlohmann::json message = serve::scene_message({}, asset, "", world);
  message.erase("steps");
  for (nlohmann::json& body : message["bodies"]) body.erase("regions");
  return message.dump() + std::to_string(world.head().duration);
}

// Of bodies that are pulled at a point each.
std::string motion_of(const TensorFile& asset) {
  constexpr int steps = 130;  // the wind has seen all points twice
  const Vector3d force(0.5, -1, 0.25);
  World world(asset, desktop_options());
  std::vector<std::string> names;
  for (int b = 0; b < world.body_count(); ++b) names.push_back(world.body(b).name);
  Recording recording("motion.pliant", names);
  WorldState state = world.make_state();
  for (int i = 0; i < steps; ++i) {
    world.begin_step();
    for (int b = 0; b < world.body_count(); ++b) {
      world.add_force(b, world.point_count(b) - 1, force);
    }
    world.end_step();
    world.state(state);
    recording.add(state);
  }
  return std::to_string(recording.hash());
}

std::vector<std::string> scenes() {
  return test::effect_scenes(PLIANT_SOURCE_DIR "/tests/bake/effects");
}

class KeyEffects : public testing::Test {
 protected:
  KeyEffects() { test::write_effect_files(folder_); }

  Look look() {
    return [this](const std::string& text) -> Views {
      const auto path = folder_ / (std::to_string(count_++) + ".pliant");
      SceneBake(parse_scene(text, "scene.toml", folder_.path()), Figures::if_known)
          .bake(cache_, path);
      const auto asset = std::make_shared<TensorFile>(path);
      return {[asset] { return tensors_of(*asset); }, [asset] { return message_of(*asset); },
              [asset] { return motion_of(*asset); }};
    };
  }

  test::TemporaryFolder folder_;
  StepCache cache_{folder_ / "cache"};
  int count_ = 0;
};

TEST_F(KeyEffects, EveryKeyChangesSomething) {
  for (const std::string& scene : scenes()) {
    EXPECT_THAT(keys_without_effect(sample_of(scene), look()), testing::IsEmpty());
  }
}

TEST_F(KeyEffects, TheSameSceneLooksTheSame) {
  for (const std::string& scene : scenes()) {
    const std::string text = sample_of(scene).text;
    const Views first = look()(text), second = look()(text);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i](), second[i]()) << i;
  }
}

TEST_F(KeyEffects, EveryKeyOfTheSchemaIsTried) {
  std::set<const KeyInfo*> tried;
  std::map<std::string, std::set<std::string>> kinds;  // of a table, those with a key that is tried
  for (const std::string& scene : scenes()) {
    for (const Trial& trial : sample_of(scene).trials) {
      ASSERT_TRUE(trial.line.row) << trial.line.path << " is no key of the schema";
      tried.insert(trial.line.row);
      const SchemaSection& section = *trial.line.section;
      if (!section.kind.empty()) kinds[section.within + section.path].insert(section.kind);
    }
  }
  for (const SchemaSection& section : schema()) {
    for (const KeyInfo& key : section.keys) {
      const bool is_section = key.type == KeyType::table || key.type == KeyType::tables ||
                              key.type == KeyType::named_tables;
      // A kind has an effect if the keys of several kinds have.
      const bool by_kinds = key.name == "kind" && kinds[section.within + section.path].size() > 1;
      EXPECT_TRUE(is_section || by_kinds || tried.contains(&key))
          << section.path << " " << section.kind << ": " << key.name;
    }
  }
}

// A table with a key that is read, kept, and used for nothing.
struct Lamp {
  double power = 1, hue = 0;
};

TEST(KeyEffectsOfATable, AKeyThatIsReadAndIgnoredIsFound) {
  table::Table<Lamp> keys("A lamp.");
  keys.key({.name = "power"}, &Lamp::power);
  keys.key({.name = "hue"}, &Lamp::hue);
  const Look look = [&](const std::string& text) -> Views {
    Lamp lamp;
    table::Reader reader;
    keys.read(scene::parse_toml(text, std::make_shared<table::File>()), lamp, reader);
    return {[lamp] { return std::to_string(lamp.power * lamp.power); }};
  };
  EXPECT_THAT(keys_without_effect(sample_of("power = 2 # 3\nhue = 0.5 # 0.7\n"), look),
              testing::ElementsAre("hue = 0.5"));
}

}  // namespace
}  // namespace pliant
