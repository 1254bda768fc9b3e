// SPDX-License-Identifier: MIT
// What models.cpp knows of each model: its description and the function that makes it. Internal.
#pragma once

#include <string_view>

#include "pliant/base/assert.hpp"
#include "pliant/mesh/models.hpp"

namespace pliant::model {

// The parameters of one call: the user's, checked, and the defaults of the others.
class Values {
 public:
  explicit Values(ModelParameters values) : values_(std::move(values)) {}
  double operator[](std::string_view name) const {
    const auto it = values_.find(name);
    PLIANT_ASSERT(it != values_.end(), "a model reads only the parameters that it declares");
    return it->second;
  }
  int count(std::string_view name) const { return static_cast<int>((*this)[name]); }

 private:
  ModelParameters values_;
};

struct Entry {
  ModelInfo info;
  Model (*make)(const Values&);  // need not fill in the name
};

Entry alpha_puzzle();
Entry axe();
Entry basket();
Entry bolt();
Entry bridge();
Entry bunny();
Entry cantilever();
Entry chair();
Entry composite_plate();
Entry cube();
Entry dinosaur();
Entry dragon();
Entry heart();
Entry hose();
Entry knight();
Entry nut();
Entry pad();
Entry sphere();
Entry spoon();
Entry torus();
Entry tower();

// Shared by the models made of an isosurface: triangles grow with detail^2.
inline ParameterInfo detail_parameter() {
  return {"detail", 1.0, 0.1, 3.0, "", "triangles per length, relative to the default"};
}

namespace material {
inline ModelMaterial steel(std::string group = {}) {
  return {std::move(group), "steel", 7850, 2.0e11, 0.29};
}
inline ModelMaterial rubber(std::string group = {}) {
  return {std::move(group), "rubber", 1100, 5.0e6, 0.47};
}
inline ModelMaterial wood(std::string group = {}) {
  return {std::move(group), "wood", 650, 1.0e10, 0.35};
}
inline ModelMaterial plastic(std::string group = {}) {
  return {std::move(group), "plastic", 950, 8.0e8, 0.42};
}
inline ModelMaterial concrete(std::string group = {}) {
  return {std::move(group), "concrete", 2400, 3.0e10, 0.2};
}
inline ModelMaterial flesh(std::string group = {}) {
  return {std::move(group), "flesh", 1060, 6.0e4, 0.45};
}
}  // namespace material

}  // namespace pliant::model
