// SPDX-License-Identifier: MIT
// The scenes of [Gonzalez15] 4: a beam and a block, two beams, two bunnies.
#pragma once

#include <string>

#include <fmt/format.h>

namespace pliant::gonzalez {

// Steel, 40 x 40 x 400 mm, 3 x 3 x 21 nodes.
inline std::string beam_text(const std::string& name, const std::string& pose,
                             const std::string& engine, const std::string& contact) {
  return fmt::format(
      "[body.{}]\nmesh = {{ model = \"cantilever\", parameters = {{ length = 0.4, height = 0.04, "
      "width = 0.04, cells = 20 }} }}\nmeshing = {{ kind = \"voxels\", resolution = 20, "
      "enlargement = 1 }}\nmaterial = \"steel\"\n"
      "fixed = [{{ kind = \"plane\", point = [0.001, 0, 0], normal = [1, 0, 0] }}]\n"
      "pose = {{ {} }}\nengine = {{ kind = \"vademecum\", load = 1e6, shapes = 40, {} }}\n"
      "contact = {{ {} }}\n",
      name, pose, engine, contact);
}
inline const std::string steel_text =
    "gravity = [0, 0, 0]\n[material.steel]\nyoung = 2.09e11\npoisson = 0.3\ndensity = 7800\n";

// 4.1: the beam has the field, the block the points.
inline std::string block_scene() {
  return steel_text +
         beam_text("beam", "position = [0, 0, 0]", "direction = [0, -1, 0]",
                   "role = \"field\", proxies = 40, states = { loads = 170, levels = 2, "
                   "resolution = 60 }") +
         "[body.block]\nmesh = { model = \"cube\", parameters = { size = 0.12 } }\n"
         "pose = { position = [0.34, -0.3, 0] }\nengine = { kind = \"rigid\", motion = "
         "\"kinematic\" }\ncontact = { role = \"shell\", resolution = 64, points = 600 }\n";
}

// 4.2: the upper one, whose end is pushed, comes from the other side. Of each point of the shell 10^7
// N/m, however many touch. `states`: of the lower one's field; empty: the field at rest, bent.
inline std::string beams_scene(const std::string& correction, const std::string& states) {
  const std::string engine = "correction = { use = \"" + correction + "\" }";
  return steel_text + "[contact]\nstiffness = 1e11\nlimit = 1e4\n" +
         beam_text("lower", "position = [0, 0, 0]", "direction = [0, -1, 0], " + engine,
                   "role = \"field\", resolution = 128, proxies = 160" +
                       (states.empty() ? "" : ", states = { " + states + " }")) +
         beam_text(
             "upper",
             "position = [0.72, 0.041, 0.005], rotation = { axis = [0, 1, 0], degrees = 180 }",
             engine, "role = \"shell\", resolution = 128, points = 1500");
}

inline constexpr double bunny_load = 3;  // N

// 4.3: nose to nose, with the bunny of Pliant in the place of the scan.
inline std::string bunny_text(const std::string& name, const std::string& pose,
                              const std::string& engine, const std::string& contact) {
  return fmt::format(
      "[body.{}]\nmesh = {{ model = \"bunny\", parameters = {{ size = 0.3 }} }}\n"
      "meshing = {{ kind = \"tets\", resolution = 24 }}\nmaterial = \"soft\"\n"
      "pose = {{ {} }}\nengine = {{ kind = \"vademecum\", load = {}, direction = [-1, 0, 0], "
      "shapes = 60, levels = 4, {} }}\ncontact = {{ {} }}\n",
      name, pose, bunny_load, engine, contact);
}
inline const std::string soft_text =
    "gravity = [0, 0, 0]\n[material.soft]\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n";

// Its elements alone.
inline std::string bunny_elements() {
  return soft_text +
         "[body.blue]\nmesh = { model = \"bunny\", parameters = { size = 0.3 } }\n"
         "meshing = { kind = \"tets\", resolution = 24 }\nmaterial = \"soft\"\n"
         "engine = { kind = \"full\" }\ncontact = { role = \"none\" }\n";
}
inline std::string bunnies_scene(const std::string& correction, bool states) {
  const std::string engine = "correction = { use = \"" + correction + "\" }";
  return soft_text + "[contact]\nstiffness = 2e5\nlimit = 1e4\n" +
         bunny_text("blue", "position = [0, 0, 0]", engine,
                    std::string("role = \"field\", proxies = 200") +
                        (states ? ", states = { loads = 120, levels = 2, resolution = 56 }" : "")) +
         bunny_text("red",
                    "position = [0.214, 0, 0], rotation = { axis = [0, 1, 0], degrees = 180 }",
                    engine, "role = \"shell\", points = 3733");
}

}  // namespace pliant::gonzalez
