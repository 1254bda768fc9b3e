// SPDX-License-Identifier: MIT
// How the force and torque of contacts change while a body moves, for couplings that solve for its
// motion: [Barbic07] 4.2. Of one of the two bodies, whose reduced force Q may count too:
//
//   G = d(F, T, Q) / d(moved, turned, c)          6 by 6, or 6 + r by 6 + r; not symmetric
//
// T about a place o of the body, about which it also turns. Of a contact, with F = k d N on the
// field's body (-F on the shell's), r = x - o and the slope g = dd/dp:
//
//   the field's body moves         direct                      mirrored (4.11), (4.12)
//   dF/dx                          -k N g^T                    -k N N^T
//   dF/dw                          k N g^T r~                  k N N^T r~ + k d N~
//   dT/dx                          F~ - k r~ N g^T             F~ - k r~ N N^T
//   dT/dw                          k r~ N g^T r~               -F~ r~ + k r~ N N^T r~ + k d r~ N~
//
// Direct: what the derivative is, in the world, with the slope of the field; the change of the
// smooth count is part of it. Mirrored: the change when the field stays and the point moves by the
// opposite, (-dx, -dw), with its normal, and the slope taken as N. The thesis found it to behave
// better; it is the derivative of another motion, and not that of the force in the world.
//
// The shell's body moves: direct as above with the point and its normal carried along; mirrored is
// the field that moves by the opposite, so that nothing of the shell turns: -k j j^T with
// j = (N, r x N, U^T A^T N), symmetric.
//
// By c the point moves by A U dc (of the field's body as its proxies do); that normals turn with c,
// which counts by the depth, is left out, as is damping.
#pragma once

#include "pliant/contact/penalty.hpp"

namespace pliant {

enum class GradientForm { mirrored, direct };
enum class ContactSide { shell, field };

struct GradientRequest {
  ContactSide of = ContactSide::field;
  GradientForm form = GradientForm::mirrored;
  Vector3d about = Vector3d::Zero();  // o, in the world [m]
};

class ContactGradient {
 public:
  // `r`: coefficients of the body that count; 0: the rigid motion alone.
  explicit ContactGradient(Index r = 0);

  // Of the contacts that a traversal of `field` has found. Nothing is allocated.
  template <class Field>
  const MatrixXd& compute(const GradientRequest& request, const PenaltySpec& spec,
                          const Traversal& found, const ShellSide& shell, const FieldSide& side,
                          const Field& field) noexcept;

  const MatrixXd& matrix() const { return G_; }
  // The wrench and reduced force that the gradient belongs to.
  const VectorXd& load() const { return load_; }

 private:
  static constexpr int together = 64;  // contacts
  using Columns = Eigen::Matrix<double, 3, together>;

  void begin(const PenaltySpec& spec, const Traversal& found, const ShellSide& shell) noexcept;
  void add(const GradientRequest& request, const PenaltySpec& spec, const Traversal& found,
           const ShellSide& shell, const FieldSide& side, int point, const Vector3d& x,
           const Vector3d& N, const Vector3d& g) noexcept;
  // U^T A^T v at the contact
  void project(const GradientRequest& request, const ShellSide& shell, const FieldSide& side,
               int point, const Vector3d& x, const Vector3d& v, VectorXd& out) const noexcept;
  void end(const GradientRequest& request) noexcept;

  MatrixXd G_;
  VectorXd load_, j_, slope_, count_slope_, modal_;
  double scale_ = 1.0, count_ = 0.0;
};

template <class Field>
const MatrixXd& ContactGradient::compute(const GradientRequest& request, const PenaltySpec& spec,
                                         const Traversal& found, const ShellSide& shell,
                                         const FieldSide& side, const Field& field) noexcept {
  begin(spec, found, shell);
  const std::span<const int> points = found.points();
  const Pose& pose = side.motion.pose;
  const Matrix3d A = pose.rotation.toRotationMatrix();
  Columns x, n;
  for (std::size_t first = 0; first < points.size(); first += together) {
    const std::size_t count = std::min<std::size_t>(together, points.size() - first);
    const std::span<const int> s = points.subspan(first, count);
    shell.points.positions(shell.motion, s, x);
    shell.points.normals(shell.motion, s, n);
    for (std::size_t block = 0; block < count; block += 8) {
      simd::Pack3 at{};
      for (int lane = 0; lane < 8; ++lane) {
        const auto k =
            static_cast<Index>(std::min(block + static_cast<std::size_t>(lane), count - 1));
        const Eigen::Vector3f own =
            (A.transpose() * (x.col(k) - pose.position)).template cast<float>();
        at.x[lane] = own[0];
        at.y[lane] = own[1];
        at.z[lane] = own[2];
      }
      const simd::DistanceSamples here = field.samples(at);
      for (std::size_t k = block; k < std::min(block + 8, count); ++k) {
        const auto lane = static_cast<int>(k - block);
        const auto column = static_cast<Index>(k);
        const Vector3d g =
            A * Vector3d(here.gradient.x[lane], here.gradient.y[lane], here.gradient.z[lane]);
        add(request, spec, found, shell, side, s[k], x.col(column), n.col(column), g);
      }
    }
  }
  end(request);
  return G_;
}

}  // namespace pliant
