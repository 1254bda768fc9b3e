// SPDX-License-Identifier: MIT
#include "pliant/mesh/models/sdf.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "pliant/base/assert.hpp"

namespace pliant::model {
namespace {

// exp(-6): what a shape further behind the nearest would add is lost in the mesh.
constexpr double influence = 6;
constexpr double steepest = 1.25;  // of a piece's distance

Shape one_piece(Implicit distance, const Vector3d& centre, double radius) {
  const Vector3d r = Vector3d::Constant(radius);
  return {{std::move(distance)}, {centre - r, centre + r}};
}

// The union of the layers, with an octree whose leaves list the pieces that count there.
class Field {
 public:
  Field(const std::vector<Layer>& layers, const Eigen::AlignedBox3d& box)
      : centre_(box.center()), half_(0.5 * box.sizes().maxCoeff()) {
    std::vector<int> all;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const Blend& blend = layers[l].blend;
      layers_.push_back({blend.k(), layers[l].k, layers[l].relief});
      widest_ = std::max({widest_, influence * blend.k(), layers[l].k});
      for (std::size_t s = 0; s < blend.shapes().size(); ++s) {
        for (const Implicit& piece : blend.shapes()[s].pieces) {
          all.push_back(static_cast<int>(pieces_.size()));
          pieces_.push_back({piece, static_cast<int>(s), l});
        }
      }
    }
    nodes_.emplace_back();
    divide(0, centre_, half_, 0, all);
    outside_ = {static_cast<int>(list_.size()), static_cast<int>(all.size())};
    list_.insert(list_.end(), all.begin(), all.end());
  }

  double operator()(const Vector3d& x) const {
    Vector3d u = (x - centre_) / half_;
    if (!(u.cwiseAbs().maxCoeff() < 1)) return evaluate(x, outside_);
    std::size_t node = 0;
    while (nodes_[node].count < 0) {
      int child = 0;
      for (int k = 0; k < 3; ++k) {
        const bool upper = u[k] >= 0;
        child += upper ? 1 << k : 0;
        u[k] = 2 * u[k] - (upper ? 1 : -1);
      }
      node = static_cast<std::size_t>(nodes_[node].first + child);
    }
    return evaluate(x, nodes_[node]);
  }

 private:
  static constexpr int deepest = 6, few = 6;
  struct Piece {
    Implicit distance;
    int shape;
    std::size_t layer;
  };
  struct Parameters {
    double k, k_union;
    Implicit relief;
  };
  struct Node {
    int first = 0, count = 0;  // its part of list_; or its first child and -1
  };

  // The pieces come layer by layer, and there shape by shape.
  double evaluate(const Vector3d& x, const Node& node) const {
    const int* p = list_.data() + node.first;
    const int* const end = p + node.count;
    double f = 1e30;
    while (p != end) {
      const std::size_t layer = pieces_[static_cast<std::size_t>(*p)].layer;
      const Parameters& parameters = layers_[layer];
      // The sum of exponentials is kept relative to the nearest shape so far.
      double nearest = 1e30, sum = 0;
      while (p != end && pieces_[static_cast<std::size_t>(*p)].layer == layer) {
        const int shape = pieces_[static_cast<std::size_t>(*p)].shape;
        double d = 1e30;
        for (; p != end && pieces_[static_cast<std::size_t>(*p)].shape == shape &&
               pieces_[static_cast<std::size_t>(*p)].layer == layer;
             ++p) {
          d = std::min(d, pieces_[static_cast<std::size_t>(*p)].distance(x));
        }
        const double behind = (d - nearest) / parameters.k;
        if (behind >= influence) continue;
        if (behind >= 0) {
          sum += std::exp(-behind);
        } else {
          sum = 1 + (behind > -influence ? sum * std::exp(behind) : 0.0);
          nearest = d;
        }
      }
      if (sum > 1) nearest -= parameters.k * std::log(sum);
      if (parameters.relief) nearest += parameters.relief(x);
      f = parameters.k_union > 0 ? smooth_union(f, nearest, parameters.k_union)
                                 : std::min(f, nearest);
    }
    return f;
  }

