// SPDX-License-Identifier: MIT
// Scenes that together use every key of the schema, one a line and none of them at its default; and
// the files that they name.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace pliant::test {

inline const std::vector<std::string>& sample_scenes() {
  static const std::vector<std::string> scenes = {
      R"(units = "cm"
include = ["base.toml"]
title = "All of it"
description = "A sample."
rate = 500
duration = 2.5
gravity = [0, 0, -1.62]
wind.velocity = [1, 2, 3]
wind.drag = 0.5
wind.gust = 0.25
wind.gust_period = 3
handle.body = "tool"
handle.grasp = [1, 2, 3]
handle.coupling = "dynamic"
handle.stiffness = 400
handle.torque_stiffness = 3
handle.most_force = 5
handle.most_torque = 0.4
handle.saturation = "cubic"
handle.damping = 0.25
handle.speed = 0.7
handle.turning = 5
handle.device_force = 6
handle.device_torque = 0.3
device.kind = "operator"
device.motion = "circle"
device.direction = [0, 0, 1]
device.size = 0.03
device.period = 3
device.angle = 0.1
device.grip = 0.5
device.mass = 0.2
device.inertia = 0.0004
device.device_damping = 2
device.grip_stiffness = 150
device.grip_damping = 3
device.tremor = 0.0002
device.tremor_rate = 8
device.encoder = 0.00001
device.turning_encoder = 0.0001
device.delay = 1
device.force = 7
device.torque = 0.6
device.guard = false
camera.position = [1, 2, 3]
camera.target = [0, 1, 0]
camera.up = [0, 0, 1]
camera.field_of_view = 55
colours.background = "#000000"
colours.force = "#00ff00"
colours.fixed = "#ff0000"

[material.rubber]
kind = "isotropic"
law = "neo_hookean"
density = 1100
young = 5e6
poisson = 0.4

[body.beam]
mesh.model = "cantilever"
mesh.parameters = { length = 50, cells = 20 }
mesh.scale = 2
mesh.repair = true
meshing.kind = "voxels"
meshing.resolution = 20
meshing.fill = false
meshing.keep_largest = true
meshing.enlargement = 1.5
meshing.split = "six"
pose.position = [1, 2, 3]
pose.rotation = { axis = [0, 1, 0], degrees = 90 }
material = "rubber"
engine.kind = "reduced"
engine.basis = "sketch"
engine.basis_file = "sketch.csv"
engine.k = 11
engine.r = 9
engine.forces = "cubature"
engine.cubature.max_points = 50
engine.amplitude = 0.02
engine.cubature.tolerance = 0.05
engine.precision = "double"
engine.damping.alpha = 0.1
engine.damping.beta = 0.001
engine.viscosity.phi = 10
engine.viscosity.psi = 25
engine.integrator.scheme = "quasi_static"
engine.integrator.beta = 0.3
engine.integrator.gamma = 0.6
engine.integrator.max_iterations = 4
engine.integrator.tolerance = 1e-8
engine.integrator.acceleration_limit = 100
rate = 250
colour = "#123456"

[[body.beam.region]]
name = "bars"
material = "rubber"

[[body.beam.fixed]]
kind = "box"
from = [-1, -1, -1]
to = [0, 1, 1]

[[body.beam.fixed]]
kind = "plane"
point = [1, 0, 0]
normal = [-2, 0, 0]

[[body.beam.fixed]]
kind = "sphere"
centre = [1, 2, 3]
radius = 4

[[body.beam.fixed]]
kind = "nodes"
nodes = [3, 1, 4]

[[body.beam.fixed]]
kind = "group"
group = "feet"

[body.tool]
mesh.model = "axe"
engine.kind = "rigid"
engine.motion = "kinematic"

[body.stone]
mesh.model = "cube"
engine.kind = "rigid"
engine.motion = "free"
engine.density = 500
engine.damping = 0.1
engine.angular_damping = 0.2
engine.velocity = [1, 2, 3]
engine.angular_velocity = [3, 2, 1]

[[body.stone.instances]]
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }

[body.weight]
mesh.model = "cube"
engine.kind = "rigid"
engine.motion = "free"
engine.mass = 3
)",
      R"([material.jelly]
kind = "lame"
density = 1000
lambda = 2e4
mu = 1e4

[material.wood]
kind = "orthotropic"
density = 650
law = "linear"
young = [1e10, 8e8, 5e8]
poisson = [0.4, 0.3, 0.02]
shear = [7e8, 2e8, 6e8]
axes = [0.7071, 0, 0.7071, 0]

