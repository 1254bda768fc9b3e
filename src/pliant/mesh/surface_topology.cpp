// SPDX-License-Identifier: MIT
#include "pliant/mesh/surface_topology.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace pliant {
namespace {

class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    const std::size_t p = find(static_cast<std::size_t>(a)), q = find(static_cast<std::size_t>(b));
    parent_[std::max(p, q)] = std::min(p, q);
  }

 private:
  std::vector<std::size_t> parent_;
};

bool repeats(const Vector3i& f) {
  return f[0] == f[1] || f[1] == f[2] || f[2] == f[0];
}

// Numbers the sets in the order of their first triangle.
int number(Sets& sets, const Matrix3Xi& F, VectorXi& label) {
  label = VectorXi::Constant(F.cols(), -1);
  int count = 0;
  for (Index f = 0; f < F.cols(); ++f) {
    if (repeats(F.col(f))) continue;
    const auto root = static_cast<Index>(sets.find(static_cast<std::size_t>(f)));
    if (root == f) label[f] = count++;
    label[f] = label[root];
  }
  return count;
}

}  // namespace

SurfaceTopology topology_of(const Matrix3Xi& F) {
  SurfaceTopology t;
  const auto n = static_cast<std::size_t>(F.cols());
  t.uses.reserve(3 * n);
  for (Index f = 0; f < F.cols(); ++f) {
    if (repeats(F.col(f))) continue;
    for (int k = 0; k < 3; ++k) {
      const int from = F(k, f), to = F((k + 1) % 3, f);
      t.uses.push_back({std::min(from, to), std::max(from, to), static_cast<int>(f), from < to});
    }
  }
  const auto key = [](const EdgeUse& u) { return std::array{u.a, u.b, u.triangle}; };
  std::sort(t.uses.begin(), t.uses.end(),
            [&](const EdgeUse& u, const EdgeUse& v) { return key(u) < key(v); });
  for (std::size_t i = 0; i < t.uses.size(); ++i) {
    if (i == 0 || t.uses[i].a != t.uses[i - 1].a || t.uses[i].b != t.uses[i - 1].b) {
      t.edges.push_back(i);
    }
  }
  t.edges.push_back(t.uses.size());

  Sets components(n), patches(n);
  // Neighbours through edges of two triangles, and whether they disagree.
  std::vector<std::vector<std::pair<int, bool>>> neighbours(n);
  for (std::size_t e = 0; e < t.edge_count(); ++e) {
    const std::size_t begin = t.edges[e], end = t.edges[e + 1];
    for (std::size_t i = begin + 1; i < end; ++i) {
      components.join(t.uses[begin].triangle, t.uses[i].triangle);
    }
    if (end - begin != 2) continue;
    const EdgeUse &u = t.uses[begin], &v = t.uses[begin + 1];
    patches.join(u.triangle, v.triangle);
    const bool disagree = u.forward == v.forward;
    neighbours[static_cast<std::size_t>(u.triangle)].emplace_back(v.triangle, disagree);
    neighbours[static_cast<std::size_t>(v.triangle)].emplace_back(u.triangle, disagree);
  }
  t.components = number(components, F, t.component);
  t.patches = number(patches, F, t.patch);

  t.closed_patch.assign(static_cast<std::size_t>(t.patches), 1);
  for (std::size_t e = 0; e < t.edge_count(); ++e) {
    if (t.edges[e + 1] - t.edges[e] == 2) continue;
    for (std::size_t i = t.edges[e]; i < t.edges[e + 1]; ++i) {
      t.closed_patch[static_cast<std::size_t>(t.patch[t.uses[i].triangle])] = 0;
    }
  }

  // Spread the orientation of each patch's first triangle.
  t.orientable.assign(static_cast<std::size_t>(t.patches), 1);
  t.turn.assign(n, 0);
  std::vector<char> seen(n, 0);
  std::vector<int> wave;
  for (std::size_t start = 0; start < n; ++start) {
    if (seen[start] || t.patch[static_cast<Index>(start)] < 0) continue;
    wave.assign(1, static_cast<int>(start));
    seen[start] = 1;
    std::size_t turned = 0;
    for (std::size_t next = 0; next < wave.size(); ++next) {
      const auto f = static_cast<std::size_t>(wave[next]);
      turned += static_cast<std::size_t>(t.turn[f]);
      for (const auto& [g, disagree] : neighbours[f]) {
        const auto j = static_cast<std::size_t>(g);
        const auto turn = static_cast<char>(t.turn[f] ^ static_cast<char>(disagree));
        if (!seen[j]) {
          seen[j] = 1;
          t.turn[j] = turn;
          wave.push_back(g);
        } else if (t.turn[j] != turn) {
          t.orientable[static_cast<std::size_t>(t.patch[static_cast<Index>(start)])] = 0;
        }
      }
    }
    if (2 * turned > wave.size()) {
      for (const int f : wave) t.turn[static_cast<std::size_t>(f)] ^= 1;
    }
  }
  return t;
}

std::vector<int> split_vertices(const Matrix3Xi& F, const SurfaceTopology& topology) {
  // The corners at a vertex are joined where their triangles share an edge that starts there.
  const auto n = static_cast<std::size_t>(F.cols());
  const auto corner = [&](int f, int v) {
    return 3 * f + (F(0, f) == v ? 0 : F(1, f) == v ? 1 : 2);
  };
  Sets fans(3 * n);
  for (std::size_t e = 0; e < topology.edge_count(); ++e) {
    const EdgeUse& first = topology.uses[topology.edges[e]];
    for (std::size_t i = topology.edges[e] + 1; i < topology.edges[e + 1]; ++i) {
      for (const int v : {first.a, first.b}) {
        fans.join(corner(first.triangle, v), corner(topology.uses[i].triangle, v));
      }
    }
  }
  std::vector<int> roots;  // the vertex of each fan
  for (std::size_t c = 0; c < 3 * n; ++c) {
    const auto f = static_cast<Index>(c / 3);
    if (topology.component[f] >= 0 && fans.find(c) == c) {
      roots.push_back(F(static_cast<Index>(c % 3), f));
    }
  }
  std::sort(roots.begin(), roots.end());
  std::vector<int> split;
  for (std::size_t i = 1; i < roots.size(); ++i) {
    if (roots[i] == roots[i - 1] && (i == 1 || roots[i - 2] != roots[i])) split.push_back(roots[i]);
  }
  return split;
}

}  // namespace pliant
