// SPDX-License-Identifier: MIT
// The devices of a scene that need more than this program: sockets, services, threads.
#pragma once

#include <memory>

#include "pliant/world/world.hpp"

namespace pliant::devices {

// Of a scene's [device]; null: it asks for none of these. Throws Error: an address that cannot be
// used, a key that cannot be had. A device that is not there yet is waited for while the world runs.
std::unique_ptr<Device> open_hardware(const DeviceSpec& spec, double dt);

// Joins it to the world's handle, if the scene asks for one.
void attach_hardware(World& world);
// Throws Error if the scene asks for one: for runs that do not keep time.
void refuse_hardware(const DeviceSpec& spec);

}  // namespace pliant::devices
