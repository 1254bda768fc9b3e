// SPDX-License-Identifier: MIT
#include "pliant/mesh/voxel_grid.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"

namespace pliant {
namespace {

// A stretch of voxels [begin, end) in x that are not empty, in row j + n1 k.
struct Run {
  int begin, end;
};

// The runs of a grid and their pieces, by union-find over runs that touch: memory goes with the
// surface of the model, not with the grid.
class Components {
 public:
  explicit Components(const VoxelGrid& grid) {
    const auto rows = static_cast<std::size_t>(grid.n[1]) * static_cast<std::size_t>(grid.n[2]);
    first_.reserve(rows + 1);
    for (std::size_t row = 0; row < rows; ++row) {
      first_.push_back(runs_.size());
      const Voxel* x = &grid.filled[row * static_cast<std::size_t>(grid.n[0])];
      for (int i = 0; i < grid.n[0];) {
        if (x[i] == Voxel::empty) {
          ++i;
          continue;
        }
        const int begin = i;
        while (i < grid.n[0] && x[i] != Voxel::empty) ++i;
        runs_.push_back({begin, i});
      }
    }
    first_.push_back(runs_.size());
    parent_.resize(runs_.size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    const auto n1 = static_cast<std::size_t>(grid.n[1]);
    for (std::size_t row = 0; row < rows; ++row) {
      if (row % n1 != 0) join(row - 1, row);
      if (row >= n1) join(row - n1, row);
    }
    size_.resize(runs_.size());
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      size_[find(r)] += runs_[r].end - runs_[r].begin;
    }
  }

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> result;
    std::copy_if(size_.begin(), size_.end(), std::back_inserter(result),
                 [](std::int64_t s) { return s > 0; });
    std::sort(result.begin(), result.end(), std::greater<>());
    return result;
  }

  // Empties the voxels outside the largest piece; returns their number.
  std::int64_t keep_largest(VoxelGrid& grid) {
    if (runs_.empty()) return 0;
    const auto largest =
        static_cast<std::size_t>(std::max_element(size_.begin(), size_.end()) - size_.begin());
    std::int64_t dropped = 0;
    for (std::size_t row = 0; row + 1 < first_.size(); ++row) {
      Voxel* x = &grid.filled[row * static_cast<std::size_t>(grid.n[0])];
      for (std::size_t r = first_[row]; r < first_[row + 1]; ++r) {
        if (find(r) == largest) continue;
        std::fill(x + runs_[r].begin, x + runs_[r].end, Voxel::empty);
        dropped += runs_[r].end - runs_[r].begin;
      }
    }
    return dropped;
  }

 private:
  std::size_t find(std::size_t r) {
    while (parent_[r] != r) r = parent_[r] = parent_[parent_[r]];
    return r;
  }
  void join(std::size_t row_a, std::size_t row_b) {
    std::size_t a = first_[row_a], b = first_[row_b];
    while (a < first_[row_a + 1] && b < first_[row_b + 1]) {
      if (runs_[a].begin < runs_[b].end && runs_[b].begin < runs_[a].end) {
        const std::size_t p = find(a), q = find(b);
        parent_[std::max(p, q)] = std::min(p, q);
      }
      (runs_[a].end < runs_[b].end ? a : b) += 1;
    }
  }

