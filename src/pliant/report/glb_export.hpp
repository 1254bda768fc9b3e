// SPDX-License-Identifier: MIT
// An asset, and a motion of it, as binary glTF for any viewer. The shapes of a reduced body become
// morph targets, scaled so that a weight of 1 moves the farthest vertex by a tenth of the body's
// size, and a recording becomes an animation of the weights and, if the body moves as a whole, of
// its node. A full body has no shapes: those few that hold its recorded motion but for a part of
// 1e-6 of its square sum are found by principal components.
#pragma once

#include <string>
#include <vector>

#include "pliant/base/tensor_file.hpp"

namespace pliant {

struct GlbExport {
  std::string bytes;  // of the file
  struct Body {
    std::string name;
    int shapes = 0;  // morph targets
  };
  std::vector<Body> bodies;
  int frames = 0;  // of the animation
};

// `recording`: of scene/recording.hpp, may be null; `frame_rate`: moments a second that are taken
// from it, at most [Hz]. Throws Error: an asset or a recording that is not sound, or a recording of
// another asset.
GlbExport export_glb(const TensorFile& asset, const TensorFile* recording, double frame_rate);

}  // namespace pliant
