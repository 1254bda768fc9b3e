// SPDX-License-Identifier: MIT
// The full engine: every node of a finite-element mesh, large deformations. [Zhuang00] ch. 2, 3, 4.
//
//   M u'' + D u' + R(u) = F                                             [Zhuang00] (3.1)
//
// FullModel is what does not change: the elastic body, what holds it, its mass and damping. It is
// shared by threads. FullState is one motion of it, owned by one thread. Integrators step a state:
// explicit_step.hpp (central differences), consistent_step.hpp (without lumping), implicit_step.hpp
// (Newmark, backward Euler).
//
// The unknowns are the free displacements z, u = T z + u0 (fem/constraints.hpp): fixed nodes are
// gone, and hanging nodes follow their parents [Zhuang00] 3.3.
#pragma once

#include <memory>

#include "pliant/fem/constraints.hpp"
#include "pliant/fem/damping.hpp"
#include "pliant/fem/elastic_model.hpp"

namespace pliant {

// More parts of one step than this are refused: nobody would wait for it.
inline constexpr int most_parts_of_a_step = 100'000;

class FullModel {
 public:
  // Throws Error: damping that is negative or not finite, a node without mass, constraints of
  // another mesh.
  FullModel(fem::ElasticModel body, fem::Constraints constraints, Damping damping);

  const fem::ElasticModel& body() const { return body_; }
  const fem::Constraints& constraints() const { return constraints_; }
  const Damping& damping() const { return damping_; }
  Index free_size() const { return constraints_.free_size(); }
  // Lumped mass of the free displacements; slaves give theirs to their parents. [kg]
  const VectorXd& mass() const { return mass_; }
  // Cube root of the mean volume of an element [m].
  double element_size() const { return element_size_; }

 private:
  fem::ElasticModel body_;
  fem::Constraints constraints_;
  Damping damping_;
  VectorXd mass_;
  double element_size_;
};

// One motion. All vectors are preallocated; z, v, a: free_size(), u, R: 3 #V.
struct FullState {
  explicit FullState(const FullModel& model);

  double time = 0.0;  // s
  VectorXd z, v, a;   // free displacements [m], velocities, accelerations
  VectorXd u;         // all displacements, T z + u0
  VectorXd R;         // internal force at u [N]
  VectorXd Rz;        // T^T R
};

// What acts on the body during a step: forces on all nodes, 3 #V [N]; held nodes ignore theirs.
struct FullLoad {
  VectorXd force;
};

// Kinetic and elastic energy [J], linear and angular momentum, volume [m^3] of a state.
struct Balance {
  double kinetic = 0.0, elastic = 0.0;
  Vector3d momentum = Vector3d::Zero();          // kg m/s
  Vector3d angular_momentum = Vector3d::Zero();  // about the origin, kg m^2/s
  double volume = 0.0;
};
Balance balance(const FullModel& model, const FullState& state);

}  // namespace pliant
