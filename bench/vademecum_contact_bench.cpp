// SPDX-License-Identifier: MIT
// Contact by distances of all states, [Gonzalez15] 4: one body's points in the field of another that
// deforms, from the choice of the state to the forces on both; and lookups alone, beside the dense
// array.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/scene_world.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/contact/contact_pair.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/gonzalez_scenes.hpp"
#include "verify/gonzalez_states.hpp"

namespace pliant::bench {
namespace {

// Two bodies of a scene, moved towards one another and about there as by a hand. The field's body goes
// through its answers meanwhile.
class Touching {
 public:
  // `along`: the way on which the shell's body comes, in the world.
  Touching(const std::string& scene, int shell, int field, const Vector3d& along)
      : world_(scene), along_(along) {
    const ContactData& contact = world_->data().contact;
    const auto model = [&](int body) -> const ContactModel& {
      return contact.models[static_cast<std::size_t>(world_->body(body).model)];
    };
    distance_ = &*model(field).field;
    states_.emplace(*deformed_field(*distance_));
    bent_.emplace(
        std::vector{DeformedField(std::get<DistanceField>(distance_->rest), *distance_->proxies)});
    pair_.emplace(*model(shell).shell, distance_->proxies->size());
    own_ = world_->body(shell).motion;
    other_ = world_->body(field).motion;
    begin_ = own_.pose.position;
    on_shell_ = Load(own_.c.size(), true);
    on_field_ = Load(other_.c.size(), true);
    shell_room_ = SpringRoom(own_.c.size());
    field_room_ = SpringRoom(other_.c.size());
  }

  // Until so many points touch, on average.
  void approach(int contacts, double near, double far) {
    for (int k = 0; k < 40; ++k) {
      depth_ = (near + far) / 2;
      int found = 0;
      constexpr int moments = 8;
      for (int moment = 0; moment < moments; ++moment) {
        place(125 * moment);
        pair_->forget();
        found += meet(*states_);
      }
      (found > contacts * moments ? far : near) = depth_;
    }
  }

  struct Figures {
    double mean = 0, worst = 0;  // us
    double contacts = 0, visited = 0;
  };
  Figures run(bool by_states, int cycles = 2000) {
    DomainField& field = by_states ? *states_ : *bent_;
    Figures out;
    pair_->forget();
    std::vector<double> times;
    for (int n = -50; n < cycles; ++n) {
      place(n);
      on_shell_.set_zero();
      on_field_.set_zero();
      const Timer timer;
      field.update(other_.c);
      const Meeting met = pair_->meet(penalty_, {}, {own_, on_shell_, shell_room_}, *distance_,
                                      &field, {other_, on_field_, field_room_}, {});
      const double us = 1e6 * timer.seconds();
      if (n < 0) continue;
      times.push_back(us);
      out.mean += us / cycles;
      out.contacts += static_cast<double>(met.sum.contacts) / cycles;
      out.visited += static_cast<double>(met.visited) / cycles;
    }
    std::sort(times.begin(), times.end());
    out.worst = times[times.size() * 99 / 100];
    return out;
  }
  Index points() const { return pair_->shell().points.point_count(); }

 private:
  void place(int cycle) {
    const double t = 1e-3 * cycle;
    own_.pose.position = begin_ + depth_ * along_ +
                         1e-3 * Vector3d(std::sin(7 * t), 0.5 * std::sin(9 * t), std::sin(11 * t));
    // Up and down a path, and a little beside it.
    const MatrixXf& c = distance_->states->coefficients();
    const float part = 0.3F + 0.02F * static_cast<float>(std::sin(6 * t));
    other_.c = part * c.col(c.cols() - 1) +
               0.02F * static_cast<float>(std::sin(5 * t)) * c.col(c.cols() / 2);
  }
  int meet(DomainField& field) {
    field.update(other_.c);
    on_shell_.set_zero();
    on_field_.set_zero();
    return pair_
        ->meet(penalty_, {}, {own_, on_shell_, shell_room_}, *distance_, &field,
               {other_, on_field_, field_room_}, {})
        .sum.contacts;
  }

