// SPDX-License-Identifier: MIT
// Signed distance from a triangulated surface, negative inside, with the closest point.
//
//   d(p) = s(p) |p - c(p)|,   c(p) = the point of the surface closest to p
//
// Sign by the pseudonormal n of the feature (face, edge, vertex) on which c lies, [Baerentzen05]:
// s = sign(n . (p - c)), with n the face's normal, the sum of an edge's two face normals, or the
// sum of a vertex's face normals weighted by the angles at the vertex. It is exact for a closed,
// consistently oriented surface. Features where it has no meaning (edges of more than two faces,
// surfaces that touch in a vertex, faces without area) take the sign from the winding number.
//
// Sign by the generalised winding number w, [Jacobson13], for surfaces with holes and overlaps:
// s = -1 where w(p) > 1/2. w is 1 inside and 0 outside of a closed surface, and passes smoothly
// from one to the other in a hole. Far groups of triangles count as one dipole, [Barill18].
//
// Vertices at the same place count as one, and triangles with two equal corners not at all.
#pragma once

#include <memory>

#include "pliant/mesh/implicit.hpp"
#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

enum class DistanceSign { pseudonormal, winding_number };

struct ClosestPoint {
  double distance;  // signed [m]
  Vector3d point;   // on the surface
  int triangle;     // index of a triangle that holds the point
};

// Immutable; copies share the data; every call may come from any thread.
class SurfaceDistance {
 public:
  // Throws an Error if the surface is not valid (validate.hpp) or has no triangle; and, for the
  // sign by the pseudonormal, if it is open, oriented inconsistently or turned inside out.
  explicit SurfaceDistance(const SurfaceMesh& surface,
                           DistanceSign sign = DistanceSign::pseudonormal);

  ClosestPoint closest(const Vector3d& p) const;
  double operator()(const Vector3d& p) const { return closest(p).distance; }
  double winding_number(const Vector3d& p) const;
  const Eigen::AlignedBox3d& box() const;

  // Signed distances of the columns of P, in parallel. Fastest when neighbours in P are close to
  // each other; the values do not depend on the order.
  VectorXd evaluate(const Matrix3Xd& P) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

// The body inside of a surface.
ImplicitBody implicit_of(const SurfaceMesh& surface,
                         DistanceSign sign = DistanceSign::pseudonormal);

}  // namespace pliant
