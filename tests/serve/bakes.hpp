// SPDX-License-Identifier: MIT
// Meshes that are sent to a server, and what becomes of them.
#pragma once

#include <thread>

#include "client.hpp"
#include "running_server.hpp"

namespace pliant::test {

// A box of 0.2 x 0.1 x 0.1, in centimetres.
inline std::string box_obj() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += "v " + std::to_string(i & 1 ? 20 : 0) + " " + std::to_string(i & 2 ? 10 : 0) + " " +
            std::to_string(i & 4 ? 10 : 0) + "\n";
  }
  for (const char* quad : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"}) {
    text += std::string("f ") + quad + "\n";
  }
  return text;
}

inline HttpAnswer upload(RunningServer& server, const std::string& name, const std::string& bytes) {
  return http_raw(server.port(), "POST /api/mesh?name=" + name +
                                     " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                     "Content-Length: " +
                                     std::to_string(bytes.size()) + "\r\n\r\n" + bytes);
}

inline Json bake_message(const Json& mesh, const Json& fixed,
                         const std::string& engine = "reduced") {
  return {
      {"type", "bake"},
      {"mesh", mesh["mesh"]},
      {"name", "box \"7\""},
      {"metres_per_unit", 0.01},
      {"resolution", 6},
      {"engine", engine},
      {"material",
       {{"name", "rubber"}, {"law", "stvk"}, {"young", 5e6}, {"poisson", 0.4}, {"density", 1100}}},
      {"fixed", fixed}};
}

// Messages of a bake until its end, and the scene or the error after it.
struct BakeStory {
  std::vector<Json> progress;
  Json scene, error;
};
inline BakeStory follow(Watcher& watcher) {
  BakeStory story;
  const Timer timer;
  while (timer.seconds() < 120) {
    const auto message = watcher.socket.next(120);
    if (!message || message->opcode == 8) break;
    if (message->opcode != 1) continue;
    const Json json = message->json();
    if (json["type"] == "bake") story.progress.push_back(json);
    if (json["type"] == "scene") {
      story.scene = json;
      return story;
    }
    if (json["type"] == "error") {
      story.error = json;
      return story;
    }
    if (json["type"] == "bake" && json["state"] == "cancelled") return story;
  }
  ADD_FAILURE() << "the bake has no end";
  return story;
}

// Two messages that begin a bake are allowed in a second.
inline void wait_for_the_rate() {
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
}

}  // namespace pliant::test
