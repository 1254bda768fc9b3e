// SPDX-License-Identifier: MIT
// The same loads on every engine that can run a scene, against the full engine with a fine step.
//
//   reduced    the scene's own reduced engine, or one with default options
//   modes      as many linear modes instead of its basis: what the derivatives are good for
//   linear     linear modes and linear elasticity: what large deformations are
//   implicit   the full engine, Newmark, at the scene's rate
//   explicit   the full engine, central differences; the first mode is damped as in the others
//   green      small deformations without inertia
//   vademecum  large deformations without inertia: the scene's own, or one for the push
//
//   reference  the full engine, Newmark, at `reference_rate`
//
// Errors are of the displacements of all nodes, weighted with their mass, relative to the largest
// such norm of the reference:
//
//   e(t) = |u(t) - u_ref(t)|_M / max_s |u_ref(s)|_M
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/bake/step_cache.hpp"
#include "pliant/base/progress.hpp"
#include "pliant/report/picture.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

struct ComparisonOptions {
  std::vector<std::string> engines = {};  // of comparison_engines(); empty: all
  double duration = 0;                    // s; 0: three periods of the first mode
  double rate = 0;                        // of the engines [Hz]; 0: the scene's
  double reference_rate = 0;              // 0: twice the engines'
  double time_limit = 120;                // of one engine's run [s]; one that takes longer is left
  std::filesystem::path script = {};      // of loads; empty: a touch, see ComparisonTouch
};

std::vector<std::string> comparison_engines();

// What acts on the first body besides gravity and wind if there is no script: the point of its
// surface that yields most is pushed, as far as linear elasticity would move it by a tenth of the
// body's size, for one period of the first mode; then it swings.
struct ComparisonTouch {
  std::string body;
  int point = 0;
  Vector3d at = Vector3d::Zero();     // m
  Vector3d force = Vector3d::Zero();  // N
  double until = 0;                   // s
};

// One body under one engine. The curves have a value for each of Comparison::times.
struct BodyComparison {
  std::string name;
  std::vector<double> error = {};
  std::vector<double> deflection =
      {};                           // of the node that moves farthest in the reference, there [m]
  std::vector<double> energy = {};  // kinetic and elastic [J]
  std::vector<double> volume = {};  // relative change
  double mean_error = 0, max_error = 0;
  double energy_error = 0;               // largest difference, relative to the reference's largest
  double volume_change = 0;              // largest, relative
  std::optional<double> frequency = {};  // of the swing after the touch [Hz]
  Matrix3Xd surface = {};                // its points at Comparison::picture_time
};

struct EngineComparison {
  std::string name, what;
  std::string left_out = {};  // why it did not run; empty: it did
  double rate = 0;            // Hz
  std::int64_t steps = 0, rough_steps = 0;
  double step_mean = 0, step_max = 0;       // s
  double bake_seconds = 0;                  // of all steps, when they were made
  double set_up_seconds = 0;                // from the asset to the first step
  std::optional<double> memory = {};        // of the running world [bytes]
  std::vector<BodyComparison> bodies = {};  // those that deform

  double times_real_time() const { return 1 / (rate * step_mean); }
};

// What is drawn of a body, and the size of its mesh.
struct ComparedBody {
  std::string name;
  Matrix3Xd rest;  // points of its surface
  Matrix3Xi triangles;
  int nodes = 0, elements = 0;
  double first_frequency = 0;  // of the linear modes [Hz]; 0: not known
};

struct Comparison {
  std::string title, description;
  PictureView view;
  std::vector<double> times;  // s
  double picture_time = 0;    // where the reference is deformed most [s]
  std::optional<ComparisonTouch> touch;
  std::string script;  // or the file of the loads
  Vector3d gravity = Vector3d::Zero();
  std::vector<ComparedBody> bodies;
  EngineComparison reference;
  std::vector<EngineComparison> engines;
};

// Throws Error: a scene in which nothing deforms, an engine that is not known (it names the
// nearest), rates of which one is not a multiple of the other; what the reference refuses.
// Cancelled.
Comparison compare(const Scene& scene, const ComparisonOptions& options, const StepCache& cache,
                   Progress& progress = Progress::none());

// Frequency [Hz] of the sine that fits y(t) best, between a third and three times of `near`.
double fitted_frequency(const std::vector<double>& t, const std::vector<double>& y, double near);

}  // namespace pliant
