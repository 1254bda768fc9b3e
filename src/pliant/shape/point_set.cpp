// SPDX-License-Identifier: MIT
#include "pliant/shape/point_set.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {
namespace {

// So many points at a time pass from the frame to the world, on the stack.
constexpr Index batch = 64;
using Batch = Eigen::Matrix<float, 3, batch>;

// Not inlined: one compiled form makes all ways to ask agree in every bit.
[[gnu::noinline]] Vector3d turned(const Motion& motion, const Vector3f& y) noexcept {
  return motion.pose.rotation * y.cast<double>();
}
[[gnu::noinline]] Vector3d position_of(const Motion& motion, const Vector3f& y) noexcept {
  return motion.pose.position + motion.pose.rotation * y.cast<double>();
}
// The angular velocity in the frame.
[[gnu::noinline]] Vector3d spin_of(const Motion& motion) noexcept {
  return motion.pose.rotation.conjugate() * motion.angular_velocity;
}
// v + A (A^T w x y + y'): one turn in place of two.
[[gnu::noinline]] Vector3d velocity_of(const Motion& motion, const Vector3d& spin,
                                       const Vector3f& y, const Vector3f& dy) noexcept {
  const Vector3d own = spin.cross(y.cast<double>()) + dy.cast<double>();
  return motion.velocity + motion.pose.rotation * own;
}

// Calls work(list, first) for up to `batch` of the points at a time.
template <class Work>
void in_batches(std::span<const int> s, const Work& work) {
  for (std::size_t first = 0; first < s.size(); first += batch) {
    work(s.subspan(first, std::min<std::size_t>(batch, s.size() - first)),
         static_cast<Index>(first));
  }
}
template <class Work>
void in_batches(Index points, const Work& work) {
  std::array<int, batch> list;
  for (Index first = 0; first < points; first += batch) {
    const Index count = std::min(batch, points - first);
    std::iota(list.begin(), list.begin() + count, static_cast<int>(first));
    work(std::span<const int>(list.data(), static_cast<std::size_t>(count)), first);
  }
}

// A body that does not deform.
LinearShape rigid_shape(const TensorView& file, const std::string& prefix) {
  const auto read = [&](const std::string& name) {
    const auto values = file.matrix<float>(prefix + name, 3);
    if (!values.allFinite()) throw Error({file.name(), 0, prefix + name}, "a number is not finite");
    return Matrix3Xd(values.cast<double>());
  };
  const Matrix3Xd X = read("X");
  if (X.cols() == 0 || X.cols() > std::numeric_limits<int>::max()) {
    throw Error({file.name(), 0, prefix + "X"}, "bad number of points", std::to_string(X.cols()),
                "1 to 2^31");
  }
  const MatrixXd none(X.size(), 0);
  if (!file.contains(prefix + "N")) return LinearShape(X, none);
  const Matrix3Xd N = read("N");
  if (N.cols() != X.cols()) {
    throw Error({file.name(), 0, prefix + "N"}, "wrong number of points", std::to_string(N.cols()),
                std::to_string(X.cols()));
  }
  return LinearShape(X, none, {N, none});
}

std::variant<LinearShape, DensePoints> read(const TensorView& file, const std::string& prefix,
                                            const std::string& embedding, Index size) {
  const auto check = [&](const std::string& name, Index found) {
    if (found == size) return;
    throw Error({file.name(), 0, name}, "points of another number of coefficients than the body",
                std::to_string(found), std::to_string(size));
  };
  if (file.contains(prefix + "U")) {
    LinearShape shape(file, prefix);
    check(prefix + "U", shape.size());
    return shape;
  }
  if (file.contains(embedding + "nodes")) {
    check(embedding + "nodes", size / 3 * 3);
    return DensePoints(file, prefix, embedding, size / 3);
  }
  check(prefix + "X", 0);
  return rigid_shape(file, prefix);
}

}  // namespace

template <class F>
decltype(auto) PointSet::visit(const F& f) const noexcept {
  if (const LinearShape* shape = linear()) return f(*shape);
  return f(*std::get_if<DensePoints>(&points_));
}

PointSet::PointSet(const TensorView& file, const std::string& prefix, const std::string& embedding,
                   Index size)
    : points_(read(file, prefix, embedding, size)) {}

