// SPDX-License-Identifier: MIT
// Named groups of faces, as text formats keep them: in the order of their first appearance.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant::io {

class Groups {
 public:
  // The index of this name, a new one if it was not asked for before; "" stands for "default".
  int index_of(const std::string& name);
  // Did any name but "" come?
  bool any_named() const { return any_named_; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  bool any_named_ = false;
  std::map<std::string, int> index_;
  std::vector<std::string> names_;
};

// Calls `run(begin, end, name)` for each run of faces of the same group, in order; once with an
// empty name if the mesh has no groups. The name is fit for the rest of a line of text: no control
// characters, no '#' or '\', no blank at its ends, never empty.
void for_each_group_run(
    const SurfaceMesh& mesh,
    const std::function<void(int begin, int end, const std::string& name)>& run);

}  // namespace pliant::io