[material.crystal]
kind = "anisotropic"
density = 2300
stiffness = [9, 3, 3, 0, 0, 0, 9, 3, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 3, 0, 3]

[material.hose]
kind = "mooney_rivlin"
density = 1200
mu01 = 2e5
mu10 = 3e5
v1 = 4e6

[body.block]
mesh.file = "block.obj"
mesh.units = "mm"
meshing.kind = "hexes"
meshing.resolution = 16
meshing.enlargement = 1.3
meshing.growth = 1
meshing.coarsest = 0.5
meshing.cells = "center_inside"
material = "wood"
engine.kind = "full"
engine.integrator.kind = "implicit"
engine.integrator.scheme = "backward_euler"
engine.integrator.solver = "pcg"
engine.integrator.beta = 0.3
engine.integrator.gamma = 0.7
engine.integrator.max_iterations = 7
engine.integrator.tolerance = 1e-6
engine.damping.alpha = 1
engine.damping.beta = 0.01

[body.ball]
mesh.model = "sphere"
meshing.kind = "tets"
meshing.resolution = 12
meshing.graded = true
law = "corotational"
engine.kind = "full"
engine.integrator.kind = "explicit"
engine.integrator.safety = 0.5
contact.method = "constraint"

[body.blob]
mesh.model = "sphere"
engine.kind = "reduced"
engine.tolerance = 0.02
engine.coupling = "full"

[body.ring]
mesh.file = "ring.veg"
mesh.surface = "skin.obj"
meshing.kind = "none"
engine.kind = "full"
engine.integrator.kind = "consistent"
engine.integrator.levels = 5

[[body.ring.fixed]]
kind = "nodes"
file = "ring.bou"
)",
      R"(handle.body = "pebble"
device.kind = "script"
device.motion = "sweep"
device.direction = [1, 0, 0]
device.size = 0.03
device.period = 3
device.angle = 0.1
device.grip = 0.5
colours.contact = "#0000ff"

[contact]
pairs = "listed"
count = "published"
stiffness = 2e4
damping = 0.2
limit = 20
full_depth = 0.002
friction = 0.3
time = 0.3
budget = 500

[[contact.pair]]
first = "ground"
second = "pebble"
meet = false
shell = "pebble"
stiffness = 1e3
damping = 0.1
limit = 5
full_depth = 0.003
friction = 0.4

[[body.ground.shape]]
kind = "plane"
point = [0, -1, 0]
normal = [0, 2, 1]
size = 5

[body.gravel]
mesh.model = "sphere"
engine.kind = "rigid"
contact.domains = 2

[body.pebble]
engine.kind = "rigid"
engine.motion = "free"
contact.role = "both"
contact.solid = "winding"
contact.resolution = 64
contact.enlargement = 1.6
contact.points = 500
contact.points_from = "voxels"
contact.levels = 2
contact.offset = 0.001
contact.proxies = 12
contact.push_forward = true
contact.self = true
contact.states.loads = 30
contact.states.levels = 3
contact.states.resolution = 40
contact.states.tolerance = 0.05
contact.states.correct = false

[[body.pebble.shape]]
kind = "sphere"
radius = 0.3
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }

[[body.pebble.shape]]
kind = "box"
sides = [1, 2, 3]
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }

[[body.pebble.shape]]
kind = "capsule"
radius = 0.3
length = 0.5
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }

[[body.pebble.shape]]
kind = "cylinder"
radius = 0.3
length = 0.5
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }

[[body.pebble.shape]]
kind = "torus"
radius = 0.3
tube = 0.2
position = [1, 2, 3]
rotation = { axis = [0, 1, 0], degrees = 90 }
)",
      R"(handle.body = "pebble"
device.kind = "replay"
device.file = "path.csv"

[body.pebble]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.pebble.shape]]
kind = "sphere"
radius = 0.3
)",
      R"(handle.body = "pebble"
device.kind = "haply"
device.scale = 2
device.force = 3
device.patience = 0.004
device.guard = false
device.host = "127.0.0.2"
device.port = 10002
device.preset = "arm_front"
device.force_gate = 0.5
device.damping = 0.25
device.torque_scaling = true
device.gravity_compensation = false

[body.pebble]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.pebble.shape]]
kind = "sphere"
radius = 0.3
)",
      R"(handle.body = "pebble"
device.kind = "spacemouse"
device.socket = "/run/spnav.sock"
device.speed = 0.3
device.turning = 2
device.dead_zone = 0.1