Index PointSet::point_count() const noexcept {
  return visit([](const auto& points) { return points.point_count(); });
}
Index PointSet::size() const noexcept {
  return visit([](const auto& points) { return points.size(); });
}
bool PointSet::has_normals() const noexcept {
  return visit([](const auto& points) { return points.has_normals(); });
}
std::vector<std::span<const std::byte>> PointSet::memory() const {
  if (const LinearShape* shape = linear()) return shape->memory();
  return std::get<DensePoints>(points_).memory();
}
Vector3f PointSet::rest_position(Index s) const noexcept {
  return visit([&](const auto& points) { return points.rest_position(s); });
}

// --- in the body's frame

Vector3f PointSet::frame_position(const Motion& motion, Index s) const noexcept {
  return visit([&](const auto& points) { return points.position(s, motion.c); });
}
Vector3f PointSet::frame_velocity(const Motion& motion, Index s) const noexcept {
  return visit([&](const auto& points) -> Vector3f {
    return points.position(s, motion.dc) - points.rest_position(s);
  });
}
Vector3f PointSet::frame_normal(const Motion& motion, Index s) const noexcept {
  return visit([&](const auto& points) { return points.normal(s, motion.c); });
}

void PointSet::frame_positions(const Motion& motion, std::span<const int> s,
                               PointColumns x) const noexcept {
  visit([&](const auto& points) { points.positions(s, motion.c, x); });
}
void PointSet::frame_velocities(const Motion& motion, std::span<const int> s,
                                PointColumns v) const noexcept {
  visit([&](const auto& points) {
    points.positions(s, motion.dc, v);
    Index k = 0;
    for (const int point : s) v.col(k++) -= points.rest_position(point);
  });
}
void PointSet::frame_normals(const Motion& motion, std::span<const int> s,
                             PointColumns n) const noexcept {
  visit([&](const auto& points) { points.normals(s, motion.c, n); });
}

void PointSet::frame_positions(const Motion& motion, PointColumns x) const noexcept {
  visit([&](const auto& points) { points.positions(motion.c, x); });
}
void PointSet::frame_velocities(const Motion& motion, PointColumns v) const noexcept {
  visit([&](const auto& points) {
    points.positions(motion.dc, v);
    for (Index s = 0; s < v.cols(); ++s) v.col(s) -= points.rest_position(s);
  });
}
void PointSet::frame_normals(const Motion& motion, PointColumns n) const noexcept {
  visit([&](const auto& points) { points.normals(motion.c, n); });
}

// --- in the world

Vector3d PointSet::position(const Motion& motion, Index s) const noexcept {
  return position_of(motion, frame_position(motion, s));
}
Vector3d PointSet::velocity(const Motion& motion, Index s) const noexcept {
  return velocity_of(motion, spin_of(motion), frame_position(motion, s), frame_velocity(motion, s));
}
Vector3d PointSet::normal(const Motion& motion, Index s) const noexcept {
  return turned(motion, frame_normal(motion, s));
}

template <class Points>
void PointSet::world_positions(const Motion& motion, Points s, WorldColumns& x) const noexcept {
  in_batches(s, [&](std::span<const int> list, Index first) {
    Batch y;
    frame_positions(motion, list, y);
    for (Index k = 0; k < static_cast<Index>(list.size()); ++k) {
      x.col(first + k) = position_of(motion, y.col(k));
    }
  });
}
template <class Points>
void PointSet::world_velocities(const Motion& motion, Points s, WorldColumns& v) const noexcept {
  const Vector3d spin = spin_of(motion);
  in_batches(s, [&](std::span<const int> list, Index first) {
    Batch y, dy;
    frame_positions(motion, list, y);
    frame_velocities(motion, list, dy);
    for (Index k = 0; k < static_cast<Index>(list.size()); ++k) {
      v.col(first + k) = velocity_of(motion, spin, y.col(k), dy.col(k));
    }
  });
}
template <class Points>
void PointSet::world_normals(const Motion& motion, Points s, WorldColumns& n) const noexcept {
  in_batches(s, [&](std::span<const int> list, Index first) {
    Batch y;
    frame_normals(motion, list, y);
    for (Index k = 0; k < static_cast<Index>(list.size()); ++k) {
      n.col(first + k) = turned(motion, y.col(k));
    }
  });
}

