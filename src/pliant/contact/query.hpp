// SPDX-License-Identifier: MIT
// Distances to a body for people who ask: many places at once, inside and outside, of a body at rest
// or deformed.
//
//   DistanceAnswers answers(1000);
//   query(field, places, answers);          // answers.distance, .gradient, .witness, .error
//
//   distance   signed, negative inside [m]          gradient   of the field, not normalised
//   witness    a place of the surface to which the distance is: found by Newton's method along the
//              gradients, from the place itself
//   error      how far the distance may be off [m]: the bound of the grid (distance_field.hpp), and
//              what |place - witness| says otherwise; infinite where no witness was found
//
// In the frame of the field. Nothing is allocated. Of a body of a world: world/contact_distances.hpp.
#pragma once

#include <limits>

#include "pliant/contact/analytic_field.hpp"
#include "pliant/contact/domain_field.hpp"

namespace pliant {

struct DistanceAnswers {
  explicit DistanceAnswers(Index count)
      : distance(count), error(count), gradient(3, count), witness(3, count) {}

  VectorXf distance, error;
  Matrix3Xf gradient, witness;
};

// `answers`: of as many places.
void query(const DistanceField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept;
void query(const AnalyticField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept;
void query(const DeformedField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept;
void query(const DomainField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept;

}  // namespace pliant
