// SPDX-License-Identifier: MIT
#include "pliant/report/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/bounds.hpp"

namespace pliant {
namespace {

constexpr double width = 480, margin = 10;  // of a picture, in its own units
constexpr int shades = 7;

using Rgb = std::array<int, 3>;
constexpr Rgb colours[picture_levels] = {{0x8f, 0xb1, 0xcc}, {0x7f, 0xc4, 0xa8},
                                         {0xe3, 0xc9, 0x5b}, {0xee, 0x9b, 0x45},
                                         {0xdd, 0x5b, 0x3b}, {0x9d, 0x24, 0x4f}};
constexpr const char* colour_names[picture_levels] = {"#8fb1cc", "#7fc4a8", "#e3c95b",
                                                      "#ee9b45", "#dd5b3b", "#9d244f"};

using Cell = std::array<long, 3>;

CoarseSurface clustered(const Matrix3Xd& V, const Matrix3Xi& F, double cell) {
  const Vector3d low = bounds(V).min();
  const auto cell_of = [&](int v) {
    const Vector3d c = (V.col(v) - low) / cell;
    return Cell{std::lround(c[0]), std::lround(c[1]), std::lround(c[2])};
  };
  // Of a cell's vertices the one nearest to their mean stays.
  std::map<Cell, std::vector<int>> cells;
  for (int v = 0; v < V.cols(); ++v) cells[cell_of(v)].push_back(v);
  std::vector<int> entry(static_cast<std::size_t>(V.cols()));
  CoarseSurface out;
  for (const auto& [key, members] : cells) {
    Vector3d mean = Vector3d::Zero();
    for (const int v : members) mean += V.col(v) / static_cast<double>(members.size());
    const int nearest = *std::min_element(members.begin(), members.end(), [&](int a, int b) {
      return (V.col(a) - mean).squaredNorm() < (V.col(b) - mean).squaredNorm();
    });
    for (const int v : members) {
      entry[static_cast<std::size_t>(v)] = static_cast<int>(out.vertices.size());
    }
    out.vertices.push_back(nearest);
  }
  std::set<std::array<int, 3>> kept;
  for (Index t = 0; t < F.cols(); ++t) {
    std::array<int, 3> c;
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = entry[static_cast<std::size_t>(F(static_cast<Index>(k), t))];
    }
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    kept.insert(c);
  }
  out.triangles.resize(3, static_cast<Index>(kept.size()));
  Index t = 0;
  for (const auto& c : kept) out.triangles.col(t++) << c[0], c[1], c[2];
  return out;
}

double twice_area(const Matrix3Xd& x, const Vector3i& t) {
  const Vector3d a = x.col(t[1]) - x.col(t[0]), b = x.col(t[2]) - x.col(t[0]);
  return a[0] * b[1] - a[1] * b[0];
}

}  // namespace

CoarseSurface coarsened(const Matrix3Xd& V, const Matrix3Xi& F, int most_triangles) {
  CoarseSurface out;
  out.triangles = F;
  for (int v = 0; v < V.cols(); ++v) out.vertices.push_back(v);
  const double size = longest_side(bounds(V));
  for (double cells = 256; out.triangles.cols() > most_triangles && cells > 2; cells *= 0.85) {
    out = clustered(V, F, size / cells);
  }
  return out;
}

PictureSeries::PictureSeries(const Matrix3Xd& V, const Matrix3Xi& F, const PictureView& view,
                             int most_triangles)
    // Half of them are seen from behind and left out.
    : surface_(coarsened(V, F, 2 * most_triangles)) {
  const Vector3d eye = view.from.normalized();
  Vector3d right = view.up.cross(eye);
  if (right.norm() < 1e-6) right = Vector3d::UnitX().cross(eye);
  if (right.norm() < 1e-6) right = Vector3d::UnitZ().cross(eye);
  right.normalize();
  axes_ << right.transpose(), eye.cross(right).transpose(), eye.transpose();
  rest_ = seen(V);
  const Eigen::AlignedBox3d box = bounds(rest_);
  low_ = box.min().head<2>();
  high_ = box.max().head<2>();
}

Matrix3Xd PictureSeries::seen(const Matrix3Xd& V) const {
  return axes_ * V(Eigen::all, surface_.vertices);
}

void PictureSeries::include(const Matrix3Xd& V) {
  const Matrix3Xd x = seen(V);
  if (!x.allFinite()) return;
  const Eigen::AlignedBox3d box = bounds(x);
  low_ = low_.cwiseMin(box.min().head<2>());
  high_ = high_.cwiseMax(box.max().head<2>());
}

