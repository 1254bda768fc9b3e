// SPDX-License-Identifier: MIT
// What a user may set of a body that is pressed at its surface (surface_engine.hpp), and the keys for
// it.
#pragma once

#include <optional>
#include <string>

#include "pliant/green/surface_contact.hpp"
#include "pliant/shape/pressure_image.hpp"

namespace pliant {

namespace table {
struct Value;
template <class T>
class Table;
}  // namespace table

// A rectangle of the body's frame in which what presses is shown.
struct PressureImageSettings {
  Vector3d centre = Vector3d::Zero();   // m
  Vector3d normal = Vector3d::UnitY();  // out of the surface
  Vector3d up = -Vector3d::UnitZ();     // of the picture
  double width = 0.1, height = 0.1;     // m
  int columns = 16, rows = 16;          // taxels

  PressureLayout layout() const;
};

// The part of the surface that can be touched, a box of the body's frame [m].
struct TouchedPart {
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
};

// Where small deformations end, and what happens there.
struct SurfaceLinearity {
  enum class Beyond {
    blocked,  // the surface stays as it was
    warned,   // it goes on, and the status says so
  };
  Beyond beyond = Beyond::warned;
  double strain = 0.1;  // largest stretch of the surface where forces act (surface_strain.hpp)
};

struct GreenSurfaceSettings {
  static constexpr const char* engine = "green_surface";
  static constexpr bool needs_volume = false, elastic_surface = true;

  // How the compliance of its surface is found.
  enum class Method {
    collocation,  // boundary elements at the nodes
    galerkin,     // boundary elements, symmetric
    elements,     // finite elements
    compressed,   // as collocation, of surfaces of many nodes; a part of it can be touched
  };
  enum class Contact {
    complementarity,  // nothing overlaps, nothing pulls
    kernel,           // the layer of [Klimenko03], which pulls at its border
  };
  Method method = Method::collocation;
  Contact contact = Contact::complementarity;
  double layer = 0.001;  // of the kernel [m]
  Grip grip = Grip::slip;
  int contacts = SurfaceContact::usual_most;  // nodes that can touch at once
  SurfaceLinearity linearity;
  std::optional<TouchedPart> touched;  // of a compressed one
  std::optional<PressureImageSettings> image;

  bool of_elements() const { return method == Method::elements; }
  std::string words() const;
};

const table::Table<GreenSurfaceSettings>& green_surface_table();
// Throws Error at the place of what is wrong.
GreenSurfaceSettings read_green_surface_settings(const table::Value& value);

}  // namespace pliant
