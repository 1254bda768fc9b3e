// SPDX-License-Identifier: MIT
#include "pliant/asset/world_specs.hpp"

namespace pliant {

using table::Reader;
using table::Table;
using table::Value;

const Table<Pose>& pose_table() {
  static const Table<Pose> all = [] {
    Table<Pose> t("Where the body stands: its mesh is turned about its origin, then moved.");
    t.key({.name = "position", .unit = "m", .description = "Where the mesh's origin goes."},
          &Pose::position);
    t.key({.name = "rotation", .description = "How it is turned."}, &Pose::rotation);
    return t;
  }();
  return all;
}

const Table<WindSpec>& wind_table() {
  static const Table<WindSpec> all = [] {
    Table<WindSpec> t("Wind on the surfaces of all bodies.");
    t.key(
        {.name = "velocity", .unit = "m/s", .required = true, .description = "Where and how fast."},
        &WindSpec::velocity);
    t.key({.name = "drag", .least = 0, .description = "Coefficient of the pressure on a surface."},
          &WindSpec::drag);
    t.key({.name = "gust",
           .least = 0,
           .most = 10,
           .description = "How much the velocity swings, as a part of it."},
          &WindSpec::gust);
    t.key({.name = "gust_period",
           .unit = "s",
           .least = 0,
           .above = true,
           .description = "Time from gust to gust."},
          &WindSpec::gust_period);
    return t;
  }();
  return all;
}

namespace {

const table::Words<HandleSpec::Coupling>& coupling_words() {
  using enum HandleSpec::Coupling;
  static const table::Words<HandleSpec::Coupling> words{
      {"none", none}, {"static", quasistatic}, {"coupled", coupled}, {"dynamic", dynamic}};
  return words;
}

const table::Words<HandleSpec::Saturation>& saturation_words() {
  using enum HandleSpec::Saturation;
  static const table::Words<HandleSpec::Saturation> words{{"exponential", exponential},
                                                          {"cubic", cubic}};
  return words;
}

const Table<FingerSpec>& finger_table() {
  static const Table<FingerSpec> all = [] {
    Table<FingerSpec> t(
        "Another body of the hand: it keeps its place in the hand as far as what it touches lets "
        "it, and the hand feels it too.");
    t.key({.name = "body",
           .type = KeyType::name,
           .required = true,
           .description = "The name of its [body.NAME]: free."},
          &FingerSpec::body);
    t.key({.name = "closing",
           .unit = "m",
           .description = "Where it goes from its place until the gripper is closed."},
          &FingerSpec::closing);
    return t;
  }();
  return all;
}

}  // namespace

const Table<HandleSpec>& handle_table() {
  static const Table<HandleSpec> all = [] {
    Table<HandleSpec> t("The hand that holds a body, by a spring.");
    t.key({.name = "body",
           .type = KeyType::name,
           .required = true,
           .description = "The name of the [body.NAME] that it moves: rigid and kinematic; or free "
                          "or soft, whose own mass and softness are then felt."},
          &HandleSpec::body);
    t.key({.name = "grasp",
           .unit = "m",
           .default_text = "the middle of the body",
           .description = "Where the body is held, in the coordinates of its mesh."},
          &HandleSpec::grasp);
    t.option(
        {.name = "coupling",
         .description = "`static`: the body is where spring and contact balance; `coupled`: the "
                        "same, solved together with how the held reduced bodies that it touches "
                        "deform; `dynamic`: it has a mass; `none`: it goes where the hand goes, "
                        "through everything."},
        coupling_words(), &HandleSpec::coupling);
    t.key({.name = "stiffness",
           .unit = "N/m",
           .least = 0,
           .above = true,
           .default_text = "reaches `most_force` at a fifth of the body's size",
           .description = "Of the spring; the hand never feels more than it."},
          &HandleSpec::stiffness);
    t.key({.name = "torque_stiffness",
           .unit = "N m",
           .least = 0,
           .above = true,
           .default_text = "reaches `most_torque` at 40 degrees",
           .description = "The torque is this times the sine of half the angle between hand and "
                          "body: for small angles a stiffness of half of it."},
          &HandleSpec::torque_stiffness);
    t.key({.name = "most_force",
           .unit = "N",
           .least = 0,
           .above = true,
           .default_text = "what presses its contacts a hundredth of its size deep",
           .description = "The spring pulls the body no harder: how deep it can be pressed into "
                          "others."},
          &HandleSpec::most_force);
    t.key({.name = "most_torque",
           .unit = "N m",
           .least = 0,
           .above = true,
           .default_text = "`most_force` at a quarter of the body's size",
           .description = "The spring turns the body no harder."},
          &HandleSpec::most_torque);
    t.option({.name = "saturation", .description = "How the spring bends towards its limits."},
             saturation_words(), &HandleSpec::saturation);
    t.key({.name = "damping",
           .least = 0,
           .most = 0.99,
           .description = "Part of each step of a static coupling that is left out: calms it, and "
                          "drags in free space."},
          &HandleSpec::damping);
    t.key({.name = "speed",
           .unit = "m/s",
           .least = 0,
           .above = true,
           .default_text = "four of its sizes a second",
           .description = "The body is moved no faster, however fast the hand is."},
          &HandleSpec::speed);
    t.key({.name = "turning",
           .unit = "rad/s",
           .least = 0,
           .above = true,
           .description = "The body is turned no faster."},
          &HandleSpec::turning);
    t.key({.name = "device_force",
           .unit = "N",
           .least = 0,
           .above = true,
           .default_text = "four times `most_force`",
           .description = "The hand is given no more: the limit of a device."},
          &HandleSpec::device_force);
    t.key({.name = "device_torque",
           .unit = "N m",
           .least = 0,
           .above = true,
           .default_text = "four times `most_torque`",
           .description = "The hand is given no more: the limit of a device."},
          &HandleSpec::device_torque);
    t.tables({.name = "fingers",
              .description = "Further bodies of the hand, each on a spring of its own."},
             &HandleSpec::fingers, finger_table());
    return t;
  }();
  return all;
}

namespace {

// The keys of the rule that a hand moves by.
template <class T>
void add_motion(Table<T>& t) {
  const auto number = [&](const Key& key, double HandRule::*member) {
    const KeyInfo info = info_of(key);
    t.add({info,
           [info, member](const Value& v, T& out, Reader& r) {
             out.motion.*member = table::Codec<double>::read(v, info, r);
           },
           [member](const T& out) { return table::Codec<double>::write(out.motion.*member); }});
  };
  using Kind = HandRule::Kind;
  t.option(
      {.name = "motion",
       .description = "`poke`: to and fro along the direction; `circle`: about it; `sweep`: there "
                      "and back with even speed; `shake`: along all axes."},
      table::Words<Kind>{{"poke", Kind::poke},
                         {"circle", Kind::circle},
                         {"sweep", Kind::sweep},
                         {"shake", Kind::shake}},
      [](const T& out) { return std::optional<Kind>(out.motion.kind); },
      [](T& out, Kind kind) { out.motion.kind = kind; });
  const KeyInfo direction{.name = "direction",
                          .type = table::Codec<Vector3d>::type,
                          .description = "Where to, or the axis of a circle."};
  t.add({direction,
         [direction](const Value& v, T& out, Reader& r) {
           out.motion.direction = table::Codec<Vector3d>::read(v, direction, r);
         },
         [](const T& out) { return table::Codec<Vector3d>::write(out.motion.direction); }});
  number({.name = "size", .unit = "m", .least = 0, .description = "How far, or the radius."},
         &HandRule::size);
  number({.name = "period",
          .unit = "s",
          .least = 0,
          .above = true,
          .description = "Time until the motion repeats."},
         &HandRule::period);
  number({.name = "angle",
          .unit = "rad",
          .least = 0,
          .most = 3,
          .description = "The hand turns to and fro about the direction by as much."},
         &HandRule::angle);
  number({.name = "grip",
          .least = 0,
          .most = 1,
          .description = "The gripper closes by as much in half of the period, and opens again."},
         &HandRule::grip);
  t.check([](const Value& v, T& out, Reader& r) {
    if (out.motion.direction.stableNorm() > 0) return;
    const Reader::Step step(r, "direction");
    r.fail(source_of(v, "direction"), "wrong value", "[0, 0, 0]", "a direction");
  });
}

Table<ScriptDevice> script_table() {
  Table<ScriptDevice> t("A motion by a rule, whatever the hand feels.");
  add_motion(t);
  return t;
}

Table<OperatorDeviceSpec> operator_table() {
  Table<OperatorDeviceSpec> t(
      "A simulated hand on a device: an arm that means to follow a rule and yields to what it "
      "feels.");
  add_motion(t);
  const auto number = [&]<class V>(const Key& key, V OperatorSpec::*member) {
    KeyInfo info = info_of(key);
    info.type = table::Codec<V>::type;
    t.add({info,
           [info, member](const Value& v, OperatorDeviceSpec& out, Reader& r) {
             out.hand.*member = table::Codec<V>::read(v, info, r);
           },
           [member](const OperatorDeviceSpec& out) {
             return table::Codec<V>::write(out.hand.*member);
           }});
  };
  number({.name = "mass",
          .unit = "kg",
          .least = 0,
          .above = true,
          .description = "Of arm and device."},
         &OperatorSpec::mass);
  number({.name = "inertia",
          .unit = "kg m^2",
          .least = 0,
          .above = true,
          .description = "Of arm and device, about every axis."},
         &OperatorSpec::inertia);
  number({.name = "device_damping",
          .unit = "N s/m",
          .least = 0,
          .above = true,
          .description = "Of the device itself."},
         &OperatorSpec::damping);
  number({.name = "grip_stiffness", .unit = "N/m", .least = 0, .description = "Of the grip."},
         &OperatorSpec::grip_stiffness);
  number({.name = "grip_damping", .unit = "N s/m", .least = 0, .description = "Of the grip."},
         &OperatorSpec::grip_damping);
  number({.name = "tremor", .unit = "m", .least = 0, .description = "Of the hand: how far."},
         &OperatorSpec::tremor);
  number({.name = "tremor_rate", .unit = "Hz", .least = 0, .description = "How often."},
         &OperatorSpec::tremor_rate);
  number({.name = "encoder",
          .unit = "m",
          .least = 0,
          .description = "Steps in which the device senses places; 0: none."},
         &OperatorSpec::encoder);
  number({.name = "turning_encoder",
          .unit = "rad",
          .least = 0,
          .description = "Steps in which it senses angles; 0: none."},
         &OperatorSpec::turning_encoder);
  number({.name = "delay",
          .least = 0,
          .most = OperatorHand::most_delay,
          .description = "Cycles until a force that was sent acts."},
         &OperatorSpec::delay);
  number({.name = "force",
          .unit = "N",
          .least = 0,
          .above = true,
          .description = "The largest that the device gives."},
         &OperatorSpec::most_force);
  number({.name = "torque",
          .unit = "N m",
          .least = 0,
          .above = true,
          .description = "The largest that the device gives."},
         &OperatorSpec::most_torque);
  t.key({.name = "guard",
         .description = "Whether energy that the simulation would add is held back: "
                        "haptics/passivity_guard.hpp."},
        &OperatorDeviceSpec::guard);
  return t;
}

}  // namespace

const Table<DeviceSpec>& device_table() {
  static const Table<DeviceSpec> all = [] {
    Table<DeviceSpec> t("Where the motion of the handle comes from.");
    t.alternative("none", Table<NoDevice>("The handle rests."));
    t.alternative("viewer", Table<ViewerDevice>("The pointer in the browser."));
    t.alternative("script", script_table());
    t.alternative("operator", operator_table());
    t.alternative("replay", replay_table());
    t.alternative("haply", haply_table());
    t.alternative("spacemouse", space_mouse_table());
    t.alternative("network", network_table());
    return t;
  }();
  return all;
}

const Table<CameraSpec>& camera_table() {
  static const Table<CameraSpec> all = [] {
    Table<CameraSpec> t("From where the scene is looked at first.");
    t.key({.name = "position",
           .unit = "m",
           .default_text = "what shows all bodies",
           .description = "Where the eye is."},
          &CameraSpec::position);
    t.key({.name = "target",
           .unit = "m",
           .default_text = "the middle of all bodies",
           .description = "What it looks at."},
          &CameraSpec::target);
    t.key({.name = "up", .description = "What is up in the picture."}, &CameraSpec::up);
    t.key({.name = "field_of_view",
           .unit = "deg",
           .least = 1,
           .most = 170,
           .description = "Angle from the lower to the upper edge of the picture."},
          &CameraSpec::field_of_view);
    t.check([](const Value& v, CameraSpec& camera, Reader& r) {
      if (!(camera.up.stableNorm() > 0)) {
        const Reader::Step step(r, "up");
        r.fail(source_of(v, "up"), "wrong value", "[0, 0, 0]", "a direction");
      }
      if (camera.position && camera.target && *camera.position == *camera.target) {
        const Reader::Step step(r, "target");
        r.fail(source_of(v, "target"), "the camera looks at its own position");
      }
    });
    return t;
  }();
  return all;
}

const Table<ColourSpec>& colour_table() {
  static const Table<ColourSpec> all = [] {
    Table<ColourSpec> t("Colours of the picture.");
    t.key({.name = "background", .description = "Behind everything."}, &ColourSpec::background);
    t.key({.name = "force", .description = "Of arrows of force."}, &ColourSpec::force);
    t.key({.name = "contact", .description = "Of contacts and their forces."},
          &ColourSpec::contact);
    t.key({.name = "fixed", .description = "Of held nodes."}, &ColourSpec::fixed);
    return t;
  }();
  return all;
}

}  // namespace pliant
