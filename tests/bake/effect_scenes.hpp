// SPDX-License-Identifier: MIT
// Small scenes that together use every key of the schema, each in a place where it counts. Behind a
// key's value stands another one, `key = value # other`, or `none`: the line left out. With `other
// !` the world is refused.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

namespace pliant::test {

inline const std::vector<std::string>& effect_scenes() {
  static const std::vector<std::string> scenes = {
      // The world, bodies that keep their shape, what is looked at.
      R"(units = "cm" # "mm"
include = ["stiff.toml"] # ["soft.toml"]
title = "One" # "Another"
description = "A sample." # none
rate = 500 # 250
duration = 2.5 # 3
gravity = [0, 0, -1.62] # [0, 1, 0]
wind.velocity = [1, 2, 3] # [3, 2, 1]
wind.drag = 0.5 # 0.6
wind.gust = 0.25 # 0
wind.gust_period = 3 # 4
handle.body = "tool" # "other"
device.kind = "viewer" # "none"
camera.position = [1, 2, 3] # none
camera.target = [0, 1, 0] # none
camera.up = [0, 0, 1] # none
camera.field_of_view = 55 # 56
colours.background = "#000000" # none
colours.force = "#00ff00" # none
colours.fixed = "#ff0000" # none
colours.contact = "#0000ff" # none
contact.pairs = "none"

[body.beam]
mesh.model = "cantilever"
mesh.parameters = { length = 40, height = 10, width = 10 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
mesh.scale = 2 # 1
meshing.kind = "voxels" # "tets"
meshing.resolution = 4 # 5
pose.position = [1, 2, 3] # none
pose.rotation = { axis = [0, 1, 0], degrees = 90 } # none
material = "included" # "spare"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
rate = 250 # none
colour = "#123456" # "#123457"

[material.spare]
kind = "isotropic"
density = 1000
young = 3e5
poisson = 0.3

[body.tool]
mesh.model = "cube" # "sphere"
mesh.parameters = { cells = 2 } # { cells = 3 }
engine.kind = "rigid"
engine.motion = "kinematic"

[body.other]
mesh.file = "block.obj" # "large.obj"
mesh.units = "mm" # "cm"
engine.kind = "rigid"
engine.motion = "kinematic" # "fixed"

[body.mended]
mesh.file = "turned.obj"
mesh.repair = true # false
engine.kind = "rigid"

[body.stone]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
engine.kind = "rigid"
engine.motion = "free"
engine.density = 500 # none
engine.damping = 0.1 # 0
engine.angular_damping = 0.2 # 0
engine.velocity = [1, 2, 3] # none
engine.angular_velocity = [3, 2, 1] # none

[[body.stone.instances]]
position = [1, 2, 3] # none
rotation = { axis = [0, 1, 0], degrees = 90 } # none

[body.weight]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
engine.kind = "rigid"
engine.motion = "free"
engine.mass = 3 # 4
)",
      // The reduced engine.
      R"(contact.pairs = "none"

[material.jelly]
kind = "isotropic"
density = 1000
young = 1e5
poisson = 0.3

[body.bent]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.basis = "derivatives" # "modes"
engine.k = 4 # 3
engine.r = 3 # 2
engine.amplitude = 0.02 # 0.3
engine.forces = "polynomial" # "cubature"
engine.precision = "double" # "single"
engine.damping.alpha = 0.1 # 0
engine.damping.beta = 0.001 # 0
engine.viscosity.phi = 10 # 20
engine.viscosity.psi = 25 # 35
engine.integrator.scheme = "newmark" # "quasi_static"
engine.integrator.beta = 0.3 # 0.35
engine.integrator.gamma = 0.6 # 0.7
engine.integrator.max_iterations = 4 # 1
engine.integrator.tolerance = 1e-9 # 0.9

[body.slow]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
engine.integrator.acceleration_limit = 0.01 # none

[body.few]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
engine.forces = "cubature"
engine.cubature.max_points = 2 # 3

[body.coarse]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
engine.forces = "cubature"
engine.cubature.tolerance = 0.5 # 0.001

[body.sketched]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.basis = "sketch"
engine.basis_file = "down.csv" # "aside.csv"
engine.k = 3

[body.automatic]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 2
engine.r = 12
engine.tolerance = 0.9 # 0.05

[body.flying]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
engine.coupling = "full" # "none"
)",
      // The full engine; materials.
      R"(rate = 200
contact.pairs = "none"

[material.soft]
kind = "lame"
law = "neo_hookean" # "stvk"
density = 1000 # 900
lambda = 2e4 # 3e4
mu = 1e4 # 2e4

[material.jelly]
kind = "isotropic"
density = 1000
young = 1e5 # 2e5
poisson = 0.3 # 0.2

[material.wood]
kind = "orthotropic"
density = 650
young = [1e5, 8e4, 5e4] # [1e5, 8e4, 6e4]
poisson = [0.3, 0.3, 0.02] # [0.2, 0.3, 0.02]
shear = [7e4, 2e4, 6e4] # [7e4, 3e4, 6e4]
axes = [0.7071, 0, 0.7071, 0] # none

[material.crystal]
kind = "anisotropic"
density = 2300
stiffness = [9e5, 3e5, 3e5, 0, 0, 0, 9e5, 3e5, 0, 0, 0, 9e5, 0, 0, 0, 3e5, 0, 0, 3e5, 0, 3e5] # [9e5, 3e5, 3e5, 0, 0, 0, 9e5, 3e5, 0, 0, 0, 9e5, 0, 0, 0, 2e5, 0, 0, 3e5, 0, 3e5]

[material.hose]
kind = "mooney_rivlin"
density = 1200
mu01 = 2e4 # 3e4
mu10 = 3e4 # 2e4
v1 = 4e5 # 5e5

[body.implicit]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "implicit"
engine.integrator.scheme = "newmark" # "backward_euler"
engine.integrator.solver = "pcg" # "direct"
engine.integrator.beta = 0.3 # 0.35
engine.integrator.gamma = 0.7 # 0.6
engine.integrator.max_iterations = 3 # 1
engine.integrator.tolerance = 1e-6 # 0.9
engine.damping.alpha = 1 # 0
engine.damping.beta = 0.01 # 0

[body.lame]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "soft"
engine.kind = "full"

[body.wooden]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "wood"
engine.kind = "full"

[body.crystal]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "crystal"
engine.kind = "full"

[body.hose]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "hose"
engine.kind = "full"

[body.own]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
law = "corotational" # "stvk"
engine.kind = "full"

[body.explicit]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"
engine.integrator.safety = 0.5 # 0.1

[body.consistent]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
engine.kind = "full"
engine.integrator.kind = "consistent"
engine.integrator.levels = 8 # 1 !
)",
      // Meshing, parts, what is held.
      R"(contact.pairs = "none"

[material.jelly]
kind = "isotropic"
density = 1000
young = 1e5
poisson = 0.3

[material.stiff]
kind = "isotropic"
density = 1000
young = 1e6
poisson = 0.3

[body.voxels]
mesh.file = "two.obj"
meshing.kind = "voxels"
meshing.resolution = 12
meshing.fill = false # true
meshing.keep_largest = true # false
meshing.enlargement = 1.3 # 1.2
meshing.split = "six" # "five"
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[body.tets]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "tets"
meshing.resolution = 12 # 10
meshing.graded = true # false
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[body.hexes]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "hexes"
meshing.resolution = 16 # 8
meshing.enlargement = 1.3 # 1.2
meshing.growth = 1 # 0
meshing.cells = "center_inside" # "touching"
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[body.even]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "hexes"
meshing.resolution = 16
meshing.coarsest = 0.01 # none
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[body.plate]
mesh.model = "composite_plate"
meshing.kind = "voxels"
meshing.resolution = 20
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.plate.region]]
name = "steel" # "rubber"
material = "stiff" # "jelly"

