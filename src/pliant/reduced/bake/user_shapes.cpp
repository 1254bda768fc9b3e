// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/user_shapes.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

constexpr const char* tensor_name = "shapes";

void require_finite(const std::string& file, const MatrixXd& shapes) {
  for (Index j = 0; j < shapes.cols(); ++j) {
    for (Index i = 0; i < shapes.rows(); ++i) {
      if (std::isfinite(shapes(i, j))) continue;
      throw Error({file, 0, fmt::format("shape {}", j)},
                  fmt::format("the displacement of node {}", i / 3),
                  fmt::format("{:g}", shapes(i, j)), "a finite number");
    }
  }
}

std::string text_of(const std::vector<std::int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

MatrixXd shapes_of(const TensorFile& file, Index nodes) {
  const TensorInfo& info = file.at(tensor_name);
  const std::vector<std::int64_t>& shape = info.shape;
  const bool flat = shape.size() == 2 && shape[1] == 3 * nodes;
  const bool points = shape.size() == 3 && shape[1] == nodes && shape[2] == 3;
  if (!flat && !points) {
    throw Error({file.name(), 0, tensor_name}, "shape of the tensor", text_of(shape),
                fmt::format("[N, {}] or [N, {}, 3], for the {} nodes of the mesh", 3 * nodes, nodes,
                            nodes));
  }
  const Index N = shape[0];
  MatrixXd shapes;
  if (info.dtype == Dtype::f64) {
    shapes = Eigen::Map<const MatrixXd>(reinterpret_cast<const double*>(info.bytes.data()),
                                        3 * nodes, N);
  } else if (info.dtype == Dtype::f32) {
    shapes = Eigen::Map<const Eigen::MatrixXf>(reinterpret_cast<const float*>(info.bytes.data()),
                                               3 * nodes, N)
                 .cast<double>();
  } else {
    throw Error({file.name(), 0, tensor_name}, "type of the tensor",
                std::string(name_of(info.dtype)), "F64 or F32");
  }
  require_finite(file.name(), shapes);
  return shapes;
}

}  // namespace

VectorXd displacement(const VolumeMesh& rest, const VolumeMesh& deformed) {
  validate(rest);
  validate(deformed);
  if (rest.type != deformed.type || rest.vertex_count() != deformed.vertex_count() ||
      rest.element_count() != deformed.element_count()) {
    const auto text = [](const VolumeMesh& mesh) {
      return fmt::format("{} nodes, {} elements {}", mesh.vertex_count(), mesh.element_count(),
                         name_of(mesh.type));
    };
    throw Error({}, "the deformed mesh is not that of the body", text(deformed), text(rest));
  }
  for (int e = 0; e < rest.element_count(); ++e) {
    if (rest.E.col(e) == deformed.E.col(e)) continue;
    throw Error({"", 0, fmt::format("element {}", e)},
                "the deformed mesh is not that of the body: it has other nodes here");
  }
  return (deformed.V - rest.V).reshaped();
}

MatrixXd read_shapes(const std::filesystem::path& path, const VolumeMesh& rest) {
  if (path.extension() == ".safetensors") return shapes_of(TensorFile(path), rest.vertex_count());
  const VolumeMesh deformed = read_volume_mesh(path);
  try {
    return displacement(rest, deformed);
  } catch (const Error& error) {
    throw Error({path.string(), 0, ""}, error.what());
  }
}

void write_shapes(const std::filesystem::path& path, const MatrixXd& shapes) {
  TensorWriter writer;
  writer.add(tensor_name, shapes);
  writer.write(path);
}

}  // namespace pliant