[body.pebble]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.pebble.shape]]
kind = "sphere"
radius = 0.3
)",
      R"([handle]
body = "pebble"

[[handle.fingers]]
body = "grain"
closing = [0, 0, 0.1]

[device]
kind = "network"
scale = 2
force = 3
patience = 0.004
guard = false
host = "0.0.0.0"
port = 41500
torque = 0.25
stiffness = 1500
gripper = 2

[body.pebble]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.pebble.shape]]
kind = "sphere"
radius = 0.3

[body.grain]
engine.kind = "rigid"
engine.motion = "free"

[[body.grain.shape]]
kind = "sphere"
radius = 0.2
)",
      R"([body.pad]
mesh.model = "cube"
engine.kind = "green_surface"
engine.method = "galerkin"
engine.grip = "stick"
engine.contacts = 100
engine.linearity.beyond = "blocked"
engine.linearity.strain = 0.2
engine.image.centre = [0, 0.05, 0]
engine.image.normal = [1, 0, 0]
engine.image.up = [0, 1, 0]
engine.image.width = 0.08
engine.image.height = 0.07
engine.image.columns = 3
engine.image.rows = 4

[body.kernel]
mesh.model = "cube"
engine.kind = "green_surface"
engine.contact = "kernel"
engine.layer = 0.002

[body.large]
mesh.model = "cube"
engine.kind = "green_surface"
engine.method = "compressed"
engine.touched.from = [-0.04, 0.049, -0.04]
engine.touched.to = [0.04, 0.051, 0.04]

[body.hose]
mesh.tube.length = 2
mesh.tube.outer_diameter = 0.2
mesh.tube.inner_diameter = 0.1
mesh.tube.control_width = 0.3
mesh.tube.curvature = 0.5
mesh.tube.join_ends = false
mesh.tube.density = 1100
mesh.tube.young = 2e6
mesh.tube.poisson = 0.4
mesh.tube.axial = 10
mesh.tube.azimuthal = 8
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 5
engine.linearity.beyond = "blocked"
engine.linearity.strain = 0.2
engine.linearity.stretch = 0.5
engine.linearity.angle = 40

[[body.hose.control]]
name = "near"
state = "held"
kind = "box"
from = [-1, -1, -1]
to = [0.1, 1, 1]

[[body.hose.control]]
name = "far"
start.translation = [0.1, 0.2, 0.3]
start.rotation = { axis = [0, 1, 0], degrees = 10 }
start.scale = [1, 2, 3]
kind = "plane"
point = [1.9, 0, 0]
normal = [-1, 0, 0]

[[body.hose.control]]
name = "ball"
kind = "sphere"
centre = [1, 0, 0]
radius = 0.2

[[body.hose.control]]
name = "some"
kind = "nodes"
nodes = [3, 1, 4]

[[body.hose.control]]
name = "listed"
kind = "nodes"
file = "ring.bou"

[[body.hose.control]]
name = "named"
kind = "group"
group = "control_1"
)",
      R"([body.beam]
mesh.model = "cantilever"
engine.kind = "vademecum"
engine.load = 100
engine.levels = 4
engine.direction = [0, -1, 0]
engine.shapes = 12
engine.terms = 80
engine.tolerance = 0.02
engine.between = "nearest"
engine.correction.use = "always"
engine.correction.iterations = 2

[body.bar]
mesh.model = "cantilever"
engine.kind = "vademecum"
engine.load = 10
engine.directions = [[0, -1, 0], [1, 0, 0.5]]

[[body.beam.accessible]]
kind = "box"
from = [-1, -1, -1]
to = [0.1, 1, 1]

[[body.beam.accessible]]
kind = "plane"
point = [0.1, 0, 0]
normal = [-1, 0, 0]

[[body.beam.accessible]]
kind = "sphere"
centre = [0.4, 0, 0]
radius = 0.1

[[body.beam.accessible]]
kind = "nodes"
nodes = [3, 1, 4]

[[body.beam.accessible]]
kind = "nodes"
file = "ring.bou"

[[body.beam.accessible]]
kind = "group"
group = "tip"
)"};
  return scenes;
}

// The folder with the files that the samples name.
inline void write_sample_files(const TemporaryFolder& folder) {
  std::ofstream(folder / "base.toml") << "[material.spare]\ndensity = 1\nyoung = 1\npoisson = 0\n";
  for (const char* name :
       {"sketch.csv", "block.obj", "ring.veg", "skin.obj", "ring.bou", "path.csv"}) {
    std::ofstream(folder / name) << "\n";
  }
}

}  // namespace pliant::test
