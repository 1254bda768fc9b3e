// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/automatic_basis.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"

namespace pliant {
namespace {

// The smallest leading part whose mean error is at most `tolerance`, by halving: the error falls
// with the size, if not strictly. Without one, the whole.
Quality smallest_good_part(const QualityReference& reference, const MatrixXd& U,
                           ReducedModel& model, double tolerance) {
  const auto quality_of = [&](Index size) {
    model.set_active(size);
    return assess(reference, U, model);
  };
  Quality best = quality_of(model.size());
  Index low = 0, high = model.size();  // low: too small
  while (best.mean <= tolerance && high - low > 1) {
    const Index middle = (low + high) / 2;
    const Quality quality = quality_of(middle);
    if (quality.mean <= tolerance) {
      best = quality;
      high = middle;
    } else {
      low = middle;
    }
  }
  return best;
}

}  // namespace

AutomaticBasis automatic_basis(const fem::ElasticModel& model, const fem::Constraints& constraints,
                               const AutomaticOptions& options, Progress& progress) {
  if (!(options.tolerance > 0 && options.tolerance < 1) || options.first_modes < 1 ||
      options.most_modes < options.first_modes || options.most_shapes < options.first_modes) {
    throw Error({"", 0, "automatic basis"}, "options out of range",
                fmt::format("tolerance {:g}, modes {} to {}, at most {} shapes", options.tolerance,
                            options.first_modes, options.most_modes, options.most_shapes),
                "0 < tolerance < 1, 1 <= first modes <= most modes, most shapes");
  }
  std::optional<QualityReference> reference;
  AutomaticBasis best;
  for (int k = options.first_modes;; k = std::min(k + (k + 1) / 2, options.most_modes)) {
    LinearModes modes = linear_modes(model, constraints, k, MassKind::lumped, progress);
    if (!reference) {
      reference = quality_reference(model, constraints, modes, options.quality, progress);
    }
    const MatrixXd Phi = modal_derivatives(model, constraints, modes, progress);
    const ShapeSet shapes = modal_shapes(model, modes, Phi, {}, options.weights);
    const int r = std::min(options.most_shapes, static_cast<int>(shapes.count()));
    Basis basis = mass_pca(model, constraints, shapes, {.count = r}, progress);
    const ReducedMaterials materials = reduce_materials(model, basis.U, MassKind::lumped, progress);
    ReducedModel reduced(PolynomialForces(materials.parts, materials.coefficients),
                         {materials.masses, materials.densities}, Damping{});
    const Quality quality = smallest_good_part(*reference, basis.U, reduced, options.tolerance);
    const bool met = quality.mean <= options.tolerance;
    if (best.quality.size == 0 || met || quality.mean < best.quality.mean) {
      const double total = basis.singular_values.squaredNorm();
      basis.U = MatrixXd(basis.U.leftCols(quality.size));
      basis.retained_energy = basis.singular_values.head(quality.size).squaredNorm() / total;
      best = {std::move(modes), std::move(basis), quality, met};
    }
    if (met || k == options.most_modes) return best;
  }
}

}  // namespace pliant
