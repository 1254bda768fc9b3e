// SPDX-License-Identifier: MIT
// Explicit central differences with lumped mass and damping, [Zhuang00] 3.1:
//
//   u_n+1  = u_n + dt u'_n + dt^2/2 u''_n                                             (3.7)
//   q u''_n+1 = F_n+1 - R(u_n+1) - D (u'_n + dt/2 u''_n),   q = M + dt/2 D  diagonal  (3.10)
//   u'_n+1 = u'_n + dt/2 (u''_n + u''_n+1)                                            (3.9)
//
// Stable for dt <= 2 / omega_max. omega_max is estimated at the start and followed while the body
// deforms (a deformed body may be stiffer) by one step of a power iteration every few steps.
//
// Collision as a constraint, [Zhuang00] 3.2: a node in contact loses its normal velocity relative
// to the surface (3.12); the acceleration that does this follows from (3.14), and the force from
// (3.10). After two equal steps the node has not moved along the normal (3.19). A node that would
// have to be pulled to stay leaves. Coulomb friction [Zhuang00] 5.4.1 acts along the surface, at
// most mu times the normal force, and never turns the sliding round. The penalty method stands
// beside it for comparison: a spring of given stiffness instead of the constraint.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "pliant/base/step_status.hpp"
#include "pliant/full/full_model.hpp"

namespace pliant {

// A node of the body on a surface; the caller finds them (rigid_shape.hpp, or contact/ later).
struct NodeContact {
  int node;                   // of the mesh; a held or hanging node is left out
  double gap;                 // signed distance to the surface now [m], negative inside
  Vector3d normal;            // of the surface, unit, towards the body's side
  Vector3d surface_velocity;  // of the surface at the node [m/s]
};

struct ContactOptions {
  enum class Method { constraint, penalty };
  Method method = Method::constraint;
  double friction = 0.0;  // Coulomb's mu
  double penalty = 0.0;   // stiffness [N/m], for Method::penalty
};

class ExplicitStepper {
 public:
  // `safety`: the step that is kept, as a part of the critical one. Throws Error if the model has
  // stiffness-proportional damping, which a diagonal cannot hold: see ConsistentStepper.
  explicit ExplicitStepper(const FullModel& model, double safety = 0.9);
  // The same with the critical step of the body at rest, which takes long to find.
  ExplicitStepper(const FullModel& model, double safety, double critical_step);

  // The largest step that will be taken now [s].
  double stable_step() const { return safety_ * critical_step_; }

  // Forgets how stiff the body has become: back to its critical step at rest.
  void reset() noexcept;

  // Makes the acceleration of `state` agree with its displacement, velocity and load. Call it after
  // the state was set by hand.
  void start(const FullLoad& load, FullState& state) noexcept;

  // One step of dt. Returns unstable_step, and does nothing, unless 0 < dt <= stable_step();
  // not_finite, and puts the state back, if the result is not finite. Allocates nothing.
  StepStatus step(const FullLoad& load, double dt, FullState& state) noexcept;
  // The same with contacts of this instant. To keep (3.19) the caller uses the same dt for the next
  // step too. `reactions` (one for each contact, N): the force of the surface on the node.
  StepStatus step(const FullLoad& load, double dt, std::span<const NodeContact> contacts,
                  const ContactOptions& options, std::span<Vector3d> reactions,
                  FullState& state) noexcept;

  // As many equal steps as `duration` needs, all stable; unstable_step if they would be more than
  // most_parts_of_a_step, failed if it is stopped, at the time that was reached.
  StepStatus advance(const FullLoad& load, double duration, FullState& state,
                     const std::stop_token& stop = {}) noexcept;

 private:
  void follow_critical_step(const FullState& state) noexcept;
  void resolve(const NodeContact& contact, const ContactOptions& options, double dt,
               Vector3d& reaction, FullState& state) noexcept;

  const FullModel& model_;
  double safety_;
  double rest_step_, critical_step_;  // of the body at rest, and as it is now
  long steps_ = 0;
  std::vector<int> free_index_;          // of a node's x displacement in z, -1: held or hanging
  VectorXd fz_, old_z_, old_v_, old_a_;  // of the step under way
  VectorXd probe_, probe_u_, probe_R_, probe_Rz_;  // of the power iteration
};

}  // namespace pliant
