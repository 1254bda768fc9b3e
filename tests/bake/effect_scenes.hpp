// SPDX-License-Identifier: MIT
// Small scenes (effects/) that together use every key of the schema, each in a place where it counts.
// Behind a key's value stands another one, `key = value # other`, or `none`: the line left out. With
// `other !` the world is refused.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "pliant/base/file.hpp"
#include "support/temporary_folder.hpp"

namespace pliant::test {

inline std::vector<std::string> effect_scenes(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> scenes;
  for (const auto& file : files) scenes.emplace_back(MappedFile(file).bytes());
  return scenes;
}

// Boxes as triangles; `turned`: one of them looks the wrong way.
inline void write_boxes(const std::filesystem::path& path, double size, int count, bool turned) {
  std::ofstream out(path);
  for (int b = 0; b < count; ++b) {
    for (int v = 0; v < 8; ++v) {
      // The second one is smaller, and stands apart.
      const double side = b == 0 ? size : size / 2, x = b == 0 ? 0 : 1.5 * size;
      out << "v " << x + (v & 1 ? side : 0) << " " << (v & 2 ? side : 0) << " "
          << (v & 4 ? side : 0) << "\n";
    }
    constexpr int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                  {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int f = 0; f < 12; ++f) {
      const bool turn = turned && f == 0;
      out << "f " << 8 * b + faces[f][0] + 1 << " " << 8 * b + faces[f][turn ? 2 : 1] + 1 << " "
          << 8 * b + faces[f][turn ? 1 : 2] + 1 << "\n";
    }
  }
}

// The folder with the files that the scenes name.
inline void write_effect_files(const TemporaryFolder& folder) {
  const std::string material = "[material.included]\ndensity = 1000\npoisson = 0.3\nyoung = ";
  std::ofstream(folder / "stiff.toml") << material << "2e5\n";
  std::ofstream(folder / "soft.toml") << material << "1e5\n";
  // What a device moves.
  std::ofstream(folder / "tool.toml")
      << "[[body.ground.shape]]\nkind = \"plane\"\n\n[body.tool]\npose.position = [0, 0.072, 0]\n"
         "engine.kind = \"rigid\"\nengine.motion = \"kinematic\"\n\n[[body.tool.shape]]\n"
         "kind = \"box\"\nsides = [0.1, 0.1, 0.14]\n";
  // On the last node of the beam, at its free end.
  std::ofstream(folder / "down.csv") << "load,time,node,fx,fy,fz\n0,0,44,0,-5,0\n";
  std::ofstream(folder / "aside.csv") << "load,time,node,fx,fy,fz\n0,0,44,0,0,5\n";
  write_boxes(folder / "block.obj", 100, 1, false);
  write_boxes(folder / "large.obj", 200, 1, false);
  write_boxes(folder / "turned.obj", 1, 1, true);
  write_boxes(folder / "two.obj", 0.1, 2, false);
  std::ofstream(folder / "tets.veg")
      << "*VERTICES\n5 3 0 0\n1 0 0 0\n2 100 0 0\n3 0 100 0\n4 0 0 100\n5 100 100 100\n"
         "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 2 3 4 5\n";
  std::ofstream(folder / "right.csv") << "0,0,0,0\n0.1,0.1,0,0\n";
  std::ofstream(folder / "left.csv") << "0,0,0,0\n0.1,-0.1,0,0\n";
  std::ofstream(folder / "three.bou") << "1, 2, 3,\n";
  std::ofstream(folder / "four.bou") << "1, 2,\n3, 4\n";
}

}  // namespace pliant::test