[[body.plate.fixed]]
kind = "group"
group = "rubber" # "steel"

[body.box]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.box.fixed]]
kind = "box"
from = [-1, -1, -1] # [-1, -0.06, -1]
to = [0, 1, 1] # [0.1, 1, 1]

[body.plane]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.plane.fixed]]
kind = "plane"
point = [0, 0, 0] # [0.1, 0, 0]
normal = [1, 0, 0] # [1, 2, 0]

[body.sphere]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.sphere.fixed]]
kind = "sphere"
centre = [-0.04, 0, 0] # [0.44, 0, 0]
radius = 0.1 # 0.15

[body.nodes]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.nodes.fixed]]
kind = "nodes"
nodes = [0, 1, 2] # [0, 1]

[body.dressed]
mesh.file = "tets.veg"
mesh.surface = "block.obj" # "turned.obj"
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"

[[body.dressed.fixed]]
kind = "nodes"
file = "three.bou" # "four.bou"
)",
      // Bodies that meet.
      R"([contact]
pairs = "all" # "listed"
count = "smooth" # "published"
stiffness = 2e3 # 3e3
damping = 0.2 # 0.3
limit = 3 # 4
full_depth = 0.01 # 0.02
friction = 0.3 # 0.1
time = 0.5 # 0.001
budget = 2000 # 40

