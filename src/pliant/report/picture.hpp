// SPDX-License-Identifier: MIT
// Pictures of a deformed surface as SVG: parallel projection, flat shading, the farthest triangle
// drawn first (painter's algorithm). Colours are classes, so that a page defines them once.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

// From where it is looked at.
struct PictureView {
  Vector3d from = {0.45, 0.35, 1};  // towards the eye
  Vector3d up = Vector3d::UnitY();
};

// A surface with so few triangles that many pictures of it fit into a page: vertices that share a
// cell of a grid become one of them.
struct CoarseSurface {
  std::vector<int> vertices;  // of the surface, that stay
  Matrix3Xi triangles;        // indices into `vertices`
};
CoarseSurface coarsened(const Matrix3Xd& V, const Matrix3Xi& F, int most_triangles);

// A page's pictures of one body: all of the same scale, that shows every shape given to include().
class PictureSeries {
 public:
  // V: at rest; most_triangles: of one picture.
  PictureSeries(const Matrix3Xd& V, const Matrix3Xi& F, const PictureView& view,
                int most_triangles);

  void include(const Matrix3Xd& V);
  // The rest shape as a symbol with this id, to be put into the page once, before the pictures.
  std::string rest_symbol(const std::string& id) const;
  // V deformed; level: of each vertex, 0 to picture_levels - 1, its colour; rest_id: the symbol
  // that is drawn behind it.
  std::string svg(const Matrix3Xd& V, const std::vector<int>& level, const std::string& rest_id,
                  const std::string& title) const;

 private:
  Matrix3Xd seen(const Matrix3Xd& V) const;  // right, up, towards the eye
  std::string frame() const;                 // the viewBox
  std::string path(const Matrix3Xd& x, Index triangle) const;

  Matrix3d axes_;  // rows: right, up, towards the eye
  CoarseSurface surface_;
  Matrix3Xd rest_;  // seen
  Eigen::Vector2d low_, high_;
};

inline constexpr int picture_levels = 6;
const char* picture_colour(int level);  // #rrggbb, for a legend
std::string picture_style();            // CSS rules of the pictures' classes

}  // namespace pliant
