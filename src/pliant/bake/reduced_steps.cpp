// SPDX-License-Identifier: MIT
#include "pliant/bake/reduced_steps.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pliant/bake/mesh_steps.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/reduced/bake/automatic_basis.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/cubature.hpp"
#include "pliant/reduced/bake/gravity_loads.hpp"
#include "pliant/reduced/bake/inertia.hpp"
#include "pliant/reduced/bake/inertial_derivatives.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/quality.hpp"
#include "pliant/reduced/bake/sketch.hpp"
#include "pliant/reduced/bake/user_shapes.hpp"

namespace pliant {
namespace {

// What a cubature is trained on: its largest displacements over the diagonal of the bounding box.
constexpr int training_poses = 100;
constexpr double largest_pose = 0.2;

// ---- what the steps read

LinearModes modes_of(const TensorFile& file) {
  return {file.matrix<double>("omega"), file.matrix<double>("Psi"), file.matrix<double>("rigid"),
          MassKind::lumped};
}

void keep_modes(TensorWriter& out, LinearModes modes) {
  out.keep("omega", std::move(modes.omega));
  out.keep("Psi", std::move(modes.Psi));
  out.keep("rigid", std::move(modes.rigid));
}

// ---- what the steps depend on

std::string text_of(const std::vector<BodyRegion>& regions, bool values_of_isotropic = true) {
  std::string text;
  for (const BodyRegion& region : regions) {
    const fem::Material& m = region.material;
    text += fmt::format("{} {} {}", region.name, fem::name_of(m.law), m.isotropic);
    if (values_of_isotropic || !m.isotropic)
      text += fmt::format(" {}", fmt::join(m.constants, " "));
    if (values_of_isotropic) text += fmt::format(" {}", m.density);
    text += "\n";
  }
  return text;
}

void keep_basis(TensorWriter& out, Basis basis) {
  out.keep("U", std::move(basis.U));
  out.keep("singular_values", std::move(basis.singular_values));
}

void keep_reduced(TensorWriter& out, const Solid& solid, const MatrixXd& U, ReducedAsset reduced) {
  if (solid.free) reduced.moments = reduce_moments(solid.model, U);
  reduced.write(out, "reduced/");
  out.keep("loads/gravity", gravity_loads(solid.model, U));
}

}  // namespace

// ---- the steps

BakeStep modes_step(const std::string& name, std::size_t mesh, const SolidSource& source, int k) {
  return {name + ": modes",
          "modes",
          2,
          fmt::format("{}\n{}", k, text_of(source->regions())),
          {mesh},
          [source, k](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const auto& modes = solid.free ? linear_modes_to_a_gap : linear_modes;
            keep_modes(out, modes(solid.model, solid.constraints, k, MassKind::lumped, progress));
          }};
}

BakeStep derivatives_step(const std::string& name, std::size_t mesh, std::size_t modes,
                          const SolidSource& source) {
  return {name + ": derivatives",
          "derivatives",
          2,
          text_of(source->regions()),
          {mesh, modes},
          [source](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const auto& derivatives = solid.free ? inertial_derivatives : modal_derivatives;
            out.keep("Phi",
                     derivatives(solid.model, solid.constraints, modes_of(*needs[1]), progress));
          }};
}

// The third need, derivatives, may be absent: a basis of linear modes.
BakeStep basis_step(const std::string& name, std::vector<std::size_t> needs,
                    const SolidSource& source, int r, double amplitude) {
  return {name + ": basis",
          "basis",
          2,
          fmt::format("{} {}\n{}", r, amplitude, text_of(source->regions())),
          std::move(needs),
          [source, r, amplitude](Needs files, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*files[0]);
            const LinearModes modes = modes_of(*files[1]);
            const MatrixXd Phi = files.size() > 2 ? MatrixXd(files[2]->matrix<double>("Phi"))
                                                  : MatrixXd(solid.model.dof(), 0);
            const ShapeSet shapes = modal_shapes(solid.model, modes, Phi, {}, {amplitude});
            keep_basis(out,
                       mass_pca(solid.model, solid.constraints, shapes, {.count = r}, progress));
          }};
}

// Of the shapes into which a recorded list of forces bends the body: r of them, or as many as they
// span. The body's stiffnesses were divided by `stiffness`, and so are the forces.
BakeStep sketch_step(const std::string& name, std::size_t mesh, std::size_t modes,
                     const SolidSource& source, const ReducedSpec& spec, double stiffness) {
  return {name + ": sketched basis",
          "sketched basis",
          2,
          fmt::format("{} {} {}\n{}", spec.r, file_hash(spec.basis_file), stiffness,
                      text_of(source->regions())),
          {mesh, modes},
          [source, spec, stiffness](Needs files, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*files[0]);
            const LinearModes modes = modes_of(*files[1]);
            std::vector<SketchLoad> loads =
                read_sketch_loads(spec.basis_file, solid.model.mesh().vertex_count());
            for (SketchLoad& load : loads) {
              for (NodalForce& f : load.forces) f.force /= stiffness;
            }
            ShapeSet shapes;
            shapes.add(solve_sketch(solid.model, solid.constraints, modes, loads, {}, {}, progress)
                           .kept_shapes());
            Basis basis =
                mass_pca(solid.model, solid.constraints, shapes, {.energy = 1.0}, progress);
            if (basis.rank() > spec.r) basis.U = MatrixXd(basis.U.leftCols(spec.r));
            keep_basis(out, std::move(basis));
          }};
}

