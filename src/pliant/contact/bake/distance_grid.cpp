// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/distance_grid.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

constexpr int brick = DistanceGrid::brick;
constexpr int own_nodes = brick * brick * brick;  // of a fine brick: those with no coordinate 4
constexpr double band = 2;                        // cells
const double half_diagonal = std::sqrt(3.0) / 2, half_face = 1 / std::sqrt(2.0);

using Corners = Eigen::Matrix<double, 8, 1>;

[[noreturn]] void fail(const std::string& what, const std::string& value,
                       const std::string& expected) {
  throw Error({"", 0, "distance field"}, what, value, expected);
}

double trilinear(const Corners& c, double x, double y, double z) {
  const auto mix = [](double t, double a, double b) { return a + t * (b - a); };
  return mix(z, mix(y, mix(x, c[0], c[1]), mix(x, c[2], c[3])),
             mix(y, mix(x, c[4], c[5]), mix(x, c[6], c[7])));
}

// Places of a lattice of m along each axis, x fastest.
struct Lattice {
  int m;
  Index size() const { return Index{m} * m * m; }
  bool holds(const Vector3i& i) const { return i.minCoeff() >= 0 && i.maxCoeff() < m; }
  Index index(const Vector3i& i) const { return (Index{i[2]} * m + i[1]) * m + i[0]; }
  Vector3i place(Index k) const {
    return {static_cast<int>(k % m), static_cast<int>(k / m % m), static_cast<int>(k / m / m)};
  }
};

class GridMaker {
 public:
  GridMaker(const ExactDistances& distances, const Eigen::AlignedBox3d& body,
            const DistanceGridOptions& options, Progress& progress)
      : distances_(distances), progress_(progress), most_bytes_(options.most_bytes) {
    const int n = options.resolution;
    if (n < 16 || n > 1024 || n % brick != 0) {
      fail("resolution", std::to_string(n), "a multiple of 4 from 16 to 1024");
    }
    if (!(options.enlargement >= 1 && options.enlargement <= 10)) {
      fail("enlargement", fmt::format("{}", options.enlargement), "1 to 10");
    }
    const double side = options.enlargement * body.sizes().maxCoeff();
    if (body.isEmpty() || !(side > 0) || !std::isfinite(side)) {
      fail("the surface has no size", fmt::format("{}", side), "more than 0 m");
    }
    bricks_ = {n / brick};
    corners_ = {n / brick + 1};
    grid_.cell = side / n;
    grid_.origin = body.center() - Vector3d::Constant(side / 2);
    grid_.bricks = Vector3i::Constant(bricks_.m);
  }

  DistanceGrid make() {
    progress_.begin("distances", 3);
    sample_corners();
    find_fine_bricks();
    progress_.advance();
    sample_nodes();
    progress_.advance();
    join_coarse_and_fine();
    fill_cells();
    bound_gradients();
    progress_.end();
    return std::move(grid_);
  }

 private:
  Vector3d place(const Vector3d& cells) const { return grid_.origin + grid_.cell * cells; }

  VectorXd exact(const Matrix3Xd& P) const {
    VectorXd d = distances_(P);
    if (d.size() != P.cols() || !d.allFinite()) fail("a distance is not a number", "", "finite");
    progress_.throw_if_cancelled();
    return d;
  }

  void sample_corners() {
    Matrix3Xd P(3, corners_.size());
    for (Index k = 0; k < P.cols(); ++k) {
      P.col(k) = place(brick * corners_.place(k).cast<double>());
    }
    at_corner_ = exact(P);
    double least = at_corner_.maxCoeff();
    for (Index k = 0; k < P.cols(); ++k) {
      const Vector3i i = corners_.place(k);
      if (i.minCoeff() == 0 || i.maxCoeff() == bricks_.m) least = std::min(least, at_corner_[k]);
    }
    const double border = least - (brick * half_face + half_diagonal) * grid_.cell;
    if (!(border > 0)) {
      fail("the box is too tight: the surface comes within some cells of its border",
           fmt::format("{:.1f} cells", least / grid_.cell),
           fmt::format("more than {:.1f}; a larger enlargement or resolution",
                       brick * half_face + half_diagonal));
    }
    grid_.border = static_cast<float>(border * (1 - 1e-6));
  }

  Corners corners_of(const Vector3i& b) const {
    Corners c;
    for (int k = 0; k < 8; ++k) {
      c[k] = at_corner_[corners_.index(b + Vector3i(k & 1, k >> 1 & 1, k >> 2))];
    }
    return c;
  }

  void find_fine_bricks() {
    Matrix3Xd P(3, bricks_.size());
    for (Index k = 0; k < P.cols(); ++k) {
      P.col(k) = place(brick * (bricks_.place(k).cast<double>() + Vector3d::Constant(0.5)));
    }
    const VectorXd d = exact(P);
    grid_.table.resize(bricks_.size());
    const double most = (band + brick * half_diagonal) * grid_.cell;
    double cells = 0;
    for (Index k = 0; k < d.size(); ++k) {
      cells += std::abs(d[k]) > most ? 1 : own_nodes;
    }
    if (32 * cells + 4.0 * static_cast<double>(d.size()) > most_bytes_) {
      fail("the grid would not fit", fmt::format("{:.1f} GB", 32e-9 * cells),
           fmt::format("at most {:.1f} GB: a smaller resolution", 1e-9 * most_bytes_));
    }
    int next = 0;
    for (Index k = 0; k < d.size(); ++k) {
      const bool coarse = std::abs(d[k]) > most;
      grid_.table[k] = coarse ? ~next : next;
      if (!coarse) {
        number_.push_back(static_cast<int>(k));
      }
      next += coarse ? 1 : own_nodes;
    }
    grid_.cells.resize(8, next);
    fine_of_.setConstant(bricks_.size(), -1);
    for (std::size_t f = 0; f < number_.size(); ++f) fine_of_[number_[f]] = static_cast<int>(f);
  }

