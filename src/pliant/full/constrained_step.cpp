// SPDX-License-Identifier: MIT
#include "pliant/full/constrained_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/rotation.hpp"

namespace pliant {
namespace {

constexpr int sweeps = 4;

// A node of a body in an obstacle.
struct Touch {
  std::size_t body;
  int obstacle, node, at;  // at: in z
  Vector3d x, normal;      // in the world
  Vector3d strayed;        // from where friction holds the node, likewise
};

class Together {
 public:
  Together(std::span<const ConstrainedBody> bodies, Collisions& collisions)
      : bodies_(bodies), collisions_(collisions), tallies_(bodies.size()) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto nodes = static_cast<std::size_t>(bodies[b].model.body().mesh().vertex_count());
      tallies_[b].free_index = bodies[b].model.constraints().free_index();
      tallies_[b].slot.assign(nodes, -1);
      collisions.bodies[b].reactions.clear();
      collisions.bodies[b].anchors.resize(nodes);
    }
    for (Obstacle& obstacle : collisions.obstacles) obstacle.impulse.setZero();
  }

  double stable_step() const {
    double dt = std::numeric_limits<double>::infinity();
    for (const ConstrainedBody& body : bodies_) dt = std::min(dt, body.stepper.stable_step());
    return dt;
  }

  StepStatus part(double dt) {
    StepStatus status = StepStatus::ok;
    for (const ConstrainedBody& body : bodies_) {
      status |= body.stepper.step(body.load, dt, body.state);
    }
    if (status != StepStatus::ok) return status;
    ++collisions_.parts;
    for (Obstacle& obstacle : collisions_.obstacles) go_on(obstacle, dt);
    touch_obstacles(dt);
    touch_each_other(dt);
    return status;
  }

