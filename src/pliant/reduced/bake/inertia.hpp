// SPDX-License-Identifier: MIT
// The moments of a body and its shapes: reduced/body_inertia.hpp.
#pragma once

#include <vector>

#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/reduced/body_inertia.hpp"

namespace pliant {

// From masses at points. X: 3 by n. mass: n, or 3n with three equal numbers each. U: 3n by r.
// Throws Error: sizes that do not agree, a mass that is negative, a number that is not finite, no
// mass at all.
BodyMoments body_moments(const Matrix3Xd& X, const VectorXd& mass, const MatrixXd& U);

// Of each region of the mesh at a density of one, in the order of reduce_materials() and with the
// mass of the same kind. Throws Error if U is of another size or not finite.
std::vector<BodyMoments> reduce_moments(const fem::ElasticModel& model, const MatrixXd& U,
                                        MassKind kind = MassKind::lumped);

}  // namespace pliant