// Of shapes that the user brings.
BakeStep shapes_step(const std::string& name, std::size_t mesh, const SolidSource& source,
                     const ReducedSpec& spec) {
  return {name + ": basis of given shapes",
          "given shapes",
          1,
          fmt::format("{} {}\n{}", spec.r, file_hash(spec.basis_file), text_of(source->regions())),
          {mesh},
          [source, spec](Needs files, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*files[0]);
            ShapeSet shapes;
            shapes.add(read_shapes(spec.basis_file, solid.model.mesh()));
            keep_basis(
                out, mass_pca(solid.model, solid.constraints, shapes, {.count = spec.r}, progress));
          }};
}

// Modes and basis at once, as many as the tolerance takes.
BakeStep automatic_step(const std::string& name, std::size_t mesh, const SolidSource& source,
                        const ReducedSpec& spec) {
  const AutomaticOptions options{.tolerance = *spec.tolerance,
                                 .first_modes = std::min(spec.k, spec.r),
                                 .most_modes = std::max(60, spec.k),
                                 .most_shapes = spec.r,
                                 .weights = {spec.amplitude}};
  return {name + ": automatic basis",
          "automatic basis",
          2,
          fmt::format("{} {} {} {}\n{}", options.tolerance, options.first_modes,
                      options.most_shapes, spec.amplitude, text_of(source->regions())),
          {mesh},
          [source, options](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            AutomaticBasis found =
                automatic_basis(solid.model, solid.constraints, options, progress);
            keep_modes(out, std::move(found.modes));
            keep_basis(out, std::move(found.basis));
            out.set("met", found.met ? "yes" : "no");
          }};
}

BakeStep coefficients_step(const std::string& name, std::size_t mesh, std::size_t basis,
                           const SolidSource& source) {
  return {name + ": coefficients",
          "coefficients",
          2,
          text_of(source->regions(), false),
          {mesh, basis},
          [source](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const MatrixXd U = needs[1]->matrix<double>("U");
            keep_reduced(
                out, solid, U,
                {.materials = reduce_materials(solid.model, U, MassKind::lumped, progress)});
          }};
}

BakeStep cubature_step(const std::string& name, std::size_t mesh, std::size_t basis,
                       const SolidSource& source, const CubatureSpec& spec) {
  return {name + ": cubature",
          "cubature",
          1,
          fmt::format("{} {}\n{}", spec.tolerance, spec.max_points, text_of(source->regions())),
          {mesh, basis},
          [source, spec](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const MatrixXd U = needs[1]->matrix<double>("U");
            const Matrix3Xd& V = solid.model.mesh().V;
            const double size = diagonal(bounds(V));
            const MatrixXd poses = random_configurations(solid.model, U, training_poses,
                                                         largest_pose * size, 1, progress);
            const Cubature cubature = train_cubature(
                solid.model, U, poses, {.tolerance = spec.tolerance, .max_points = spec.max_points},
                progress);
            keep_reduced(out, solid, U,
                         {.materials = reduce_masses(solid.model, U),
                          .cubature = CubatureForces(cubature.points)});
            const CubatureErrors& e = cubature.errors;
            out.keep("cubature_errors", Vector3d(e.training, e.validation, e.stiffness));
            out.set("met", cubature.converged ? "yes" : "no");
          }};
}

// Of the shape of the body alone: its materials are no input.
BakeStep damping_step(const std::string& name, std::size_t mesh, std::size_t basis,
                      const SolidSource& source) {
  return {name + ": strain-rate damping",
          "strain-rate damping",
          1,
          "",
          {mesh, basis},
          [source](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const MatrixXd U = needs[1]->matrix<double>("U");
            write_damping_parts(reduce_damping(solid.model, U, progress), out, "viscosity/");
          }};
}

void set_materials(const std::vector<fem::Material>& materials, double stiffness,
                   ReducedAsset& reduced) {
  using Constant = ReducedMaterials::Constant;
  ReducedMaterials& own = reduced.materials;
  for (std::size_t p = 0; p < own.parts.size(); ++p) {
    const auto [region, constant] = own.meanings[p];
    const auto& constants = materials[static_cast<std::size_t>(region)].constants;
    own.coefficients[static_cast<Index>(p)] = constant == Constant::stiffness ? stiffness
                                              : constant == Constant::lambda  ? constants[0]
                                                                              : constants[1];
  }
  for (std::size_t g = 0; g < materials.size(); ++g) {
    own.densities[static_cast<Index>(g)] = materials[g].density;
  }
  if (!reduced.cubature) return;
  CubaturePoints points = reduced.cubature->points();
  points.materials = materials;
  reduced.cubature.emplace(std::move(points));
}

BakeStep quality_step(const std::string& name, std::size_t mesh, std::size_t modes,
                      std::size_t basis, std::size_t coefficients, const SolidSource& source) {
  return {name + ": quality",
          "quality",
          2,
          text_of(source->regions()),
          {mesh, modes, basis, coefficients},
          [source](Needs needs, TensorWriter& out, Progress& progress) {
            const Solid& solid = source->of(*needs[0]);
            const QualityReference reference = quality_reference(solid.model, solid.constraints,
                                                                 modes_of(*needs[1]), {}, progress);
            const MatrixXd U = needs[2]->matrix<double>("U");
            ReducedAsset reduced = ReducedAsset::read(*needs[3], "reduced/");
            set_materials(solid.model.materials(), 1.0, reduced);
            const Quality quality =
                assess(reference, U, reduced.model({.precision = Precision::double_precision}));
            out.keep("errors", quality.errors);
            out.keep("frequency_error", VectorXd(VectorXd::Constant(1, quality.frequency_error)));
          },
          true};
}

}  // namespace pliant
