// SPDX-License-Identifier: MIT
// Small surfaces made in code, and glTF files of them (which the library only reads).
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::test {

// Eight corners at awkward decimals; two groups, "top" (two triangles) and "the rest".
SurfaceMesh sample_cube();
// A sphere from an octahedron, its edges halved `levels` times.
SurfaceMesh sample_sphere(int levels = 3);
SurfaceMesh sample_torus(int around = 24, int across = 12);

// The same surface with its vertices in the order of their first use, as STL gives them back.
SurfaceMesh in_order_of_use(const SurfaceMesh& mesh);
// Coordinates rounded to float.
SurfaceMesh as_float(SurfaceMesh mesh);

std::string base64(std::string_view bytes);
// Positions as floats, indices as 32-bit integers, one mesh "body" under one node, the buffer as
// data in the JSON or as the chunk of a GLB.
std::string sample_gltf(const SurfaceMesh& mesh);
std::string sample_glb(const SurfaceMesh& mesh);
std::string glb(std::string json, std::string binary);

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

}  // namespace pliant::test
