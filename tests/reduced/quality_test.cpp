// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/quality.hpp"

#include <gtest/gtest.h>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/automatic_basis.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"

namespace pliant {
namespace {

struct Beam {
  explicit Beam(bool held)
      : model(block(ElementType::hex8, {6, 2, 2}, {0.6, 0.1, 0.1}),
              {fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}),
        constraints(model.mesh(), held ? end_nodes() : std::vector<int>{}),
        modes(linear_modes(model, constraints, 6)) {}

  std::vector<int> end_nodes() const {
    std::vector<int> nodes;
    for (int v = 0; v < model.mesh().vertex_count(); ++v) {
      if (model.mesh().V(0, v) < 1e-9) nodes.push_back(v);
    }
    return nodes;
  }
  Quality quality_of(const QualityReference& reference, const MatrixXd& U) const {
    const ReducedMaterials m = reduce_materials(model, U);
    const ReducedModel reduced(
        PolynomialForces(m.parts, m.coefficients, Precision::double_precision),
        {m.masses, m.densities}, Damping{});
    return assess(reference, U, reduced);
  }
  MatrixXd basis(bool derivatives, int r) const {
    const MatrixXd Phi =
        derivatives ? modal_derivatives(model, constraints, modes) : MatrixXd(model.dof(), 0);
    return mass_pca(model, constraints, modal_shapes(model, modes, Phi), {.count = r}).U;
  }

  fem::ElasticModel model;
  fem::Constraints constraints;
  LinearModes modes;
};

TEST(Quality, ACompleteBasisHasNoError) {
  const Beam beam(true);
  const QualityReference reference =
      quality_reference(beam.model, beam.constraints, beam.modes, {.loads = 3, .amplitude = 0.1});
  // The full solutions and the first mode span all that is asked for.
  ShapeSet set;
  set.add(reference.displacements);
  set.add(beam.modes.Psi.leftCols(1));
  const MatrixXd U = mass_pca(beam.model, beam.constraints, set, {.count = 4}).U;
  const Quality quality = beam.quality_of(reference, U);
  EXPECT_LT(quality.worst, 1e-5);
  EXPECT_NEAR(quality.frequency_error, 0, 1e-6);
  EXPECT_EQ(quality.not_converged, 0);
}

TEST(Quality, DerivativesBeatLinearModesUnderLargeLoads) {
  for (const bool held : {true, false}) {
    const Beam beam(held);
    const QualityReference reference = quality_reference(
        beam.model, beam.constraints, beam.modes, {.loads = 4, .amplitude = held ? 0.1 : 0.03});
    EXPECT_EQ(reference.dropped, 0);
    const Quality modes = beam.quality_of(reference, beam.basis(false, 6));
    const Quality derivatives = beam.quality_of(reference, beam.basis(true, 20));
    EXPECT_LT(derivatives.mean, 0.7 * modes.mean) << (held ? "held" : "free");
    EXPECT_LT(std::abs(modes.frequency_error), 1e-8);
    EXPECT_GT(derivatives.frequency_error, -1e-8) << "a subspace cannot be softer";
  }
}

TEST(Quality, LoadsAreTheSameForOneSeedAndAnyThreads) {
  const Beam beam(true);
  const auto reference = [&](std::uint64_t seed, int count) {
    set_threads(count);
    const QualityReference result = quality_reference(beam.model, beam.constraints, beam.modes,
                                                      {.loads = 2, .amplitude = 0.1, .seed = seed});
    set_threads(0);
    return result;
  };
  const QualityReference one = reference(7, 1), two = reference(7, 2), other = reference(8, 2);
  EXPECT_EQ(one.loads, two.loads);
  EXPECT_EQ(one.displacements, two.displacements);
  EXPECT_NE(one.loads, other.loads);
  const Matrix3Xd& X = beam.model.mesh().V;
  const double size = bounds(X).diagonal().norm();
  const double largest =
      one.displacements.reshaped(3, one.displacements.size() / 3).colwise().norm().maxCoeff();
  EXPECT_GT(largest, 0.03 * size);
  EXPECT_LT(largest, 0.2 * size);
}

TEST(AutomaticBasis, MeetsTheToleranceWithFewShapes) {
  const Beam beam(true);
  const auto basis = [&](double tolerance) {
    return automatic_basis(beam.model, beam.constraints,
                           {.tolerance = tolerance,
                            .first_modes = 2,
                            .most_modes = 8,
                            .most_shapes = 24,
                            .quality = {.loads = 3, .amplitude = 0.1}});
  };
  const AutomaticBasis coarse = basis(0.2), fine = basis(0.02), impossible = basis(1e-9);
  EXPECT_TRUE(coarse.met && fine.met);
  EXPECT_LE(fine.quality.mean, 0.02);
  EXPECT_LT(coarse.basis.rank(), fine.basis.rank());
  EXPECT_FALSE(impossible.met);
  EXPECT_LE(impossible.quality.mean, fine.quality.mean);
  EXPECT_EQ(impossible.quality.size, impossible.basis.rank());
}

TEST(Quality, OptionsOutOfRangeAreRefused) {
  const Beam beam(true);
  for (const QualityOptions& options :
       {QualityOptions{.loads = 0}, {.amplitude = 0.0}, {.amplitude = 2.0}}) {
    EXPECT_THROW(quality_reference(beam.model, beam.constraints, beam.modes, options), Error);
  }
}

}  // namespace
}  // namespace pliant
