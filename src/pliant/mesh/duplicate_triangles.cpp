// SPDX-License-Identifier: MIT
#include "pliant/mesh/duplicate_triangles.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "pliant/mesh/surface_topology.hpp"

namespace pliant {
namespace {

struct Copy {
  std::array<int, 3> key;  // vertices in ascending order
  int triangle;
  int sign;  // +1: the triangle is an even permutation of the key

  bool operator<(const Copy& other) const {
    return key != other.key ? key < other.key : triangle < other.triangle;
  }
};

std::array<int, 2> edge_of(const Matrix3Xi& F, int f, int k) {
  const auto [a, b] = std::minmax(F(k, f), F((k + 1) % 3, f));
  return {a, b};
}

}  // namespace

std::vector<char> find_duplicates(const Matrix3Xi& F) {
  std::vector<Copy> copies;
  for (int f = 0; f < F.cols(); ++f) {
    const int a = F(0, f), b = F(1, f), c = F(2, f);
    if (a == b || b == c || c == a) continue;
    Copy copy{{a, b, c}, f, ((a < b) + (b < c) + (c < a)) == 2 ? 1 : -1};
    std::sort(copy.key.begin(), copy.key.end());
    copies.push_back(copy);
  }
  std::sort(copies.begin(), copies.end());

  std::vector<char> drop(static_cast<std::size_t>(F.cols()), 0);
  std::vector<std::array<std::size_t, 2>> sheets;  // ranges of copies that cancel
  for (std::size_t i = 0, j; i < copies.size(); i = j) {
    int net = 0;
    for (j = i; j < copies.size() && copies[j].key == copies[i].key; ++j) net += copies[j].sign;
    if (j == i + 1) continue;
    // Keep the first copy with the orientation that remains.
    std::size_t keep = i;
    while (net * copies[keep].sign < 0) ++keep;
    for (std::size_t k = i; k < j; ++k) {
      if (k != keep) drop[static_cast<std::size_t>(copies[k].triangle)] = 1;
    }
    if (net == 0) sheets.push_back({i, j});
  }
  if (sheets.empty()) return drop;

  // Connected sheets, and how many triangles of the rest meet in each of their edges.
  Matrix3Xi sheet_faces(3, static_cast<Index>(sheets.size()));
  std::vector<char> in_sheet(drop.size(), 0);
  for (std::size_t s = 0; s < sheets.size(); ++s) {
    const int f = copies[sheets[s][0]].triangle;
    sheet_faces.col(static_cast<Index>(s)) = F.col(f);
    in_sheet[static_cast<std::size_t>(f)] = 1;
  }
  const SurfaceTopology topology = topology_of(sheet_faces);
  std::map<std::array<int, 2>, int> rest;
  for (const EdgeUse& use : topology.uses) rest[{use.a, use.b}] = 0;
  for (int f = 0; f < F.cols(); ++f) {
    if (drop[static_cast<std::size_t>(f)] || in_sheet[static_cast<std::size_t>(f)]) continue;
    for (int k = 0; k < 3; ++k) {
      const auto edge = rest.find(edge_of(F, f, k));
      if (edge != rest.end()) ++edge->second;
    }
  }
  struct Balance {
    bool attached = false;
    int odd_with = 0, odd_without = 0;  // edges of an odd number of triangles
  };
  std::vector<Balance> balance(static_cast<std::size_t>(topology.components));
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const EdgeUse& use = topology.uses[topology.edges[e]];
    const int others = rest[{use.a, use.b}];
    const auto own = static_cast<int>(topology.edges[e + 1] - topology.edges[e]);
    Balance& b = balance[static_cast<std::size_t>(topology.component[use.triangle])];
    b.attached = b.attached || others > 0;
    b.odd_without += others % 2;
    b.odd_with += (others + own) % 2;
  }
  for (std::size_t s = 0; s < sheets.size(); ++s) {
    const int component = topology.component[static_cast<Index>(s)];
    const Balance& b = balance[static_cast<std::size_t>(component)];
    if (!b.attached || b.odd_without >= b.odd_with) continue;
    for (std::size_t k = sheets[s][0]; k < sheets[s][1]; ++k) {
      drop[static_cast<std::size_t>(copies[k].triangle)] = 2;
    }
  }
  return drop;
}

}  // namespace pliant
