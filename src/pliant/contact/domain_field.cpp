// SPDX-License-Identifier: MIT
#include "pliant/contact/domain_field.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "pliant/base/assert.hpp"

namespace pliant {

DomainField::DomainField(std::vector<DeformedField> domains) : domains_(std::move(domains)) {
  PLIANT_ASSERT(!domains_.empty(), "at least one domain");
}

void DomainField::update(const VectorXf& c) noexcept {
  for (DeformedField& domain : domains_) domain.update(c);
}

DomainField::Pack DomainField::values(const Points& x) const noexcept {
  Pack least = domains_[0].values(x);
  for (std::size_t k = 1; k < domains_.size(); ++k) {
    const Pack d = domains_[k].values(x);
    least = least <= d ? least : d;  // what is not a number stays so
  }
  return least;
}

simd::DistanceSamples DomainField::samples(const Points& x) const noexcept {
  simd::DistanceSamples least = domains_[0].samples(x);
  for (std::size_t k = 1; k < domains_.size(); ++k) {
    const simd::DistanceSamples other = domains_[k].samples(x);
    const auto kept = least.distance <= other.distance;
    least.distance = kept ? least.distance : other.distance;
    least.gradient = {kept ? least.gradient.x : other.gradient.x,
                      kept ? least.gradient.y : other.gradient.y,
                      kept ? least.gradient.z : other.gradient.z};
  }
  return least;
}

float DomainField::clearance(float radius) const noexcept {
  float most = 0;
  for (const DeformedField& domain : domains_) most = std::max(most, domain.clearance(radius));
  return most;
}

float DomainField::clear_radius(float value) const noexcept {
  float least = std::numeric_limits<float>::infinity();
  for (const DeformedField& domain : domains_) least = std::min(least, domain.clear_radius(value));
  return least;
}

double DomainField::travel() const noexcept {
  double sum = 0;
  for (const DeformedField& domain : domains_) sum += domain.travel();
  return sum;
}

DomainField::Influence DomainField::influence(const Eigen::Vector3f& x) const noexcept {
  const Points at{simd::all(x[0]), simd::all(x[1]), simd::all(x[2])};
  std::size_t nearest = 0;
  if (domains_.size() > 1) {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < domains_.size(); ++k) {
      const float d = domains_[k].values(at)[0];
      if (d < least) {
        least = d;
        nearest = k;
      }
    }
  }
  return {&domains_[nearest], domains_[nearest].influence(x)};
}

void DomainField::influences(const Points& x, int count, Influence* out) const noexcept {
  if (domains_.size() > 1) {
    for (int i = 0; i < count; ++i) out[i] = influence({x.x[i], x.y[i], x.z[i]});
    return;
  }
  DeformedField::Influence weights[8];
  domains_[0].influences(x, count, weights);
  for (int i = 0; i < count; ++i) out[i] = {&domains_[0], weights[i]};
}

}  // namespace pliant