  // Impulses become mean forces.
  void finish(double duration) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      for (NodeReaction& reaction : collisions_.bodies[b].reactions) {
        reaction.force /= duration;
        reaction.place = part_of(b).position(reaction.node);
        reaction.depth = std::max(0.0, reaction.depth);
      }
    }
  }

 private:
  MeetingPart part_of(std::size_t b) const {
    const ConstrainedBody& body = bodies_[b];
    return {body.model, body.state, body.surface, body.pose};
  }

  static void go_on(Obstacle& obstacle, double dt) noexcept {
    obstacle.twist += obstacle.mobility * obstacle.pending;
    obstacle.impulse += obstacle.pending;
    obstacle.pending.setZero();
    obstacle.pose.position += dt * obstacle.twist.head<3>();
    obstacle.pose.rotation =
        (rotation_by(dt * obstacle.twist.tail<3>()) * obstacle.pose.rotation).normalized();
  }

  NodeReaction& reaction_of(std::size_t b, int node) {
    std::vector<NodeReaction>& all = collisions_.bodies[b].reactions;
    int& slot = tallies_[b].slot[static_cast<std::size_t>(node)];
    if (slot < 0) {
      slot = static_cast<int>(all.size());
      all.push_back({});
      all.back().node = node;
    }
    return all[static_cast<std::size_t>(slot)];
  }

  void touch_obstacles(double dt) {
    touches_.clear();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      for (std::size_t o = 0; o < collisions_.obstacles.size(); ++o) {
        if (collisions_.with_obstacles(static_cast<Index>(b), static_cast<Index>(o)) < 0) continue;
        look(b, o, dt);
      }
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      bool any = false;
      for (const Touch& touch : touches_) any = resolve(touch, dt) || any;
      if (!any) break;
    }
  }

  // Eight nodes at a time.
  void look(std::size_t b, std::size_t o, double dt) {
    const Obstacle& obstacle = collisions_.obstacles[o];
    const MeetingPart part = part_of(b);
    const std::vector<int>& nodes = bodies_[b].surface.nodes();
    Obstacle::Points x, gradient;
    Eigen::Matrix<float, 8, 1> distance;
    for (std::size_t first = 0; first < nodes.size(); first += 8) {
      const std::size_t count = std::min<std::size_t>(8, nodes.size() - first);
      for (std::size_t k = 0; k < 8; ++k) {
        const Vector3d place = part.position(nodes[first + std::min(k, count - 1)]);
        x.col(static_cast<Index>(k)) = obstacle.pose.to_frame(place).cast<float>();
      }
      obstacle.sample(obstacle.field, x, distance, gradient);
      for (std::size_t k = 0; k < count; ++k) {
        const auto own = static_cast<Index>(k);
        if (!(distance[own] < 0.0F)) continue;
        const int node = nodes[first + k];
        const int at = tallies_[b].free_index[static_cast<std::size_t>(node)];
        const Vector3d normal = gradient.col(own).cast<double>();
        if (at < 0 || !(normal.norm() > 0)) continue;
        const Vector3d place = part.position(node);
        touches_.push_back({b, static_cast<int>(o), node, at, place,
                            obstacle.pose.rotation * normal.normalized(), Vector3d::Zero()});
        touches_.back().strayed =
            strayed(b, static_cast<int>(o), node, place, touches_.back().normal, dt);
        reaction_of(b, node).depth = -static_cast<double>(distance[own]);
      }
    }
  }

  NodeAnchor& anchor_of(std::size_t b, int node) {
    return collisions_.bodies[b].anchors[static_cast<std::size_t>(node)];
  }
  bool forgotten(const NodeAnchor& anchor) const {
    return collisions_.parts - anchor.part > NodeAnchor::patience;
  }
  // How far a node is from its place, across the normal; shortened to what friction can take back,
  // of the approaches of late, as single ones vary much. The place follows by `move(rest)`.
  template <class Move>
  Vector3d stretch(NodeAnchor& anchor, Vector3d from_place, const Vector3d& n, double mu, double dt,
                   const Move& move) {
    anchor.part = collisions_.parts;
    from_place -= from_place.dot(n) * n;
    const double most = 4 * dt * mu * anchor.approach, size = from_place.norm();
    if (size > most) move(Vector3d(from_place *= most / size));
    return from_place;
  }
  static void remember(NodeAnchor& anchor, double approach) {
    if (approach > 0) anchor.approach = std::max(approach, 0.95 * anchor.approach);
  }
  // From the place that an obstacle holds a node at.
  Vector3d strayed(std::size_t b, int o, int node, const Vector3d& x, const Vector3d& n,
                   double dt) {
    const Pose& pose = collisions_.obstacles[static_cast<std::size_t>(o)].pose;
    NodeAnchor& anchor = anchor_of(b, node);
    if (anchor.obstacle != o || forgotten(anchor)) {
      anchor = {.obstacle = o, .body = -1, .place = pose.to_frame(x)};
    }
    const double mu = collisions_.with_obstacles(static_cast<Index>(b), Index{o});
    return stretch(anchor, x - pose.to_world(anchor.place), n, mu, dt,
                   [&](const Vector3d& rest) { anchor.place = pose.to_frame(x - rest); });
  }
  // From that at a triangle of another body.
  Vector3d strayed(std::size_t a, std::size_t b, const PairContact& contact, double dt) {
    const MeetingPart other = part_of(b);
    NodeAnchor& anchor = anchor_of(a, contact.node);
    if (anchor.body != static_cast<int>(b) || forgotten(anchor)) {
      anchor = {.obstacle = -1,
                .body = static_cast<int>(b),
                .place = contact.weights,
                .triangle = contact.triangle};
    }
    const auto on_triangle = [&] {
      Vector3d place = Vector3d::Zero();
      for (std::size_t k = 0; k < 3; ++k) {
        place += anchor.place[static_cast<Index>(k)] * other.position(anchor.triangle[k]);
      }
      return place;
    };
    const Vector3d x = part_of(a).position(contact.node);
    const double mu = collisions_.with_bodies(static_cast<Index>(a), static_cast<Index>(b));
    return stretch(anchor, x - on_triangle() - anchor.offset, contact.normal, mu, dt,
                   [&](const Vector3d& rest) {
                     anchor.place = contact.weights;
                     anchor.triangle = contact.triangle;
                     anchor.offset = x - rest - on_triangle();
                   });
  }

  bool resolve(const Touch& touch, double dt) {
    const ConstrainedBody& body = bodies_[touch.body];
    Obstacle& obstacle = collisions_.obstacles[static_cast<std::size_t>(touch.obstacle)];
    // q of (3.10)
    const double q = body.model.mass()[touch.at] * (1.0 + 0.5 * dt * body.model.damping().alpha);
    const Vector3d& n = touch.normal;
    Obstacle::Vector6d j;
    j << n, (touch.x - obstacle.pose.position).cross(n);
    const Vector3d relative =
        body.pose.rotation * body.state.v.segment<3>(touch.at) - obstacle.velocity_at(touch.x);
    const double mu =
        collisions_.with_obstacles(static_cast<Index>(touch.body), Index{touch.obstacle});
    const auto [p, approach] = stopping_impulse(relative, touch.strayed, n, mu,
                                                1.0 / q + j.dot(obstacle.mobility * j), dt);
    if (p.isZero(0.0)) return false;
    remember(anchor_of(touch.body, touch.node), approach);
    const Vector3d change = body.pose.rotation.conjugate() * p / q;
    body.state.v.segment<3>(touch.at) += change;
    body.state.a.segment<3>(touch.at) += 2.0 / dt * change;  // (3.14)
    Obstacle::Vector6d back;
    back << -p, -(touch.x - obstacle.pose.position).cross(p);
    obstacle.twist += obstacle.mobility * back;
    obstacle.impulse += back;
    obstacle.pending += back;
    NodeReaction& reaction = reaction_of(touch.body, touch.node);
    reaction.obstacle = touch.obstacle;
    reaction.body = -1;
    reaction.normal = n;
    reaction.force += 2.0 * p;
    return true;
  }

  void touch_each_other(double dt) {
    for (std::size_t a = 0; a < bodies_.size(); ++a) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const double mu = collisions_.with_bodies(static_cast<Index>(a), static_cast<Index>(b));
        if (a == b || mu < 0) continue;
        // What is deeper came from the other side.
        const double depth = bodies_[b].model.element_size();
        std::vector<PairContact> contacts = find_contacts(part_of(a), part_of(b), 0.0, depth);
        for (PairContact& contact : contacts) contact.strayed = strayed(a, b, contact, dt);
        resolve_pairs(contacts, mu, dt, part_of(a), part_of(b));
        for (const PairContact& contact : contacts) {
          tell(a, b, contact);
          remember(anchor_of(a, contact.node), contact.approach);
        }
      }
    }
  }

  void tell(std::size_t a, std::size_t b, const PairContact& contact) {
    if (contact.impulse.isZero(0.0)) return;
    const auto add = [&](std::size_t own, std::size_t other, int node, double share) {
      NodeReaction& reaction = reaction_of(own, node);
      reaction.obstacle = -1;
      reaction.body = static_cast<int>(other);
      reaction.normal = share > 0 ? contact.normal : -contact.normal;
      reaction.force += 2.0 * share * contact.impulse;
      reaction.depth = -contact.gap;
    };
    add(a, b, contact.node, 1.0);
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = contact.weights[static_cast<Index>(k)];
      if (w > 0) add(b, a, contact.triangle[k], -w);
    }
  }

  struct Tally {
    std::vector<int> free_index, slot;  // of nodes; slot: in the reactions
  };
  std::span<const ConstrainedBody> bodies_;
  Collisions& collisions_;
  std::vector<Tally> tallies_;
  std::vector<Touch> touches_;
};

}  // namespace

StepStatus advance_together(std::span<const ConstrainedBody> bodies, double duration,
                            std::span<const std::stop_token> stop, Collisions& collisions) {
  Together together(bodies, collisions);
  StepStatus status = StepStatus::ok;
  double left = duration;
  for (int steps = 0; left > 1e-12 * duration && status == StepStatus::ok; ++steps) {
    if (steps == most_parts_of_a_step) return StepStatus::unstable_step;
    for (const std::stop_token& token : stop) {
      if (token.stop_requested()) return StepStatus::failed;
    }
    const double parts = std::ceil(left / together.stable_step() * (1.0 - 1e-12));
    const double dt = left / std::max(1.0, parts);
    status |= together.part(dt);
    left -= dt;
  }
  together.finish(duration);
  return status;
}

}  // namespace pliant
