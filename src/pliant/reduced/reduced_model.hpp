// SPDX-License-Identifier: MIT
// The reduced engine: a body that moves by u = U q, r coordinates q instead of 3n displacements.
//
//   M q'' + D(q) q' + R(q) = f,     f = U^T (forces on the nodes)         [Barbic07] (2.21), 2.10
//
//   M   r by r, U^T (mass) U: sum over groups of elements of density times part; the identity for a
//       mass-orthonormal U (q is then in m kg^1/2)
//   R   internal forces (reduced_forces.hpp), K = dR/dq
//   D   alpha M + beta K(q): local Rayleigh damping; and, if the body has it, strain-rate damping
//       (damping_polynomial.hpp)                                          [Barbic07] 2.7
//
// ReducedModel does not change while a body moves, but for edits by its owner between steps; it may
// be shared by threads meanwhile. ReducedState is one motion of it, owned by one thread.
// reduced_step.hpp steps it, reduced_asset.hpp keeps it in a file.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "pliant/fem/damping.hpp"
#include "pliant/reduced/dense_solver.hpp"
#include "pliant/reduced/energy_guard.hpp"
#include "pliant/reduced/polynomial_damping.hpp"
#include "pliant/reduced/reduced_forces.hpp"
#include "pliant/shape/motion.hpp"

namespace pliant {

struct ReducedMass {
  std::vector<MatrixXd> parts;  // r by r, symmetric, of each group with density 1
  VectorXd densities;           // kg/m^3; or 1, for parts that are masses
};

struct StepOptions {
  enum class Scheme {
    newmark,              // implicit; semi-implicit with max_iterations = 1 or 2
    central_differences,  // explicit
    quasi_static,         // without inertia: R(q) = f
  };
  Scheme scheme = Scheme::newmark;
  double dt = 1e-3;                 // s
  double beta = 0.25, gamma = 0.5;  // of Newmark: beta > 0, gamma >= 1/2
  int max_iterations = 2;           // of Newton
  double tolerance = 1e-6;          // of the residual, relative to the largest force in it
  // Of |q''|, exactly kept: what contact must know to leave out far points. [Barbic07] 3.10.2
  double acceleration_limit = std::numeric_limits<double>::infinity();

  // One or two iterations are a choice of cost: the residual that the last one leaves is not
  // evaluated.
  bool checks_convergence() const { return max_iterations > 2; }
};

class ReducedModel {
 public:
  // Throws Error: sizes that do not agree, a mass that is not symmetric positive definite, and what
  // the edits below refuse.
  ReducedModel(ReducedForces forces, ReducedMass mass, Damping damping,
               const StepOptions& options = {},
               std::optional<PolynomialDamping> strain_rate_damping = std::nullopt);

  Index size() const { return mass_.rows(); }  // r
  Index active() const { return active_; }     // r'
  const ReducedForces& forces() const { return forces_; }
  const MatrixXd& mass() const { return mass_; }
  const DenseSolver& mass_solver() const { return mass_solver_; }
  const ReducedMass& mass_parts() const { return mass_parts_; }
  const Damping& damping() const { return damping_; }
  const PolynomialDamping* strain_rate_damping() const {
    return strain_rate_damping_ ? &*strain_rate_damping_ : nullptr;
  }
  const StepOptions& options() const { return options_; }
  long edits() const { return edits_; }  // how many there were

  // Edits between steps. Nothing is allocated. False: the value is refused and nothing changed.
  // [Barbic07] 2.11
  // The coefficients of the parts of the energy: PolynomialForces::coefficients().
  bool try_set_coefficients(const VectorXd& coefficients) noexcept;
  // Of a cubature: Lamé's constants at rest of one of its materials.
  bool try_set_lame(int material, const fem::Lame& lame) noexcept;
  // One positive density for each part of the mass.
  bool try_set_densities(const VectorXd& densities) noexcept;
  bool try_set_damping(const Damping& damping) noexcept;
  // Of a body with strain-rate damping.
  bool try_set_viscosity(const Viscosity& viscosity) noexcept;
  bool try_set_options(const StepOptions& options) noexcept;
  // Only the first r' coordinates move, 1 <= r' <= r. The others go to zero within a few tens of
  // milliseconds, and are left out of the forces at once.
  bool try_set_active(Index active) noexcept;

  // The same outside of a real-time loop: a value that is refused throws Error, which says why.
  void set_coefficients(const VectorXd& coefficients);
  void set_densities(const VectorXd& densities);
  void set_damping(const Damping& damping);
  void set_viscosity(const Viscosity& viscosity);
  void set_options(const StepOptions& options);
  void set_active(Index active);

 private:
  ReducedForces forces_;
  ReducedMass mass_parts_;
  MatrixXd mass_;
  DenseSolver mass_solver_;
  Damping damping_;
  std::optional<PolynomialDamping> strain_rate_damping_;
  StepOptions options_;
  Index active_;
  long edits_ = 0;
};

// What acts on the body during a step: U^T f, r numbers. With a tangent, whose last r freedoms are
// the coordinates, f is that of the beginning of the step, and at its end
//
//   f - K_t (q - q_0) - D_t (q' - q'_0)
//
// which implicit steps take; central differences do not look at it.
struct ReducedLoad {
  VectorXd force;
  const LoadTangent* tangent = nullptr;
  double tangent_factor = 1.0;  // of K_t and D_t
};

// One motion. All is preallocated.
struct ReducedState {
  explicit ReducedState(const ReducedModel& model);

  double time = 0.0;  // s
  VectorXd q, v, a;   // r: coordinates, velocities, accelerations

  // The largest stable step of central differences, 2 / omega_max at q [s]: right for rest when the
  // state is made, then followed by that scheme while the body deforms.
  double critical_step;

  // Of the steps; no part of the motion.
  struct Scratch {
    explicit Scratch(const ReducedModel& model);
    VectorXd R, first_R, f, residual, dq, moved, product, old_q, old_v, old_a, sound_q, probe;
    MatrixXd K, first_K, D, A;
    DenseSolver solver;
    EnergyGuard guard;
    ForcesWorkspace forces;
    std::optional<PolynomialDamping::Workspace> strain_rate_damping;
    long edits = 0;       // of the model, when the guard last looked
    bool failed = false;  // the last step was put back
  } scratch;
};

// K(q) of the whole body, r by r. Throws Error if it is not finite; allocates.
MatrixXd stiffness(const ReducedModel& model, const VectorXd& q);

// 2 / omega_max of the whole body with the stiffness at q [s]; infinite if no direction is stiff.
// `fastest`: if not null, the motion that has it. Throws as above; allocates.
double critical_step(const ReducedModel& model, const VectorXd& q, VectorXd* fastest = nullptr);

}  // namespace pliant
