// SPDX-License-Identifier: MIT
#include "pliant/mesh/stuffing_lattice.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr int margin = 2;  // cells outside of the box
constexpr double most_points = 4e7;

// Samples the corners and centres of the cells [first, first + size)^3, in a halving recursion that
// leaves out what a distance shows to lie on one side.
void sample(const ImplicitBody& body, const Vector3i& first, int size, StuffingLattice& lattice) {
  if ((first.array() > lattice.cells.array()).any()) return;
  const Vector3d middle =
      lattice.origin + lattice.h * (first.cast<double>().array() + 0.5 * size).matrix();
  if (size == 1) {
    const int corner = lattice.corner(first);
    lattice.f[static_cast<std::size_t>(corner)] = evaluate(body, lattice.position(corner));
    if (lattice.holds_cell(first)) {
      lattice.f[static_cast<std::size_t>(lattice.centre(first))] = evaluate(body, middle);
    }
    return;
  }
  if (body.is_distance) {
    const double distance = evaluate(body, middle);
    // Half the diagonal, and an edge more: then no point here has a cut edge, and f need not be
    // true.
    if (std::abs(distance) > (0.5 * std::sqrt(3.0) * size + 1 + 1e-6) * lattice.h) {
      const Vector3i last = (first.array() + size - 1).min(lattice.cells.array());
      Vector3i c;
      for (c[2] = first[2]; c[2] <= last[2]; ++c[2]) {
        for (c[1] = first[1]; c[1] <= last[1]; ++c[1]) {
          for (c[0] = first[0]; c[0] <= last[0]; ++c[0]) {
            lattice.f[static_cast<std::size_t>(lattice.corner(c))] = distance;
            if (lattice.holds_cell(c)) {
              lattice.f[static_cast<std::size_t>(lattice.centre(c))] = distance;
            }
          }
        }
      }
      return;
    }
  }
  const int half = size / 2;
  for (int octant = 0; octant < 8; ++octant) {
    sample(body, first + half * Vector3i(octant & 1, octant >> 1 & 1, octant >> 2 & 1), half,
           lattice);
  }
}

}  // namespace

double evaluate(const ImplicitBody& body, const Vector3d& x) {
  const double value = body.f(x);
  if (!std::isfinite(value)) {
    throw Error({"", 0, fmt::format("body at ({}, {}, {})", x[0], x[1], x[2])},
                "the function of the body is not finite", fmt::format("{}", value));
  }
  return value;
}

Vector3d StuffingLattice::direction(int edge) {
  if (is_long(edge)) return (edge % 2 == 0 ? 1.0 : -1.0) * Vector3d::Unit(edge / 2);
  const int r = edge - 6;
  return Vector3d((r & 1) - 0.5, (r >> 1 & 1) - 0.5, (r >> 2 & 1) - 0.5);
}

Vector3i StuffingLattice::coordinates(int point) const {
  const int more = is_centre(point) ? 0 : 1;
  if (is_centre(point)) point -= corner_count();
  const int nx = cells[0] + more, ny = cells[1] + more;
  return {point % nx, point / nx % ny, point / nx / ny};
}

Vector3d StuffingLattice::position(int point) const {
  const Vector3d c = coordinates(point).cast<double>();
  return origin + h * (is_centre(point) ? Vector3d(c.array() + 0.5) : c);
}

int StuffingLattice::neighbour(int point, const Vector3i& c, int edge) const {
  const bool from_centre = is_centre(point);
  if (is_long(edge)) {
    const int more = from_centre ? 0 : 1;
    const int axis = edge / 2;
    const int stride = axis == 0   ? 1
                       : axis == 1 ? cells[0] + more
                                   : (cells[0] + more) * (cells[1] + more);
    return edge % 2 == 0 ? point + stride : point - stride;
  }
  const int r = edge - 6;
  const Vector3i step(r & 1, r >> 1 & 1, r >> 2 & 1);
  return from_centre ? corner(c + step) : centre(c + step - Vector3i::Ones());
}

