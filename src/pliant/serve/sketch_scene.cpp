// SPDX-License-Identifier: MIT
#include "pliant/serve/sketch_scene.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/reduced/bake/sketch_loads.hpp"

namespace pliant::serve {
namespace {

constexpr double sample_interval = 1.0 / 60;  // s: forces come with frames

}  // namespace

Scene sketched_scene(Scene scene, const TensorFile& asset, const AssetBody& body,
                     const SketchMessage& sketch, const std::filesystem::path& file) {
  const auto spec = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                 [&](const BodySpec& b) { return b.name == body.name; });
  if (spec == scene.bodies.end() || !take_sketch(spec->engine, file, sketch.r)) {
    throw Error({"", 0, "body " + body.name}, "its engine has no basis that can be sketched");
  }
  const auto nodes = asset.matrix<int>(body.tensor("embedding/nodes"));
  const auto weights = asset.matrix<double>(body.tensor("embedding/weights"));
  std::vector<SketchLoad> loads;
  for (const Stroke& stroke : sketch.strokes) {
    if (stroke.point >= nodes.cols()) {
      throw Error({"", 0, "sketch.strokes"}, "the body has no such point",
                  std::to_string(stroke.point), "less than " + std::to_string(nodes.cols()));
    }
    for (const Vector3d& force : stroke.forces) {
      const Vector3d own = body.instances.front().rotation.conjugate() * force;
      SketchLoad load{static_cast<double>(loads.size()) * sample_interval, {}};
      for (Index a = 0; a < nodes.rows(); ++a) {
        load.forces.push_back({nodes(a, stroke.point), weights(a, stroke.point) * own});
      }
      loads.push_back(std::move(load));
    }
  }
  if (loads.empty()) throw Error("the sketch has no forces");
  write_sketch_loads(file, loads);
  return scene;
}

}  // namespace pliant::serve
