// SPDX-License-Identifier: MIT
// The distance field of the beam of [Gonzalez15] 4.1 (gonzalez_beam.hpp).
#include "pliant/mesh/volume_mesh.hpp"
#include "pliant/vademecum/bake/distance_bake.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

// d(x, s, t) of the beam, about 42 x 26 x 61 nodes in 168 states, beside the dense array.
std::vector<Row> field() {
  const gonzalez::BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  std::vector<int> vertices;
  const SurfaceMesh surface = boundary_surface(m.beam.model.mesh(), &vertices);
  MatrixXd states(surface.V.size(), v.loads.node_count());
  for (Index s = 0; s < states.cols(); ++s) {
    const VectorXd u = v.U * v.answer(s, 0, gonzalez::published_load);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      states.col(s).segment<3>(3 * static_cast<Index>(i)) = u.segment<3>(3 * Index{vertices[i]});
    }
  }
  const double bound = 1e-3;
  const DenseDistance dense =
      dense_distance(surface, states, {.spacing = 0.01, .margin = 0.03, .bound = bound});
  const DistanceTrain train = compress(dense, bound);
  const double dense_size = 8e-6 * static_cast<double>(dense.values.size());
  return {at_most("bound", 1e3 * train.bound, 1e3 * bound, "mm"),
          {.name = "dense", .value = dense_size, .unit = "MB", .pass = true},
          at_most("compressed", 8e-6 * static_cast<double>(train.numbers()), dense_size, "MB")};
}

const Experiments experiments{
    {.name = "gonzalez.field", .slow = true, .run = field},
};

}  // namespace
}  // namespace pliant::verify