StuffingLattice sample_lattice(const ImplicitBody& body, int n, Progress& progress) {
  if (n < 2) {
    throw Error({"", 0, "stuffing.resolution"}, "too coarse", std::to_string(n), "2 or more");
  }
  const Vector3d side = body.box.sizes();
  if (body.box.isEmpty() || !side.allFinite() || !body.box.min().allFinite() ||
      !(side.maxCoeff() > 0)) {
    throw Error({"", 0, "body's box"}, "it is empty or not finite");
  }
  StuffingLattice lattice;
  lattice.h = side.maxCoeff() / n;
  // A little less than the side, so that rounding does not add a cell.
  const Vector3d cells = (side / lattice.h).array().max(1.0).unaryExpr([](double x) {
    return std::ceil(x - 1e-9);
  }) + 2.0 * margin;
  if (2.0 * (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1) > most_points) {
    throw Error({"", 0, "stuffing.resolution"}, "too fine: more than 40 million lattice points",
                std::to_string(n));
  }
  lattice.cells = cells.cast<int>();
  lattice.origin = body.box.center() - 0.5 * lattice.h * cells;
  lattice.f.resize(static_cast<std::size_t>(lattice.point_count()));

  constexpr int block = 8;
  const Vector3i blocks = (lattice.cells.array() + block) / block;  // one layer more, for corners
  progress.begin("sample", blocks.prod());
  parallel_for(static_cast<std::size_t>(blocks.prod()), 4, [&](std::size_t b) {
    const int i = static_cast<int>(b);
    sample(body,
           block * Vector3i(i % blocks[0], i / blocks[0] % blocks[1], i / blocks[0] / blocks[1]),
           block, lattice);
    progress.advance();
  });
  progress.end();

  bool inside = false;
  for (int point = 0; point < lattice.point_count(); ++point) {
    if (lattice.f[static_cast<std::size_t>(point)] > 0) continue;
    const Vector3i c = lattice.coordinates(point);
    const int last = lattice.is_centre(point) ? margin + 1 : margin;  // from the upper end
    if ((c.array() < margin).any() || (c.array() > lattice.cells.array() - last).any()) {
      const Vector3d x = lattice.position(point);
      throw Error({"", 0, fmt::format("body at ({}, {}, {})", x[0], x[1], x[2])},
                  "the body reaches beyond its box");
    }
    if (lattice.f[static_cast<std::size_t>(point)] < 0) inside = true;
  }
  if (!inside) {
    throw Error({"", 0, "stuffing.resolution"}, "no lattice point lies inside of the body",
                std::to_string(n), "a finer one");
  }
  return lattice;
}

std::vector<std::uint8_t> graded_levels(const StuffingLattice& lattice,
                                        const std::vector<int>& points) {
  // merged[b]: the cube b of the level at hand is whole. At level 0: the cell may merge.
  std::vector<char> merged(static_cast<std::size_t>(lattice.cell_count()), 1);
  for (const int point : points) {
    const Vector3i c = lattice.coordinates(point);
    const auto keep = [&](const Vector3i& cell) {
      if (lattice.holds_cell(cell)) merged[static_cast<std::size_t>(lattice.cell(cell))] = 0;
    };
    if (lattice.is_centre(point)) {
      keep(c);
      for (int axis = 0; axis < 3; ++axis) {
        keep(c + Vector3i::Unit(axis));
        keep(c - Vector3i::Unit(axis));
      }
    } else {
      for (int r = 0; r < 8; ++r) keep(c - Vector3i(r & 1, r >> 1 & 1, r >> 2 & 1));
    }
  }

  std::vector<std::uint8_t> level(merged.size(), 0);
  Vector3i size = lattice.cells;
  const auto at = [](const Vector3i& n, const Vector3i& b) {
    return static_cast<std::size_t>(b[0] + n[0] * (b[1] + n[1] * b[2]));
  };
  for (int l = 1;; ++l) {
    const Vector3i half = size / 2;
    if ((half.array() == 0).any()) break;
    // ready: all eight parts are whole.
    std::vector<char> ready(static_cast<std::size_t>(half.prod()), 1);
    Vector3i b;
    for (b[2] = 0; b[2] < half[2]; ++b[2]) {
      for (b[1] = 0; b[1] < half[1]; ++b[1]) {
        for (b[0] = 0; b[0] < half[0]; ++b[0]) {
          for (int r = 0; r < 8; ++r) {
            const Vector3i part = 2 * b + Vector3i(r & 1, r >> 1 & 1, r >> 2 & 1);
            ready[at(half, b)] &= merged[at(size, part)];
          }
        }
      }
    }
    // A cube merges if all 26 round it have no parts smaller than half of it.
    std::vector<char> next = ready;
    bool any = false;
    for (b[2] = 0; b[2] < half[2]; ++b[2]) {
      for (b[1] = 0; b[1] < half[1]; ++b[1]) {
        for (b[0] = 0; b[0] < half[0]; ++b[0]) {
          char& whole = next[at(half, b)];
          for (int r = 0; r < 27 && whole && l > 1; ++r) {
            const Vector3i other = b + Vector3i(r % 3 - 1, r / 3 % 3 - 1, r / 9 - 1);
            whole = (other.array() >= 0).all() && (other.array() < half.array()).all() &&
                    ready[at(half, other)];
          }
          if (!whole) continue;
          any = true;
          const int edge = 1 << l;
          Vector3i c;
          for (c[2] = 0; c[2] < edge; ++c[2]) {
            for (c[1] = 0; c[1] < edge; ++c[1]) {
              for (c[0] = 0; c[0] < edge; ++c[0]) {
                level[static_cast<std::size_t>(lattice.cell(edge * b + c))] =
                    static_cast<std::uint8_t>(l);
              }
            }
          }
        }
      }
    }
    if (!any) break;
    merged = std::move(next);
    size = half;
  }
  return level;
}

}  // namespace pliant
