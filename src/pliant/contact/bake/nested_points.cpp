// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/nested_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "pliant/base/assert.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/morton.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/contact/bake/point_grid.hpp"

namespace pliant {
namespace {

std::vector<std::uint64_t> morton_codes(const Matrix3Xd& X) {
  const Eigen::AlignedBox3d box = bounds(X);
  const double extent = std::max(longest_side(box), 1e-300);
  std::vector<std::uint64_t> codes(static_cast<std::size_t>(X.cols()));
  for (Index p = 0; p < X.cols(); ++p) {
    codes[static_cast<std::size_t>(p)] = morton_code((X.col(p) - box.min()) / extent);
  }
  return codes;
}

// For each column of `x` the nearest column of `X`, in cubes that grow until there is one.
std::vector<int> nearest(const Matrix3Xd& X, const Matrix3Xd& x, double size) {
  std::vector<int> found(static_cast<std::size_t>(x.cols()), -1);
  for (bool all = false; !all; size *= 2) {
    const PointGrid grid(X, size);
    parallel_for(found.size(), 512, [&](std::size_t k) {
      if (found[k] < 0) found[k] = grid.nearest(x.col(static_cast<Index>(k)));
    });
    all = std::ranges::none_of(found, [](int p) { return p < 0; });
  }
  return found;
}

}  // namespace

PointTreeData nest(Pointshell& shell) {
  const std::vector<int>& first = shell.first;
  PLIANT_ASSERT(first.size() >= 2 && first.back() == shell.X.cols(), "levels of the points");
  const auto count = static_cast<std::size_t>(shell.X.cols());
  const std::vector<std::uint64_t> codes = morton_codes(shell.X);
  std::vector<int> order(count), parent(count, -1);  // in the new numbers
  std::iota(order.begin(), order.end(), 0);
  Matrix3Xd X = shell.X;  // in the new order, as far as it is known
  for (std::size_t l = 0; l + 1 < first.size(); ++l) {
    const auto begin = order.begin() + first[l], end = order.begin() + first[l + 1];
    std::vector<int> parents(count, -1);  // of the old numbers
    if (l > 0) {
      const Matrix3Xd fresh = shell.X.middleCols(first[l], first[l + 1] - first[l]);
      const double size = 2 * shell.evenness[l - 1].mean;
      const std::vector<int> found = nearest(X.leftCols(first[l]), fresh, size);
      std::ranges::copy(found, parents.begin() + first[l]);
    }
    std::sort(begin, end, [&](int a, int b) {
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      return std::tuple(parents[i], codes[i], a) < std::tuple(parents[j], codes[j], b);
    });
    for (int p = first[l]; p < first[l + 1]; ++p) {
      const int old = order[static_cast<std::size_t>(p)];
      parent[static_cast<std::size_t>(p)] = parents[static_cast<std::size_t>(old)];
      X.col(p) = shell.X.col(old);
    }
  }
  shell.X = std::move(X);
  shell.N = Matrix3Xd(shell.N(Eigen::all, order));
  shell.areas = VectorXd(shell.areas(order));
  return {first, std::move(parent)};
}

}  // namespace pliant
