// SPDX-License-Identifier: MIT
#include "pliant/contact/analytic_field.hpp"

#include <limits>

#include "pliant/base/error.hpp"

namespace pliant {
namespace {

using Pack = AnalyticField::Pack;
using simd::absolute, simd::larger, simd::ratio, simd::root, simd::smaller;

Pack positive(Pack x) noexcept {
  return larger(x, Pack{});
}
Pack sign(Pack x) noexcept {
  return x < 0.0F ? simd::all(-1.0F) : simd::all(1.0F);
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

simd::Pack3 AnalyticField::own_frame(const Shape& shape, const Points& p) noexcept {
  const Pack a = p.x - shape.position[0], b = p.y - shape.position[1], c = p.z - shape.position[2];
  const auto& A = shape.rotation;
  return {A[0][0] * a + A[0][1] * b + A[0][2] * c, A[1][0] * a + A[1][1] * b + A[1][2] * c,
          A[2][0] * a + A[2][1] * b + A[2][2] * c};
}

AnalyticField::Pack AnalyticField::distance(const Shape& shape, const Points& own) noexcept {
  const auto& [x, y, z] = own;
  const float* const size = shape.size;
  switch (shape.kind) {
    case RigidShape::Kind::plane:
      return z;
    case RigidShape::Kind::sphere:
      return root(x * x + y * y + z * z) - size[0];
    case RigidShape::Kind::capsule: {
      const Pack beyond = positive(absolute(z) - size[1]);
      return root(x * x + y * y + beyond * beyond) - size[0];
    }
    case RigidShape::Kind::box: {
      const Pack u = absolute(x) - size[0], v = absolute(y) - size[1], w = absolute(z) - size[2];
      const Pack pu = positive(u), pv = positive(v), pw = positive(w);
      return root(pu * pu + pv * pv + pw * pw) + smaller(larger(larger(u, v), w), Pack{});
    }
    case RigidShape::Kind::cylinder: {
      const Pack u = root(x * x + y * y) - size[0], w = absolute(z) - size[1];
      const Pack pu = positive(u), pw = positive(w);
      return root(pu * pu + pw * pw) + smaller(larger(u, w), Pack{});
    }
    case RigidShape::Kind::torus: {
      const Pack u = root(x * x + y * y) - size[0];
      return root(u * u + z * z) - size[1];
    }
  }
  return Pack{};
}

AnalyticField::Points AnalyticField::gradient(const Shape& shape, const Points& own) noexcept {
  const auto& [x, y, z] = own;
  const float* const size = shape.size;
  const auto along = [](Pack a, Pack b, Pack c) {
    const Pack length = root(a * a + b * b + c * c);
    return Points{ratio(a, length), ratio(b, length), ratio(c, length)};
  };
  switch (shape.kind) {
    case RigidShape::Kind::plane:
      return {Pack{}, Pack{}, simd::all(1.0F)};
    case RigidShape::Kind::sphere:
      return along(x, y, z);
    case RigidShape::Kind::capsule:
      return along(x, y, positive(absolute(z) - size[1]) * sign(z));
    case RigidShape::Kind::box: {
      const Pack u = absolute(x) - size[0], v = absolute(y) - size[1], w = absolute(z) - size[2];
      const Pack most = larger(larger(u, v), w);
      // Inside: towards the nearest side, of several the first.
      const auto inside = most <= 0.0F;
      const auto by_x = u == most, by_y = v == most && !by_x;
      const Pack one = simd::all(1.0F), none = Pack{};
      const Pack a = inside ? (by_x ? one : none) : positive(u);
      const Pack b = inside ? (by_y ? one : none) : positive(v);
      const Pack c = inside ? (by_x || by_y ? none : one) : positive(w);
      return along(a * sign(x), b * sign(y), c * sign(z));
    }
    case RigidShape::Kind::cylinder: {
      const Pack radius = root(x * x + y * y);
      const Pack u = radius - size[0], w = absolute(z) - size[1];
      const auto inside = larger(u, w) <= 0.0F;
      const auto by_side = u > w;
      const Pack one = simd::all(1.0F), none = Pack{};
      const Pack a = inside ? (by_side ? one : none) : positive(u);
      const Pack c = inside ? (by_side ? none : one) : positive(w);
      return along(a * ratio(x, radius), a * ratio(y, radius), c * sign(z));
    }
    case RigidShape::Kind::torus: {
      const Pack radius = root(x * x + y * y), u = radius - size[0];
      return along(u * ratio(x, radius), u * ratio(y, radius), z);
    }
  }
  return Points{};
}

AnalyticField::Pack AnalyticField::values(const Points& p) const noexcept {
  Pack least = simd::all(std::numeric_limits<float>::infinity());
  for (const Shape& shape : shapes_) {
    const Pack d = distance(shape, own_frame(shape, p));
    // What is not a number stays so.
    least = least <= d ? least : d;
  }
  return least;
}

AnalyticField::Samples AnalyticField::samples(const Points& p) const noexcept {
  Samples least{simd::all(std::numeric_limits<float>::infinity()), {}};
  for (const Shape& shape : shapes_) {
    const Points own = own_frame(shape, p);
    const Pack d = distance(shape, own);
    const Points g = gradient(shape, own);
    const auto& A = shape.rotation;
    const auto kept = least.distance <= d;
    Points& n = least.gradient;
    n.x = kept ? n.x : A[0][0] * g.x + A[1][0] * g.y + A[2][0] * g.z;
    n.y = kept ? n.y : A[0][1] * g.x + A[1][1] * g.y + A[2][1] * g.z;
    n.z = kept ? n.z : A[0][2] * g.x + A[1][2] * g.y + A[2][2] * g.z;
    least.distance = kept ? least.distance : d;
  }
  return least;
}

}  // namespace pliant
