// SPDX-License-Identifier: MIT
// Which r shapes of modes and derivatives? The weights of ModalWeights in the metric of energy
// beside those of [Barbic07] (2.52) in the metric of mass, by the error under the same smooth loads
// (quality.hpp), which move a linear body by 0.03 of its size: below one percent, or not above it.
#include <algorithm>

#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/quality.hpp"
#include "verify/motions.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

struct Body {
  std::string model;
  int resolution, k, r;
};

const Body bodies[] = {{"cantilever", 12, 10, 15},
                       {"spoon", 20, 6, 12},
                       {"heart", 16, 20, 15},
                       {"tower", 30, 20, 15},
                       {"dragon", 24, 20, 15}};

double mean_error(const FullModel& body, const QualityReference& reference, const ShapeSet& shapes,
                  int r) {
  const MatrixXd U = mass_pca(body.body(), body.constraints(), shapes, {.count = r}).U;
  const ReducedMaterials m = reduce_materials(body.body(), U);
  const ReducedModel model(PolynomialForces(m.parts, m.coefficients), {m.masses, m.densities},
                           Damping{});
  return 100 * assess(reference, U, model).mean;
}

std::vector<Row> weights() {
  std::vector<Row> rows;
  for (const auto& [name, resolution, k, r] : bodies) {
    const FullModel body = voxel_body(name, resolution);
    const LinearModes modes = linear_modes(body.body(), body.constraints(), k);
    const MatrixXd Phi = modal_derivatives(body.body(), body.constraints(), modes);
    const QualityReference reference =
        quality_reference(body.body(), body.constraints(), modes, {.loads = 6});
    const auto error = [&](const ModalWeights& weights) {
      return mean_error(body, reference, modal_shapes(body.body(), modes, Phi, {}, weights), r);
    };
    const double published = error({.amplitude = 0}), ours = error({});
    rows.push_back({name + ".published", "", published, "%", "reported", true});
    rows.push_back(at_most(name + ".error", ours, std::max(1.0, published), "%"));
  }
  return rows;
}

const Experiments experiments{{.name = "reduced.weights", .run = weights}};

}  // namespace
}  // namespace pliant::verify
