// SPDX-License-Identifier: MIT
#include "pliant/full/collision.hpp"

#include <algorithm>

#include "pliant/fem/loads.hpp"
#include "pliant/mesh/aabb_tree.hpp"
#include "pliant/mesh/triangle.hpp"

namespace pliant {
namespace {

Vector3d position_of(const FullModel& model, const FullState& state, int node) {
  return model.body().mesh().V.col(node) + state.u.segment<3>(3 * node);
}

}  // namespace

ContactSurface::ContactSurface(const VolumeMesh& mesh) : triangles_(fem::boundary_triangles(mesh)) {
  nodes_.assign(triangles_.data(), triangles_.data() + triangles_.size());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
}

StoppingImpulse stopping_impulse(const Vector3d& relative, const Vector3d& strayed,
                                 const Vector3d& normal, double friction, double inverse_mass,
                                 double dt) noexcept {
  const double approach = -relative.dot(normal);
  if (!(approach > 0) || !(inverse_mass > 0)) return {};
  const Vector3d back = relative + 0.5 / dt * strayed;
  const Vector3d sliding = back - back.dot(normal) * normal;
  const double wanted = 0.5 * sliding.norm(), most = friction * approach;
  StoppingImpulse stop{approach / inverse_mass * normal, approach};
  if (wanted > 0) stop.impulse -= 0.5 * std::min(1.0, most / wanted) / inverse_mass * sliding;
  return stop;
}

void find_contacts(const FullModel& model, const FullState& state, const ContactSurface& surface,
                   const RigidShape& shape, double margin, std::vector<NodeContact>& contacts) {
  contacts.clear();
  for (const int node : surface.nodes()) {
    const Vector3d x = position_of(model, state, node);
    Vector3d normal;
    const double gap = shape.distance(x, normal);
    if (gap < margin) contacts.push_back({node, gap, normal, shape.velocity_at(x)});
  }
}

Vector3d MeetingPart::position(int node) const {
  return pose.to_world(position_of(model, state, node));
}

std::vector<PairContact> find_contacts(const MeetingPart& a, const MeetingPart& b, double margin,
                                       double depth) {
  const Matrix3Xi& T = b.surface.triangles();
  const double reach = std::max(margin, depth);
  AabbTree::Box all_a, all_b;
  for (const int node : a.surface.nodes()) all_a.extend(a.position(node));
  for (const int node : b.surface.nodes()) all_b.extend(b.position(node));
  if (all_a.squaredExteriorDistance(all_b) > reach * reach) return {};
  const auto corner = [&](int t, int k) { return b.position(T(k, t)); };
  std::vector<AabbTree::Box> boxes(static_cast<std::size_t>(T.cols()));
  for (int t = 0; t < T.cols(); ++t) {
    for (int k = 0; k < 3; ++k) boxes[static_cast<std::size_t>(t)].extend(corner(t, k));
  }
  const AabbTree tree(boxes);
  std::vector<PairContact> contacts;
  for (const int node : a.surface.nodes()) {
    const Vector3d x = a.position(node);
    if (all_b.squaredExteriorDistance(x) > reach * reach) continue;
    const auto closest = [&](int t) {
      return closest_on_triangle(x, corner(t, 0), corner(t, 1), corner(t, 2));
    };
    const AabbTree::Nearest nearest = tree.nearest(
        x, [&](int t) { return closest(t).squared_distance; }, reach * reach);
    if (nearest.item < 0) continue;
    const int t = nearest.item;
    const Vector3d normal =
        (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)).normalized();
    const TrianglePoint point = closest(t);
    const double gap = (x - point.point).dot(normal);
    if (gap < margin && gap > -depth) {
      contacts.push_back({node, {T(0, t), T(1, t), T(2, t)}, point.weights, normal, gap});
    }
  }
  return contacts;
}

Vector3d resolve_pairs(std::vector<PairContact>& contacts, double friction, double dt,
                       const MeetingPart& a, const MeetingPart& b) {
  const std::vector<int> index_a = a.model.constraints().free_index();
  const std::vector<int> index_b = b.model.constraints().free_index();
  // q of (3.10)
  const auto mass_of = [dt](const MeetingPart& part, int at) {
    return part.model.mass()[at] * (1.0 + 0.5 * dt * part.model.damping().alpha);
  };
  Vector3d total = Vector3d::Zero();
  for (PairContact& contact : contacts) {
    // Held nodes do not move: their inverse mass is zero.
    const int i = index_a[static_cast<std::size_t>(contact.node)];
    Vector3d relative = Vector3d::Zero();
    double inverse_mass = 0.0;
    if (i >= 0) {
      relative += a.pose.rotation * a.state.v.segment<3>(i);
      inverse_mass += 1.0 / mass_of(a, i);
    }
    std::array<int, 3> j;
    for (std::size_t k = 0; k < 3; ++k) {
      j[k] = index_b[static_cast<std::size_t>(contact.triangle[k])];
      const double w = contact.weights[static_cast<Index>(k)];
      if (j[k] < 0) continue;
      relative -= w * (b.pose.rotation * b.state.v.segment<3>(j[k]));
      inverse_mass += w * w / mass_of(b, j[k]);
    }
    const auto [impulse, approach] =
        stopping_impulse(relative, contact.strayed, contact.normal, friction, inverse_mass, dt);
    if (impulse.isZero(0.0)) continue;
    contact.approach = approach;
    // (3.14): the acceleration that changes the velocity by this much.
    const auto push = [&](const MeetingPart& part, int at, const Vector3d& p) {
      const Vector3d change = part.pose.rotation.conjugate() * p / mass_of(part, at);
      part.state.v.segment<3>(at) += change;
      part.state.a.segment<3>(at) += 2.0 / dt * change;
    };
    if (i >= 0) push(a, i, impulse);
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = contact.weights[static_cast<Index>(k)];
      if (j[k] >= 0) push(b, j[k], -w * impulse);
    }
    contact.impulse += impulse;
    total += 2.0 / dt * impulse;
  }
  return total;
}

}  // namespace pliant
