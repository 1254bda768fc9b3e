// SPDX-License-Identifier: MIT
// What step_reduced.cpp loads: a beam held at one end, baked twice in one basis, once with forces
// as a polynomial (St. Venant-Kirchhoff) and once as a cubature (neo-Hookean).
//   bake_beam FILE
#include <cstdio>

#include "pliant/base/tensor_file.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/gravity_loads.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/bake/quadrature_gradients.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/shape/linear_shape.hpp"
#include "reduced/bake_bodies.hpp"

using namespace pliant;

int main(int argc, char** arguments) {
  if (argc != 2) return 2;
  const auto [model, constraints] = test::beam();
  const auto [rubber, same] = test::beam(ElementType::hex8, fem::Law::neo_hookean);
  const LinearModes modes = linear_modes(model, constraints, 4);
  const MatrixXd Phi = modal_derivatives(model, constraints, modes);
  const Basis basis =
      mass_pca(model, constraints, modal_shapes(model, modes, Phi), PcaOptions{.count = 9});
  TensorWriter writer;
  ReducedAsset{.materials = reduce_materials(model, basis.U)}.write(writer, "polynomial/");
  ReducedAsset{.materials = reduce_masses(rubber, basis.U),
               .cubature = CubatureForces(all_quadrature_points(rubber, basis.U))}
      .write(writer, "cubature/");
  writer.keep("gravity", gravity_loads(model, basis.U));
  LinearShape(model.mesh().V, basis.U).write(writer, "shape/");
  writer.write(arguments[1]);
  return 0;
}
