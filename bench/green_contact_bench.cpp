// SPDX-License-Identifier: MIT
// Boundary elements and contact, [Klimenko03] table 3 (e): 800 nodes, 30 of them in contact.
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/green/active_factor.hpp"
#include "pliant/green/bake/galerkin.hpp"
#include "pliant/green/bake/surface_compliance.hpp"
#include "pliant/green/surface_contact.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/shape/rigid_shape.hpp"

namespace pliant::bench {
namespace {

const Vector3i cells_e(15, 9, 11);  // 800 nodes

// A box of these cells, 1 cm each, on its bottom.
struct Box {
  explicit Box(const Vector3i& cells)
      : surface(boundary_surface(block(ElementType::tet4, cells, 0.01 * cells.cast<double>()))),
        top(0.01 * cells.cast<double>().cwiseProduct(Vector3d(0.5, 0.5, 1))) {
    for (int v = 0; v < surface.vertex_count(); ++v) {
      if (surface.V(2, v) < 1e-9) bottom.push_back(v);
      if ((surface.V.col(v) - top).norm() < 0.055) patch.push_back(v);
    }
  }
  SurfaceMesh surface;
  Vector3d top;  // the middle of it
  std::vector<int> bottom, patch;
};

SurfaceCompliance dense(const Box& box, Progress& progress = Progress::none()) {
  return boundary_compliance(box.surface, box.bottom, 2e5, 0.3, progress);
}
SurfaceCompliance compressed(const Box& box, Progress& progress, CompressionFigures* figures) {
  return compressed_compliance(box.surface, box.bottom, box.patch, 2e5, 0.3, progress, 0, figures);
}

// One cycle of a sphere that slides on the top's middle, over some 30 nodes [us]; and from nothing.
struct Cycle {
  double warm, cold, touched;
};
Cycle cycle(const SurfaceCompliance& body, const Vector3d& top) {
  SurfaceContact contact(body.C, body.X);
  double x = -0.015, step = 1e-3;
  int touched = 0, count = 0;
  const auto probe = [&] {
    x += step;
    if (std::abs(x) > 0.015) step = -step;
    return RigidShape{.kind = RigidShape::Kind::sphere,
                      .position = top + Vector3d(x, 0, 0.097),
                      .size = Vector3d::Constant(0.105)};
  };
  const double warm = seconds([&] {
    touched += contact.press(probe()).contacts;
    ++count;
    keep(contact.u().data());
  });
  const double cold = seconds([&] {
    contact.release();
    contact.press(probe());
    keep(contact.u().data());
  });
  return {1e6 * warm, 1e6 * cold, static_cast<double>(touched) / count};
}

// The most that this process had in memory since this was made [GB], by /proc.
class Peak {
 public:
  Peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
  double gigabytes() const {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word != "VmHWM:") continue;
      double kilobytes = 0;
      status >> kilobytes;
      return 1e-6 * kilobytes;
    }
    return none;
  }
};

// Seconds of the steps that a bake reports: integrals, factors or a preconditioner, right sides.
class Steps {
 public:
  Progress& progress() { return progress_; }
  const std::string& words() const { return words_; }

 private:
  std::string words_;
  Progress progress_{[this](const ProgressEvent& event) {
    if (event.kind != ProgressEvent::Kind::end) return;
    words_ += fmt::format("{} {:.2g} s, ", event.step, event.seconds);
  }};
};

// Solved at once; the reference: compressed, for a patch of its top.
Result bake(const Vector3i& cells, bool compare) {
  const Box box(cells);
  Result out;
  SurfaceCompliance body;
  Steps steps;
  const Peak peak;
  out.value = seconds_once([&] { body = dense(box, steps.progress()); });
  const double gigabytes = peak.gigabytes();
  const Cycle contact = cycle(body, box.top);
  out.detail = fmt::format(
      "{} nodes, {} free; {}{:.2f} GB at most, {:.0f} MB in the asset; asymmetry {:.3f}; a cycle "
      "of "
      "contact with {:.0f} nodes {:.0f} us, from nothing {:.0f}",
      box.surface.vertex_count(), body.X.cols(), steps.words(), gigabytes,
      4e-6 * static_cast<double>(body.C.size()), body.asymmetry, contact.touched, contact.warm,
      contact.cold);
  if (compare) {
    out.reference_value = seconds_once([&] { body = compressed(box, Progress::none(), nullptr); });
  }
  return out;
}

