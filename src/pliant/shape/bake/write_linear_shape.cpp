// SPDX-License-Identifier: MIT
// A bake writes, what runs only reads.
#include <utility>

#include "pliant/base/tensor_file.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {

void LinearShape::write(TensorWriter& writer, const std::string& prefix) const {
  add_to(writer, positions_, prefix + "X", prefix + "U");
  if (has_normals()) add_to(writer, normals_, prefix + "N", prefix + "dN");
}

void LinearShape::add_to(TensorWriter& writer, const Blocks& blocks, const std::string& rest_name,
                         const std::string& basis_name) const {
  Matrix3Xf X(3, points_);
  Eigen::MatrixXf U(3 * points_, size_);
  for (Index s = 0; s < points_; ++s) {
    X.col(s) = rest(blocks, s);
    U.middleRows<3>(3 * s) = matrix(blocks, s);
  }
  writer.keep(rest_name, std::move(X));
  writer.keep(basis_name, std::move(U));
}

}  // namespace pliant
