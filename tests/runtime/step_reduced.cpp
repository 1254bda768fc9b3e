// SPDX-License-Identifier: MIT
// A program on pliant_runtime alone: loads two bodies from bytes, lets them fall for a tenth of a
// second, and prints the coefficients c and where the last point of the body is.
//   step_reduced FILE
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "pliant/base/tensor_view.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "pliant/shape/linear_shape.hpp"

using namespace pliant;

int main(int argc, char** arguments) {
  if (argc != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::size_t>(file.tellg());
  std::vector<std::uint64_t> memory(size / 8 + 1);  // aligned, as the tensors need it
  char* const bytes = reinterpret_cast<char*>(memory.data());
  file.seekg(0).read(bytes, static_cast<std::streamsize>(size));
  const TensorView tensors({bytes, size}, arguments[1]);
  const LinearShape shape(tensors, "shape/");
  StepStatus status = StepStatus::ok;
  for (const char* body : {"polynomial/", "cubature/"}) {
    const ReducedAsset asset = ReducedAsset::read(tensors, body);
    const ReducedModel model = asset.model({.precision = Precision::double_precision});
    const auto gravity = tensors.matrix<double>("gravity", model.size());
    const ReducedLoad load{asset.materials.densities[0] * gravity * Vector3d(2, 3, -9)};
    ReducedState state(model);
    for (int i = 0; i < 100; ++i) status |= step(model, load, state);
    for (const double c : state.q) std::printf("%.17g\n", c);
    const Vector3f x = shape.position(shape.point_count() - 1, state.q.cast<float>());
    std::fprintf(stderr, "%s: the last point is at %g %g %g m\n", body, x[0], x[1], x[2]);
  }
  return status == StepStatus::ok ? 0 : 1;
}
