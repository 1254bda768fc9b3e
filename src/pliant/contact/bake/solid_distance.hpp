// SPDX-License-Identifier: MIT
// The solid that a surface stands for, as signed distances, whatever the surface is like:
//
//   pseudonormal     closed, without self-crossings: exact
//   winding_number   parts that run into each other, and surfaces with holes: inside is where the
//                    winding number is above 1/2; distances are those of that inside's own surface,
//                    meshed anew, as walls within a body are no border of it and a hole has none
//   offset           polygon soups and sheets, which have no inside: the level set of the unsigned
//                    distance at `offset`, without the parts of it that lie inside of others;
//                    [Barbic07] 3.11
//
// Where triangles are missing the sign is a guess. How doubtful, from 0 to 1:
//
//   by the winding number w    1 - |2 w - 1| for w from 0 to 1: 0 beside a closed surface, 1 in the
//                              middle of a hole
//   of an offset               1 within two offsets of an open edge, else 0
#pragma once

#include <functional>
#include <vector>

#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

enum class SolidSign { automatic, pseudonormal, winding_number, offset };

struct SolidOptions {
  double cell = 0.0;  // of the grid that it is for [m]: how fine a new surface is
  SolidSign sign = SolidSign::automatic;
  double offset = 0.0;  // [m]; 0: 1.4 cells, [Barbic07] figure 3.15
};

struct SolidDistance {
  SolidSign sign = SolidSign::pseudonormal;  // which was taken
  ExactDistances distances;
  std::function<double(const Vector3d&)> doubt;
  Eigen::AlignedBox3d box;
  SurfaceMesh outside;  // closed, where points of a shell begin
};

// `automatic` never takes an offset, which makes another body. Throws Error: no cell; by the
// pseudonormal a surface that is open, crosses itself or is turned inside out; by the winding number
// one that encloses nothing (an open sheet, two triangles) or for the most part neither the one nor
// the other.
SolidDistance solid_distance(const SurfaceMesh& surface, const SolidOptions& options);

// The cells near the surface whose sign is doubtful.
struct SignDoubt {
  double share = 0.0;       // of the fine cells within one cell of the surface
  Eigen::AlignedBox3d box;  // that holds them; empty: none
  Matrix3Xd places;         // their centres
};
SignDoubt sign_doubt(const SolidDistance& solid, const DistanceGrid& grid);

}  // namespace pliant
