// SPDX-License-Identifier: MIT
#include "pliant/contact/bake/pointshell.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/bake/farthest_order.hpp"
#include "pliant/contact/bake/point_grid.hpp"

namespace pliant {
namespace {

constexpr std::size_t chunk = 512;

[[noreturn]] void fail(const std::string& what, const std::string& value,
                       const std::string& expected) {
  throw Error({"", 0, "pointshell"}, what, value, expected);
}

// Places on triangles, with equal shares of the area.
class SurfaceSampler {
 public:
  explicit SurfaceSampler(const SurfaceMesh& surface) : surface_(surface) {
    sums_.reserve(static_cast<std::size_t>(surface.face_count()));
    double sum = 0;
    for (int f = 0; f < surface.face_count(); ++f) {
      const Vector3d a = corner(f, 0);
      sum += 0.5 * (corner(f, 1) - a).cross(corner(f, 2) - a).norm();
      sums_.push_back(sum);
    }
    if (!(sum > 0) || !std::isfinite(sum)) {
      fail("the surface has no area", fmt::format("{}", sum), "more than 0 m^2");
    }
  }
  double area() const { return sums_.back(); }

  // Stratified: one in each of `count` equal shares.
  Matrix3Xd sample(int count, Random& random) const {
    Matrix3Xd X(3, count);
    for (int k = 0; k < count; ++k) {
      const double at = area() * (k + random.uniform()) / count;
      const auto found = std::upper_bound(sums_.begin(), sums_.end() - 1, at);
      const int f = static_cast<int>(found - sums_.begin());
      const double root = std::sqrt(random.uniform()), t = random.uniform();
      X.col(k) = (1 - root) * corner(f, 0) + root * ((1 - t) * corner(f, 1) + t * corner(f, 2));
    }
    return X;
  }

 private:
  Vector3d corner(int f, int k) const { return surface_.V.col(surface_.F(k, f)); }

  const SurfaceMesh& surface_;
  std::vector<double> sums_;
};

// Spacing of the hexagonal lattice of as many points.
double spacing(double area, Index count) {
  return std::sqrt(2 * area / (std::sqrt(3.0) * static_cast<double>(count)));
}

Vector3d gradient(const DistanceField& field, const Vector3d& x) {
  const auto at = [](double t) { return simd::all(static_cast<float>(t)); };
  const auto s = field.samples({at(x[0]), at(x[1]), at(x[2])});
  return {s.gradient.x[0], s.gradient.y[0], s.gradient.z[0]};
}

// Onto the level set; false where it is not reached.
bool project(const DistanceField& field, double offset, Vector3d& x) {
  const double enough = 1e-3 * field.cell();
  for (int k = 0; k < 12; ++k) {
    const auto at = [](double t) { return simd::all(static_cast<float>(t)); };
    const auto s = field.samples({at(x[0]), at(x[1]), at(x[2])});
    const double away = static_cast<double>(s.distance[0]) - offset;
    const Vector3d g(s.gradient.x[0], s.gradient.y[0], s.gradient.z[0]);
    const double g2 = g.squaredNorm();
    if (std::abs(away) < enough) return true;
    if (!(g2 > 1e-4)) return false;
    x -= away / g2 * g;
  }
  return false;
}

class Shell {
 public:
  Shell(const DistanceField& field, const SurfaceMesh& surface, const PointshellOptions& options,
        Progress& progress)
      : field_(field), sampler_(surface), options_(options), progress_(progress) {}

  Pointshell make(const SurfaceMesh& surface) {
    Random random(options_.seed);
    // New points a level: n, 4 n, 16 n, ...
    double all = 0;
    for (int l = 0; l < options_.levels; ++l) all += std::pow(4.0, l);
    const int coarsest = std::max(4, static_cast<int>(std::lround(options_.points / all)));
    shell_.first = {0};
    if (options_.source != PointSource::repulsion) return make_of_given(surface, random);
    progress_.begin("pointshell", std::int64_t{options_.levels} * options_.steps);
    for (int l = 0; l < options_.levels; ++l) {
      add_level(coarsest << (2 * l), random);
      shell_.first.push_back(static_cast<int>(shell_.X.cols()));
      shell_.evenness.push_back(evenness());
    }
    set_normals(surface);
    set_areas(random);
    progress_.end();
    return std::move(shell_);
  }

