// SPDX-License-Identifier: MIT
#include "pliant/contact/contact_shape.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {
namespace {

std::vector<int> list_of(const TensorView& file, const std::string& name) {
  const auto numbers = file.matrix<std::int32_t>(name);
  return {numbers.data(), numbers.data() + numbers.size()};
}

std::optional<Proxies> proxies_of(const TensorView& file, const std::string& prefix, Index size) {
  if (size == 0) return {};
  LinearShape points(file, prefix);
  if (points.size() != size) {
    throw Error({file.name(), 0, prefix + "U"}, "proxies of another number of coefficients",
                std::to_string(points.size()), std::to_string(size));
  }
  return Proxies(std::move(points), file.matrix<float>(prefix + "gradients", 9));
}

}  // namespace

ContactShell::ContactShell(const TensorView& file, const std::string& prefix, Index size)
    : points(file, prefix, prefix, size) {
  if (!points.has_normals()) {
    throw Error({file.name(), 0, prefix + "N"}, "the points of a shell need normals");
  }
  const auto areas = file.matrix<float>(prefix + "weights_of_points");
  weights.assign(areas.data(), areas.data() + areas.size());
  if (static_cast<Index>(weights.size()) != points.point_count() || !areas.allFinite() ||
      (areas.array() < 0).any()) {
    throw Error({file.name(), 0, prefix + "weights_of_points"}, "the weights are not sound",
                std::to_string(weights.size()), "a number from 0 on for every point");
  }
  if (const LinearShape* linear = points.linear()) {
    tree.emplace(PointTreeData{list_of(file, prefix + "levels"), list_of(file, prefix + "parents")},
                 *linear);
  }
}

ContactField::ContactField(const TensorView& file, const std::string& body, Index size)
    : rest(DistanceField(file, body + "field/")),
      proxies(proxies_of(file, body + "proxies/", size)) {}

std::optional<DeformedField> deformed_field(const ContactField& field) {
  if (!field.proxies) return {};
  return DeformedField(std::get<DistanceField>(field.rest), *field.proxies);
}

}  // namespace pliant