[[contact.pair]]
first = "ground" # "block"
second = "brick" # "block"
meet = true # false
stiffness = 1e3 # 2e3
damping = 0.1 # 0.2
limit = 2 # 3
full_depth = 0.005 # 0.01
friction = 0.5 # 0.2

[[contact.pair]]
first = "brick"
second = "pebble"
shell = "pebble" # "both"

[material.jelly]
kind = "isotropic"
density = 1000
young = 1e5
poisson = 0.3

[[body.ground.shape]]
kind = "plane"
point = [0, 0.001, 0] # [0, 0.002, 0]
normal = [0, 1, 0] # [0.01, 1, 0]
size = 3 # 4

[body.pebble]
pose.position = [1.15, 0.05, 0]
engine.kind = "rigid"
engine.motion = "free"
contact.role = "both" # "none"
contact.resolution = 24 # 32
contact.enlargement = 1.6 # 1.7
contact.points = 200 # 300
contact.levels = 2 # 1
contact.offset = 0.001 # 0

[[body.pebble.shape]]
kind = "sphere"
radius = 0.06 # 0.07
position = [0, 0.001, 0] # none
rotation = { axis = [0, 1, 0], degrees = 30 } # none

[body.brick]
pose.position = [1, 0.05, 0]
engine.kind = "rigid"
engine.motion = "free"
contact.resolution = 24
contact.points = 200

[[body.brick.shape]]
kind = "box"
sides = [0.2, 0.11, 0.2] # [0.2, 0.12, 0.2]
position = [0, 0.001, 0] # none
rotation = { axis = [0, 1, 0], degrees = 30 } # none

[body.rod]
contact.role = "field"

[[body.rod.shape]]
kind = "capsule"
radius = 0.05 # 0.06
length = 0.1 # 0.2
position = [3, 1, 0] # none
rotation = { axis = [1, 0, 0], degrees = 30 } # none

[[body.rod.shape]]
kind = "cylinder"
radius = 0.05 # 0.06
length = 0.1 # 0.2
position = [3, 1, 0] # none
rotation = { axis = [1, 0, 0], degrees = 30 } # none

[[body.rod.shape]]
kind = "torus"
radius = 0.05 # 0.06
tube = 0.01 # 0.02
position = [3, 1, 0] # none
rotation = { axis = [1, 0, 0], degrees = 30 } # none

[body.block]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "voxels"
meshing.resolution = 4
pose.position = [5, 0, 0]
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
contact.solid = "closed" # "soup"
contact.resolution = 24
contact.points = 200
contact.proxies = 12 # 14

[body.clay]
mesh.model = "cube"
mesh.parameters = { cells = 2 }
meshing.kind = "voxels"
meshing.resolution = 3
pose.position = [7, 0.05, 0]
material = "jelly"
engine.kind = "full"
engine.integrator.kind = "explicit"
contact.method = "constraint" # "penalty"
contact.resolution = 24
contact.points = 100
)",
      // A body that meets nobody but itself.
      R"([material.jelly]
kind = "isotropic"
density = 1000
young = 1e5
poisson = 0.3

[body.worm]
mesh.model = "cantilever"
mesh.parameters = { height = 0.1, width = 0.1 }
fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]
meshing.kind = "voxels"
meshing.resolution = 4
material = "jelly"
engine.kind = "reduced"
engine.k = 3
engine.r = 3
contact.resolution = 24
contact.points = 100
contact.proxies = 12
contact.self = true # false
)",
      // The Green's-function engine.
      R"(contact.pairs = "none"

[body.hose]
mesh.tube.length = 0.4 # 0.5
mesh.tube.outer_diameter = 0.1 # 0.11
mesh.tube.inner_diameter = 0.06 # 0.05
mesh.tube.control_width = 0.1 # 0.06
mesh.tube.curvature = 0 # 0.5
mesh.tube.density = 1100 # 1000
mesh.tube.young = 2e6 # 3e6
mesh.tube.poisson = 0.4 # 0.3
mesh.tube.axial = 8 # 9
mesh.tube.azimuthal = 6 # 7
mesh.tube.radial = 1 # 2
engine.kind = "green"
engine.touch = 2 # 3
engine.linearity.beyond = "blocked"
engine.linearity.strain = 1 # 1e-6 !
engine.linearity.stretch = 1 # 1e-6 !
engine.linearity.angle = 90 # 1 !

[[body.hose.control]]
name = "near" # "close"
state = "held" # "free"
kind = "group"
group = "control_0"

[[body.hose.control]]
name = "far"
start.translation = [0.01, 0, 0] # none
start.rotation = { axis = [0, 1, 0], degrees = 10 } # none
start.scale = [1, 1.1, 1.1] # none
kind = "group"
group = "control_1"