 private:
  Pointshell make_of_given(const SurfaceMesh& surface, Random& random) {
    progress_.begin("pointshell");
    shell_.X = options_.source == PointSource::vertices ? surface.V : voxel_centres();
    const Index count = shell_.X.cols();
    if (count < options_.levels) {
      fail("too few points for as many levels", std::to_string(count),
           fmt::format("at least {}", options_.levels));
    }
    double all = 0;
    for (int l = 0; l < options_.levels; ++l) all += std::pow(4.0, l);
    for (int l = 0; l + 1 < options_.levels; ++l) {
      const double share = static_cast<double>(count) * std::pow(4.0, l) / all;
      shell_.first.push_back(shell_.first.back() + std::max(1, static_cast<int>(share)));
    }
    const std::vector<int> order = farthest_order(shell_.X, shell_.first.back());
    shell_.first.push_back(static_cast<int>(count));
    const Matrix3Xd X = shell_.X(Eigen::all, order);
    for (std::size_t l = 1; l < shell_.first.size(); ++l) {
      shell_.X = X.leftCols(shell_.first[l]);
      shell_.evenness.push_back(evenness());
    }
    set_normals(surface);
    set_areas(random);
    progress_.end();
    return std::move(shell_);
  }

  Matrix3Xd voxel_centres() const {
    const DistanceGrid& grid = field_.grid();
    const Vector3i n = DistanceGrid::brick * grid.bricks;
    std::vector<Vector3d> found;
    for (int z = 0; z < n[2]; ++z) {
      for (int y = 0; y < n[1]; ++y) {
        for (int x = 0; x < n[0]; ++x) {
          const Vector3d at = grid.origin + grid.cell * (Vector3d(x, y, z).array() + 0.5).matrix();
          const double d = static_cast<double>(field_.value(at.cast<float>())) - options_.offset;
          if (std::abs(d) < grid.cell / 2) found.push_back(at);
        }
      }
    }
    Matrix3Xd X(3, static_cast<Index>(found.size()));
    for (Index k = 0; k < X.cols(); ++k) X.col(k) = found[static_cast<std::size_t>(k)];
    return X;
  }

  void add_level(int count, Random& random) {
    Matrix3Xd fresh = sampler_.sample(count, random);
    std::vector<char> kept(static_cast<std::size_t>(count));
    parallel_for(kept.size(), chunk, [&](std::size_t k) {
      Vector3d x = fresh.col(static_cast<Index>(k));
      kept[k] = project(field_, options_.offset, x);
      fresh.col(static_cast<Index>(k)) = x;
    });
    const Index before = shell_.X.cols();
    const auto added = static_cast<Index>(std::count(kept.begin(), kept.end(), 1));
    if (10 * added < 9 * Index{count}) {
      fail("the level set is not reached from the surface", fmt::format("{} of {}", added, count),
           "nearly all points");
    }
    shell_.X.conservativeResize(3, before + added);
    Index next = before;
    for (Index k = 0; k < count; ++k) {
      if (kept[static_cast<std::size_t>(k)]) shell_.X.col(next++) = fresh.col(k);
    }
    repel(before);
  }

  void repel(Index first) {
    Matrix3Xd& X = shell_.X;
    const double s = spacing(sampler_.area(), X.cols()), R = 2 * s;
    Matrix3Xd moved(3, X.cols() - first);
    for (int step = 0; step < options_.steps; ++step) {
      const PointGrid grid(X, R);
      const double eta = 0.2 * s * (1 - 0.8 * step / options_.steps);
      parallel_for(static_cast<std::size_t>(moved.cols()), chunk, [&](std::size_t k) {
        const Index p = first + static_cast<Index>(k);
        const Vector3d x = X.col(p);
        Vector3d push = Vector3d::Zero();
        grid.around(x, [&](int number, const Vector3d& other) {
          const Vector3d away = x - other;
          const double d2 = away.squaredNorm();
          if (number == p || d2 >= R * R || d2 == 0) return;
          const double d = std::sqrt(d2), t = d / R;
          push += (t * t * (2 * t - 3) + 1) / d * away;
        });
        // Not farther than a neighbour is.
        const double size = eta * push.norm();
        Vector3d y = x + std::min(1.0, 0.5 * s / std::max(size, 1e-300)) * eta * push;
        moved.col(static_cast<Index>(k)) = project(field_, options_.offset, y) ? y : x;
      });
      X.rightCols(moved.cols()) = moved;
      progress_.advance();
    }
  }

