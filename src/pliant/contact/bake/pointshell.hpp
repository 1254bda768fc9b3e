// SPDX-License-Identifier: MIT
// Points that sample the surface of a body evenly, in levels: each level alone with those before it
// is even, with about half the spacing of the one before.          [Barbic07] 3.8.1
//
// Particles on a level set f = offset of a distance field repel one another by
//
//   g(d) = 2 (d/R)^3 - 3 (d/R)^2 + 1      for d < R, along the line between two of them
//
// Each step moves every particle of the newest level by eta times the sum of its g, and puts it back
// onto the level set by Newton's method along the field's gradient. Particles of earlier levels stay
// where they are and repel.
//
// R and eta follow from the spacing s of an even (hexagonal) sample of the same area A: with M
// points A = M s^2 sqrt(3)/2; R = 2 s, eta = s/5, which falls while the points settle.
#pragma once

#include <vector>

#include "pliant/base/progress.hpp"
#include "pliant/contact/distance_field.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {

// Where the points come from. Those that are not made by repulsion are as many as there are, put in
// levels of a factor of 4 by the farthest-point order of [Barbic07] 3.9.1.
enum class PointSource {
  repulsion,
  vertices,  // of the surface
  voxels,    // centres of the field's cells that the level set passes: the shell of VPS
};

struct PointshellOptions {
  int points = 20000;  // about: the finest level completes a factor of 4 a level
  int levels = 4;      // 1 to 8
  PointSource source = PointSource::repulsion;
  double offset = 0.0;  // of the level set [m]: thin shells and wires need more than 0
  int steps = 60;       // of repulsion, a level
  std::uint64_t seed = 1;
};

// How even a level is: distances to the nearest neighbour.
struct Evenness {
  double mean = 0.0;       // m
  double deviation = 0.0;  // standard deviation / mean
  double least = 0.0;      // smallest / mean
};

struct Pointshell {
  Matrix3Xd X;                     // 3 by #P, level by level [m]
  Matrix3Xd N;                     // inward unit normals
  VectorXd areas;                  // that belong to the points [m^2]
  std::vector<int> first;          // of the levels, and #P
  std::vector<Evenness> evenness;  // of the points up to each level
};

// `surface`: closed, near the level set; where particles begin, and whose normals they get: towards
// the closest point of the surface from a little outside. Throws Error: options that are not sound,
// a surface without area or one that the level set cannot be reached from.
Pointshell make_pointshell(const DistanceField& field, const SurfaceMesh& surface,
                           const PointshellOptions& options = {},
                           Progress& progress = Progress::none());

}  // namespace pliant
