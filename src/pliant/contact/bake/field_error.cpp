// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/field_error.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/random.hpp"
#include "pliant/mesh/surface_distance.hpp"

namespace pliant {

std::vector<FieldError> field_errors(DomainField& field, const SurfaceMesh& surface,
                                     const MatrixXd& U, const std::vector<VectorXd>& poses,
                                     const FieldErrorOptions& options) {
  if (U.rows() != 3 * surface.V.cols() || U.cols() != field.domain(0).proxies().size()) {
    throw Error({"", 0, "field error"}, "basis of the surface", std::to_string(U.rows()),
                std::to_string(3 * surface.V.cols()) + " rows");
  }
  const double band = options.band * bounds(surface.V).sizes().maxCoeff();
  std::vector<FieldError> errors;
  for (const VectorXd& c : poses) {
    SurfaceMesh deformed = surface;
    deformed.V.reshaped() += U * c;
    // Parts of a deformed surface may run into each other.
    const SurfaceDistance exact(deformed, DistanceSign::winding_number);
    field.update(c.cast<float>());
    Random random(options.seed);
    Matrix3Xd P(3, options.places);
    for (Index k = 0; k < P.cols(); ++k) {
      const int f = random.below(static_cast<int>(deformed.F.cols()));
      const double u = std::sqrt(random.uniform()), t = random.uniform();
      const Vector3d a = deformed.V.col(deformed.F(0, f)), b = deformed.V.col(deformed.F(1, f)),
                     o = deformed.V.col(deformed.F(2, f));
      const Vector3d away(random.normal(), random.normal(), random.normal());
      P.col(k) =
          (1 - u) * a + u * ((1 - t) * b + t * o) + random.uniform(0, band) * away.normalized();
    }
    const VectorXd D = exact.evaluate(P);
    FieldError error;
    for (Index k = 0; k < P.cols(); ++k) {
      const auto at = [&](int i) { return simd::all(static_cast<float>(P(i, k))); };
      const double d = static_cast<double>(field.values({at(0), at(1), at(2)})[0]);
      const double off = std::abs(d - D[k]);
      error.mean += off / static_cast<double>(P.cols());
      error.largest = std::max(error.largest, off);
      error.wrong_side += (d < 0) != (D[k] < 0) ? 1.0 / static_cast<double>(P.cols()) : 0.0;
    }
    errors.push_back(error);
  }
  return errors;
}

}  // namespace pliant
