// SPDX-License-Identifier: MIT
#include "pliant/reduced/damping_polynomial.hpp"

#include "pliant/base/error.hpp"

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

void write_damping_parts(const DampingParts& parts, TensorWriter& writer,
                         const std::string& prefix) {
  const auto keep = [&](const char* name, const auto& member) {
    MatrixXd columns(member(parts[0]).size(), 2);
    for (Index p = 0; p < 2; ++p) {
      columns.col(p) = member(parts[static_cast<std::size_t>(p)]).reshaped();
    }
    writer.keep(prefix + name, std::move(columns));
  };
  keep(
      "constant", [](const DampingPolynomial& d) -> const auto& { return d.constant; });
  keep(
      "linear", [](const DampingPolynomial& d) -> const auto& { return d.linear; });
  keep(
      "quadratic", [](const DampingPolynomial& d) -> const auto& { return d.quadratic; });
}

}  // namespace pliant
