// SPDX-License-Identifier: MIT
#include "pliant/vademecum/distance_train.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

void DistanceTrain::select(Index state, MatrixXd& field) const noexcept {
  const Index r3 = D.rows();
  for (Index c = 0; c < nodes[2]; ++c) {
    field.col(c).noalias() = C.middleCols(c * r3, r3) * D.col(state);
  }
}

double DistanceTrain::at(const MatrixXd& field, const Vector3d& x, VectorXd& row,
                         Vector3d* gradient) const noexcept {
  Index cell[3];
  double part[3];
  Vector3d outside = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) {
    const double place = (x[i] - origin[i]) / spacing[i], last = nodes[i] - 1;
    const double inside = std::clamp(place, 0.0, last);
    outside[i] = (place - inside) * spacing[i];
    cell[i] = std::min<Index>(static_cast<Index>(inside), nodes[i] - 2);
    part[i] = inside - static_cast<double>(cell[i]);
  }
  const Index r1 = A.rows(), r2 = field.rows();
  const auto left = A.col(cell[0]), right = A.col(cell[0] + 1);
  const auto below = field.col(cell[2]), above = field.col(cell[2] + 1);
  // Of the four edges along z of the cell, by x and y: values at both ends.
  double value[2][2][2];
  for (int b = 0; b < 2; ++b) {
    const double* slice = B.data() + (cell[1] + b) * r2 * r1;
    for (int a = 0; a < 2; ++a) {
      const auto& A_a = a == 0 ? left : right;
      for (Index k = 0; k < r2; ++k) {
        double sum = 0;
        for (Index i = 0; i < r1; ++i) sum += A_a[i] * slice[k * r1 + i];
        row[k] = sum;
      }
      value[a][b][0] = row.dot(below);
      value[a][b][1] = row.dot(above);
    }
  }
  const auto mix = [](double t, double p, double q) { return p + t * (q - p); };
  const auto face = [&](int a) {
    return mix(part[1], mix(part[2], value[a][0][0], value[a][0][1]),
               mix(part[2], value[a][1][0], value[a][1][1]));
  };
  const auto along_y = [&](int a) {
    return mix(part[2], value[a][1][0], value[a][1][1]) -
           mix(part[2], value[a][0][0], value[a][0][1]);
  };
  const auto along_z = [&](int a) {
    return mix(part[1], value[a][0][1] - value[a][0][0], value[a][1][1] - value[a][1][0]);
  };
  if (gradient) {
    *gradient = Vector3d(face(1) - face(0), mix(part[0], along_y(0), along_y(1)),
                         mix(part[0], along_z(0), along_z(1)))
                    .cwiseQuotient(spacing);
  }
  return mix(part[0], face(0), face(1)) + outside.norm();
}

}  // namespace pliant
