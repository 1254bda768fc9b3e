// SPDX-License-Identifier: MIT
#include "pliant/asset/device_specs.hpp"

namespace pliant {
namespace {

using table::Json;
using table::Reader;
using table::Table;
using table::Value;

Table<DeviceMapping> mapping_table() {
  Table<DeviceMapping> t("");
  t.key({.name = "scale",
         .least = 0,
         .above = true,
         .description = "Metres of the scene to a metre of the device."},
        &DeviceMapping::scale);
  t.key({.name = "force",
         .unit = "N",
         .least = 0,
         .above = true,
         .description = "The largest that the device is given."},
        &DeviceMapping::most_force);
  t.key({.name = "patience",
         .unit = "s",
         .least = 0,
         .most = 0.1,
         .above = true,
         .description = "The force goes off, within 3 ms, when no sample has come for so long."},
        &DeviceMapping::patience);
  t.key({.name = "guard",
         .description = "Whether energy that the simulation would add is held back: "
                        "haptics/passivity_guard.hpp."},
        &DeviceMapping::guard);
  return t;
}

constexpr double largest_port = 65535;

}  // namespace

Table<ReplayDevice> replay_table() {
  Table<ReplayDevice> t("A recorded motion, whatever the hand feels.");
  const KeyInfo file{.name = "file",
                     .type = KeyType::file,
                     .required = true,
                     .description =
                         "Lines `time,x,y,z,qw,qx,qy,qz,buttons,gripper` (CSV), or a "
                         "recording of cycles (`pliant play --record`)."};
  t.add({file,
         [file](const Value& v, ReplayDevice& out, Reader& r) {
           const std::string* text = std::get_if<std::string>(&v.data);
           if (!text || text->empty() || text->find('\0') != text->npos) r.refuse(v, file);
           const std::string folder = v.source.file ? v.source.file->folder : "";
           out.file = folder.empty() || text->front() == '/' ? *text : folder + "/" + *text;
         },
         [](const ReplayDevice& out) {
           return Json(out.file.substr(out.file.find_last_of('/') + 1));
         }});
  return t;
}

Table<HaplyDevice> haply_table() {
  Table<HaplyDevice> t(
      "A Haply Inverse3, through its maker's service on this machine; docs/devices.md.");
  t.include(&HaplyDevice::mapping, mapping_table());
  t.key(
      {.name = "host", .description = "Where the service listens: an IP address, or `localhost`."},
      &HaplyDevice::host);
  t.key({.name = "port", .least = 1, .most = largest_port, .description = "Where it listens."},
        &HaplyDevice::port);
  t.key({.name = "preset", .description = "How the device stands: a name that the service knows."},
        &HaplyDevice::preset);
  t.key({.name = "force_gate",
         .least = 0,
         .most = 1,
         .default_text = "as the service has it",
         .description = "Gain of the service's gate of forces."},
        &HaplyDevice::force_gate);
  t.key({.name = "damping",
         .least = 0,
         .default_text = "as the service has it",
         .description = "Damping that the service adds."},
        &HaplyDevice::damping);
  t.key({.name = "torque_scaling",
         .default_text = "as the service has it",
         .description = "Whether the service lowers forces that its motors cannot hold."},
        &HaplyDevice::torque_scaling);
  t.key({.name = "gravity_compensation",
         .default_text = "as the service has it",
         .description = "Whether the service carries the weight of the arm."},
        &HaplyDevice::gravity_compensation);
  return t;
}

Table<SpaceMouseDevice> space_mouse_table() {
  Table<SpaceMouseDevice> t("A SpaceMouse, through spacenavd: it says how fast the hand goes.");
  t.key({.name = "socket", .description = "Where spacenavd listens."}, &SpaceMouseDevice::socket);
  t.key({.name = "speed",
         .unit = "m/s",
         .least = 0,
         .above = true,
         .description = "Of the hand, when the cap is pushed as far as it goes."},
        &SpaceMouseDevice::speed);
  t.key({.name = "turning",
         .unit = "rad/s",
         .least = 0,
         .above = true,
         .description = "Of the hand, when the cap is turned as far as it goes."},
        &SpaceMouseDevice::turning);
  t.key({.name = "dead_zone",
         .least = 0,
         .most = 0.9,
         .description = "Part of the way of the cap that counts as none."},
        &SpaceMouseDevice::dead_zone);
  return t;
}

Table<NetworkDevice> network_table() {
  Table<NetworkDevice> t(
      "Any other device: a bridge of fifty lines speaks its maker's language, and UDP to us; "
      "docs/devices.md.");
  t.include(&NetworkDevice::mapping, mapping_table());
  t.key({.name = "host", .description = "Our address, at which we listen."}, &NetworkDevice::host);
  t.key({.name = "port",
         .least = 0,
         .most = largest_port,
         .description = "UDP port at which we listen; 0: any that is free."},
        &NetworkDevice::port);
  t.key({.name = "torque",
         .unit = "N m",
         .least = 0,
         .description = "The largest that the device is given; 0: it renders none."},
        &NetworkDevice::most_torque);
  t.key({.name = "stiffness",
         .unit = "N/m",
         .least = 0,
         .above = true,
         .description = "That the device bears: what its guard begins with."},
        &NetworkDevice::stiffness);
  t.key({.name = "gripper",
         .unit = "N",
         .least = 0,
         .description = "The largest that its gripper is given; 0: it has none."},
        &NetworkDevice::most_gripper);
  return t;
}

}  // namespace pliant
