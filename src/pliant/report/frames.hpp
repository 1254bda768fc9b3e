// SPDX-License-Identifier: MIT
// A motion as a series of VTU files, one a body and frame, and a collection of them that ParaView
// opens as a film:
//
//   FOLDER/motion.pvd
//   FOLDER/BODY_00000.vtu, BODY_00001.vtu, ..    nodes where they are, with their "displacement"
//                                                from rest; of a rigid body its surface; of one
//                                                that is pressed its surface, with "area_change",
//                                                "energy_density" and "von_mises"
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/green/surface_fields.hpp"
#include "pliant/report/nodal_field.hpp"

namespace pliant {

class FrameWriter {
 public:
  // Makes the folder. Throws Error.
  FrameWriter(std::filesystem::path folder, const TensorFile& asset, const World& world);

  // Writes the bodies as they are now, `time` [s] since the beginning. Throws Error.
  void add(double time, const WorldState& state);
  int count() const { return static_cast<int>(times_.size()); }
  // Writes the collection of all frames so far. Throws Error.
  std::filesystem::path finish() const;

 private:
  struct Body {
    std::string file_name;                // without number and ending
    std::optional<NodalField> nodes;      // or
    SurfaceMesh surface;                  // of a body without elements, in its own frame
    std::optional<SurfaceFields> fields;  // of one that is pressed
    Matrix3Xd rest;                       // in the world's frame
  };

  std::string name_of(const Body& body, std::size_t frame) const;
  std::string pressed_text(std::size_t body, const WorldState& state) const;

  std::filesystem::path folder_;
  std::vector<Body> bodies_;
  std::vector<double> times_;
};

// A body's mesh at rest, its shapes as the fields "shape 1", "shape 2", .. and its held nodes, for
// ParaView. `body`: index into head.bodies.
std::string rest_vtu(const TensorFile& asset, const AssetHead& head, int body);

}  // namespace pliant
