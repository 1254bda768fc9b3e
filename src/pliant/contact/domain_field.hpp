// SPDX-License-Identifier: MIT
// Distance to a body that deforms, in several domains: [Barbic07] 3.12.1. Where two near parts of a
// body move apart, the proxies of the one mirror the other. Each domain has a field and proxies of
// its own, which know nothing of the others, and the body is their union:
//
//   d(x) = min_k d_k(x)
//
// bake/domains.hpp chooses them.
#pragma once

#include <vector>

#include "pliant/contact/deformed_field.hpp"

namespace pliant {

// As DeformedField, to a traversal and to penalty forces.
class DomainField {
 public:
  // At least one; what they refer to outlives it.
  explicit DomainField(std::vector<DeformedField> domains);

  int count() const { return static_cast<int>(domains_.size()); }
  const DeformedField& domain(int k) const { return domains_[static_cast<std::size_t>(k)]; }

  // --- online: nothing is allocated.
  void update(const VectorXf& c) noexcept;
  using Pack = simd::Pack<float>;
  using Points = simd::Pack3;
  Pack values(const Points& x) const noexcept;
  simd::DistanceSamples samples(const Points& x) const noexcept;  // of the domain that is nearest
  float clearance(float radius) const noexcept;
  float clear_radius(float value) const noexcept;
  double travel() const noexcept;

  // Whose motion is felt at a place: that of the domain that is nearest.
  struct Influence {
    const DeformedField* domain = nullptr;
    DeformedField::Influence weights;

    // As DeformedField's; of many: carried_points.hpp.
    void add_force(const Eigen::Vector3f& f, VectorXd& Q) const noexcept {
      domain->add_force(weights, f, Q);
    }
  };
  Influence influence(const Eigen::Vector3f& x) const noexcept;
  void influences(const Points& x, int count, Influence* out) const noexcept;  // of the first lanes

 private:
  std::vector<DeformedField> domains_;
};

}  // namespace pliant