void PointSet::positions(const Motion& motion, std::span<const int> s,
                         WorldColumns x) const noexcept {
  PLIANT_ASSERT(x.cols() >= static_cast<Index>(s.size()), "a column a point");
  world_positions(motion, s, x);
}
void PointSet::velocities(const Motion& motion, std::span<const int> s,
                          WorldColumns v) const noexcept {
  PLIANT_ASSERT(v.cols() >= static_cast<Index>(s.size()), "a column a point");
  world_velocities(motion, s, v);
}
void PointSet::normals(const Motion& motion, std::span<const int> s,
                       WorldColumns n) const noexcept {
  PLIANT_ASSERT(n.cols() >= static_cast<Index>(s.size()), "a column a point");
  world_normals(motion, s, n);
}
void PointSet::positions(const Motion& motion, WorldColumns x) const noexcept {
  PLIANT_ASSERT(x.cols() == point_count(), "a column a point");
  world_positions(motion, point_count(), x);
}
void PointSet::velocities(const Motion& motion, WorldColumns v) const noexcept {
  PLIANT_ASSERT(v.cols() == point_count(), "a column a point");
  world_velocities(motion, point_count(), v);
}
void PointSet::normals(const Motion& motion, WorldColumns n) const noexcept {
  PLIANT_ASSERT(n.cols() == point_count(), "a column a point");
  world_normals(motion, point_count(), n);
}

// --- loads

void PointSet::add_force(const Motion& motion, Index s, const Vector3d& f,
                         Load& load) const noexcept {
  load.force += f;
  load.torque += turned(motion, frame_position(motion, s)).cross(f);
  const Vector3f own = (motion.pose.rotation.conjugate() * f).cast<float>();
  visit([&](const auto& points) { points.add_force(s, own, load.Q); });
}

void PointSet::add_forces(const Motion& motion, std::span<const int> s, const ConstWorldColumns& f,
                          Load& load) const noexcept {
  PLIANT_ASSERT(f.cols() >= static_cast<Index>(s.size()), "a column a point");
  Vector3d torque = Vector3d::Zero();  // in the frame
  in_batches(s, [&](std::span<const int> list, Index first) {
    Batch y, own;
    frame_positions(motion, list, y);
    for (Index k = 0; k < static_cast<Index>(list.size()); ++k) {
      const Vector3d force = f.col(first + k);
      const Vector3d turned_back = motion.pose.rotation.conjugate() * force;
      load.force += force;
      torque += y.col(k).cast<double>().cross(turned_back);
      own.col(k) = turned_back.cast<float>();
    }
    add_frame_forces(list, own, load.Q);
  });
  load.torque += motion.pose.rotation * torque;
}

void PointSet::add_frame_forces(std::span<const int> s, const ConstPointColumns& f,
                                VectorXd& Q) const noexcept {
  visit([&](const auto& points) { points.add_forces(s, f, Q); });
}

bool PointSet::add_spring(const Motion& motion, Index s, double k, double d,
                          Load& load) const noexcept {
  const LinearShape* shape = linear();
  if (shape == nullptr || load.tangent.K.size() == 0) return false;
  // A^T J, whose products with itself are those of J.
  const Matrix3d turn = motion.pose.rotation.conjugate().toRotationMatrix();
  const Vector3d y = frame_position(motion, s).cast<double>();
  Matrix3d cross;  // y~
  cross << 0, -y[2], y[1], y[2], 0, -y[0], -y[1], y[0], 0;
  Eigen::Matrix<double, 3, 6> rigid;
  rigid << turn, -cross * turn;
  if (k != 0.0) shape->add_spring(s, rigid, k, load.tangent.K);
  if (d != 0.0) shape->add_spring(s, rigid, d, load.tangent.D);
  load.tangent.used = true;
  return true;
}

VectorXd point_areas(const Matrix3Xd& X, const Matrix3Xi& triangles) {
  VectorXd areas = VectorXd::Zero(X.cols());
  for (Index t = 0; t < triangles.cols(); ++t) {
    const Vector3i c = triangles.col(t);
    for (const int corner : c) {
      if (corner >= 0 && corner < X.cols()) continue;
      throw Error({"", 0, "triangle " + std::to_string(t)}, "a point that does not exist",
                  std::to_string(corner), "0 to " + std::to_string(X.cols() - 1));
    }
    const Vector3d a = X.col(c[0]), b = X.col(c[1]), d = X.col(c[2]);
    const double third = (b - a).cross(d - a).norm() / 6;
    for (const int corner : c) areas[corner] += third;
  }
  return areas;
}

}  // namespace pliant
