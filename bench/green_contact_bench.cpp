// SPDX-License-Identifier: MIT
// Boundary elements and contact, [Klimenko03] table 3 (e): 800 nodes, 30 of them in contact.
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

// A box of these cells on its bottom.
SurfaceCompliance box(const Vector3i& cells) {
  const SurfaceMesh surface =
      boundary_surface(block(ElementType::tet4, cells, 0.01 * cells.cast<double>()));
  std::vector<int> bottom;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (surface.V(2, v) < 1e-9) bottom.push_back(v);
  }
  return boundary_compliance(surface, bottom, 2e5, 0.3);
}
const Vector3i cells_e(15, 9, 11);  // 800 nodes

Result bake(const Vector3i& cells) {
  SurfaceCompliance body;
  const double s = seconds_once([&] { body = box(cells); });
  return {.value = s,
          .detail = fmt::format(
              "{} nodes free, equations {:.2f} GB, {:.0f} MB in the asset, asymmetry {:.3f}",
              body.X.cols(), 8e-9 * static_cast<double>(body.C.size()),
              4e-6 * static_cast<double>(body.C.size()), body.asymmetry)};
}

// Of a cube of n cells along a side, 6 n^2 + 2 nodes, of which a patch of the top is touched.
Result compressed(int n) {
  const SurfaceMesh surface = boundary_surface(
      block(ElementType::tet4, Vector3i::Constant(n), Vector3d::Constant(0.01 * n)));
  std::vector<int> bottom, touched;
  const Vector3d top = 0.01 * n * Vector3d(0.5, 0.5, 1);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (surface.V(2, v) < 1e-9) bottom.push_back(v);
    if ((surface.V.col(v) - top).norm() < 0.055) touched.push_back(v);
  }
  CompressionFigures figures;
  SurfaceCompliance body;
  const double s = seconds_once([&] {
    body = compressed_compliance(surface, bottom, touched, 2e5, 0.3, Progress::none(), 0, &figures);
  });
  return {
      .value = s,
      .detail = fmt::format(
          "{} nodes, {} touched; equations {:.2f} GB of {:.1f}, mean rank {:.0f}; {} iterations; "
          "{} shapes of the rest, {:.0f} MB in the asset",
          surface.vertex_count(), body.X.cols(), 1e-9 * figures.bytes, 1e-9 * figures.whole_bytes,
          figures.rank, figures.iterations, body.far.P.cols(),
          4e-6 * static_cast<double>(body.C.size() + body.far.P.size() + body.far.Q.size()))};
}

// One cycle of a sphere that slides; the reference: all nodes in contact solved at once, from
// nothing, as the hard kernel does.
Result contact() {
  const SurfaceCompliance body = box(cells_e);
  SurfaceContact contact(body.C, body.X);
  double x = 0.06, step = 1e-3;
  int touched = 0, count = 0;
  const auto probe = [&] {
    x += step;
    if (x > 0.09 || x < 0.06) step = -step;
    return RigidShape{.kind = RigidShape::Kind::sphere,
                      .position = {x, 0.045, 0.11 + 0.097},
                      .size = Vector3d::Constant(0.105)};
  };
  const double us = 1e6 * seconds([&] {
                      touched += contact.press(probe()).contacts;
                      ++count;
                      keep(contact.u().data());
                    });
  const double reference = 1e6 * seconds([&] {
                             contact.release();
                             contact.press(probe());
                             keep(contact.u().data());
                           });
  return {.value = us,
          .reference_value = reference,
          .detail = fmt::format("{:.0f} nodes in contact", static_cast<double>(touched) / count)};
}

// A node leaves a contact of n and another enters, and the system is solved again; the reference: it is
// factored anew.
template <class Factor>
Result exchange(Index n) {
  const SurfaceCompliance body = box({8, 8, 8});
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
     .target = {.at_most = 20},
     .run = [] { return bake(cells_e); }},
    {.name = "green.bake.bem2000",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           return bake({18, 18, 19});
         }},
    {.name = "green.bake.bem5000",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           return bake({29, 29, 29});
         }},
    {.name = "green.bake.compressed5000",
     .unit = "s",
     .slow = true,
     .run = [] { return compressed(29); }},
    {.name = "green.bake.compressed20000",
     .unit = "s",
     .slow = true,
     .run = [] { return compressed(58); }},
    {.name = "green.bake.galerkin800",
     .unit = "s",
     .slow = true,
     .run =
         [] {
           const SurfaceMesh surface =
               boundary_surface(block(ElementType::tet4, cells_e, 0.01 * cells_e.cast<double>()));
           std::vector<int> bottom;
           for (int v = 0; v < surface.vertex_count(); ++v) {
             if (surface.V(2, v) < 1e-9) bottom.push_back(v);
           }
           SurfaceCompliance body;
           const double s =
               seconds_once([&] { body = galerkin_compliance(surface, bottom, 2e5, 0.3); });
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
