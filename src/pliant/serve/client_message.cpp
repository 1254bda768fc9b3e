// SPDX-License-Identifier: MIT
#include "pliant/serve/client_message.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::serve {
namespace {

using Json = nlohmann::json;

constexpr int last_body = 65535, last_slot = 7, last_region = 255, most_modes = 1024;
constexpr int last_point = std::numeric_limits<int>::max();
constexpr double largest_vector = 1e4;  // a component of gravity and wind
constexpr std::size_t most_strokes = 1000, most_sketched_forces = 20'000;
constexpr int deepest = 16;  // of values in values
constexpr std::size_t most_boxes = 16, most_points = 400'000, longest_text = 256;

// An object of a message and what it is called there.
class Item {
 public:
  Item(const Json& json, std::string name) : json_(json), name_(std::move(name)) {
    if (!json.is_object()) fail("", "an object");
  }

  bool boolean(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) fail(key, "true or false");
    return value.get<bool>();
  }
  double number(const char* key, double low, double high) const {
    return number(at(key), key, low, high);
  }
  int integer(const char* key, int low, int high) const { return integer(at(key), key, low, high); }
  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string() || value.get_ref<const std::string&>().size() > longest_text) {
      fail(key, fmt::format("a text of at most {} bytes", longest_text));
    }
    return value.get<std::string>();
  }
  Vector3d vector(const char* key, double largest) const { return vector(at(key), key, largest); }
  Vector3d vector(const Json& value, const char* key, double largest) const {
    if (!value.is_array() || value.size() != 3) fail(key, "three numbers");
    Vector3d v;
    for (int i = 0; i < 3; ++i) {
      v[i] = number(value[static_cast<std::size_t>(i)], key, -largest, largest);
    }
    return v;
  }
  const Json& list(const char* key, std::size_t most) const {
    const Json& value = at(key);
    if (!value.is_array() || value.size() > most) {
      fail(key, fmt::format("a list of at most {}", most));
    }
    return value;
  }
  int integer(const Json& value, const char* key, int low, int high) const {
    const double x = value.is_number() ? value.get<double>() : 0.5;
    if (!(x >= low && x <= high) || x != std::floor(x)) {
      fail(key, fmt::format("a whole number of {} to {}", low, high));
    }
    return static_cast<int>(x);
  }
  Item object(const char* key) const { return {at(key), name_ + "." + key}; }
  bool has(const char* key) const { return json_.contains(key); }
  // The meaning of a word; absent: of the first.
  template <class E>
  E word(const char* key, const std::vector<std::pair<const char*, E>>& words) const {
    if (!has(key)) return words.front().second;
    const std::string given = text(key);
    std::string known;
    for (const auto& [word, meaning] : words) {
      if (given == word) return meaning;
      known += (known.empty() ? "" : " or ") + std::string(word);
    }
    fail(key, known);
  }

 private:
  double number(const Json& value, const char* key, double low, double high) const {
    const double x = value.is_number() ? value.get<double>() : std::nan("");
    if (!(x >= low && x <= high)) fail(key, fmt::format("a number of {:g} to {:g}", low, high));
    return x;
  }
  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(key, "a value");
    return *found;
  }
  [[noreturn]] void fail(const char* key, const std::string& expected) const {
    const std::string place = *key == '\0' ? name_ : name_ + "." + key;
    throw Error({"", 0, place}, "cannot be read", "", expected);
  }

  const Json& json_;
  std::string name_;
};

constexpr double any = 1e30;

std::uint8_t slot(const Item& m) {
  return static_cast<std::uint8_t>(m.integer("slot", 0, last_slot));
}
int body(const Item& m) {
  return m.integer("body", 0, last_body);
}
int point(const Item& m) {
  return m.integer("point", 0, last_point);
}
std::array<double, 4> rotation(const Item& m) {
  const Json& list = m.list("rotation", 4);
  if (list.size() != 4) throw Error({"", 0, "rotation"}, "cannot be read", "", "four numbers");
  std::array<double, 4> q{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!list[i].is_number()) throw Error({"", 0, "rotation"}, "cannot be read", "", "numbers");
    q[i] = list[i].get<double>();
  }
  return q;
}

command::Control control(const Item& m) {
  command::Control control{body(m), m.integer("element", 0, last_region), {}};
  const Json& list = m.list("motion", control.motion.size());
  if (list.size() != control.motion.size()) {
    throw Error({"", 0, "control.motion"}, "cannot be read", "", "twelve numbers");
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const double x = list[i].is_number() ? list[i].get<double>() : std::nan("");
    if (!(std::abs(x) <= any)) {
      throw Error({"", 0, "control.motion"}, "cannot be read", "", "numbers");
    }
    control.motion[i] = x;
  }
  return control;
}

SketchMessage sketch(const Item& m) {
  SketchMessage sketch{m.integer("body", 0, last_body), m.integer("r", 1, most_modes), {}};
  std::size_t left = most_sketched_forces;
  for (const Json& json : m.list("strokes", most_strokes)) {
    const Item item(json, "sketch.strokes");
    Stroke stroke{item.integer("point", 0, last_point), {}};
    const Json& forces = item.list("forces", left);
    left -= forces.size();
    for (const Json& force : forces) stroke.forces.push_back(item.vector(force, "forces", any));
    sketch.strokes.push_back(std::move(stroke));
  }
  return sketch;
}

