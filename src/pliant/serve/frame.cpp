// SPDX-License-Identifier: MIT
#include "pliant/serve/frame.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace pliant::serve {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are written as they are");

constexpr float largest_quantum = 32767;

// Writes into storage that is large enough.
class Cursor {
 public:
  explicit Cursor(char* at) : at_(at) {}
  template <class T>
  void put(T value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }

 private:
  char* at_;
};

class Sections {
 public:
  explicit Sections(std::string& out) : out_(out) {}

  template <class T>
  void put(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void put(const T* values, Index count) {
    out_.append(reinterpret_cast<const char*>(values), sizeof(T) * static_cast<std::size_t>(count));
  }
  void put(const Vector3d& v) {
    for (const double x : v) put(static_cast<float>(x));
  }
  void put(const Pose& pose) {
    put(pose.position);
    const Eigen::Quaterniond& q = pose.rotation;
    for (const double x : {q.w(), q.x(), q.y(), q.z()}) put(static_cast<float>(x));
  }
  void put(const BodyState& body) {
    put(body.pose);
    put(static_cast<float>(body.energy.kinetic));
    put(static_cast<float>(body.energy.elastic));
  }

  void begin(FrameTag tag) {
    put(static_cast<std::uint16_t>(tag));
    put(std::uint16_t{0});
    start_ = out_.size();
    put(std::uint32_t{0});
  }
  void end() {
    const std::size_t data = start_ + sizeof(std::uint32_t);
    const auto length = static_cast<std::uint32_t>(out_.size() - data);
    std::memcpy(out_.data() + start_, &length, sizeof length);
    out_.append((4 - length % 4) % 4, '\0');
  }

 private:
  std::string& out_;
  std::size_t start_ = 0;
};

void put_body(Sections& out, std::size_t index, const BodyState& body) {
  const Index n = std::min<Index>(body.c.size(), body.settings.active);
  out.begin(FrameTag::body);
  out.put(static_cast<std::uint16_t>(index));
  out.put(static_cast<std::uint16_t>(n));
  out.put(body);
  out.put(body.c.data(), n);
  out.end();
}

void put_dense_body(Sections& out, std::size_t index, const BodyState& body,
                    const PointSet& points) {
  Motion motion;
  motion.c = body.c;
  Matrix3Xf u(3, points.point_count());
  points.frame_positions(motion, u);
  for (Index p = 0; p < u.cols(); ++p) u.col(p) -= points.rest_position(p);
  const float largest = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0.0F;
  const float quantum = std::isfinite(largest) ? largest / largest_quantum : 0.0F;
  const float scale = quantum > 0 ? 1 / quantum : 0.0F;
  out.begin(FrameTag::dense);
  out.put(static_cast<std::uint16_t>(index));
  out.put(std::uint16_t{0});
  out.put(static_cast<std::uint32_t>(u.cols()));
  out.put(body);
  out.put(quantum);
  for (Index i = 0; i < u.size(); ++i) {
    const float value = std::clamp(u.data()[i] * scale, -largest_quantum, largest_quantum);
    out.put(static_cast<std::int16_t>(std::lround(std::isfinite(value) ? value : 0.0F)));
  }
  out.end();
}

void put_pulls(Sections& out, const WorldState& state) {
  const auto held = [](const PullState& pull) { return pull.kind != PullState::Kind::none; };
  if (std::none_of(state.pulls.begin(), state.pulls.end(), held)) return;
  out.begin(FrameTag::pulls);
  for (std::size_t slot = 0; slot < state.pulls.size(); ++slot) {
    const PullState& pull = state.pulls[slot];
    if (!held(pull)) continue;
    out.put(static_cast<std::uint16_t>(slot));
    out.put(static_cast<std::uint16_t>(pull.body));
    out.put(static_cast<std::uint32_t>(pull.point));
    out.put(pull.at);
    out.put(pull.kind == PullState::Kind::spring ? pull.target : pull.at);
    out.put(pull.force);
  }
  out.end();
  out.begin(FrameTag::springs);
  for (std::size_t slot = 0; slot < state.pulls.size(); ++slot) {
    const PullState& pull = state.pulls[slot];
    if (pull.kind != PullState::Kind::spring) continue;
    out.put(static_cast<std::uint16_t>(slot));
    out.put(std::uint16_t{0});
    out.put(static_cast<float>(pull.stiffness));
    out.put(static_cast<float>(pull.wanted));
  }
  out.end();
}

void put_contacts(Sections& out, const WorldState& state) {
  if (state.contacts.empty()) return;
  out.begin(FrameTag::contacts);
  for (const ContactState& contact : state.contacts) {
    out.put(static_cast<std::uint16_t>(contact.shell));
    out.put(static_cast<std::uint16_t>(contact.field));
    out.put(contact.place);
    out.put(contact.normal);
    out.put(static_cast<float>(contact.force.dot(contact.normal)));
  }
  out.end();
}

// What the contacts of the last step took.
void put_meeting(Sections& out, const ContactCounters& counters) {
  if (counters.pairs == 0 && counters.contacts == 0) return;
  out.begin(FrameTag::meeting);
  for (const std::int32_t count : {counters.pairs, counters.visited, counters.asleep,
                                   counters.contacts, counters.levels_left_out, counters.budget}) {
    out.put(static_cast<std::uint32_t>(count));
  }
  out.put(static_cast<float>(counters.deepest));
  out.end();
}

// What is true of the hand besides.
enum HandFlags : std::uint32_t { limited = 1, slowed = 2, saturated = 4, spring = 8 };

void put_hold(Sections& out, const WorldState& state) {
  const HoldState& hold = state.hold;
  if (hold.body < 0) return;
  const Pose& body = state.bodies[static_cast<std::size_t>(hold.body)].pose;
  const bool has_spring = hold.most_force > 0;
  const bool bent = hold.felt.on_object.head<3>().norm() > 0.5 * hold.most_force;
  out.begin(FrameTag::handle);
  out.put(hold.hand);
  out.put(body);
  out.put(Vector3d(hold.felt.on_hand.head<3>()));
  out.put(Vector3d(hold.felt.on_hand.tail<3>()));
  out.put((hold.felt.limited ? limited : 0U) | (hold.felt.slowed ? slowed : 0U) |
          (has_spring ? spring : 0U) | (has_spring && bent ? saturated : 0U));
  out.put(hold.hand.to_world(hold.grasp));
  out.put(body.to_world(hold.grasp));
  out.end();
}

// What is true of the device besides.
enum DeviceFlags : std::uint32_t { there = 1, guarded = 2, indexing = 4 };

void put_device(Sections& out, const DeviceState& device) {
  if (!device.attached) return;
  out.begin(FrameTag::device);
  out.put((device.there ? there : 0U) | (device.guarded ? guarded : 0U) |
          (device.indexing ? indexing : 0U));
  out.put(static_cast<std::uint32_t>(device.port));
  out.put(static_cast<std::uint32_t>(device.fault));
  out.put(static_cast<std::uint32_t>(device.faults));
  out.put(Vector3d(device.rendered.head<3>()));
  out.put(Vector3d(device.rendered.tail<3>()));
  out.put(device.buttons);
  out.put(static_cast<float>(device.gripper));
  out.put(static_cast<float>(device.scale));
  out.put(static_cast<float>(device.gripper_force));
  out.end();
}

void put_controls(Sections& out, const WorldState& state) {
  const auto has = [](const BodyState& body) { return !body.controls.empty(); };
  if (std::none_of(state.bodies.begin(), state.bodies.end(), has)) return;
  out.begin(FrameTag::controls);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const std::vector<ControlView>& controls = state.bodies[b].controls;
    for (std::size_t e = 0; e < controls.size(); ++e) {
      const ControlView& control = controls[e];
      out.put(static_cast<std::uint16_t>(b));
      out.put(static_cast<std::uint16_t>(e));
      out.put(static_cast<std::uint32_t>(control.driven ? 1 : 0));
      for (const double x : control.motion) out.put(static_cast<float>(x));
      out.put(control.centre);
      out.put(control.force);
      out.put(control.torque);
    }
  }
  out.end();
}

