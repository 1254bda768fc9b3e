// SPDX-License-Identifier: MIT
// Steps of the reduced engine. [Barbic07] 2.9
//
// Implicit Newmark, M q'' + D(q) q' + R(q) = f at the end of the step, by at most max_iterations
// of Newton's method, started at the old q (1 or 2: semi-implicit):
//
//   q''_i+1 = a1 (q_i+1 - q_i) - a2 q'_i - a3 q''_i      a1 = 1/(b dt^2)  a2 = 1/(b dt)
//   q'_i+1  = a4 (q_i+1 - q_i) + a5 q'_i + a6 q''_i      a3 = (1 - 2b)/(2b)  a4 = g/(b dt)
//                                                        a5 = 1 - g/b  a6 = (1 - g/(2b)) dt
//   (a1 M + a4 D + K) dq = -(M q'' + D q' + R - f)       b, g: Newmark's parameters beta, gamma
//
// One iteration, as in the paper, damps: what bends stretches along the old tangent, and the stiff
// shapes that take the stretch back come a step late, with the energy gone. Two are the default;
// docs/benchmarks.md has the figures (`pliant verify barbic.iterations`).
//
// b = 1/4, g = 1/2 is of second order over any time and keeps the energy of a linear body. b = 0
// divides by zero: central differences are a scheme of their own,
//
//   q_i+1 = q_i + dt q'_i + dt^2/2 q''_i
//   (M + dt/2 D) q''_i+1 = f - R(q_i+1) - D (q'_i + dt/2 q''_i)
//   q'_i+1 = q'_i + dt/2 (q''_i + q''_i+1)
//
// stable for dt <= 2 / omega_max, where omega_max is that of the reduced body: far above the linear
// modes in the basis [Barbic07] 2.9.1. A step above it is refused.
//
// The limit of the acceleration: where M^-1 (f - D q' - R) at the beginning of an implicit step is
// above it, D, R and f (and K) of this step are scaled down to it [Barbic07] 3.10.2. What then is
// still above it at the end is cut, q and q' following, so that the limit holds exactly.
#pragma once

#include "pliant/base/step_status.hpp"
#include "pliant/reduced/reduced_model.hpp"

namespace pliant {

// Makes the acceleration of `state` agree with its coordinates, velocities and load. Call it after
// the state was set by hand.
void start(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept;

// One step of model.options(). Allocates nothing. Whatever the load, the state stays finite:
//   not_finite     a load that is not finite: nothing done; numbers lost on the way: the body is
//                  put back to where its forces were last finite, at rest; if that happens again
//                  and again, nearer and nearer to its rest shape
//   not_definite   the matrix was shifted, or so near to indefinite that the step was shortened
//   not_converged  the tolerance was not met (never said by Newmark with max_iterations 1 or 2)
//   limited        the acceleration was cut
//   unstable_step  central differences: dt is above state.critical_step, nothing done
StepStatus step(const ReducedModel& model, const ReducedLoad& load, ReducedState& state) noexcept;

// R(q) = f from the q at hand, at most max_iterations of Newton's method with a line search that
// lets the energy fall. Velocity and acceleration become zero. Status as above. Allocates nothing.
StepStatus solve_static(const ReducedModel& model, const ReducedLoad& load, int max_iterations,
                        double tolerance, ReducedState& state) noexcept;

// Of a state [J].
struct ReducedEnergy {
  double kinetic = 0.0, elastic = 0.0;
};
ReducedEnergy energy(const ReducedModel& model, ReducedState& state) noexcept;

}  // namespace pliant