// Of a cube of n cells along a side, 6 n^2 + 2 nodes, of which a patch of the top is touched.
Result bake_compressed(int n) {
  const Box box(Vector3i::Constant(n));
  CompressionFigures figures;
  SurfaceCompliance body;
  Steps steps;
  const Peak peak;
  const double s = seconds_once([&] { body = compressed(box, steps.progress(), &figures); });
  const double gigabytes = peak.gigabytes();
  const Cycle contact = cycle(body, box.top);
  return {
      .value = s,
      .detail = fmt::format(
          "{} nodes, {} touched; {}{:.2f} GB at most; equations {:.2f} GB of {:.1f}, mean rank "
          "{:.0f}; {} iterations; {} shapes of the rest, {:.0f} MB in the asset; a cycle of "
          "contact "
          "with {:.0f} nodes {:.0f} us, from nothing {:.0f}",
          box.surface.vertex_count(), body.X.cols(), steps.words(), gigabytes, 1e-9 * figures.bytes,
          1e-9 * figures.whole_bytes, figures.rank, figures.iterations, body.far.P.cols(),
          4e-6 * static_cast<double>(body.C.size() + body.far.P.size() + body.far.Q.size()),
          contact.touched, contact.warm, contact.cold)};
}

// The reference: all nodes in contact found from nothing, as the hard kernel does.
Result contact() {
  const Box box(cells_e);
  const Cycle contact = cycle(dense(box), box.top);
  return {.value = contact.warm,
          .reference_value = contact.cold,
          .detail = fmt::format("{:.0f} nodes in contact", contact.touched)};
}

// A node leaves a contact of n and another enters, and the system is solved again; the reference: it is
// factored anew.
template <class Factor>
Result exchange(Index n) {
  const SurfaceCompliance body = dense(Box({8, 8, 8}));
  MatrixXd A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) A(i, j) = body.C(3 * i + 2, 3 * j + 2);
  }
  ActiveCholesky anew(n);
  const double reference = 1e6 * seconds([&] {
                             VectorXd b = VectorXd::Ones(n);
                             anew.factor(n, [&](Index i, Index j) { return A(i, j); });
                             anew.solve(b);
                             keep(b.data());
                           });
  Factor factor(n);
  for (Index i = 0; i < n; ++i) factor.enter(A.col(i).data(), A(i, i));
  VectorXd column(n), b(n);
  std::vector<Index> in(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) in[static_cast<std::size_t>(i)] = i;
  const double us = 1e6 * seconds([&] {
                      const std::size_t middle = in.size() / 2;
                      const Index own = in[middle];
                      factor.leave(static_cast<Index>(middle));
                      in.erase(in.begin() + static_cast<std::ptrdiff_t>(middle));
                      for (std::size_t k = 0; k < in.size(); ++k) {
                        column[static_cast<Index>(k)] = A(in[k], own);
                      }
                      factor.enter(column.data(), A(own, own));
                      in.push_back(own);
                      b.setOnes();
                      factor.solve(b);
                      keep(b.data());
                    });
  return {.value = us, .reference_value = reference, .detail = fmt::format("{} nodes", n)};
}

const Rows rows{
    {.name = "green.bake.bem800",
     .unit = "s",
     .published = "30 min",
     .reference = "compressed, a patch of the top",
     .target = {.at_most = 20},
     .run = [] { return bake(cells_e, true); }},
    {.name = "green.bake.bem2000",
     .unit = "s",
     .reference = "compressed, a patch of the top",
     .slow = true,
     .run =
         [] {
           return bake({18, 18, 19}, true);
         }},
    {.name = "green.bake.bem5000",
     .unit = "s",
     .reference = "compressed, a patch of the top",
     .slow = true,
     .run =
         [] {
           return bake({29, 29, 29}, true);
         }},
    {.name = "green.bake.compressed5000",
     .unit = "s",
     .slow = true,
     .run = [] { return bake_compressed(29); }},
    {.name = "green.bake.compressed20000",
     .unit = "s",
     .slow = true,
     .run = [] { return bake_compressed(58); }},
    {.name = "green.bake.galerkin800",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           const Box box(cells_e);
           SurfaceCompliance body;
           const double s =
               seconds_once([&] { body = galerkin_compliance(box.surface, box.bottom, 2e5, 0.3); });
           return Result{.value = s,
                         .detail = fmt::format("{} nodes free, asymmetry {:.1e}", body.X.cols(),
                                               body.asymmetry)};
         }},
    {.name = "green.exchange.cholesky.30",
     .unit = "us",
     .reference = "a new factor",
     .run = [] { return exchange<ActiveCholesky>(30); }},
    {.name = "green.exchange.cholesky.200",
     .unit = "us",
     .reference = "a new factor",
     .run = [] { return exchange<ActiveCholesky>(200); }},
    {.name = "green.exchange.inverse.30",
     .unit = "us",
     .reference = "a new factor",
     .run = [] { return exchange<ActiveInverse>(30); }},
    {.name = "green.exchange.inverse.200",
     .unit = "us",
     .reference = "a new factor",
     .run = [] { return exchange<ActiveInverse>(200); }},
    {.name = "green.contact.bem800.30",
     .unit = "us",
     .published = "85 fps",
     .reference = "without the last contacts to begin with",
     .target = {.at_most = 400},
     .run = contact},
};

}  // namespace
}  // namespace pliant::bench
