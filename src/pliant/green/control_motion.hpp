// SPDX-License-Identifier: MIT
// Affine motions of control elements, [Klimenko03] 2.2, and the motion of the body as a whole that
// is taken out of them, 2.3. A node X of an element with centre o goes to
//
//   x = X + T + M (X - o)          12 numbers: T, then M by rows; all zero at rest
//
// in the frame in which the body started. Of all elements that are held or driven
//
//   R = polar(sum_i R_i / N)       R_i: rotation of 1 + M_i; polar: the nearest rotation
//   p = mean(o_i + T_i) - R mean(o_i)
//
// (ERRATA: the paper's Gram-Schmidt depends on the order of the axes), and what is left of an
// element's motion in the body's frame, x = p + R (X + u), is affine again:
//
//   u = t + m (X - o)              t = R^T (o + T - p) - o,   m = R^T (1 + M) - 1
//
// A common rotation of all elements leaves nothing, whatever its angle.
//
// Where what is left is still a large rotation, the body is warped: a linear solution v with the
// rotation vector w = curl v / 2 shows as
//
//   u = J(w) v       J(w) = int_0^1 exp(s w~) ds,    J(w) w~ = exp(w~) - 1
//
// (Choi and Ko, IEEE Trans. Vis. Comput. Graph. 11(1), 2005), so that a part that only turns keeps its
// shape. An element that shall have t and m is given the linear motion J^-1 t, J^-1 m with the w of its
// rotation.
#pragma once

#include <span>

#include "pliant/fem/model_input.hpp"
#include "pliant/green/green_settings.hpp"

namespace pliant {

AffineMotion affine_motion(const ControlStart& start);

struct WholeMotion {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
};

// R of 1 + M. False: it is flat or inside out, and has none.
bool rotation_of(const AffineMotion& motion, Matrix3d& R) noexcept;

// `centres`: a column for each element; free elements do not count. False: an element has no
// rotation, or there is no average, as when two are turned by half a circle against each other.
bool average_motion(std::span<const AffineMotion> motions, std::span<const ControlState> states,
                    const Matrix3Xd& centres, WholeMotion& out) noexcept;

// What is left of a motion: t and m by rows.
AffineMotion without(const WholeMotion& whole, const AffineMotion& motion,
                     const Vector3d& centre) noexcept;
// J(w).
Matrix3d mean_rotation(const Vector3d& w) noexcept;
// Half the curl of an affine motion.
Vector3d turn_of(const AffineMotion& motion) noexcept;
// The linear motion that shows as what is left, and back. False: it has no rotation, or half a turn.
bool unwarp(const AffineMotion& left, AffineMotion& linear) noexcept;
AffineMotion warp(const AffineMotion& linear) noexcept;

// The same in the frame in which the body started.
AffineMotion with(const WholeMotion& whole, const AffineMotion& left,
                  const Vector3d& centre) noexcept;

}  // namespace pliant