BakeMessage bake(const Item& m) {
  BakeMessage bake;
  bake.mesh = m.text("mesh");
  bake.name = m.text("name");
  bake.engine = m.text("engine");
  bake.metres_per_unit = m.number("metres_per_unit", 1e-9, 1e9);
  bake.resolution = m.integer("resolution", 4, 256);
  if (m.has("volume")) bake.volume = m.text("volume");
  using Parts = BakeMessage::Parts;
  bake.parts = m.word<Parts>(
      "parts", {{"follow", Parts::follow}, {"hold", Parts::hold}, {"each", Parts::each}});
  bake.z_up = m.word<bool>("up", {{"y", false}, {"z", true}});
  const Item material = m.object("material");
  bake.material = {material.text("name"), material.text("law"),
                   material.number("young", 1e-3, 1e15), material.number("poisson", -0.99, 0.495),
                   material.number("density", 1e-3, 1e6)};
  const Item fixed = m.object("fixed");
  for (const Json& json : fixed.list("boxes", most_boxes)) {
    const Item box(json, "bake.fixed.boxes");
    bake.boxes.push_back({box.vector("from", any), box.vector("to", any)});
  }
  for (const Json& point : fixed.list("points", most_points)) {
    bake.points.push_back(fixed.integer(point, "points", 0, last_point));
  }
  if (fixed.has("nodes")) {
    for (const Json& node : fixed.list("nodes", most_points)) {
      bake.nodes.push_back(fixed.integer(node, "nodes", 0, last_point));
    }
  }
  return bake;
}

using Reader = std::function<ClientMessage(const Item&)>;

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> table = {
      {"hello",
       [](const Item& m) {
         return HelloMessage{m.integer("protocol", 0, last_point), m.integer("rate", 1, 60)};
       }},
      {"steer", [](const Item& m) { return SteerMessage{m.boolean("take")}; }},
      {"open", [](const Item& m) { return OpenMessage{m.text("scene")}; }},
      {"pull",
       [](const Item& m) {
         return WorldMessage{command::Pull{slot(m), body(m), point(m), m.vector("target", any),
                                           m.number("stiffness", 0, 1e15)}};
       }},
      {"force",
       [](const Item& m) {
         return WorldMessage{command::Force{slot(m), body(m), point(m), m.vector("force", any)}};
       }},
      {"release", [](const Item& m) { return WorldMessage{command::Release{slot(m)}}; }},
      {"move",
       [](const Item& m) {
         return WorldMessage{command::Move{body(m), m.vector("position", any), rotation(m)}};
       }},
      {"control", [](const Item& m) { return WorldMessage{control(m)}; }},
      {"handle",
       [](const Item& m) {
         return WorldMessage{command::Handle{m.vector("position", any), rotation(m)}};
       }},
      {"workspace",
       [](const Item& m) {
         return WorldMessage{
             command::Workspace{m.number("scale", 1e-3, 1e3), m.boolean("indexing")}};
       }},
      {"grasp", [](const Item& m) { return WorldMessage{command::Grasp{m.vector("point", any)}}; }},
      {"grip",
       [](const Item& m) { return WorldMessage{command::Grip{m.number("opening", 0, 1)}}; }},
      {"material",
       [](const Item& m) {
         return MaterialMessage{m.integer("body", 0, last_body),
                                m.integer("region", 0, last_region), m.number("young", 1e-3, 1e15),
                                m.number("poisson", -0.99, 0.495), m.number("density", 1e-3, 1e6)};
       }},
      {"damping",
       [](const Item& m) {
         return WorldMessage{
             command::ChangeDamping{body(m), m.number("alpha", 0, 1e6), m.number("beta", 0, 1e3)}};
       }},
      {"active",
       [](const Item& m) {
         return WorldMessage{command::Active{body(m), m.integer("count", 1, most_modes)}};
       }},
      {"linear",
       [](const Item& m) {
         return WorldMessage{command::Linear{body(m), m.boolean("on")}};
       }},
      {"gravity",
       [](const Item& m) {
         return WorldMessage{command::Gravity{m.vector("vector", largest_vector)}};
       }},
      {"wind",
       [](const Item& m) {
         return WorldMessage{command::Wind{m.vector("vector", largest_vector)}};
       }},
      {"pause", [](const Item& m) { return WorldMessage{command::Pause{m.boolean("on")}}; }},
      {"advance",
       [](const Item& m) { return WorldMessage{command::Advance{m.integer("steps", 1, 1000)}}; }},
      {"speed",
       [](const Item& m) { return WorldMessage{command::Speed{m.number("factor", 0.001, 1)}}; }},
      {"reset", [](const Item&) { return WorldMessage{command::Reset{}}; }},
      {"sketch", sketch},
      {"bake", bake},
      {"measure", [](const Item&) { return MeasureMessage{}; }},
      {"cancel", [](const Item& m) { return CancelMessage{m.integer("job", 0, last_point)}; }},
  };
  return table;
}

}  // namespace

TypedMessage parse_client_message(std::string_view text) {
  const auto not_too_deep = [](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw Error("the message is nested too deeply");
    return true;
  };
  const Json json = Json::parse(text, not_too_deep, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Error("the message is not JSON");
  const Item message(json, "the message");
  const std::string type = message.text("type");
  const auto reader = readers().find(type);
  if (reader == readers().end()) {
    throw Error({"", 0, "the message"}, "its type is not known", printable(type));
  }
  if (text.size() > longest_short_message && type != "sketch" && type != "bake") {
    throw MessageTooLong();
  }
  return {type, reader->second(Item(json, type))};
}

}  // namespace pliant::serve
