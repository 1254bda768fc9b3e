// SPDX-License-Identifier: MIT
#include "pliant/mesh/embedding.hpp"

#include <span>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <fmt/format.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/aabb_tree.hpp"
#include "pliant/mesh/isoparametric.hpp"
#include "pliant/mesh/triangle.hpp"
#include "pliant/mesh/validate.hpp"

namespace pliant {
namespace {

// A point this little outside of an element, in reference coordinates, counts as inside.
constexpr double inside_tolerance = 1e-9;

// The surface of an element as triangles of local nodes.
constexpr Eigen::Index tet4_triangles[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
constexpr Eigen::Index tet10_triangles[][3] = {
    {0, 6, 4}, {6, 2, 5}, {4, 5, 1}, {6, 5, 4}, {0, 4, 7}, {4, 1, 8}, {7, 8, 3}, {4, 8, 7},
    {1, 5, 8}, {5, 2, 9}, {8, 9, 3}, {5, 9, 8}, {0, 7, 6}, {7, 3, 9}, {6, 9, 2}, {7, 9, 6}};
constexpr Eigen::Index hex8_triangles[][3] = {{0, 3, 2}, {0, 2, 1}, {4, 5, 6}, {4, 6, 7},
                                              {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                              {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

std::span<const Eigen::Index[3]> surface_triangles(ElementType type) {
  if (type == ElementType::tet4) return tet4_triangles;
  if (type == ElementType::tet10) return tet10_triangles;
  return hex8_triangles;
}

// A brick along the axes, as voxels are: opposite faces have equal coordinates.
bool is_axis_aligned(const NodePositions& x) {
  for (const auto& [axis, low, high] :
       {std::tuple(0, std::array{0, 3, 4, 7}, std::array{1, 2, 5, 6}),
        std::tuple(1, std::array{0, 1, 4, 5}, std::array{2, 3, 6, 7}),
        std::tuple(2, std::array{0, 1, 2, 3}, std::array{4, 5, 6, 7})}) {
    for (std::size_t a = 0; a < 4; ++a) {
      if (x(axis, low[a]) != x(axis, low[0]) || x(axis, high[a]) != x(axis, high[0])) return false;
    }
    if (!(x(axis, high[0]) > x(axis, low[0]))) return false;
  }
  return true;
}

// The elements of a mesh, searchable by place.
class Elements {
 public:
  explicit Elements(const VolumeMesh& mesh)
      : mesh_(mesh), aligned_(static_cast<std::size_t>(mesh.element_count())) {
    std::vector<AabbTree::Box> boxes(aligned_.size());
    parallel_for(boxes.size(), 4096, [&](std::size_t e) {
      const NodePositions x = element_nodes(mesh, static_cast<int>(e));
      aligned_[e] = mesh.type == ElementType::hex8 && is_axis_aligned(x);
      // A curved side can bulge beyond its nodes, by less than an eighth of the element's size.
      const double margin = mesh.type == ElementType::tet10 ? 0.125 : inside_tolerance;
      boxes[e] = bounds(x);
      const Vector3d size = Vector3d::Constant(margin * boxes[e].sizes().maxCoeff());
      boxes[e] = AabbTree::Box(Vector3d(boxes[e].min() - size), Vector3d(boxes[e].max() + size));
    });
    tree_ = AabbTree(boxes);
  }

  bool reference_coordinates(int e, const Vector3d& p, Vector3d& xi) const {
    if (aligned_[static_cast<std::size_t>(e)]) {
      const auto low = mesh_.V.col(mesh_.E(0, e)), high = mesh_.V.col(mesh_.E(6, e));
      xi = (2 * (p - low)).cwiseQuotient(high - low).array() - 1;
      return true;
    }
    return invert_map(mesh_.type, element_nodes(mesh_, e), p, xi);
  }

  struct Held {
    int element = -1;
    Vector3d xi;
  };
  // The element in which p lies deepest; -1: none.
  Held holder(const Vector3d& p) const {
    Held best;
    double deepest = -inside_tolerance;
    tree_.containing(p, [&](int e) {
      Vector3d xi;
      if (!reference_coordinates(e, p, xi)) return;
      const double d = depth(mesh_.type, xi);
      if (d > deepest || (d == deepest && (best.element < 0 || e < best.element))) {
        best = {e, xi};
        deepest = d;
      }
    });
    return best;
  }

  // Closest point of the surface of element e, with weights on its nodes.
  struct Attached {
    double squared_distance = std::numeric_limits<double>::infinity();
    Vector3d point;
    NodeVector weights;
  };
  Attached closest(int e, const Vector3d& p) const {
    Attached best;
    const NodePositions x = element_nodes(mesh_, e);
    for (const auto& t : surface_triangles(mesh_.type)) {
      const TrianglePoint q = closest_on_triangle(p, x.col(t[0]), x.col(t[1]), x.col(t[2]));
      if (!(q.squared_distance < best.squared_distance)) continue;
      best = {q.squared_distance, q.point, NodeVector::Zero(x.cols())};
      for (int a = 0; a < 3; ++a) best.weights[t[a]] += q.weights[a];
    }
    return best;
  }

  int nearest(const Vector3d& p) const {
    return tree_
        .nearest(p,
                 [&](int e) {
                   if (aligned_[static_cast<std::size_t>(e)]) {
                     const AabbTree::Box box(Vector3d(mesh_.V.col(mesh_.E(0, e))),
                                             Vector3d(mesh_.V.col(mesh_.E(6, e))));
                     return box.squaredExteriorDistance(p);
                   }
                   return closest(e, p).squared_distance;
                 })
        .item;
  }

  // Weights of a point outside of element e, and its distance.
  double attach(int e, const Vector3d& p, NodeVector& weights) const {
    const Attached c = closest(e, p);
    weights = c.weights;
    Vector3d xi;
    if (reference_coordinates(e, c.point, xi)) {
      xi = clamp_to_element(mesh_.type, xi);
      const NodePositions x = element_nodes(mesh_, e);
      const NodeGradients G = shape_gradients(mesh_.type, xi);
      const Matrix3d J = x * G;
      if (!is_degenerate(J)) {
        weights = shape_functions(mesh_.type, xi);
        weights += G * (J.inverse() * (p - x * weights));
      }
    }
    return std::sqrt(c.squared_distance);
  }

 private:
  const VolumeMesh& mesh_;
  std::vector<char> aligned_;
  AabbTree tree_;
};

// dN_a / dX_J at a point of the embedding; zero in an element without volume.
NodeGradients gradients_at(const Embedding& embedding, const VolumeMesh& mesh, Index p) {
  // The shape functions reproduce linear fields of xi, so that the weights tell xi.
  Vector3d xi = Vector3d::Zero();
  for (int a = 0; a < embedding.nodes.rows(); ++a) {
    xi += embedding.weights(a, p) * reference_node(mesh.type, a);
  }
  const NodeGradients G = shape_gradients(mesh.type, clamp_to_element(mesh.type, xi));
  const Matrix3d J = element_nodes(mesh, embedding.element[p]) * G;
  if (is_degenerate(J)) return NodeGradients::Zero(G.rows(), 3);
  return G * J.inverse();
}

}  // namespace

Embedding embed(const Matrix3Xd& points, const VolumeMesh& mesh) {
  validate(mesh);
  if (mesh.element_count() == 0) throw Error("cannot embed points in a mesh without elements");
  for (Index p = 0; p < points.cols(); ++p) {
    if (!(points.col(p).cwiseAbs().maxCoeff() <= 1e100)) {
      throw Error({"", 0, fmt::format("point {}", p)}, "bad coordinate",
                  fmt::format("({}, {}, {})", points(0, p), points(1, p), points(2, p)),
                  "finite numbers below 1e100");
    }
  }
  const Elements elements(mesh);
  const Index P = points.cols();
  Embedding W;
  W.node_count = mesh.vertex_count();
  W.element.resize(P);
  W.nodes.resize(mesh.E.rows(), P);
  W.weights.resize(mesh.E.rows(), P);
  VectorXd distance = VectorXd::Constant(P, -1);
  parallel_for(static_cast<std::size_t>(P), 512, [&](std::size_t i) {
    const auto p = static_cast<Index>(i);
    const Elements::Held held = elements.holder(points.col(p));
    int e = held.element;
    if (e >= 0) {
      W.weights.col(p) = shape_functions(mesh.type, held.xi);
    } else {
      e = elements.nearest(points.col(p));
      NodeVector weights;
      distance[p] = elements.attach(e, points.col(p), weights);
      W.weights.col(p) = weights;
    }
    W.element[p] = e;
    W.nodes.col(p) = mesh.E.col(e);
  });
  for (Index p = 0; p < P; ++p) {
    if (distance[p] >= 0) W.outside.push_back({static_cast<int>(p), distance[p]});
  }
  return W;
}

Matrix3Xd Embedding::interpolate(const Matrix3Xd& u_nodes) const {
  PLIANT_ASSERT(u_nodes.cols() == node_count, "one column a node");
  Matrix3Xd u(3, point_count());
  parallel_for(static_cast<std::size_t>(point_count()), 4096, [&](std::size_t i) {
    const auto p = static_cast<Index>(i);
    Vector3d sum = Vector3d::Zero();
    for (Index a = 0; a < nodes.rows(); ++a) sum += weights(a, p) * u_nodes.col(nodes(a, p));
    u.col(p) = sum;
  });
  return u;
}

void Embedding::add_transpose(const Matrix3Xd& f, Matrix3Xd& f_nodes) const {
  PLIANT_ASSERT(f.cols() == point_count(), "one column a point");
  PLIANT_ASSERT(f_nodes.cols() == node_count, "one column a node");
  for (Index p = 0; p < point_count(); ++p) {
    for (Index a = 0; a < nodes.rows(); ++a) f_nodes.col(nodes(a, p)) += weights(a, p) * f.col(p);
  }
}

MatrixXd embedded_basis(const Embedding& embedding, const MatrixXd& U) {
  PLIANT_ASSERT(U.rows() == 3 * Index{embedding.node_count}, "three rows a node");
  MatrixXd basis(3 * Index{embedding.point_count()}, U.cols());
  for (Index j = 0; j < U.cols(); ++j) {
    basis.col(j) = embedding.interpolate(U.col(j).reshaped(3, embedding.node_count)).reshaped();
  }
  return basis;
}

MatrixXd embedded_gradients(const Embedding& embedding, const VolumeMesh& mesh, const MatrixXd& U) {
  PLIANT_ASSERT(embedding.node_count == mesh.vertex_count(), "the mesh of the embedding");
  PLIANT_ASSERT(U.rows() == 3 * Index{embedding.node_count}, "three rows a node");
  const Index P = embedding.point_count(), nodes = embedding.nodes.rows();
  MatrixXd gradients = MatrixXd::Zero(9 * P, U.cols());
  parallel_for(static_cast<std::size_t>(P), 256, [&](std::size_t i) {
    const auto p = static_cast<Index>(i);
    const NodeGradients g = gradients_at(embedding, mesh, p);
    for (Index j = 0; j < U.cols(); ++j) {
      for (Index a = 0; a < nodes; ++a) {
        const auto u = U.col(j).segment<3>(3 * Index{embedding.nodes(a, p)});
        for (int k = 0; k < 3; ++k) {
          gradients.col(j).segment<3>(9 * p + 3 * k) += u[k] * g.row(a).transpose();
        }
      }
    }
  });
  return gradients;
}

MatrixXd embedded_shape_gradients(const Embedding& embedding, const VolumeMesh& mesh) {
  PLIANT_ASSERT(embedding.node_count == mesh.vertex_count(), "the mesh of the embedding");
  const Index P = embedding.point_count(), nodes = embedding.nodes.rows();
  MatrixXd gradients(3 * nodes, P);
  parallel_for(static_cast<std::size_t>(P), 256, [&](std::size_t i) {
    const auto p = static_cast<Index>(i);
    gradients.col(p) = gradients_at(embedding, mesh, p).reshaped<Eigen::RowMajor>();
  });
  return gradients;
}

}  // namespace pliant