  // Of the candidates keeps those that may be among the nearest somewhere in the cube.
  void divide(std::size_t node, const Vector3d& centre, double half, int level,
              const std::vector<int>& candidates) {
    const double reach = steepest * std::sqrt(3.0) * half;
    std::vector<double> d(candidates.size());
    double nearest = 1e30;
    for (std::size_t p = 0; p < candidates.size(); ++p) {
      d[p] = pieces_[static_cast<std::size_t>(candidates[p])].distance(centre);
      nearest = std::min(nearest, d[p]);
    }
    const auto same = [&](std::size_t p, std::size_t q) {
      const Piece &a = pieces_[static_cast<std::size_t>(candidates[p])],
                  &b = pieces_[static_cast<std::size_t>(candidates[q])];
      return a.shape == b.shape && a.layer == b.layer;
    };
    std::vector<int> kept;
    for (std::size_t p = 0; p < candidates.size();) {
      // Of a shape's own pieces only those count that may be its nearest.
      const std::size_t first = p;
      double own = 1e30;
      for (; p < candidates.size() && same(p, first); ++p) own = std::min(own, d[p]);
      if (own > nearest + 2 * reach + widest_) continue;
      for (std::size_t q = first; q < p; ++q) {
        if (d[q] <= own + 2 * reach) kept.push_back(candidates[q]);
      }
    }
    // Far from the surface few points are asked for.
    const bool far = std::abs(nearest) > 4 * reach;
    if (level == deepest || kept.size() <= few || far) {
      nodes_[node] = {static_cast<int>(list_.size()), static_cast<int>(kept.size())};
      list_.insert(list_.end(), kept.begin(), kept.end());
      return;
    }
    const std::size_t first = nodes_.size();
    nodes_[node] = {static_cast<int>(first), -1};
    nodes_.resize(first + 8);
    for (std::size_t c = 0; c < 8; ++c) {
      const Vector3d corner(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
      divide(first + c, centre + 0.5 * half * corner, half / 2, level + 1, kept);
    }
  }

  Vector3d centre_;
  double half_;
  double widest_ = 0;  // how far behind the nearest a piece may be and still count
  std::vector<Parameters> layers_;
  std::vector<Piece> pieces_;
  std::vector<Node> nodes_;
  std::vector<int> list_;
  Node outside_;  // all pieces
};

}  // namespace

Shape limb(const Path& path) {
  Shape shape;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vector3d r = Vector3d::Constant(path[i][3]);
    shape.box.extend(Eigen::AlignedBox3d(path[i].head<3>() - r, path[i].head<3>() + r));
    if (i + 1 == path.size()) break;
    const Vector3d a = path[i].head<3>(), axis = path[i + 1].head<3>() - a;
    const double ra = path[i][3], growth = path[i + 1][3] - ra, scale = 1 / axis.squaredNorm();
    shape.pieces.emplace_back([=](const Vector3d& x) {
      const Vector3d d = x - a;
      const double t = std::clamp(d.dot(axis) * scale, 0.0, 1.0);
      return (d - t * axis).norm() - ra - t * growth;
    });
  }
  return shape;
}

Shape ball(const Vector3d& centre, double radius) {
  return one_piece([=](const Vector3d& x) { return (x - centre).norm() - radius; }, centre, radius);
}

Shape ellipsoid(const Vector3d& centre, const Vector3d& size, const Matrix3d& axes) {
  PLIANT_ASSERT(size.maxCoeff() <= 2 * size.minCoeff(), "the distance of a flatter one is steep");
  return one_piece(
      [=](const Vector3d& x) {
        const Vector3d y = axes.transpose() * (x - centre);
        const Vector3d scaled = y.cwiseQuotient(size);
        const double k0 = scaled.norm(), k1 = scaled.cwiseQuotient(size).norm();
        // At the very centre the quotient has no value; the distance there is the least axis.
        return k1 > 0 ? std::max(k0 * (k0 - 1) / k1, -size.minCoeff()) : -size.minCoeff();
      },
      centre, size.maxCoeff());
}

