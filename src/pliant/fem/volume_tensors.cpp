// SPDX-License-Identifier: MIT
#include "pliant/fem/volume_tensors.hpp"

#include "pliant/base/error.hpp"

namespace pliant {

void write_volume(TensorWriter& writer, const std::string& prefix, const VolumeMesh& mesh,
                  const std::vector<int>& fixed) {
  writer.keep(prefix + "V", mesh.V);
  writer.keep(prefix + "E", mesh.E);
  writer.keep(prefix + "region", mesh.region);
  writer.keep(prefix + "fixed",
              VectorXi(Eigen::Map<const VectorXi>(fixed.data(), static_cast<Index>(fixed.size()))));
  if (mesh.hanging.empty()) return;
  MatrixXi hanging = MatrixXi::Zero(6, static_cast<Index>(mesh.hanging.size()));
  for (Index h = 0; h < hanging.cols(); ++h) {
    const HangingNode& node = mesh.hanging[static_cast<std::size_t>(h)];
    hanging(0, h) = node.node;
    hanging(1, h) = node.count;
    for (int p = 0; p < node.count; ++p)
      hanging(2 + p, h) = node.parents[static_cast<std::size_t>(p)];
  }
  writer.keep(prefix + "hanging", std::move(hanging));
}

HeldVolume read_volume(const TensorView& file, const std::string& prefix,
                       const std::vector<std::string>& regions) {
  const auto fail = [&](const char* name, const std::string& message, Index value = -1) {
    throw Error({file.name(), 0, prefix + name}, message, value < 0 ? "" : std::to_string(value));
  };
  HeldVolume volume;
  VolumeMesh& mesh = volume.mesh;
  mesh.V = file.matrix<double>(prefix + "V", 3);
  mesh.E = file.matrix<int>(prefix + "E");
  mesh.region = file.matrix<int>(prefix + "region", mesh.E.cols());
  bool known = false;
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    if (mesh.E.rows() != nodes_per_element(type)) continue;
    mesh.type = type;
    known = true;
  }
  if (!known) fail("E", "no element has so many nodes", mesh.E.rows());
  for (const std::string& name : regions) mesh.regions.push_back({name, -1});
  const auto within = [&](const char* name, const auto& values, Index end) {
    if (values.size() > 0 && values.minCoeff() < 0) fail(name, "an index is negative");
    if (values.size() > 0 && values.maxCoeff() >= end) {
      fail(name, "an index that does not exist", values.maxCoeff());
    }
  };
  within("E", mesh.E, mesh.V.cols());
  within("region", mesh.region, static_cast<Index>(regions.size()));
  const auto fixed = file.matrix<int>(prefix + "fixed");
  within("fixed", fixed, mesh.V.cols());
  volume.fixed.assign(fixed.data(), fixed.data() + fixed.size());
  if (file.contains(prefix + "hanging")) {
    const auto hanging = file.matrix<int>(prefix + "hanging", 6);
    within("hanging", hanging, mesh.V.cols());
    for (Index h = 0; h < hanging.cols(); ++h) {
      const auto column = hanging.col(h);
      if (column[1] != 2 && column[1] != 4) fail("hanging", "not 2 or 4 parents", column[1]);
      mesh.hanging.push_back({column[0], column[1], {column[2], column[3], column[4], column[5]}});
    }
  }
  return volume;
}

}  // namespace pliant