  Evenness evenness() const {
    const Matrix3Xd& X = shell_.X;
    const double s = spacing(sampler_.area(), X.cols());
    const PointGrid grid(X, 2 * s);
    VectorXd nearest(X.cols());
    parallel_for(static_cast<std::size_t>(X.cols()), chunk, [&](std::size_t k) {
      const auto p = static_cast<Index>(k);
      double least = 4 * s * s;
      grid.around(X.col(p), [&](int number, const Vector3d& other) {
        if (number != p) least = std::min(least, (other - X.col(p)).squaredNorm());
      });
      nearest[p] = std::sqrt(least);
    });
    const double mean = nearest.mean();
    return {mean, std::sqrt((nearest.array() - mean).square().mean()) / mean,
            nearest.minCoeff() / mean};
  }

  // From a place a little outside towards its closest point: the normal of a face, and between
  // those of the faces at an edge or a corner.
  void set_normals(const SurfaceMesh& surface) {
    const SurfaceDistance distance(surface);
    const Matrix3Xd& X = shell_.X;
    shell_.N.resize(3, X.cols());
    const double out = std::max(options_.offset, 0.0) + 0.1 * field_.cell();
    parallel_for(static_cast<std::size_t>(X.cols()), 64, [&](std::size_t k) {
      const auto p = static_cast<Index>(k);
      Vector3d x = X.col(p);
      project(field_, out, x);
      const ClosestPoint closest = distance.closest(x);
      Vector3d n = closest.distance > 0 ? Vector3d(closest.point - x) : Vector3d(X.col(p) - x);
      // Where the field rounds an edge off, its level may be no way outside: then its own normal.
      if (!(n.norm() > 1e-6 * field_.cell())) n = -gradient(field_, X.col(p));
      shell_.N.col(p) = n.normalized();
    });
  }

  void set_areas(Random& random) {
    const Matrix3Xd& X = shell_.X;
    const PointGrid grid(X, 3 * spacing(sampler_.area(), X.cols()));
    constexpr int samples = 16;  // a point
    shell_.areas = VectorXd::Zero(X.cols());
    const int count = samples * static_cast<int>(X.cols());
    Matrix3Xd P = sampler_.sample(count, random);
    VectorXi owner(count);
    parallel_for(static_cast<std::size_t>(count), chunk, [&](std::size_t k) {
      Vector3d x = P.col(static_cast<Index>(k));
      project(field_, options_.offset, x);
      owner[static_cast<Index>(k)] = grid.nearest(x);
    });
    for (const int p : owner) {
      if (p >= 0) shell_.areas[p] += sampler_.area() / count;
    }
  }

  const DistanceField& field_;
  SurfaceSampler sampler_;
  const PointshellOptions& options_;
  Progress& progress_;
  Pointshell shell_;
};

}  // namespace

Pointshell make_pointshell(const DistanceField& field, const SurfaceMesh& surface,
                           const PointshellOptions& options, Progress& progress) {
  if (options.points < 1 || options.points > 16'000'000) {
    fail("points", std::to_string(options.points), "1 to 16000000");
  }
  if (options.levels < 1 || options.levels > 8) {
    fail("levels", std::to_string(options.levels), "1 to 8");
  }
  if (!std::isfinite(options.offset)) fail("offset", "", "a finite length");
  if (options.steps < 0 || options.steps > 10000) {
    fail("steps", std::to_string(options.steps), "0 to 10000");
  }
  Shell shell(field, surface, options, progress);
  const Eigen::AlignedBox3d box = field.box();
  const double room = std::min((surface.V.rowwise().minCoeff() - box.min()).minCoeff(),
                               (box.max() - surface.V.rowwise().maxCoeff()).minCoeff());
  if (options.offset > std::max(room, 0.0)) {
    fail("offset", fmt::format("{:.4g} m", options.offset),
         fmt::format("at most {:.4g} m, as the distance field ends there", std::max(room, 0.0)));
  }
  return shell.make(surface);
}

}  // namespace pliant