  // Index of a fine brick; -1: coarse, or outside of the box.
  int fine(const Vector3i& b) const { return bricks_.holds(b) ? fine_of_[bricks_.index(b)] : -1; }

  void sample_nodes() {
    nodes_.resize(own_nodes, static_cast<Index>(number_.size()));
    constexpr std::size_t together = 4096;
    Matrix3Xd P;
    for (std::size_t begin = 0; begin < number_.size(); begin += together) {
      const std::size_t end = std::min(begin + together, number_.size());
      P.resize(3, own_nodes * static_cast<Index>(end - begin));
      for (std::size_t f = begin; f < end; ++f) {
        const Vector3i b = bricks_.place(number_[f]);
        for (int k = 0; k < own_nodes; ++k) {
          const Vector3i i = brick * b + Lattice{brick}.place(k);
          P.col(own_nodes * static_cast<Index>(f - begin) + k) = place(i.cast<double>());
        }
      }
      nodes_.middleCols(static_cast<Index>(begin), static_cast<Index>(end - begin)).reshaped() =
          exact(P);
    }
  }

  // Nodes that a coarse brick shares get its value.
  void join_coarse_and_fine() {
    const Lattice own{brick};
    parallel_for(number_.size(), 64, [&](std::size_t f) {
      const Vector3i b = bricks_.place(number_[f]);
      const Corners c = corners_of(b);
      for (int k = 0; k < own_nodes; ++k) {
        const Vector3i i = own.place(k);
        bool shared = false;
        for (int s = 1; s < 8; ++s) {
          const Vector3i back(s & 1, s >> 1 & 1, s >> 2);
          // Bricks that share the node: back along axes where it is on the border.
          if ((back.array() > 0 && i.array() > 0).any()) continue;
          shared |= fine(b - back) < 0;
        }
        if (shared) {
          const Vector3d t = i.cast<double>() / brick;
          nodes_(k, static_cast<Index>(f)) = trilinear(c, t[0], t[1], t[2]);
        }
      }
    });
  }

  void fill_cells() {
    const Lattice own{brick};
    parallel_for(static_cast<std::size_t>(bricks_.size()), 256, [&](std::size_t at) {
      const auto index = static_cast<Index>(at);
      const Vector3i b = bricks_.place(index);
      const Corners c = corners_of(b);
      const int entry = grid_.table[index];
      if (entry < 0) {
        grid_.cells.col(~entry) = c.cast<float>();
        return;
      }
      const auto node = [&](const Vector3i& i) {
        const Vector3i over = (i.array() == brick).cast<int>();
        const int owner = fine(b + over);
        if (owner >= 0) return nodes_(own.index(i - brick * over), owner);
        const Vector3d t = i.cast<double>() / brick;
        return trilinear(c, t[0], t[1], t[2]);
      };
      for (int k = 0; k < own_nodes; ++k) {
        for (int s = 0; s < 8; ++s) {
          grid_.cells(s, entry + k) =
              static_cast<float>(node(own.place(k) + Vector3i(s & 1, s >> 1 & 1, s >> 2)));
        }
      }
    });
  }

  // The squared gradient of a cell is convex along each axis: it is largest at a corner.
  void bound_gradients() {
    const double squared = parallel_reduce(
        static_cast<std::size_t>(bricks_.size()), 256, 1.0,
        [&](std::size_t begin, std::size_t end) {
          double most = 0;
          for (std::size_t k = begin; k < end; ++k) {
            const int entry = grid_.table[static_cast<Index>(k)];
            const double size = (entry < 0 ? brick : 1) * grid_.cell;
            const Index first = entry < 0 ? ~entry : entry;
            for (Index cell = first; cell < first + (entry < 0 ? 1 : own_nodes); ++cell) {
              const Corners c = grid_.cells.col(cell).cast<double>() / size;
              for (int s = 0; s < 8; ++s) {
                most = std::max(
                    most,
                    Vector3d(c[s] - c[s ^ 1], c[s] - c[s ^ 2], c[s] - c[s ^ 4]).squaredNorm());
              }
            }
          }
          return most;
        },
        [](double a, double b) { return std::max(a, b); });
    grid_.lipschitz = static_cast<float>(std::sqrt(squared) * (1 + 1e-5));
  }

  const ExactDistances& distances_;
  Progress& progress_;
  double most_bytes_;
  Lattice bricks_{0}, corners_{0};
  VectorXd at_corner_;       // of the bricks
  std::vector<int> number_;  // of the fine bricks
  VectorXi fine_of_;         // their places in number_; -1: coarse
  MatrixXd nodes_;           // a column a fine brick
  DistanceGrid grid_;
};

}  // namespace

DistanceGrid distance_grid(const ExactDistances& distances, const Eigen::AlignedBox3d& body,
                           const DistanceGridOptions& options, Progress& progress) {
  return GridMaker(distances, body, options, progress).make();
}

}  // namespace pliant
