// SPDX-License-Identifier: MIT
// Which points of the body, with which weights, give its reduced forces (hyper_forces.hpp): those
// whose shares of the nonlinear force at given configurations c_j add up to the whole,
//
//   min sum_j |sum_p w_p n_p(c_j) - (X^T R(c_j) - c_j)|^2 / |c_j|^2,      w >= 0
//
// greedily: points most like what is missing are added, and all weights solved for anew, until the
// error is below the tolerance or there are as many points as allowed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/vademecum/hyper_forces.hpp"

namespace pliant {

struct HyperTraining {
  HyperPoints points;
  double error = 1.0;  // root of the sum above, over that without any point
};

// U: 3 #V by r; configurations: r by any number, none of them zero; `count`: points at most.
HyperTraining train_hyper_forces(const fem::ElasticModel& model, const MatrixXd& U,
                                 const MatrixXd& configurations, Index count, double tolerance,
                                 Progress& progress = Progress::none());

}  // namespace pliant
