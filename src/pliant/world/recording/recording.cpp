// SPDX-License-Identifier: MIT
#include "pliant/world/recording/recording.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/base/tensor_file.hpp"

namespace pliant {
namespace {

constexpr std::size_t most_csv_coefficients = 1000;
constexpr Index reserved_contacts = 32;  // a step, in the mean

bool is_csv(const std::filesystem::path& path) {
  return path.extension() == ".csv";
}

template <class T>
void append(std::vector<T>& all, const auto& values) {
  all.insert(all.end(), values.data(), values.data() + values.size());
}

// n rows.
template <class T>
void add_rows(TensorWriter& writer, const std::string& name, const std::vector<T>& values,
              std::int64_t n) {
  if (values.empty()) return;
  const auto columns = static_cast<std::int64_t>(values.size()) / n;
  writer.add(name, dtype_of<T>(), {n, columns}, values.data());
}

// Of what is recorded of a state.
bool is_finite(const WorldState& state) {
  for (const PullState& pull : state.pulls) {
    if (!pull.force.allFinite()) return false;
  }
  for (const BodyState& body : state.bodies) {
    if (!body.pose.position.allFinite() || !body.pose.rotation.coeffs().allFinite() ||
        !std::isfinite(body.energy.kinetic + body.energy.elastic) || !body.c.allFinite()) {
      return false;
    }
  }
  return true;
}

// Numbers of a body's pressure image.
Index pressures_of(const BodyState& body) {
  return body.image.taxels.size() > 0 ? body.image.taxels.size() + 1 : 0;
}

}  // namespace

Recording::Recording(std::filesystem::path path, std::vector<std::string> names)
    : path_(std::move(path)) {
  const std::string ending = path_.extension().string();
  if (ending != ".csv" && ending != ".pliant" && ending != ".safetensors") {
    throw Error({path_.string(), 0, ""}, "a recording of this kind is not known", ending,
                ".csv, .pliant or .safetensors");
  }
  for (std::string& name : names) bodies_.push_back({std::move(name), {}, {}, {}, {}, {}, {}});
}

void Recording::reserve(std::int64_t count, const WorldState& like) {
  // Written to once, so that the pages are there.
  const auto touch = [&](auto& values, Index each) {
    const auto kept = static_cast<Index>(values.size());
    values.resize(values.size() + static_cast<std::size_t>(count * each));
    values.resize(static_cast<std::size_t>(kept));
  };
  touch(times_, 1);
  touch(steps_, 1);
  touch(status_, 1);
  for (auto* of_hands : {&force_, &target_}) touch(*of_hands, 3 * WorldState::slots);
  for (auto* of_hands : {&kind_, &body_, &point_}) touch(*of_hands, WorldState::slots);
  touch(stiffness_, WorldState::slots);
  for (auto* vectors : {&gravity_, &wind_}) touch(*vectors, 3);
  touch(counters_, 6);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    touch(bodies_[b].position, 3);
    touch(bodies_[b].rotation, 4);
    touch(bodies_[b].energy, 2);
    touch(bodies_[b].contact, 6);
    touch(bodies_[b].c, like.bodies[b].c.size());
    touch(bodies_[b].pressure, pressures_of(like.bodies[b]));
  }
  if (like.hold.body >= 0) {
    touch(place_, 7);
    touch(felt_, 6);
    touch(rendered_, 6);
  }
  if (like.bodies.size() < 2) return;
  touch(contacts_.step, reserved_contacts);
  touch(contacts_.bodies, 2 * reserved_contacts);
  touch(contacts_.point, reserved_contacts);
  touch(contacts_.depth, reserved_contacts);
  for (auto* vectors : {&contacts_.place, &contacts_.normal, &contacts_.force}) {
    touch(*vectors, 3 * reserved_contacts);
  }
  most_contacts_ = contacts_.step.size() + static_cast<std::size_t>(count * reserved_contacts);
}

