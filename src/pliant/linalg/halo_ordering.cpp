// SPDX-License-Identifier: MIT
#include "pliant/linalg/halo_ordering.hpp"

#include <bit>
#include <cstdint>

namespace pliant {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Rows of bits: row v holds the neighbours of local node v that are not eliminated.
class BitRows {
 public:
  BitRows(std::size_t rows, std::size_t columns)
      : words_((columns + 63) / 64), bits_(rows * words_, 0) {}
  std::size_t words() const { return words_; }
  std::uint64_t* operator[](std::size_t row) { return bits_.data() + row * words_; }
  void set(std::size_t row, std::size_t column) {
    (*this)[row][column / 64] |= std::uint64_t{1} << (column % 64);
  }
  void clear(std::size_t row, std::size_t column) {
    (*this)[row][column / 64] &= ~(std::uint64_t{1} << (column % 64));
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// Calls visit(i) for each bit i < limit that is set.
template <class Visit>
void for_each_bit(const std::uint64_t* row, std::size_t limit, const Visit& visit) {
  for (std::size_t w = 0; 64 * w < limit; ++w) {
    for (std::uint64_t word = row[w]; word != 0; word &= word - 1) {
      const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(word));
      if (i >= limit) return;
      visit(i);
    }
  }
}

}  // namespace

std::vector<int> order_with_halo(const Graph& graph, std::span<const int> nodes,
                                 std::vector<int>& scratch) {
  // Local numbers: the nodes first, then their halo.
  std::vector<int> all(nodes.begin(), nodes.end());
  const std::size_t m = all.size();
  for (std::size_t i = 0; i < m; ++i) scratch[at(all[i])] = static_cast<int>(i);
  for (std::size_t i = 0; i < m; ++i) {
    for (const int b : graph[all[i]]) {
      if (scratch[at(b)] < 0) {
        scratch[at(b)] = static_cast<int>(all.size());
        all.push_back(b);
      }
    }
  }
  BitRows adjacency(m, all.size());
  for (std::size_t i = 0; i < m; ++i) {
    for (const int b : graph[all[i]]) adjacency.set(i, at(scratch[at(b)]));
  }
  for (const int a : all) scratch[at(a)] = -1;

  const std::size_t words = adjacency.words();
  std::vector<std::int64_t> cost(m, -1);  // -1: to be computed
  std::vector<char> eliminated(m, 0);
  std::vector<int> order;
  order.reserve(m);
  // Bits of the halo in word w.
  const auto halo_bits = [m](std::size_t w) {
    return 64 * w >= m         ? ~std::uint64_t{0}
           : 64 * (w + 1) <= m ? std::uint64_t{0}
                               : ~std::uint64_t{0} << (m % 64);
  };
  const auto cost_of = [&](std::size_t v) {
    const std::uint64_t* row = adjacency[v];
    std::int64_t degree = 0, missing = 0;
    for (std::size_t w = 0; w < words; ++w) degree += std::popcount(row[w]);
    for_each_bit(row, m, [&](std::size_t u) {
      const std::uint64_t* other = adjacency[u];
      for (std::size_t w = 0; w < words; ++w) {
        // A missing pair of two nodes is met from both, one of a node and a halo node once.
        const std::uint64_t lacking = row[w] & ~other[w];
        missing += std::popcount(lacking) + std::popcount(lacking & halo_bits(w));
      }
      --missing;  // u lacks itself
    });
    return missing * (std::int64_t{1} << 20) + degree;
  };
  for (std::size_t step = 0; step < m; ++step) {
    std::size_t best = m;
    for (std::size_t v = 0; v < m; ++v) {
      if (eliminated[v]) continue;
      if (cost[v] < 0) cost[v] = cost_of(v);
      if (best == m || cost[v] < cost[best]) best = v;
    }
    eliminated[best] = 1;
    order.push_back(all[best]);
    const std::uint64_t* row = adjacency[best];
    for_each_bit(row, m, [&](std::size_t u) {
      std::uint64_t* other = adjacency[u];
      for (std::size_t w = 0; w < words; ++w) other[w] |= row[w];
      adjacency.clear(u, u);
      adjacency.clear(u, best);
      cost[u] = -1;
      for_each_bit(other, m, [&](std::size_t v) { cost[v] = -1; });  // new edges at u count there
    });
  }
  return order;
}

}  // namespace pliant
