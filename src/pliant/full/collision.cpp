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

std::vector<PairContact> find_contacts(const FullModel& a, const FullState& state_a,
                                       const ContactSurface& surface_a, const FullModel& b,
                                       const FullState& state_b, const ContactSurface& surface_b,
                                       double margin, double depth) {
  const Matrix3Xi& T = surface_b.triangles();
  const auto corner = [&](int t, int k) { return position_of(b, state_b, T(k, t)); };
  std::vector<AabbTree::Box> boxes(static_cast<std::size_t>(T.cols()));
  for (int t = 0; t < T.cols(); ++t) {
    for (int k = 0; k < 3; ++k) boxes[static_cast<std::size_t>(t)].extend(corner(t, k));
  }
  const AabbTree tree(boxes);
  const double reach = std::max(margin, depth);
  std::vector<PairContact> contacts;
  for (const int node : surface_a.nodes()) {
    const Vector3d x = position_of(a, state_a, node);
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

Vector3d resolve_pairs(const std::vector<PairContact>& contacts, double friction, double dt,
                       const FullModel& a, FullState& state_a, const FullModel& b,
                       FullState& state_b) {
  const std::vector<int> index_a = a.constraints().free_index();
  const std::vector<int> index_b = b.constraints().free_index();
  Vector3d total = Vector3d::Zero();
  for (const PairContact& contact : contacts) {
    // Held nodes do not move: their inverse mass is zero.
    const int i = index_a[static_cast<std::size_t>(contact.node)];
    Vector3d relative = Vector3d::Zero();
    double inverse_mass = 0.0;
    if (i >= 0) {
      relative += state_a.v.segment<3>(i);
      inverse_mass += 1.0 / a.mass()[i];
    }
    std::array<int, 3> j;
    for (std::size_t k = 0; k < 3; ++k) {
      j[k] = index_b[static_cast<std::size_t>(contact.triangle[k])];
      const double w = contact.weights[static_cast<Index>(k)];
      if (j[k] < 0) continue;
      relative -= w * state_b.v.segment<3>(j[k]);
      inverse_mass += w * w / b.mass()[j[k]];
    }
    const double approach = -relative.dot(contact.normal);
    if (approach <= 0 || inverse_mass == 0) continue;
    Vector3d impulse = approach / inverse_mass * contact.normal;
    const Vector3d sliding = relative + approach * contact.normal;
    const double speed = sliding.norm();
    if (speed > 0) {
      impulse -= std::min(friction * approach, speed) / (inverse_mass * speed) * sliding;
    }
    // (3.14): the acceleration that changes the velocity by this much.
    const auto push = [&](FullState& state, int at, double mass, const Vector3d& p) {
      state.v.segment<3>(at) += p / mass;
      state.a.segment<3>(at) += 2.0 / dt * p / mass;
    };
    if (i >= 0) push(state_a, i, a.mass()[i], impulse);
    for (std::size_t k = 0; k < 3; ++k) {
      const double w = contact.weights[static_cast<Index>(k)];
      if (j[k] >= 0) push(state_b, j[k], b.mass()[j[k]], -w * impulse);
    }
    total += 2.0 / dt * impulse;
  }
  return total;
}

}  // namespace pliant