Shape disc(const Vector3d& centre, const Vector3d& axis, double radius, double round) {
  const Vector3d n = axis.normalized();
  return one_piece(
      [=](const Vector3d& x) {
        const Vector3d d = x - centre;
        const double along = d.dot(n), across = (d - along * n).norm();
        return std::hypot(std::max(across - radius + round, 0.0), along) - round;
      },
      centre, radius);
}

Shape rounded_box(const Vector3d& centre, const Vector3d& size, double round,
                  const Matrix3d& axes) {
  return one_piece(
      [=](const Vector3d& x) {
        const Vector3d y = axes.transpose() * (x - centre);
        const Vector3d q = y.cwiseAbs() - size + Vector3d::Constant(round);
        return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - round;
      },
      centre, size.norm());
}

Shape membrane(const Vector3d& a, const Vector3d& b, const Vector3d& c, double thickness) {
  const Vector3d n = (b - a).cross(c - a).normalized();
  Shape shape;
  shape.pieces.emplace_back([=](const Vector3d& x) {
    const auto to_edge = [&](const Vector3d& p, const Vector3d& q) {
      const Vector3d e = q - p;
      const double t = std::clamp((x - p).dot(e) / e.squaredNorm(), 0.0, 1.0);
      return (x - p - t * e).norm();
    };
    const bool above = n.dot((b - a).cross(x - a)) >= 0 && n.dot((c - b).cross(x - b)) >= 0 &&
                       n.dot((a - c).cross(x - c)) >= 0;
    const double d =
        above ? std::abs(n.dot(x - a)) : std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
    return d - thickness;
  });
  const Vector3d r = Vector3d::Constant(thickness);
  for (const Vector3d& x : {a, b, c}) shape.box.extend(Eigen::AlignedBox3d(x - r, x + r));
  return shape;
}

Shape mirrored(const Shape& shape) {
  const Vector3d flip(1, 1, -1);
  Shape other;
  for (const Implicit& f : shape.pieces) {
    other.pieces.emplace_back([=](const Vector3d& x) { return f(x.cwiseProduct(flip)); });
  }
  other.box.extend(shape.box.min().cwiseProduct(flip)).extend(shape.box.max().cwiseProduct(flip));
  return other;
}

Shape joined(Shape a, const Shape& b) {
  a.pieces.insert(a.pieces.end(), b.pieces.begin(), b.pieces.end());
  a.box.extend(b.box);
  return a;
}

Blend& Blend::add(Shape shape) {
  shapes_.push_back(std::move(shape));
  return *this;
}

Blend& Blend::add_pair(const Shape& shape) {
  return add(shape).add(mirrored(shape));
}

ImplicitBody body_of(const std::vector<Layer>& layers) {
  Eigen::AlignedBox3d box;
  double swelling = 0;
  for (const Layer& layer : layers) {
    for (const Shape& shape : layer.blend.shapes()) box.extend(shape.box);
    // Shapes on one spot swell by k log n, and more than a few never meet.
    swelling = std::max(swelling, 3 * layer.blend.k() + layer.k);
  }
  const Vector3d margin = Vector3d::Constant(swelling);
  box = Eigen::AlignedBox3d(box.min() - margin, box.max() + margin);
  const auto field = std::make_shared<const Field>(layers, box);
  return {[field](const Vector3d& x) { return (*field)(x); }, box};
}

ImplicitBody scaled(const ImplicitBody& body, double s) {
  return {[f = body.f, s](const Vector3d& x) { return s * f(x / s); },
          {s * body.box.min(), s * body.box.max()}};
}

double smooth_union(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - 0.25 * k * h * h;
}

double smooth_cut(double a, double cutter, double k) {
  return -smooth_union(-a, cutter, k);
}

}  // namespace pliant::model
