// SPDX-License-Identifier: MIT
#include "pliant/contact/analytic_field.hpp"

#include <cmath>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

using Pack = AnalyticField::Pack;

Pack absolute(Pack x) noexcept {
  return x < 0.0F ? -x : x;
}
Pack larger(Pack a, Pack b) noexcept {
  return a < b ? b : a;
}
Pack smaller(Pack a, Pack b) noexcept {
  return b < a ? b : a;
}
Pack positive(Pack x) noexcept {
  return larger(x, Pack{});
}
Pack root(Pack x) noexcept {
  Pack y;
  for (int k = 0; k < 8; ++k) y[k] = std::sqrt(x[k]);
  return y;
}

int size_count(RigidShape::Kind kind) {
  using enum RigidShape::Kind;
  switch (kind) {
    case plane:
      return 0;
    case sphere:
      return 1;
    case capsule:
    case cylinder:
    case torus:
      return 2;
    case box:
      return 3;
  }
  return 0;
}

}  // namespace

AnalyticField::AnalyticField(const std::vector<RigidShape>& shapes) {
  if (shapes.empty()) throw Error({"", 0, "distance field"}, "no shape", "", "at least one");
  for (const RigidShape& shape : shapes) {
    const auto used = shape.size.head(size_count(shape.kind));
    if (!shape.position.allFinite() || !shape.rotation.allFinite() || !used.allFinite() ||
        (used.array() <= 0).any()) {
      throw Error({"", 0, "distance field"}, "a shape is not sound", "",
                  "finite numbers, sizes above 0");
    }
    Shape own{shape.kind, {}, {}, {}};
    for (int i = 0; i < 3; ++i) {
      own.position[i] = static_cast<float>(shape.position[i]);
      own.size[i] = static_cast<float>(shape.size[i]);
      for (int j = 0; j < 3; ++j) own.rotation[i][j] = static_cast<float>(shape.rotation(j, i));
    }
    shapes_.push_back(own);
  }
}

AnalyticField::Pack AnalyticField::values(const Points& p) const noexcept {
  Pack least = simd::all(std::numeric_limits<float>::infinity());
  for (const Shape& shape : shapes_) {
    const Pack a = p.x - shape.position[0], b = p.y - shape.position[1],
               c = p.z - shape.position[2];
    const auto& A = shape.rotation;
    const Pack x = A[0][0] * a + A[0][1] * b + A[0][2] * c;
    const Pack y = A[1][0] * a + A[1][1] * b + A[1][2] * c;
    const Pack z = A[2][0] * a + A[2][1] * b + A[2][2] * c;
    const float* const size = shape.size;
    Pack d{};
    switch (shape.kind) {
      case RigidShape::Kind::plane:
        d = z;
        break;
      case RigidShape::Kind::sphere:
        d = root(x * x + y * y + z * z) - size[0];
        break;
      case RigidShape::Kind::capsule: {
        const Pack beyond = positive(absolute(z) - size[1]);
        d = root(x * x + y * y + beyond * beyond) - size[0];
        break;
      }
      case RigidShape::Kind::box: {
        const Pack u = absolute(x) - size[0], v = absolute(y) - size[1], w = absolute(z) - size[2];
        const Pack pu = positive(u), pv = positive(v), pw = positive(w);
        d = root(pu * pu + pv * pv + pw * pw) + smaller(larger(larger(u, v), w), Pack{});
        break;
      }
      case RigidShape::Kind::cylinder: {
        const Pack u = root(x * x + y * y) - size[0], w = absolute(z) - size[1];
        const Pack pu = positive(u), pw = positive(w);
        d = root(pu * pu + pw * pw) + smaller(larger(u, w), Pack{});
        break;
      }
      case RigidShape::Kind::torus: {
        const Pack u = root(x * x + y * y) - size[0];
        d = root(u * u + z * z) - size[1];
        break;
      }
    }
    // What is not a number stays so.
    least = least <= d ? least : d;
  }
  return least;
}

}  // namespace pliant
