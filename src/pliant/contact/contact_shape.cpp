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

ContactField::ContactField(const TensorView& file, const std::string& body, Index size,
                           bool push_forward)
    : rest(DistanceField(file, body + "field/")),
      proxies(proxies_of(file, body + "proxies/", size)),
      push_forward(push_forward) {
  for (int k = 0;; ++k) {
    const std::string own = body + "domains/" + std::to_string(k) + "/";
    if (size == 0 || !file.contains(own + "field/cells")) break;
    domains.push_back(
        {DistanceField(file, own + "field/"), *proxies_of(file, own + "proxies/", size)});
  }
  if (proxies && file.contains(body + "states/G")) states.emplace(file, body + "states/", *proxies);
}

std::optional<DomainField> deformed_field(const ContactField& field) {
  if (!field.proxies) return {};
  std::vector<DeformedField> parts;
  for (const ContactDomain& domain : field.domains) {
    parts.emplace_back(domain.rest, domain.proxies, DeformedField::usual_margin,
                       field.push_forward);
  }
  if (parts.empty()) {
    const auto& rest = std::get<DistanceField>(field.rest);
    if (field.states) {
      parts.emplace_back(rest, *field.proxies, *field.states, field.corrects);
    } else {
      parts.emplace_back(rest, *field.proxies, DeformedField::usual_margin, field.push_forward);
    }
  }
  return DomainField(std::move(parts));
}

}  // namespace pliant