  SceneWorld world_;
  Vector3d along_, begin_;
  const ContactField* distance_ = nullptr;
  std::optional<DomainField> states_, bent_;
  std::optional<ContactPair> pair_;
  Motion own_, other_;
  Load on_shell_, on_field_;
  SpringRoom shell_room_, field_room_;
  double depth_ = 0;
  PenaltySpec penalty_{.stiffness = 1000, .full_depth = 1e-3, .damping = 1e-3};
};

Result result_of(Touching& touching) {
  const Touching::Figures ours = touching.run(true), bent = touching.run(false);
  return {.value = ours.mean,
          .reference_value = bent.mean,
          .detail = fmt::format("{} points, {:.0f} touch, {:.0f} looked at; 99 % within {:.0f} us",
                                touching.points(), ours.contacts, ours.visited, ours.worst)};
}

Result beam() {
  Touching touching(gonzalez::block_scene(), 1, 0, Vector3d::UnitY());
  touching.approach(20, 0, 0.4);
  return result_of(touching);
}

Result bunny(int contacts) {
  static Touching touching(gonzalez::bunnies_scene("automatic", true), 1, 0, -Vector3d::UnitX());
  touching.approach(contacts, -0.05, 0.1);
  return result_of(touching);
}

// Eight places, at random in the prism, of one state.
Result lookup() {
  const gonzalez::Beam beam;
  const Vademecum v = bake_vademecum(beam.model, beam.constraints, beam.loads, {.shapes = 40});
  const gonzalez::States all(beam.model.mesh(), v, {.loads = 1000, .resolution = 60}, 1);
  const DenseDistance dense = all.dense();
  const gonzalez::DenseLookup exact(dense);
  Random random(4);
  constexpr Index places = 4096;
  Matrix3Xd x(3, places);
  for (Index k = 0; k < places; ++k) x.col(k) = all.place(random);
  std::vector<simd::Pack3> packs;
  for (Index k = 0; k < places; k += 8) packs.push_back(gonzalez::lanes_of(x, k));
  const int state = static_cast<int>(all.states.states()) / 2;
  const float* const slice = all.states.slice(state);
  const double ours = seconds([&] {
    simd::Pack<float> sum{};
    for (const simd::Pack3& p : packs) sum += all.states.values(slice, p);
    keep(&sum);
  });
  const double other = seconds([&] {
    float sum = 0;
    for (const simd::Pack3& p : packs) {
      for (int k = 0; k < 8; ++k) sum += exact(state, p, k);
    }
    keep(&sum);
  });
  const StateTrain& t = all.table.train;
  return {.value = 1e9 * ours / places,
          .reference_value = 1e9 * other / places,
          .detail = fmt::format("{} x {} x {} x {}, rank {}: {:.1f} MB, dense {:.1f} MB",
                                t.nodes[0], t.nodes[1], t.nodes[2], t.states(), t.G.rows(),
                                4e-6 * static_cast<double>(t.numbers()),
                                4e-6 * static_cast<double>(dense.values.size()))};
}

const Rows rows{{.name = "vademecum.field.lookup",
                 .unit = "ns",
                 .reference = "dense array, trilinear",
                 .run = lookup},
                {.name = "vademecum.contact.beam",
                 .unit = "us",
                 .published = "622 us",
                 .reference = "field at rest, bent",
                 .target = {.at_most = 15.0},
                 .run = beam},
                {.name = "vademecum.contact.bunny0",
                 .unit = "us",
                 .published = "715 us",
                 .reference = "field at rest, bent",
                 .target = {.at_most = 60.0},
                 .slow = true,
                 .run = [] { return bunny(0); }},
                {.name = "vademecum.contact.bunny36",
                 .unit = "us",
                 .published = "1,611 us",
                 .reference = "field at rest, bent",
                 .target = {.at_most = 60.0},
                 .slow = true,
                 .run = [] { return bunny(36); }},
                {.name = "vademecum.contact.bunny427",
                 .unit = "us",
                 .published = "1,281 us",
                 .reference = "field at rest, bent",
                 .target = {.at_most = 60.0},
                 .slow = true,
                 .run = [] { return bunny(427); }}};

}  // namespace
}  // namespace pliant::bench
