// SPDX-License-Identifier: MIT
// What a viewer may send, docs/protocol.md: text to checked data. All numbers are finite and within
// the limits stated there; what a scene has (bodies, points, regions) is checked by who obeys.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/world/command.hpp"

namespace pliant::serve {

inline constexpr int protocol_version = 1;
inline constexpr std::size_t longest_message = std::size_t{4} << 20;         // sketch, bake
inline constexpr std::size_t longest_short_message = std::size_t{16} << 10;  // any other

struct HelloMessage {
  int protocol = 0;
  int rate = 60;  // frames a second
};
struct SteerMessage {
  bool take = false;
};
struct OpenMessage {
  std::string scene;
};
// All that a world understands as it is: command.hpp.
struct WorldMessage {
  Command command;
};
struct MaterialMessage {
  int body = 0, region = 0;
  double young = 0, poisson = 0, density = 0;
};
struct Stroke {
  int point = 0;
  std::vector<Vector3d> forces;  // N
};
struct SketchMessage {
  int body = 0, r = 0;
  std::vector<Stroke> strokes;
};
struct MaterialPreset {
  std::string name, law;
  double young = 0, poisson = 0, density = 0;
};
struct BakeMessage {
  struct Box {
    Vector3d from, to;
  };
  // What becomes of parts that get no elements of the largest piece.
  enum class Parts { follow, hold, each };
  std::string mesh, name, engine;
  std::string volume;  // another uploaded mesh, whose elements the surface follows; empty: its own
  double metres_per_unit = 1;
  int resolution = 32;
  Parts parts = Parts::follow;
  bool z_up = false;  // else y
  MaterialPreset material;
  std::vector<Box> boxes;   // in the units of the file
  std::vector<int> points;  // of the uploaded surface
  std::vector<int> nodes;   // of the volume
};
// How good the bodies of the open scene are.
struct MeasureMessage {};
struct CancelMessage {
  int job = 0;
};

using ClientMessage =
    std::variant<HelloMessage, SteerMessage, OpenMessage, WorldMessage, MaterialMessage,
                 SketchMessage, BakeMessage, MeasureMessage, CancelMessage>;

struct TypedMessage {
  std::string type;  // as it was sent
  ClientMessage message;
};

// A message above the limit of its type.
class MessageTooLong : public Error {
 public:
  MessageTooLong() : Error("the message is too long") {}
};

// Throws Error, which says what is wrong with the message; MessageTooLong.
TypedMessage parse_client_message(std::string_view text);

}  // namespace pliant::serve
