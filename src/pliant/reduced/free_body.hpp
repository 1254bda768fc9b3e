// SPDX-License-Identifier: MIT
// A reduced body that nothing holds: it flies and turns as a rigid body, and deforms in the frame
// that goes with it. Of every point
//
//   x = p + R (X + U q)
//
// X as in the mesh, U and q those of a ReducedModel. The centre of mass c, its velocity and the
// angular momentum L about it are what is integrated: a flight without loads keeps both momenta to
// rounding. With the body's angular velocity W (in its frame) and the terms of body_inertia.hpp,
//
//   c'' = F / m,      L' = T (torque about c),      R' = R W~,      R^T L = I(q) W + H(q) q'
//
// Coupling::none, as in [Barbic07] 2.8.7: I is that of rest, H is left out, and the deformation
// feels only the load, M' q'' + D q' + R(q) = f', f' = U'^T R^T (forces on the nodes).
//
// Coupling::full: it also feels the turning of its frame, and I and H follow it,
//
//   M' q'' + H^T W' + 2 W.(q'_k h_kj) - 1/2 W.(dI/dq_j) W + D q' + R(q) = f'
//            Euler    Coriolis          centrifugal
//
// where W' = I^-1 (T_b - W x L_b - I' W - H q'') is put in, so that the mass of q'' is
// M' - H^T I^-1 H. What is left is a force that depends on q, q', W, first taken where the step
// begins and then where it ends: second order.
#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "pliant/reduced/body_inertia.hpp"
#include "pliant/reduced/reduced_step.hpp"

namespace pliant {

class FreeBody {
 public:
  enum class Coupling { none, full };

  // moments: for each part of the mass of `deformation`, at a density of one. Throws Error if sizes
  // do not agree, the body has no inertia about some axis, or the coupling is full and the scheme
  // is not Newmark's.
  FreeBody(ReducedModel deformation, std::vector<BodyMoments> moments,
           Coupling coupling = Coupling::none);

  const ReducedModel& deformation() const { return deformation_; }
  const BodyInertia& inertia() const { return inertia_; }
  const std::vector<BodyMoments>& moments() const { return moments_; }
  const MatrixXd& relative_mass() const { return relative_mass_; }  // M'
  Coupling coupling() const { return coupling_; }

  // Edits between steps, as those of ReducedModel: in a real-time loop, and outside of it.
  bool try_set_coefficients(const VectorXd& c) noexcept {
    return deformation_.try_set_coefficients(c);
  }
  bool try_set_lame(int material, const fem::Lame& lame) noexcept {
    return deformation_.try_set_lame(material, lame);
  }
  bool try_set_densities(const VectorXd& densities) noexcept;
  bool try_set_damping(const Damping& damping) noexcept {
    return deformation_.try_set_damping(damping);
  }
  bool try_set_viscosity(const Viscosity& v) noexcept { return deformation_.try_set_viscosity(v); }
  bool try_set_options(const StepOptions& options) noexcept;
  bool try_set_active(Index active) noexcept { return deformation_.try_set_active(active); }
  bool try_set_coupling(Coupling coupling) noexcept;

  void set_coefficients(const VectorXd& c) { deformation_.set_coefficients(c); }
  void set_densities(const VectorXd& densities);
  void set_damping(const Damping& damping) { deformation_.set_damping(damping); }
  void set_viscosity(const Viscosity& v) { deformation_.set_viscosity(v); }
  void set_options(const StepOptions& options);
  void set_active(Index active) { deformation_.set_active(active); }
  void set_coupling(Coupling coupling);

 private:
  void add_up_inertia() noexcept;

  ReducedModel deformation_;
  std::vector<BodyMoments> moments_;
  Coupling coupling_;
  BodyMoments sum_;
  BodyInertia inertia_;
  MatrixXd relative_mass_;
};

// What acts during a step, in the world.
struct FreeBodyLoad {
  explicit FreeBodyLoad(Index r) : reduced(VectorXd::Zero(r)) {}
  void set_zero() noexcept;

  Vector3d force = Vector3d::Zero();   // N
  Vector3d torque = Vector3d::Zero();  // about the centre of mass [N m]
  VectorXd reduced;                    // U^T R^T (forces on the nodes), r
  // Of `reduced` alone: as in ReducedLoad. shape/implicit_wrench.hpp gives force and torque.
  const LoadTangent* tangent = nullptr;
  double tangent_factor = 1.0;
};

// One motion. All is preallocated.
struct FreeBodyState {
  explicit FreeBodyState(const FreeBody& body);

  ReducedState deformation;                      // q, q', q'' and the time
  Vector3d centre;                               // c [m]
  Vector3d velocity = Vector3d::Zero();          // of c [m/s]
  Vector3d angular_momentum = Vector3d::Zero();  // L [kg m^2/s], in the world
  Eigen::Quaterniond orientation{1, 0, 0, 0};    // R
  // These follow from the others.
  Vector3d angular_velocity = Vector3d::Zero();  // in the world [rad/s]
  Vector3d position = Vector3d::Zero();          // p [m]

  // Of the steps; no part of the motion.
  struct Scratch {
    explicit Scratch(const FreeBody& body);
    MatrixXd mass;        // M' - H^T I^-1 H
    VectorXd f, H, J, G;  // f': r; H: 3 r; dI/dq: 6 r; h q': 3 r
  } scratch;
};

// Sets velocity of the centre [m/s] and angular velocity [rad/s], in the world, for the deformation
// and its velocity at hand. Call it after the state was set by hand.
void set_motion(const FreeBody& body, const Vector3d& velocity, const Vector3d& angular_velocity,
                FreeBodyState& state) noexcept;

// A force at a point of the body, X in the mesh's coordinates, U its shapes (3 by r).
void add_force(const FreeBodyState& state, const Vector3d& X, const Eigen::Ref<const Matrix3Xd>& U,
               const Vector3d& force, FreeBodyLoad& load) noexcept;
// A uniform gravity g [m/s^2].
void add_gravity(const FreeBody& body, const FreeBodyState& state, const Vector3d& g,
                 FreeBodyLoad& load) noexcept;

// Makes the acceleration q'' of `state` agree with the rest of it and with the load.
void start(const FreeBody& body, const FreeBodyLoad& load, FreeBodyState& state) noexcept;

// One step of body.deformation().options(). Allocates nothing. Status as in reduced_step.hpp;
// not_converged also if the body turns too far in a step for its rotation to be found.
StepStatus step(const FreeBody& body, const FreeBodyLoad& load, FreeBodyState& state) noexcept;

// Kinetic, of flight, turning and deformation, and elastic energy [J].
ReducedEnergy energy(const FreeBody& body, FreeBodyState& state) noexcept;

}  // namespace pliant
