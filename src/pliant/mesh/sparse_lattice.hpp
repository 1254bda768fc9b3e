// SPDX-License-Identifier: MIT
// The body-centred cubic lattice, sampled only near the surface of an implicit body. Internal to
// isosurface.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/implicit.hpp"

namespace pliant {

// A point of the lattice: of the cubes' corners (kind 0, at i) or of their centres
// (kind 1, at i + 1/2).
struct LatticePoint {
  Vector3i i;
  int kind;
};

// The values of f on the blocks of the lattice that the surface may pass through.
class SparseLattice {
 public:
  static constexpr int side = 4;  // cubes along a block
  static constexpr int per_kind = side * side * side;
  static constexpr int per_block = 2 * per_kind;

  SparseLattice(const ImplicitBody& body, double cell, double lipschitz)
      : body_(body), cell_(cell), lipschitz_(lipschitz) {
    origin_ = body.box.min() - Vector3d::Constant(1.5 * cell);
    const Vector3d cells = (body.box.sizes() / cell).array().ceil() + 3;
    blocks_ = ((cells.array() + 1) / side).ceil().cast<int>();
    index_.assign(static_cast<std::size_t>(blocks_.cast<std::int64_t>().prod()), -1);
    find_active(Vector3i::Zero(), 1 << static_cast<int>(std::ceil(std::log2(blocks_.maxCoeff()))));
    // The order of the blocks, and so of the mesh, is that of their index in space.
    std::ranges::sort(active_, [](const Vector3i& a, const Vector3i& b) {
      return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    for (std::size_t b = 0; b < active_.size(); ++b) {
      index_[block_index(active_[b])] = static_cast<int>(b);
    }
    values_.resize(active_.size() * per_block);
    parallel_for(active_.size(), 16, [&](std::size_t b) {
      for (int n = 0; n < per_block; ++n) {
        values_[b * per_block + static_cast<std::size_t>(n)] =
            evaluate(position(point(static_cast<int>(b) * per_block + n)));
      }
    });
  }

  int size() const { return static_cast<int>(values_.size()); }
  double value(int node) const { return values_[static_cast<std::size_t>(node)]; }

  LatticePoint point(int node) const {
    const int local = node % per_block;
    const int in = local % per_kind;
    return {active_[static_cast<std::size_t>(node / per_block)] * side +
                Vector3i(in % side, in / side % side, in / (side * side)),
            local / per_kind};
  }
  // -1: in no active block, so the surface is not near it.
  int node(const LatticePoint& p) const {
    if ((p.i.array() < 0).any()) return -1;
    const Vector3i b = p.i / side;
    if ((b.array() >= blocks_.array()).any()) return -1;
    const int block = index_[block_index(b)];
    if (block < 0) return -1;
    const Vector3i in = p.i - b * side;
    return block * per_block + p.kind * per_kind + in[0] + side * (in[1] + side * in[2]);
  }
  Vector3d position(const LatticePoint& p) const {
    return origin_ + cell_ * (p.i.cast<double>() + Vector3d::Constant(0.5 * p.kind));
  }

  // f, cut off at the box so that the surface is closed.
  double evaluate(const Vector3d& x) const {
    double f = body_.f(x);
    if (std::isnan(f)) {
      throw Error({}, "the implicit function is not a number",
                  fmt::format("f({:g}, {:g}, {:g})", x[0], x[1], x[2]));
    }
    if (!body_.box.contains(x)) f = std::max(f, body_.box.exteriorDistance(x));
    return f;
  }

 private:
  std::size_t block_index(const Vector3i& b) const {
    return static_cast<std::size_t>(b[0] + std::int64_t{blocks_[0]} *
                                               (b[1] + std::int64_t{blocks_[1]} * b[2]));
  }

  // Halves the cube of `width` blocks at `b` until the surface can not pass through it.
  void find_active(const Vector3i& b, int width) {
    if ((b.array() >= blocks_.array()).any()) return;
    // The ball holds the edges of the cube's points, not only the points.
    const double half = 0.5 * side * width * cell_;
    const double radius = std::sqrt(3.0) * (half + cell_);
    const Vector3d centre = origin_ + cell_ * side * b.cast<double>() + Vector3d::Constant(half);
    if (std::abs(evaluate(centre)) > std::max(1.0, lipschitz_) * radius) return;
    if (width == 1) {
      active_.push_back(b);
      return;
    }
    for (int c = 0; c < 8; ++c) {
      find_active(b + (width / 2) * Vector3i(c & 1, (c >> 1) & 1, (c >> 2) & 1), width / 2);
    }
  }

  const ImplicitBody& body_;
  double cell_, lipschitz_;
  Vector3d origin_;
  Vector3i blocks_;
  std::vector<int> index_;  // of a block in active_, or -1
  std::vector<Vector3i> active_;
  std::vector<double> values_;
};

}  // namespace pliant