void put_images(Sections& out, const WorldState& state) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const PressureImage& image = state.bodies[b].image;
    if (image.taxels.size() == 0) continue;
    out.begin(FrameTag::pressure);
    out.put(static_cast<std::uint16_t>(b));
    out.put(static_cast<std::uint16_t>(image.columns));
    out.put(static_cast<std::uint16_t>(image.taxels.size() / image.columns));
    out.put(std::uint16_t{0});
    out.put(image.outside);
    out.put(image.taxels.data(), image.taxels.size());
    out.end();
  }
}

}  // namespace

void CycleHistogram::add(double us) {
  const double bin = std::floor(std::log(std::max(us / first, 1.0)) / std::log(double{ratio}));
  ++counts[std::min(static_cast<std::size_t>(bin), counts.size() - 1)];
}

FrameHead encode_head(std::uint32_t sequence, std::uint32_t epoch, const WorldState& state) {
  FrameHead head;
  Cursor out(head.data());
  out.put(frame_magic);
  out.put(frame_version);
  out.put(std::uint16_t{1});  // a state
  out.put(sequence);
  out.put(epoch);
  out.put(static_cast<std::uint64_t>(state.step));
  out.put(state.time);
  return head;
}

void encode_sections(const WorldState& state, const std::vector<const PointSet*>& dense,
                     const CycleHistogram* histogram, std::string& out) {
  out.clear();
  Sections sections(out);
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const BodyState& body = state.bodies[b];
    if (dense[b] != nullptr) {
      put_dense_body(sections, b, body, *dense[b]);
    } else {
      put_body(sections, b, body);
    }
  }
  put_pulls(sections, state);
  put_contacts(sections, state);
  put_meeting(sections, state.contact);
  put_hold(sections, state);
  put_device(sections, state.hold.device);
  put_controls(sections, state);
  put_images(sections, state);
  if (histogram == nullptr) return;
  sections.begin(FrameTag::histogram);
  sections.put(static_cast<std::uint32_t>(histogram->counts.size()));
  sections.put(histogram->first);
  sections.put(histogram->ratio);
  sections.put(histogram->counts.data(), static_cast<Index>(histogram->counts.size()));
  sections.end();
}

FrameCounters encode_counters(const CycleFigures& figures, std::uint32_t skipped) {
  FrameCounters counters;
  Cursor out(counters.data());
  out.put(static_cast<std::uint16_t>(FrameTag::counters));
  out.put(std::uint16_t{0});
  out.put(static_cast<std::uint32_t>(counters.size() - 8));
  for (const float x : {figures.p50, figures.p99, figures.max, figures.mean, figures.peak}) {
    out.put(x);
  }
  for (const std::uint32_t x : {figures.overruns, figures.status, skipped}) out.put(x);
  out.put(figures.fault_body);
  out.put(figures.fault);
  return counters;
}

}  // namespace pliant::serve
