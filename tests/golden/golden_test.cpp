// SPDX-License-Identifier: MIT
// What four scenes do, bit by bit: coefficients, poses and forces over 300 steps, baked and run
// with one thread and with two. The hashes hold for the release build (g++, -march=x86-64-v3) and
// the kernels of OpenBLAS that tests/CMakeLists.txt names; a change that is meant to change numbers
// changes them here, and says why in its commit.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/bake/bake.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/scene/read_scene.hpp"
#include "pliant/world/desktop.hpp"
#include "support/temporary_folder.hpp"

namespace pliant {
namespace {

constexpr int steps = 300;

template <class Matrix>
void add(Hasher& hash, const Matrix& m) {
  hash.add_bytes(m.data(), sizeof(typename Matrix::Scalar) * static_cast<std::size_t>(m.size()));
}

struct Grip {
  int body = -1, point = -1;
};

// The point of a body that is farthest from the origin, of those that a hand can move.
Grip far_point(World& world) {
  Grip best;
  for (int b = 0; b < world.body_count(); ++b) {
    for (int p = 0; p < world.point_count(b); ++p) {
      if (!(world.pull_stiffness(b, p) > 0)) continue;
      if (best.body < 0 ||
          world.position(b, p).norm() > world.position(best.body, best.point).norm()) {
        best = {b, p};
      }
    }
  }
  return best;
}

// A hand pulls for a while and lets go, then the wind blows.
std::string hash_of_run(const std::filesystem::path& asset_path) {
  const TensorFile asset(asset_path);
  World world(asset, desktop_options());
  WorldState state = world.make_state();
  const Grip grip = far_point(world);
  const Vector3d at = world.position(grip.body, grip.point);
  Hasher hash;
  for (int i = 0; i < steps; ++i) {
    if (i == 10) {
      world.apply(
          command::Pull{.body = grip.body, .point = grip.point, .target = Vector3d(1.05 * at)});
    }
    if (i == 150) world.apply(command::Release{});
    if (i == 200) world.apply(command::Wind{{3, 0, 1}});
    world.step();
    world.state(state);
    for (int b = 0; b < world.body_count(); ++b) {
      const BodyState& body = state.bodies[static_cast<std::size_t>(b)];
      add(hash, body.pose.position);
      add(hash, body.pose.rotation.coeffs());
      if (!world.model(b).ops->facts.dense) add(hash, body.c);
      for (int p = 0; p < world.point_count(b); p += 7) add(hash, world.position(b, p));
    }
    add(hash, state.pulls[0].force);
  }
  return hash.hex();
}

// A bake takes sums from OpenBLAS, which cuts its blocks by the caches of the machine: kinds of
// machines bake different assets, all of which are listed. An asset's run is the same everywhere; of
// an asset that is not listed the runs are compared with one another alone.
struct Baked {
  std::uint64_t asset;
  const char* run;
};
struct Golden {
  const char* scene;
  std::vector<Baked> known;
};
void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.scene;
}

class GoldenHash : public testing::TestWithParam<Golden> {};

TEST_P(GoldenHash, OfAScene) {
  std::vector<std::string> hashes;
  std::uint64_t baked = 0;
  for (const int threads : {1, 2}) {
    set_threads(threads);
    const test::TemporaryFolder folder;
    const std::filesystem::path file = std::filesystem::path(PLIANT_SOURCE_DIR) / "tests" / "web" /
                                       "scenes" / (std::string(GetParam().scene) + ".toml");
    const std::filesystem::path asset = folder / "scene.pliant";
    SceneBake(read_scene(file), Figures::if_known).bake(StepCache(folder / "cache"), asset);
    const std::uint64_t content = TensorFile(asset).content_hash();
    if (!hashes.empty()) {
      EXPECT_EQ(content, baked) << "by two threads";
    }
    baked = content;
    hashes.push_back(hash_of_run(asset));
  }
  set_threads(0);
  EXPECT_EQ(hashes[0], hashes[1]) << "by one thread and by two";
  const auto known = std::ranges::find(GetParam().known, baked, &Baked::asset);
  if (known == GetParam().known.end()) {
    GTEST_SKIP() << "this machine bakes another asset: {" << baked << "U, \"" << hashes[0] << "\"}";
  }
  EXPECT_EQ(hashes[0], known->run);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, GoldenHash,
    testing::Values(Golden{"bridge", {{2438989529592977026U, "c1de393703da4a33"}}},
                    Golden{"jelly", {{14086262232348180867U, "e998fbc3bbdec02b"}}},
                    Golden{"hose", {{9208500711783537804U, "3657a7611f0711b9"}}},
                    Golden{"cube", {{17064773952753171252U, "5bf84bc1af41e2c9"}}}),
    [](const auto& info) { return info.param.scene; });

}  // namespace
}  // namespace pliant