  std::vector<Run> runs_;
  std::vector<std::size_t> first_;   // of each row in runs_
  std::vector<std::size_t> parent_;  // towards the first run of the piece
  std::vector<std::int64_t> size_;   // of the piece, at its first run
};

// Calls brick(i, j, k, corners) for every voxel that is not empty, where the corners are vertex
// numbers in the order of hex8; vertex(i, j, k) is called once for each, in the order of the
// numbers. Two layers of numbers are kept, whatever the size of the grid.
template <class Vertex, class Brick>
void for_bricks(const VoxelGrid& grid, const Vertex& vertex, const Brick& brick) {
  const int nx = grid.n[0], ny = grid.n[1], nz = grid.n[2];
  const auto width = static_cast<std::size_t>(nx + 1);
  std::vector<int> below(width * static_cast<std::size_t>(ny + 1)), above(below.size());
  int next = 0;
  for (int k = 0; k <= nz; ++k) {
    // Mark the corners in this layer of the voxels under and over it, then number them.
    std::fill(above.begin(), above.end(), -1);
    for (int layer = std::max(k - 1, 0); layer <= std::min(k, nz - 1); ++layer) {
      for (int j = 0; j < ny; ++j) {
        const Voxel* x = &grid.filled[grid.index(0, j, layer)];
        int* low = &above[static_cast<std::size_t>(j) * width];
        int* high = low + width;
        for (int i = 0; i < nx; ++i) {
          if (x[i] != Voxel::empty) low[i] = low[i + 1] = high[i] = high[i + 1] = 0;
        }
      }
    }
    for (int j = 0; j <= ny; ++j) {
      int* row = &above[static_cast<std::size_t>(j) * width];
      for (int i = 0; i <= nx; ++i) {
        if (row[i] < 0) continue;
        if (next == std::numeric_limits<int>::max()) {
          throw Error({}, "too many voxels to number their corners");
        }
        row[i] = next++;
        vertex(i, j, k);
      }
    }
    if (k > 0) {
      for (int j = 0; j < ny; ++j) {
        const Voxel* x = &grid.filled[grid.index(0, j, k - 1)];
        const int* lo = &below[static_cast<std::size_t>(j) * width];
        const int* hi = &above[static_cast<std::size_t>(j) * width];
        for (int i = 0; i < nx; ++i) {
          if (x[i] == Voxel::empty) continue;
          const int* lo1 = lo + width;
          const int* hi1 = hi + width;
          brick(i, j, k - 1,
                std::array<int, 8>{lo[i], lo[i + 1], lo1[i + 1], lo1[i], hi[i], hi[i + 1],
                                   hi1[i + 1], hi1[i]});
        }
      }
    }
    std::swap(below, above);
  }
}

// Local corners of the tetrahedra, all with positive volume.
constexpr int even_five[5][4] = {
    {0, 5, 2, 7}, {1, 2, 0, 5}, {3, 0, 2, 7}, {4, 5, 0, 7}, {6, 2, 5, 7}};
constexpr int odd_five[5][4] = {
    {1, 3, 4, 6}, {0, 1, 3, 4}, {2, 3, 1, 6}, {5, 1, 4, 6}, {7, 4, 3, 6}};
constexpr int kuhn[6][4] = {{0, 1, 2, 6}, {0, 3, 7, 6}, {0, 4, 5, 6},
                            {0, 5, 1, 6}, {0, 2, 3, 6}, {0, 7, 4, 6}};

// `per_voxel` elements of `type`; nodes(i, j, k, e) points to the local corners of the e-th.
template <class Nodes>
VolumeMesh elements(const VoxelGrid& grid, ElementType type, int per_voxel, const Nodes& nodes) {
  const std::int64_t count = grid.count() * per_voxel;
  if (count == 0) throw Error("the grid has no filled voxel to make elements of");
  if (count > std::numeric_limits<int>::max()) {
    throw Error({}, "too many voxels", fmt::format("{} elements", count),
                "at most 2^31 - 1; take a lower resolution");
  }
  VolumeMesh mesh;
  mesh.type = type;
  const int each = nodes_per_element(type);
  // A voxel brings about one vertex, which is held three times while the list of them grows.
  require_memory(4.0 * each * static_cast<double>(count) +
                     3 * sizeof(Vector3d) * static_cast<double>(grid.count()),
                 fmt::format("a mesh of {} elements", count), "a lower resolution needs less");
  mesh.E.resize(each, static_cast<Index>(count));
  std::vector<Vector3d> vertices;
  Index next = 0;
  for_bricks(
      grid,
      [&](int i, int j, int k) { vertices.push_back(grid.origin + grid.h * Vector3d(i, j, k)); },
      [&](int i, int j, int k, const std::array<int, 8>& corners) {
        for (int e = 0; e < per_voxel; ++e) {
          const int* local = nodes(i, j, k, e);
          for (int a = 0; a < each; ++a) {
            mesh.E(a, next) = corners[static_cast<std::size_t>(local[a])];
          }
          ++next;
        }
      });
  mesh.V = Eigen::Map<const Matrix3Xd>(vertices[0].data(), 3, static_cast<Index>(vertices.size()));
  return mesh;
}

}  // namespace

std::int64_t VoxelGrid::count() const {
  return static_cast<std::int64_t>(filled.size()) -
         std::count(filled.begin(), filled.end(), Voxel::empty);
}

void fill_interior(VoxelGrid& grid) {
  // Flood along rows: a seed stands for its whole run of empty voxels, and asks the four rows
  // around to continue.
  constexpr auto outside = static_cast<Voxel>(3);
  struct Seed {
    int i, j, k;
  };
  std::vector<Seed> seeds;
  const int nx = grid.n[0], ny = grid.n[1], nz = grid.n[2];
  const auto flood = [&](Seed seed) {
    seeds.push_back(seed);
    while (!seeds.empty()) {
      const auto [i, j, k] = seeds.back();
      seeds.pop_back();
      Voxel* x = &grid.filled[grid.index(0, j, k)];
      if (x[i] != Voxel::empty) continue;
      int begin = i, end = i + 1;
      while (begin > 0 && x[begin - 1] == Voxel::empty) --begin;
      while (end < nx && x[end] == Voxel::empty) ++end;
      std::fill(x + begin, x + end, outside);
      const auto continue_in = [&](int row, int layer) {
        if (row < 0 || row >= ny || layer < 0 || layer >= nz) return;
        const Voxel* y = &grid.filled[grid.index(0, row, layer)];
        for (int a = begin; a < end; ++a) {
          if (y[a] == Voxel::empty && (a == begin || y[a - 1] != Voxel::empty)) {
            seeds.push_back({a, row, layer});
          }
        }
      };
      continue_in(j - 1, k);
      continue_in(j + 1, k);
      continue_in(j, k - 1);
      continue_in(j, k + 1);
    }
  };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      const bool wall = j == 0 || j == ny - 1 || k == 0 || k == nz - 1;
      for (int i = 0; i < nx; i += wall || nx == 1 ? 1 : nx - 1) flood({i, j, k});
    }
  }
  for (Voxel& voxel : grid.filled) {
    if (voxel == Voxel::empty) voxel = Voxel::interior;
    if (voxel == outside) voxel = Voxel::empty;
  }
}

std::vector<std::int64_t> component_sizes(const VoxelGrid& grid) {
  return Components(grid).sizes();
}

std::int64_t keep_largest_component(VoxelGrid& grid) {
  return Components(grid).keep_largest(grid);
}

VolumeMesh hexahedra(const VoxelGrid& grid) {
  static constexpr int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return elements(grid, ElementType::hex8, 1, [](int, int, int, int) { return all; });
}

VolumeMesh tetrahedra(const VoxelGrid& grid, TetSplit split) {
  if (split == TetSplit::six) {
    return elements(grid, ElementType::tet4, 6, [](int, int, int, int e) { return kuhn[e]; });
  }
  return elements(grid, ElementType::tet4, 5, [](int i, int j, int k, int e) {
    return (i + j + k) % 2 == 0 ? even_five[e] : odd_five[e];
  });
}

}  // namespace pliant
