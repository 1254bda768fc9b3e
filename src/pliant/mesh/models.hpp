// SPDX-License-Identifier: MIT
// Procedural models for examples, tests and benches: shapes from parameters and a seed, no files.
// Units are metres, y points up, and sizes are those of the real thing.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

// What a group of the surface is made of; `group` empty: all of it. Where groups overlap, the first
// entry counts.
struct ModelMaterial {
  std::string group;
  std::string name;
  double density;  // [kg/m^3]
  double young;    // [Pa]
  double poisson;
};

struct Model {
  std::string name = {};
  SurfaceMesh surface = {};  // every group is closed and oriented outwards
  std::vector<ModelMaterial> materials = {};
  std::vector<Eigen::AlignedBox3d> fixed =
      {};                     // what lies in one of these is held; none: it is free
  int voxel_resolution = 64;  // what suits it, see VoxelOptions
  bool fill_interior = true;
};

struct ParameterInfo {
  std::string name;
  double value;        // by default
  double least, most;  // allowed, both included
  std::string unit;    // "m", "" for numbers
  std::string description;
  bool whole = false;  // a count: fractions are refused
};

struct ModelInfo {
  std::string name;
  std::string description;
  // The surface bounds a solid. Otherwise it consists of closed parts that run into each other,
  // which suits the voxeliser and the eye, but not a mesher that wants one boundary.
  bool manifold = false;
  // At voxel_resolution the voxels hang together by faces; otherwise they are several bodies.
  bool one_body = true;
  std::vector<ParameterInfo> parameters;
};

using ModelParameters = std::map<std::string, double, std::less<>>;

// All models, in alphabetical order.
const std::vector<ModelInfo>& models();

// Throws Error, naming the nearest known one, if there is none of this name.
const ModelInfo& model_info(std::string_view name);
// All parameters of the model: the given values and the defaults of the others. Throws Error: a
// parameter that is not known, a value out of range.
ModelParameters complete_parameters(const ModelInfo& info, const ModelParameters& parameters);

// Throws Error: a name or a parameter that is not known (it says the nearest known one), a value
// out of range. The same call gives the same bits, whatever the number of threads.
Model make_model(std::string_view name, const ModelParameters& parameters = {});

}  // namespace pliant