void Recording::add(const WorldState& state) {
  times_.push_back(state.time);
  steps_.push_back(state.step);
  StepStatus status = state.last_status;
  if (!is_finite(state)) status |= StepStatus::not_finite;  // a NaN never stands there in silence
  status_.push_back(static_cast<int>(status));
  for (const PullState& pull : state.pulls) {
    append(force_, pull.force);
    append(target_, pull.target);
    kind_.push_back(static_cast<int>(pull.kind));
    body_.push_back(pull.body);
    point_.push_back(pull.point);
    stiffness_.push_back(pull.stiffness);
  }
  append(gravity_, state.gravity);
  append(wind_, state.wind);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyState& body = state.bodies[b];
    append(bodies_[b].position, body.pose.position);
    const Eigen::Quaterniond& q = body.pose.rotation;
    append(bodies_[b].rotation, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
    append(bodies_[b].energy, Eigen::Vector2d(body.energy.kinetic, body.energy.elastic));
    append(bodies_[b].contact, body.contact_force);
    append(bodies_[b].contact, body.contact_torque);
    append(bodies_[b].c, body.c);
    if (pressures_of(body) == 0) continue;
    append(bodies_[b].pressure, body.image.taxels);
    bodies_[b].pressure.push_back(body.image.outside);
  }
  if (state.hold.body >= 0) {
    const Pose& hand = state.hold.hand;
    const Eigen::Quaterniond& q = hand.rotation;
    append(place_, hand.position);
    append(place_, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
    append(felt_, state.hold.felt.on_hand);
    append(rendered_, state.hold.device.rendered);
  }
  met_ = met_ || state.contact.contacts > 0;
  const ContactCounters& counters = state.contact;
  for (const std::int32_t number : {counters.pairs, counters.visited, counters.asleep,
                                    counters.contacts, counters.levels_left_out, counters.budget}) {
    counters_.push_back(number);
  }
  for (const ContactState& contact : state.contacts) {
    if (contacts_.step.size() == most_contacts_) break;
    contacts_.step.push_back(state.step);
    contacts_.bodies.push_back(contact.shell);
    contacts_.bodies.push_back(contact.field);
    contacts_.point.push_back(contact.point);
    append(contacts_.place, contact.place);
    append(contacts_.normal, contact.normal);
    append(contacts_.force, contact.force);
    contacts_.depth.push_back(contact.depth);
  }
}

void Recording::add_motion(TensorWriter& writer) const {
  const std::int64_t n = size();
  writer.set("format", "pliant recording");
  if (n == 0) return;
  const auto add = [&](const std::string& name, const auto& values) {
    add_rows(writer, name, values, n);
  };
  writer.add("time", Dtype::f64, {n}, times_.data());
  writer.add("step", Dtype::i64, {n}, steps_.data());
  writer.add("status", Dtype::i32, {n}, status_.data());
  add("force", force_);
  for (const Body& body : bodies_) {
    add(body.name + "/position", body.position);
    add(body.name + "/rotation", body.rotation);
    add(body.name + "/energy", body.energy);
    add(body.name + "/c", body.c);
    add(body.name + "/pressure", body.pressure);
  }
}

void Recording::add_loads(TensorWriter& writer) const {
  const std::int64_t n = size();
  add_rows(writer, "hand/kind", kind_, n);
  add_rows(writer, "hand/body", body_, n);
  add_rows(writer, "hand/point", point_, n);
  add_rows(writer, "hand/target", target_, n);
  add_rows(writer, "hand/stiffness", stiffness_, n);
  add_rows(writer, "gravity", gravity_, n);
  add_rows(writer, "wind", wind_, n);
}

void Recording::add_contacts(TensorWriter& writer) const {
  if (!met_) return;
  for (const Body& body : bodies_) add_rows(writer, body.name + "/contact", body.contact, size());
  add_rows(writer, "contact/counters", counters_, size());
  const auto m = static_cast<std::int64_t>(contacts_.step.size());
  if (m == 0) return;
  writer.add("contact/step", Dtype::i64, {m}, contacts_.step.data());
  add_rows(writer, "contact/bodies", contacts_.bodies, m);
  writer.add("contact/point", Dtype::i32, {m}, contacts_.point.data());
  add_rows(writer, "contact/place", contacts_.place, m);
  add_rows(writer, "contact/normal", contacts_.normal, m);
  add_rows(writer, "contact/force", contacts_.force, m);
  writer.add("contact/depth", Dtype::f64, {m}, contacts_.depth.data());
}

void Recording::add_handle(TensorWriter& writer) const {
  add_rows(writer, "handle/place", place_, size());
  add_rows(writer, "handle/felt", felt_, size());
  add_rows(writer, "handle/rendered", rendered_, size());
}

std::string Recording::csv() const {
  const auto n = static_cast<std::size_t>(size());
  std::string text = "time,step,status";
  for (int slot = 0; slot < WorldState::slots; ++slot) {
    text += fmt::format(",force{0}.x,force{0}.y,force{0}.z", slot);
  }
  struct Columns {
    const double* numbers = nullptr;
    const float* coefficients = nullptr;
    std::size_t count;
  };
  std::vector<Columns> columns;
  for (const Body& body : bodies_) {
    for (const char* word : {"x", "y", "z", "qw", "qx", "qy", "qz", "kinetic", "elastic"}) {
      text += fmt::format(",{}.{}", body.name, word);
    }
    // Not of dense bodies: nobody reads a million columns.
    std::size_t r = n > 0 ? body.c.size() / n : 0;
    if (r > most_csv_coefficients) r = 0;
    for (std::size_t i = 0; i < r; ++i) text += fmt::format(",{}.c{}", body.name, i);
    columns.push_back({body.position.data(), nullptr, 3});
    columns.push_back({body.rotation.data(), nullptr, 4});
    columns.push_back({body.energy.data(), nullptr, 2});
    columns.push_back({nullptr, body.c.data(), r});
    const std::size_t taxels = n > 0 ? body.pressure.size() / n : 0;
    if (taxels > 0 && taxels <= most_csv_coefficients) {
      for (std::size_t i = 0; i + 1 < taxels; ++i) text += fmt::format(",{}.taxel{}", body.name, i);
      text += fmt::format(",{}.beside_taxels", body.name);
      columns.push_back({nullptr, body.pressure.data(), taxels});
    }
    if (met_) {
      for (const char* word : {"fx", "fy", "fz", "tx", "ty", "tz"}) {
        text += fmt::format(",{}.contact.{}", body.name, word);
      }
      columns.push_back({body.contact.data(), nullptr, 6});
    }
  }
  if (!felt_.empty()) {
    for (const char* word :
         {"x", "y", "z", "qw", "qx", "qy", "qz", "fx", "fy", "fz", "tx", "ty", "tz"}) {
      text += fmt::format(",handle.{}", word);
    }
    columns.push_back({place_.data(), nullptr, 7});
    columns.push_back({felt_.data(), nullptr, 6});
  }
  text += "\n";
  for (std::size_t i = 0; i < n; ++i) {
    text += fmt::format("{},{},{}", times_[i], steps_[i], status_[i]);
    const std::size_t hands = 3 * WorldState::slots;
    for (std::size_t f = 0; f < hands; ++f) text += fmt::format(",{}", force_[i * hands + f]);
    for (const Columns& c : columns) {
      for (std::size_t k = 0; k < c.count; ++k) {
        text += c.numbers ? fmt::format(",{}", c.numbers[i * c.count + k])
                          : fmt::format(",{}", c.coefficients[i * c.count + k]);
      }
    }
    text += "\n";
  }
  return text;
}

void Recording::write() const {
  if (is_csv(path_)) {
    AtomicFile file(path_);
    file.write(csv());
    file.commit();
    return;
  }
  TensorWriter writer;
  add_motion(writer);
  add_loads(writer);
  add_contacts(writer);
  add_handle(writer);
  writer.write(path_);
}

std::uint64_t Recording::hash() const {
  TensorWriter writer;
  add_motion(writer);
  add_handle(writer);
  return writer.content_hash();
}

}  // namespace pliant
