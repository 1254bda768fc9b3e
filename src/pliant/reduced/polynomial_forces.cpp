// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_forces.hpp"

#include <utility>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"

namespace pliant {
namespace {

void require(bool condition, std::size_t part, const char* message, Index found, Index expected) {
  if (condition) return;
  throw Error({"", 0, "part " + std::to_string(part) + " of the energy"}, message,
              std::to_string(found), std::to_string(expected));
}

// The number of variables r. Throws Error.
Index checked_size(const std::vector<EnergyPolynomial>& parts, const VectorXd& coefficients) {
  if (parts.empty()) throw Error("a reduced body needs at least one part of its energy");
  if (coefficients.size() != static_cast<Index>(parts.size())) {
    throw Error({}, "the parts of the energy need a coefficient each",
                std::to_string(coefficients.size()), std::to_string(parts.size()));
  }
  if (!coefficients.allFinite()) throw Error("a coefficient of the energy is not finite");
  Index r = 1;
  while (pair_count(r) < parts[0].quadratic.size()) ++r;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto& [quadratic, cubic, quartic] = parts[p];
    require(quadratic.size() == pair_count(r), p, "wrong number of quadratic coefficients",
            quadratic.size(), pair_count(r));
    require(cubic.size() == triple_count(r), p, "wrong number of cubic coefficients", cubic.size(),
            triple_count(r));
    require(quartic.size() == quadruple_count(r), p, "wrong number of quartic coefficients",
            quartic.size(), quadruple_count(r));
    if (!quadratic.allFinite() || !cubic.allFinite() || !quartic.allFinite()) {
      throw Error({"", 0, "part " + std::to_string(p) + " of the energy"},
                  "a number is not finite");
    }
  }
  return r;
}

template <class Kernel>
typename Kernel::Scratch& scratch_of(const Kernel&,
                                     PolynomialForces::Workspace& workspace) noexcept {
  auto* const scratch = std::get_if<typename Kernel::Scratch>(&workspace.scratch);
  PLIANT_ASSERT(scratch != nullptr, "the workspace must be of these forces");
  return *scratch;
}

}  // namespace

PolynomialForces::PolynomialForces(std::vector<EnergyPolynomial> parts, VectorXd coefficients,
                                   Precision precision)
    : parts_(std::move(parts)),
      coefficients_(std::move(coefficients)),
      size_(checked_size(parts_, coefficients_)),
      kernel_(precision == Precision::double_precision ? Kernel(PolynomialKernel<double>(size_))
                                                       : Kernel(PolynomialKernel<float>(size_))) {
  for (EnergyPolynomial& part : parts_) to_coefficients(part, size_);
  set_coefficients(coefficients_);
}

void PolynomialForces::set_coefficients(const VectorXd& coefficients) noexcept {
  PLIANT_ASSERT(coefficients.size() == coefficients_.size(), "one coefficient a part");
  coefficients_ = coefficients;
  std::visit([&](auto& kernel) { kernel.assign(parts_, coefficients_); }, kernel_);
}

PolynomialForces::Workspace::Workspace(const PolynomialForces& forces)
    : scratch(std::visit(
          [](const auto& kernel) -> decltype(scratch) {
            return typename std::decay_t<decltype(kernel)>::Scratch(kernel);
          },
          forces.kernel_)) {}

void PolynomialForces::evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R,
                                Eigen::Ref<MatrixXd> K, Workspace& workspace) const noexcept {
  PLIANT_ASSERT(q.size() >= 1 && q.size() <= size_ && R.size() == q.size() &&
                    K.rows() == q.size() && K.cols() == q.size(),
                "q has at most r numbers, R and K as many");
  std::visit([&](const auto& kernel) { kernel.evaluate(q, R, K, scratch_of(kernel, workspace)); },
             kernel_);
}

double PolynomialForces::energy(const Eigen::Ref<const VectorXd>& q,
                                Workspace& workspace) const noexcept {
  PLIANT_ASSERT(q.size() >= 1 && q.size() <= size_, "q has at most r numbers");
  return std::visit(
      [&](const auto& kernel) { return kernel.energy(q, scratch_of(kernel, workspace)); }, kernel_);
}

}  // namespace pliant
