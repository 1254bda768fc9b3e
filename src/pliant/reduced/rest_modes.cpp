// SPDX-License-Identifier: MIT
#include "pliant/reduced/rest_modes.hpp"

#include <numbers>

#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {

RestModes rest_modes(const ReducedModel& model) {
  const DenseEigen modes =
      symmetric_eigen(stiffness(model, VectorXd::Zero(model.size())), model.mass());
  return {modes.values.cwiseMax(0.0).cwiseSqrt() / (2 * std::numbers::pi),
          modes.vectors.colwise().normalized()};
}

}  // namespace pliant
