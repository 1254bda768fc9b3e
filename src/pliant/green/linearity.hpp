// SPDX-License-Identifier: MIT
// Whether a deformation is small, [Klimenko03] 2.3: which limits of Linearity it is beyond.
#pragma once

#include "pliant/green/green_engine.hpp"

namespace pliant {

// Of the coefficients c; `strain`: scratch, as many numbers as the model's gauges have rows.
// StepStatus::beyond_*, or ok.
StepStatus beyond_limits(const GreenModel& model, const VectorXd& c, VectorXd& strain) noexcept;

// Largest principal strain, pulled or pressed, of six numbers 11 22 33 23 13 12 with engineering
// shears.
double largest_strain(const Eigen::Matrix<double, 6, 1>& e) noexcept;

}  // namespace pliant
