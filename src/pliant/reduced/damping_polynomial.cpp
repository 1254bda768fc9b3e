// SPDX-License-Identifier: MIT
#include "pliant/reduced/damping_polynomial.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {

DampingParts read_damping_parts(const TensorView& file, const std::string& prefix) {
  const auto read = [&](const char* name, Index rows) {
    const auto columns = file.matrix<double>(prefix + name, rows);
    if (columns.cols() != 2) {
      throw Error({file.name(), 0, prefix + name}, "not one row for phi and one for psi",
                  std::to_string(columns.cols()), "2");
    }
    return columns;
  };
  const auto constant = read("constant", -1);
  const Index n = constant.rows();
  Index r = 0;
  while (pair_count(r) < n) ++r;
  const auto linear = read("linear", n * r), quadratic = read("quadratic", pair_count(n));
  const auto part = [&](Index p) {
    return DampingPolynomial{constant.col(p), linear.col(p).reshaped(n, r), quadratic.col(p)};
  };
  return {part(0), part(1)};
}

}  // namespace pliant
