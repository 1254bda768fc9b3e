// SPDX-License-Identifier: MIT
// The forces on the nodes of a surface as a pressure image (shape/pressure_image.hpp). The force of a
// node is a pressure over its hat function phi_i; of its component along -n, n = right x up, taxel t
// gets the part
//
//   w_ti = int_{in t} phi_i dS / int phi_i dS
//
// where "in t" is what lies over the taxel along n and faces along n. A force that lies over the
// rectangle with all of its hat function is in the picture to rounding.
#pragma once

#include <span>
#include <vector>

#include "pliant/shape/pressure_image.hpp"

namespace pliant {

class PressureGrid {
 public:
  PressureGrid() = default;
  // X: 3 by #V at rest [m]; F: triangles; `nodes`: those whose forces are given, of #V.
  PressureGrid(const PressureLayout& layout, const Matrix3Xd& X, const Matrix3Xi& F,
               std::span<const int> nodes);

  const PressureLayout& layout() const { return layout_; }
  // f: 3 by #nodes, on them [N]. Allocates nothing if `out` has the size of the layout.
  void collect(const Matrix3Xd& f, PressureImage& out) const noexcept;

 private:
  struct Share {
    int taxel;
    float weight;
  };
  PressureLayout layout_;
  Vector3d normal_ = Vector3d::Zero();
  std::vector<std::size_t> first_;  // of a node's shares
  std::vector<Share> shares_;
};

}  // namespace pliant