std::string PictureSeries::frame() const {
  const Eigen::Vector2d size = high_ - low_;
  const double scale = (width - 2 * margin) / size.maxCoeff();
  return fmt::format("0 0 {:.0f} {:.0f}", std::ceil(scale * size[0] + 2 * margin),
                     std::ceil(scale * size[1] + 2 * margin));
}

std::string PictureSeries::path(const Matrix3Xd& x, Index triangle) const {
  const double scale = (width - 2 * margin) / (high_ - low_).maxCoeff();
  long px[3], py[3];
  for (int k = 0; k < 3; ++k) {
    const auto p = x.col(surface_.triangles(k, triangle));
    px[k] = std::lround(margin + scale * (p[0] - low_[0]));
    py[k] = std::lround(margin + scale * (high_[1] - p[1]));
  }
  return fmt::format("M{} {}l{} {} {} {}z", px[0], py[0], px[1] - px[0], py[1] - py[0],
                     px[2] - px[1], py[2] - py[1]);
}

std::string PictureSeries::rest_symbol(const std::string& id) const {
  std::string d;
  for (Index t = 0; t < surface_.triangles.cols(); ++t) {
    if (twice_area(rest_, surface_.triangles.col(t)) > 0) d += path(rest_, t);
  }
  return fmt::format(
      "<svg width=\"0\" height=\"0\" style=\"position:absolute\"><symbol id=\"{}\" "
      "viewBox=\"{}\"><path class=\"rest\" d=\"{}\"/></symbol></svg>\n",
      id, frame(), d);
}

std::string PictureSeries::svg(const Matrix3Xd& V, const std::vector<int>& level,
                               const std::string& rest_id, const std::string& title) const {
  const Matrix3Xd x = seen(V);
  struct Face {
    double depth;
    Index triangle;
    int level, shade;
  };
  const Vector3d light = Vector3d(-0.35, 0.6, 0.72).normalized();
  std::vector<Face> faces;
  for (Index t = 0; t < surface_.triangles.cols(); ++t) {
    const Vector3i c = surface_.triangles.col(t);
    if (!(twice_area(x, c) > 0)) continue;
    const Vector3d n = (x.col(c[1]) - x.col(c[0])).cross(x.col(c[2]) - x.col(c[0])).normalized();
    const double lit = std::max(0.0, n.dot(light));
    int worst = 0;
    for (const int k : c) {
      const int v = surface_.vertices[static_cast<std::size_t>(k)];
      worst = std::max(worst, level[static_cast<std::size_t>(v)]);
    }
    faces.push_back({x(2, c[0]) + x(2, c[1]) + x(2, c[2]), t, worst,
                     std::min(shades - 1, static_cast<int>(lit * shades))});
  }
  std::stable_sort(faces.begin(), faces.end(),
                   [](const Face& a, const Face& b) { return a.depth < b.depth; });
  std::string out = fmt::format(
      "<svg class=\"body\" viewBox=\"{}\" role=\"img\"><title>{}</title><use href=\"#{}\"/>",
      frame(), title, rest_id);
  // Neighbours in the order that are of one colour share a path.
  for (std::size_t i = 0; i < faces.size();) {
    const Face& first = faces[i];
    std::string d;
    for (; i < faces.size() && faces[i].level == first.level && faces[i].shade == first.shade;
         ++i) {
      d += path(x, faces[i].triangle);
    }
    out += fmt::format("<path class=\"b{}{}\" d=\"{}\"/>", first.level, first.shade, d);
  }
  return out + "</svg>\n";
}

const char* picture_colour(int level) {
  return colour_names[level];
}

std::string picture_style() {
  std::string out =
      ".body path{stroke-width:.7;stroke-linejoin:round}"
      ".rest{fill:currentColor;opacity:.13;stroke:none}";
  for (int level = 0; level < picture_levels; ++level) {
    for (int shade = 0; shade < shades; ++shade) {
      const double light = 0.5 + 0.58 * shade / (shades - 1);
      std::string hex = "#";
      for (const int c : colours[level]) {
        hex += fmt::format("{:02x}", std::min(255, static_cast<int>(std::lround(light * c))));
      }
      out += fmt::format(".b{0}{1}{{fill:{2};stroke:{2}}}", level, shade, hex);
    }
  }
  return out;
}

}  // namespace pliant