[body.ring]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.04
mesh.tube.inner_diameter = 0.02
mesh.tube.curvature = 15.707963
mesh.tube.join_ends = false # true
mesh.tube.axial = 12
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"

[body.stuck]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1
engine.linearity.beyond = "blocked" # "warned"
engine.linearity.strain = 1e-6

[body.boxed]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.boxed.control]]
name = "end"
kind = "box"
from = [-1, -1, -1] # [-1, -0.01, -1]
to = [0.06, 1, 1] # [0.12, 1, 1]

[body.cut]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.cut.control]]
name = "end"
kind = "plane"
point = [0.06, 0, 0] # [0.12, 0, 0]
normal = [1, 0, 0] # [1, 1, 0]

[body.round]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.round.control]]
name = "end"
kind = "sphere"
centre = [0, 0, 0] # [0.4, 0, 0]
radius = 0.08 # 0.12

[body.named]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.named.control]]
name = "end"
kind = "group"
group = "control_0" # "control_1"

[body.picked]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.picked.control]]
name = "end"
kind = "nodes"
nodes = [0, 1, 2, 13] # [0, 1, 2]

[body.listed]
mesh.tube.length = 0.4
mesh.tube.outer_diameter = 0.1
mesh.tube.inner_diameter = 0.06
mesh.tube.axial = 8
mesh.tube.azimuthal = 6
mesh.tube.radial = 1
engine.kind = "green"
engine.touch = 1

[[body.listed.control]]
name = "end"
kind = "nodes"
file = "three.bou" # "four.bou"
)",
      // A hand that pokes at the ground.
      R"(gravity = [0, 0, 0]

[contact]
stiffness = 2e3

[handle]
body = "tool"
grasp = [0, 0.02, 0] # none
coupling = "static" # "dynamic"
stiffness = 400 # 500
torque_stiffness = 3 # 4
most_force = 2 # 3
most_torque = 0.02 # 0.03
saturation = "exponential" # "cubic"
damping = 0.25 # 0.5
speed = 0.3 # 0.2
turning = 0.5 # 0.4
device_force = 1 # 2
device_torque = 0.01 # 0.02

[device]
kind = "script"
motion = "poke" # "sweep"
direction = [0.2, -1, 0] # [0, -1, 0]
size = 0.06 # 0.07
period = 0.2 # 0.15
angle = 0.5 # 0

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.075, 0]
engine.kind = "rigid"
engine.motion = "kinematic"
contact.resolution = 24
contact.points = 300

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)",
      // A simulated hand that presses on the ground.
      R"(gravity = [0, 0, 0]

[contact]
stiffness = 2e3

[handle]
body = "tool"
stiffness = 3000
most_force = 20
device_force = 20
device_torque = 1

[device]
kind = "operator"
motion = "poke" # "sweep"
direction = [0.2, -1, 0] # [0, -1, 0]
size = 0.06 # 0.07
period = 0.2 # 0.15
angle = 0.5 # 0
mass = 0.2 # 0.3
device_damping = 1 # 2
grip_stiffness = 1500 # 1000
grip_damping = 3 # 2
tremor = 0.0002 # 0
force = 0.4 # 0.6
torque = 0.001 # 0.002
guard = true # false

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.072, 0]
engine.kind = "rigid"
engine.motion = "kinematic"
contact.resolution = 24
contact.points = 300

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)",
      // A recorded motion.
      R"([handle]
body = "tool"

[device]
kind = "replay"
file = "right.csv" # "left.csv"

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.072, 0]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)",
      // Hardware: what viewers are told of it.
      R"([handle]
body = "tool"

[device]
kind = "haply"
scale = 2 # 3
force = 3 # 4
patience = 0.004 # none
guard = false # true
host = "127.0.0.2" # none
port = 10002 # none
preset = "arm_front" # none
force_gate = 0.5 # none
damping = 0.25 # none
torque_scaling = true # none
gravity_compensation = false # none

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.072, 0]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)",
      // The same of another.
      R"([handle]
body = "tool"

[device]
kind = "spacemouse"
socket = "/run/spnav.sock" # none
speed = 0.3 # none
turning = 2 # none
dead_zone = 0.1 # none

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.072, 0]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)",
      // And of a third.
      R"([handle]
body = "tool"

[device]
kind = "network"
scale = 2 # 3
force = 3 # 4
patience = 0.004 # none
guard = false # true
host = "0.0.0.0" # none
port = 41500 # none
torque = 0.25 # none
stiffness = 1500 # none

[[body.ground.shape]]
kind = "plane"

[body.tool]
pose.position = [0, 0.072, 0]
engine.kind = "rigid"
engine.motion = "kinematic"

[[body.tool.shape]]
kind = "box"
sides = [0.1, 0.1, 0.14]
)"};
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
