// SPDX-License-Identifier: MIT
// What a scene is: bodies with their meshes, materials and engines, what acts on them, and how they
// are touched, recorded and looked at. Plain data in SI units (m, kg, s, N, Pa, rad), as
// read_scene.hpp gives it after all checks that need no mesh. The defaults here are those of the
// scene file; schema.hpp lists its keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Geometry>

#include "pliant/asset/contact_specs.hpp"
#include "pliant/asset/world_specs.hpp"
#include "pliant/base/colour.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/types.hpp"
#include "pliant/fem/damping.hpp"
#include "pliant/fem/material.hpp"
#include "pliant/mesh/graded_hex.hpp"
#include "pliant/mesh/models.hpp"
#include "pliant/mesh/stuffing.hpp"
#include "pliant/mesh/tube.hpp"
#include "pliant/mesh/voxel_grid.hpp"
#include "pliant/scene/engine_spec.hpp"

namespace pliant {

// ---- Where the shape comes from: exactly one of `file`, `model` and `tube` is there.
struct MeshSpec {
  std::filesystem::path file;  // of a surface or a volume; absolute
  // Drawn and touched in place of the volume's boundary; absolute; empty: none.
  std::filesystem::path surface;
  std::string model;           // of mesh/models.hpp; its materials and fixed boxes are the defaults
  ModelParameters parameters;  // of the model, all of them
  std::optional<TubeOptions> tube;  // solid elements, with their material and control elements
  double metres_per_unit = 1;       // of the file's coordinates; 1 for a model
  double scale = 1;                 // further factor of all coordinates
  bool repair = false;              // of a surface, see mesh/surface_repair.hpp
};

// ---- How the solid elements come about.
// A volume stays as it is; a surface becomes voxels as VoxelMeshing's defaults say, or stays a
// surface if its engine is `rigid`.
struct AutomaticMeshing {};
// The elements of a volume file, or the triangles of a rigid body, as they are.
struct NoMeshing {};
struct VoxelMeshing {
  std::optional<int> resolution;  // absent: Model::voxel_resolution, 64 for a file
  std::optional<bool> fill;       // the interior; absent: Model::fill_interior, true for a file
  bool keep_largest = false;
  double enlargement = 1.2;
  std::optional<TetSplit> split;  // absent: bricks
};
using MeshingSpec =
    std::variant<AutomaticMeshing, NoMeshing, VoxelMeshing, StuffingOptions, GradedOptions>;

// ---- What it is made of.
struct IsotropicConstants {
  double young = 1e6;  // Pa
  double poisson = 0.45;
};
struct LameConstants {
  double lambda = 1e6, mu = 1e5;  // Pa
};
struct OrthotropicConstants {
  Vector3d young = Vector3d::Constant(1e6);                  // E1 E2 E3 [Pa]
  Vector3d poisson = Vector3d::Constant(0.3);                // nu12 nu23 nu31
  Vector3d shear = Vector3d::Constant(4e5);                  // G12 G23 G31 [Pa]
  Eigen::Quaterniond axes = Eigen::Quaterniond::Identity();  // turns x y z to the material axes
};
struct AnisotropicConstants {
  // Upper triangle of the 6 x 6 stiffness by rows: C11 C12 .. C16 C22 .. C66, in the order
  // 11 22 33 23 13 12 with engineering shears [Pa]; 21 numbers.
  std::vector<double> stiffness;
};
struct MooneyRivlinConstants {
  double mu01 = 1e5, mu10 = 1e5, v1 = 1e6;  // Pa
};
using MaterialConstants = std::variant<IsotropicConstants, LameConstants, OrthotropicConstants,
                                       AnisotropicConstants, MooneyRivlinConstants>;

struct MaterialSpec {
  std::string name;
  fem::Law law = fem::Law::stvk;  // ignored by Mooney-Rivlin constants
  double density = 1000;          // kg/m^3
  MaterialConstants constants;
};
// Throws Error for constants that no stable solid has.
fem::Material material_of(const MaterialSpec& spec);

// A part of the mesh (a closed group of the surface, a region of the volume) and its material, a
// name in Scene::materials. Where parts overlap, the first in the list counts.
struct RegionSpec {
  std::string name;
  std::string material;
};

// ---- Which nodes are held, in the coordinates of the mesh after `scale` and before the pose.
struct FixedBox {
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();  // two corners, from <= to
};
struct FixedPlane {
  Vector3d point = Vector3d::Zero(), normal = Vector3d::UnitY();  // behind it: (x - p) . n <= 0
};
struct FixedSphere {
  Vector3d centre = Vector3d::Zero();
  double radius = 0;
};
struct FixedNodes {
  std::vector<int> nodes;      // indices into the volume mesh, from 0
  std::filesystem::path file;  // a list of numbers from 1, as VegaFEM writes it; empty: none
};
struct FixedGroup {
  std::string name;  // a node set of the volume, a group of the surface, or a painted vertex group
};
using FixedSpec = std::variant<FixedBox, FixedPlane, FixedSphere, FixedNodes, FixedGroup>;

// A set of nodes that moves as a whole, [Klimenko03] 2.2.
struct ControlSpec {
  ControlSettings own;
  FixedSpec nodes;
};

struct BodySpec {
  std::string name;
  MeshSpec mesh;
  std::vector<ShapeSpec> shape;  // instead of a mesh, of a rigid body: all of them together
  MeshingSpec meshing;
  Pose pose;
  std::vector<Pose> instances;      // of one model; empty: one at `pose`
  std::optional<double> rate;       // steps a second; absent: the scene's
  std::string material;             // of what no region names; empty: what the mesh brings along
  std::vector<RegionSpec> regions;  // empty: those that the mesh brings along, of its materials
  fem::Law law = fem::Law::stvk;    // of the materials that the mesh brings along
  // Absent: the boxes of the model; empty: the body is free.
  std::optional<std::vector<FixedSpec>> fixed;
  // Absent: the node sets control_0, control_1, .. of the mesh, all driven.
  std::optional<std::vector<ControlSpec>> control;
  // Where loads act that the engine knows answers to; absent: all of the surface.
  std::optional<std::vector<FixedSpec>> accessible;
  EngineSpec engine;
  std::optional<BodyContactSpec> contact;
  std::optional<Colour> colour;
  Place place;  // of its table in the scene file, for later errors
};

struct Scene {
  std::string title, description;
  double rate = 1000;             // steps a second [Hz]; the step is 1 / rate
  double duration = 10;           // of a run without other word [s]
  Vector3d gravity{0, -9.81, 0};  // m/s^2
  std::optional<WindSpec> wind;
  std::vector<MaterialSpec> materials;  // in alphabetical order
  std::vector<BodySpec> bodies;         // in alphabetical order
  std::optional<HandleSpec> handle;
  DeviceSpec device;
  CameraSpec camera;
  ColourSpec colours;
  std::optional<ContactSpec> contact;
  std::vector<std::filesystem::path> files;  // that were read: the scene, then what it includes
};

}  // namespace pliant
