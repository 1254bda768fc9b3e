// SPDX-License-Identifier: MIT
#include "pliant/world/recording/script.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "pliant/asset/asset_head.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant {
namespace {

constexpr std::string_view columns[] = {"time", "kind",  "slot", "body", "point", "x", "y",
                                        "z",    "value", "qw",   "qx",   "qy",    "qz"};
constexpr const char* known_kinds = "force, pull, release, move, control, gravity, wind or reset";

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view line, char at) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t end = line.find(at);
    fields.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

class Parser {
 public:
  Parser(std::string name, const World& world) : name_(std::move(name)), world_(world) {}

  std::vector<TimedCommand> parse(std::string_view text) {
    std::vector<TimedCommand> script;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line_;
      if (line.empty() || line.front() == '#') continue;
      if (columns_.empty()) {
        read_columns(line);
        continue;
      }
      script.push_back(read_line(line));
      if (script.size() > 1 && script.back().time < script[script.size() - 2].time) {
        fail("time", "times must ascend", field("time"));
      }
    }
    if (columns_.empty()) fail("", "the script is empty", "", "a line that names the columns");
    return script;
  }

 private:
  [[noreturn]] void fail(std::string_view item, const std::string& message,
                         std::string_view value = "", const std::string& expected = "") const {
    throw Error({name_, line_, std::string(item)}, message, printable(value), expected);
  }

  void read_columns(std::string_view line) {
    for (const std::string_view name : split(line, ',')) {
      if (std::find(std::begin(columns), std::end(columns), name) == std::end(columns)) {
        fail("", "a column of this name is not known", name,
             "time, kind, slot, body, point, x, y, z, value, qw, qx, qy, qz");
      }
      if (!columns_.emplace(name, columns_.size()).second) fail(name, "the column is there twice");
    }
    for (const char* needed : {"time", "kind"}) {
      if (!columns_.contains(needed)) fail(needed, "the column is missing");
    }
  }

  std::string_view field(std::string_view column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? std::string_view() : fields_[found->second];
  }

  double number(std::string_view column, std::string_view text) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
      fail(column, "not a number", text, "a finite number");
    }
    return value;
  }
  double number(std::string_view column) const { return number(column, field(column)); }

  int whole(std::string_view column, int end, int absent) const {
    const std::string_view text = field(column);
    if (text.empty() && absent >= 0) return absent;
    int value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || value < 0 || value >= end) {
      fail(column, "out of range", text, "a whole number from 0 to " + std::to_string(end - 1));
    }
    return value;
  }

  int body() const {
    const std::string_view name = field("body");
    if (name.empty() && world_.body_count() == 1) return 0;
    std::string known;
    for (int b = 0; b < world_.body_count(); ++b) {
      if (world_.body(b).name == name) return b;
      known += (known.empty() ? "" : ", ") + world_.body(b).name;
    }
    fail("body", "no body has this name", name, known);
  }

  // An index, or near:X:Y:Z.
  int point(int of) const {
    const std::string_view text = field("point");
    if (!text.starts_with("near:")) return whole("point", world_.point_count(of), -1);
    const std::vector<std::string_view> parts = split(text.substr(5), ':');
    if (parts.size() != 3) fail("point", "not a place", text, "near:X:Y:Z");
    const Vector3d place(number("point", parts[0]), number("point", parts[1]),
                         number("point", parts[2]));
    int nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int p = 0; p < world_.point_count(of); ++p) {
      const double d = (world_.position(of, p) - place).squaredNorm();
      if (d < least) {
        least = d;
        nearest = p;
      }
    }
    return nearest;
  }

  TimedCommand read_line(std::string_view line) {
    fields_ = split(line, ',');
    if (fields_.size() != columns_.size()) {
      fail("", "not as many fields as columns", std::to_string(fields_.size()),
           std::to_string(columns_.size()));
    }
    TimedCommand timed{number("time"), {}};
    if (timed.time < 0) fail("time", "it is negative", field("time"));
    timed.command = read_command(field("kind"));
    return timed;
  }

  Command read_command(std::string_view kind) const {
    const auto slot = [&] {
      return static_cast<std::uint8_t>(whole("slot", WorldState::slots, 0));
    };
    const auto vector = [&] { return Vector3d(number("x"), number("y"), number("z")); };
    if (kind == "release") return command::Release{slot()};
    if (kind == "gravity") return command::Gravity{vector()};
    if (kind == "wind") return command::Wind{vector()};
    if (kind == "reset") return command::Reset{};
    if (kind == "move") return read_move(body(), vector());
    if (kind == "control") return read_control(body(), vector());
    if (kind != "force" && kind != "pull") fail("kind", "not known", kind, known_kinds);
    const int of = body();
    if (kind == "force") return command::Force{slot(), of, point(of), vector()};
    double stiffness = 0;
    if (!field("value").empty()) stiffness = number("value");
    if (stiffness < 0) fail("value", "a negative stiffness", field("value"));
    return command::Pull{slot(), of, point(of), vector(), stiffness};
  }

  // Of the element `point`: moved by x y z, turned by the quaternion, larger by the factor `value`.
  Command read_control(int of, const Vector3d& T) const {
    if (!world_.model(of).edits.control) {
      fail("body", "it has no control elements that are driven", world_.body(of).name,
           "a body of engine green with a control element of state = \"driven\"");
    }
    const auto& controls = world_.model(of);
    const int element = whole("point", controls.ops->control_count(controls.model.get()), -1);
    double scale = 1;
    if (!field("value").empty()) scale = number("value");
    if (!(scale > 0)) fail("value", "a factor that is not positive", field("value"));
    const std::array<double, 4> q = quaternion();
    const Matrix3d M =
        scale * Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix() -
        Matrix3d::Identity();
    command::Control control{of, element, {}};
    for (int i = 0; i < 3; ++i) {
      control.motion[static_cast<std::size_t>(i)] = T[i];
      for (int j = 0; j < 3; ++j) control.motion[static_cast<std::size_t>(3 + 3 * i + j)] = M(i, j);
    }
    return control;
  }

  // Without one, nothing is turned.
  std::array<double, 4> quaternion() const {
    constexpr std::string_view parts[] = {"qw", "qx", "qy", "qz"};
    std::array<double, 4> q{1, 0, 0, 0};
    bool turned = false;
    for (const std::string_view part : parts) turned = turned || !field(part).empty();
    double size = 0;
    for (std::size_t i = 0; turned && i < 4; ++i) {
      q[i] = number(parts[i]);
      size += q[i] * q[i];
    }
    if (turned && !(size > 0)) fail("qw", "a quaternion of no length");
    return q;
  }

  Command read_move(int of, const Vector3d& position) const {
    if (!world_.model(of).edits.pose) {
      fail("body", "it does not go where it is told", world_.body(of).name,
           "a body of engine rigid with motion = \"kinematic\"");
    }
    return command::Move{of, position, quaternion()};
  }

  std::string name_;
  const World& world_;
  long line_ = 0;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::string_view> fields_;
};

}  // namespace

std::vector<TimedCommand> parse_script(std::string_view text, const std::string& name,
                                       const World& world) {
  return Parser(name, world).parse(text);
}

std::vector<TimedCommand> read_script(const std::filesystem::path& path, const World& world) {
  if (path.extension() == ".pliant" || path.extension() == ".safetensors") {
    return recorded_script(TensorFile(path), world);
  }
  const MappedFile file(path);
  return parse_script(file.bytes(), path.string(), world);
}

}  // namespace pliant
