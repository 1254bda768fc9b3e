// SPDX-License-Identifier: MIT
#include "pliant/contact/contact_gradient.hpp"

#include "pliant/shape/implicit_wrench.hpp"

namespace pliant {

ContactGradient::ContactGradient(Index r)
    : G_(6 + r, 6 + r), load_(6 + r), j_(6 + r), slope_(6 + r), count_slope_(6 + r), modal_(r) {}

void ContactGradient::begin(const PenaltySpec& spec, const Traversal& found,
                            const ShellSide& shell) noexcept {
  G_.setZero();
  load_.setZero();
  count_slope_.setZero();
  count_ = contact_count(spec, found, shell.weights);
  scale_ = count_ > spec.limit ? spec.limit / count_ : 1;
}

void ContactGradient::project(const GradientRequest& request, const ShellSide& shell,
                              const FieldSide& side, int point, const Vector3d& x,
                              const Vector3d& v, VectorXd& out) const noexcept {
  out.setZero();
  if (out.size() == 0) return;
  if (request.of == ContactSide::shell) {
    const Vector3d own = shell.motion.pose.rotation.conjugate() * v;
    if (const LinearShape* linear = shell.points.linear()) {
      linear->add_force(point, own.cast<float>(), out);
    }
  } else if (side.deformed != nullptr) {
    const Pose& pose = side.motion.pose;
    const Vector3d place = pose.rotation.conjugate() * (x - pose.position);
    const Vector3d own = pose.rotation.conjugate() * v;
    side.deformed->influence(place.cast<float>()).add_force(own.cast<float>(), out);
  }
}

void ContactGradient::add(const GradientRequest& request, const PenaltySpec& spec,
                          const Traversal& found, const ShellSide& shell, const FieldSide& side,
                          int point, const Vector3d& x, const Vector3d& N,
                          const Vector3d& g) noexcept {
  const bool mirrored = request.form == GradientForm::mirrored;
  const bool of_shell = request.of == ContactSide::shell;
  const double d = static_cast<double>(found.distance(point));
  const double weight = shell.weights.empty()
                            ? 1
                            : static_cast<double>(shell.weights[static_cast<std::size_t>(point)]);
  // The force on the body is k d N; the distance falls while the field's body comes and rises while
  // the shell's goes: dd = side (e . (dx + dw x r + A U dc)).
  const double sign = of_shell ? 1 : -1;
  const double k = (of_shell ? -1 : 1) * scale_ * spec.stiffness * weight;
  const Vector3d r = x - request.about, F = k * d * N;
  const Vector3d& e = mirrored ? N : g;
  const auto freedoms = [&](const Vector3d& v, VectorXd& out) {
    out.head<3>() = v;
    out.segment<3>(3) = r.cross(v);
    project(request, shell, side, point, x, v, modal_);
    out.tail(modal_.size()) = modal_;
  };
  freedoms(N, j_);
  freedoms(e, slope_);
  slope_ *= sign;
  G_.noalias() += k * j_ * slope_.transpose();
  load_.noalias() += k * d * j_;

  const Matrix3d F_cross = cross_matrix(F), N_cross = cross_matrix(N), r_cross = cross_matrix(r);
  auto moved = G_.block<3, 3>(3, 0), turned = G_.block<3, 3>(3, 3);
  if (!of_shell) {
    moved += F_cross;  // the place o leaves the point behind
    if (mirrored) {
      G_.block<3, 3>(0, 3) += k * d * N_cross;
      turned += -F_cross * r_cross + k * d * r_cross * N_cross;
    }
  } else if (!mirrored) {
    // F = k d N turns with the shell: dF = dw x F = -F~ dw; so does the arm.
    G_.block<3, 3>(0, 3) -= F_cross;
    turned += F_cross * r_cross - r_cross * F_cross;
  }
  if (mirrored) return;
  for (int i = 0; i < 3 && modal_.size() > 0; ++i) {
    // Q = U^T A^T F, of which A turns: + U^T A^T F~ dw; and of the shell F and the arm, too.
    const Vector3d turning = F.cross(Vector3d::Unit(i));
    project(request, shell, side, point, x, turning, modal_);
    if (of_shell) {
      G_.row(3 + i).tail(modal_.size()) += modal_.transpose();
    } else {
      G_.col(3 + i).tail(modal_.size()) += modal_;
    }
  }
  if (!spec.published_count && count_ > spec.limit) {
    const double t = -d / spec.full_depth;
    if (t < 1) count_slope_ -= weight * 6 * t * (1 - t) / spec.full_depth * slope_;
  }
}

void ContactGradient::end(const GradientRequest& request) noexcept {
  if (request.form == GradientForm::mirrored || !(scale_ < 1)) return;
  // s = L / l: ds/s = -dl/l
  G_.noalias() -= load_ * count_slope_.transpose() / count_;
}

}  // namespace pliant
