// SPDX-License-Identifier: MIT
// The elastic body of a bake, built once for all steps that need it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "pliant/base/tensor_file.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/model_input.hpp"

namespace pliant {

struct Solid {
  fem::ElasticModel model;
  fem::Constraints constraints;
  bool free;  // nothing holds it
};

// Steps run at the same time: the first that asks builds it.
class SharedSolid {
 public:
  // `regions`: with the materials that it gets. `shapes`: of the whole body, that the steps work on.
  SharedSolid(std::vector<BodyRegion> regions, int shapes)
      : regions_(std::move(regions)), shapes_(shapes) {}

  // `mesh`: the result of the body's mesh step, always the same. Throws Error, also if there is not
  // the memory that the steps need at least.
  const Solid& of(const TensorFile& mesh);
  const std::vector<BodyRegion>& regions() const { return regions_; }

 private:
  std::vector<BodyRegion> regions_;
  int shapes_;
  std::once_flag once_;
  std::optional<Solid> solid_;
};
using SolidSource = std::shared_ptr<SharedSolid>;

}  // namespace pliant
