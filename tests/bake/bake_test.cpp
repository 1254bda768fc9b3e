// SPDX-License-Identifier: MIT
#include "pliant/bake/bake.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/reduced/polynomial_forces.hpp"
#include "pliant/reduced/reduced_asset.hpp"
#include "pliant/shape/point_set.hpp"
#include "support/beam_scene.hpp"

namespace pliant {
namespace {

using test::bake_into;
using test::beam;
using test::beam_scene;
using test::reduced_engine;

int made(const AssetHead& head) {
  int count = 0;
  for (const BakeStepReport& step : head.steps) count += step.cached ? 0 : 1;
  return count;
}

TEST(SceneBake, WritesWhatTheDocumentSays) {
  const test::TemporaryFolder folder;
  const TensorFile asset(bake_into(folder, beam()));
  const AssetHead head = read_asset_head(asset);
  ASSERT_EQ(head.bodies.size(), 1u);
  const AssetBody& body = head.bodies[0];
  EXPECT_EQ(body.engine, "reduced");
  EXPECT_EQ(body.frequencies.size(), 5u);
  EXPECT_FALSE(body.free);
  ASSERT_TRUE(body.quality.has_value());
  EXPECT_LT(body.quality->mean, 0.5);
  const auto shape = [&](const char* name) { return asset.at(body.tensor(name)).shape; };
  const auto P = shape("shape/X")[0], n = shape("volume/V")[0];
  EXPECT_THAT(shape("shape/U"), testing::ElementsAre(8, 3 * P));
  EXPECT_THAT(shape("shape/gradient"), testing::ElementsAre(8, 9 * P));
  EXPECT_THAT(shape("basis/U"), testing::ElementsAre(8, 3 * n));
  EXPECT_THAT(shape("loads/gravity"), testing::ElementsAre(3, 8));
  EXPECT_THAT(shape("embedding/weights"), testing::ElementsAre(P, 8));
}

TEST(SceneBake, WritesASurfaceThatFollowsItsEngine) {
  const test::TemporaryFolder folder;
  const TensorFile reduced(bake_into(folder, beam(), "reduced.pliant"));
  const TensorFile full(bake_into(folder, beam("{ kind = \"full\" }"), "full.pliant"));
  const auto surface = [](const TensorFile& asset, Index size) {
    return PointSet(asset, "beam/shape/", "beam/embedding/", size);
  };
  const PointSet linear = surface(reduced, 8);
  const PointSet dense = surface(full, 3 * full.at("beam/volume/V").shape[0]);
  EXPECT_FALSE(linear.is_dense());
  EXPECT_TRUE(dense.is_dense());
  EXPECT_TRUE(linear.has_normals());
  EXPECT_TRUE(dense.has_normals());
  EXPECT_EQ(linear.point_count(), dense.point_count());
  // The same nodes, and so the same points and normals.
  Motion coefficients(8), nodes(dense.size());
  coefficients.c[0] = 0.05F;
  coefficients.c[5] = -0.02F;
  const MatrixXd U = reduced.matrix<double>("beam/basis/U");
  nodes.c = (U * coefficients.c.cast<double>()).cast<float>();
  for (Index s = 0; s < linear.point_count(); ++s) {
    EXPECT_LT((linear.position(coefficients, s) - dense.position(nodes, s)).norm(), 1e-6);
    EXPECT_LT((linear.normal(coefficients, s) - dense.normal(nodes, s)).norm(), 1e-5);
  }
}

TEST(SceneBake, TheAssetsForcesAreThoseOfTheFullBody) {
  const test::TemporaryFolder folder;
  const TensorFile asset(bake_into(folder, beam()));
  const AssetBody body = read_asset_head(asset).bodies[0];
  const HeldVolume volume = read_volume(asset, body.tensor("volume/"), {""});
  const fem::ElasticModel full(volume.mesh, {fem::isotropic(fem::Law::stvk, 1e6, 0.4, 1000)});
  const MatrixXd U = asset.matrix<double>(body.tensor("basis/U"));
  const ReducedMaterials materials = ReducedAsset::read(asset, body.tensor("reduced/")).materials;
  const PolynomialForces forces(materials.parts, materials.coefficients,
                                Precision::double_precision);
  PolynomialForces::Workspace workspace(forces);
  VectorXd R(8);
  MatrixXd K(8, 8);
  const VectorXd q = VectorXd::LinSpaced(8, 0.3, -0.2);
  forces.evaluate(q, R, K, workspace);
  const VectorXd expected = U.transpose() * full.force(U * q);
  EXPECT_LT((R - expected).norm(), 1e-10 * expected.norm());
}

TEST(SceneBake, TheAssetsStrainRateDampingIsThatOfTheFullBody) {
  const test::TemporaryFolder folder;
  const TensorFile asset(bake_into(folder, beam(test::viscous_engine)));
  const AssetBody body = read_asset_head(asset).bodies[0];
  const HeldVolume volume = read_volume(asset, body.tensor("volume/"), {""});
  const fem::ElasticModel full(volume.mesh, {fem::isotropic(fem::Law::stvk, 1e6, 0.4, 1000)});
  const MatrixXd U = asset.matrix<double>(body.tensor("basis/U"));
  const PolynomialDamping damping(read_damping_parts(asset, body.tensor("reduced/viscosity/")),
                                  Viscosity{1e4, 2e4});
  PolynomialDamping::Workspace workspace(damping);
  const VectorXd q = VectorXd::LinSpaced(8, 0.3, -0.2);
  MatrixXd D = MatrixXd::Zero(8, 8);
  damping.add(q, D, workspace);
  SparseMatrix full_D = full.tangent_pattern();
  full.strain_rate_damping(U * q, 1e4, 2e4, full_D);
  const MatrixXd expected = U.transpose() * (full_D * U);
  EXPECT_LT((D - expected).norm(), 1e-10 * expected.norm());
}

TEST(SceneBake, RemakesOnlyWhatAChangeTouches) {
  const test::TemporaryFolder folder;
  const StepCache cache(folder / "cache");
  const auto bake = [&](const Scene& scene) {
    return SceneBake(scene).bake(cache, folder / "beam.pliant");
  };
  const AssetHead first = bake(beam());
  EXPECT_EQ(made(first), static_cast<int>(first.steps.size()));
  EXPECT_EQ(made(bake(beam())), 0);
  // A stiffer material: nothing to do but to write its numbers.
  const AssetHead stiffer = bake(beam(reduced_engine, 4e6));
  EXPECT_EQ(made(stiffer), 0);
  EXPECT_NEAR(stiffer.bodies[0].frequencies[0], 2 * first.bodies[0].frequencies[0],
              1e-9 * first.bodies[0].frequencies[0]);
  EXPECT_EQ(made(bake(beam(reduced_engine, 3.3e6))), 0) << "lambda / mu may round otherwise";
  // Viscosity: its polynomials, and once they are there its numbers only.
  const auto viscous = [](const char* psi) {
    return beam("{ kind = \"reduced\", k = 5, r = 8, viscosity = { psi = " + std::string(psi) +
                " } }");
  };
  EXPECT_EQ(made(bake(viscous("5"))), 1);
  EXPECT_EQ(made(bake(viscous("7"))), 0);
  // Another r: the mesh, the modes and the derivatives stay.
  EXPECT_EQ(made(bake(beam("{ kind = \"reduced\", k = 5, r = 9 }"))), 4);
}

TEST(SceneBake, AStifferBodyOfSeveralMaterialsIsNotBakedAnew) {
  const test::TemporaryFolder folder;
  const StepCache cache(folder / "cache");
  const auto bake = [&](const char* stiff, const char* soft, const char* density) {
    const std::string text = std::string("[material.stiff]\npoisson = 0.3\ndensity = ") + density +
                             "\nyoung = " + stiff +
                             "\n[material.soft]\npoisson = 0.4\ndensity = " + density +
                             "\nyoung = " + soft +
                             "\n[body.plate]\nmesh = { model = \"composite_plate\" }\n"
                             "meshing = { kind = \"voxels\", resolution = 12 }\n"
                             "engine = { k = 3, r = 4 }\n"
                             "[[body.plate.region]]\nname = \"steel\"\nmaterial = \"stiff\"\n"
                             "[[body.plate.region]]\nname = \"rubber\"\nmaterial = \"soft\"\n";
    return SceneBake(parse_scene(text, "plate.toml", "."), Figures::if_known)
        .bake(cache, folder / "plate.pliant");
  };
  const AssetHead first = bake("1e7", "1e5", "1000");
  EXPECT_EQ(made(bake("3e7", "3e5", "1000")), 0);
  EXPECT_EQ(made(bake("1e7", "1e5", "700")), 0);
  EXPECT_GT(made(bake("2e7", "1e5", "1000")), 0) << "its modes are others";
}

TEST(SceneBake, LeavesQualityOutUnlessItIsWantedOrKnown) {
  const test::TemporaryFolder folder;
  const StepCache cache(folder / "cache");
  // Two bodies: the steps of the second come before the quality of the first.
  Scene scene = beam();
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  std::get<ReducedSpec>(scene.bodies[1].engine).r = 6;
  const auto bake = [&](Figures quality) {
    const SceneBake bake(scene, quality);
    const std::size_t planned = bake.plan(cache).size();
    const AssetHead head = bake.bake(cache, folder / "beam.pliant");
    EXPECT_EQ(head.steps.size(), planned);
    for (const BakeStepReport& step : head.steps) {
      for (const std::size_t need : step.needs) EXPECT_LT(need, head.steps.size());
    }
    return head;
  };
  const AssetHead without = bake(Figures::if_known);
  EXPECT_FALSE(without.bodies[0].quality || without.bodies[1].quality);
  const AssetHead with = bake(Figures::make);
  EXPECT_TRUE(with.bodies[0].quality && with.bodies[1].quality);
  // Of each body its quality, and how far its bent field is off.
  EXPECT_EQ(with.steps.size(), without.steps.size() + 4);
  EXPECT_EQ(made(with), 4);
  const AssetHead known = bake(Figures::if_known);
  ASSERT_TRUE(known.bodies[0].quality.has_value());
  EXPECT_EQ(known.bodies[0].quality->mean, with.bodies[0].quality->mean);
}

TEST(SceneBake, AStifferMaterialFromTheCacheEqualsAFreshBake) {
  const test::TemporaryFolder folder, other;
  bake_into(folder, beam());
  const TensorFile edited(bake_into(folder, beam(reduced_engine, 3e6), "edited.pliant"));
  const TensorFile fresh(bake_into(other, beam(reduced_engine, 3e6)));
  EXPECT_EQ(edited.content_hash(), fresh.content_hash());
}

TEST(SceneBake, ReadsTheFileOfAMeshOnce) {
  const test::TemporaryFolder folder;
  const std::filesystem::path mesh = folder / "two.veg";
  AtomicFile file(mesh);
  file.write(
      "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n"
      "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 3 2 5\n"
      "*MATERIAL soft\nENU, 900, 1e5, 0.4\n*REGION\nallElements, soft\n");
  file.commit();
  const SceneBake bake(
      parse_scene("[body.two]\nmesh = { file = \"two.veg\" }\n"
                  "fixed = [{ kind = \"nodes\", nodes = [0, 1, 2] }]\n"
                  "engine = { kind = \"full\" }\n",
                  "two.toml", folder.path()));
  // Its materials are known: what is left to do needs no more of it.
  std::filesystem::remove(mesh);
  const AssetHead head = bake.bake(StepCache(folder / "cache"), folder / "two.pliant");
  EXPECT_EQ(head.bodies.at(0).regions.at(0).material_name, "soft");
}

TEST(SceneBake, SaysWhatIsWrongAndWhere) {
  const test::TemporaryFolder folder;
  const auto message = [&](const std::string& text) -> std::string {
    try {
      bake_into(folder, parse_scene(text, "beam.toml", "."));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  std::string text = beam_scene(reduced_engine);
  text.replace(text.find("0.001, 0, 0]"), 12, "-5, 0, 0]   ");
  EXPECT_THAT(message(text), testing::AllOf(testing::HasSubstr("beam.toml"),
                                            testing::HasSubstr("no node lies there")));
  text =
      beam_scene(reduced_engine) + "[[body.beam.region]]\nname = \"wing\"\nmaterial = \"rubber\"\n";
  EXPECT_THAT(message(text), testing::HasSubstr("no such group"));
  text = beam_scene("{ kind = \"reduced\", forces = \"polynomial\" }");
  text.insert(text.find("young"), "law = \"neo_hookean\"\n");
  EXPECT_THAT(message(text),
              testing::AllOf(testing::HasSubstr("body.beam.engine.forces"),
                             testing::HasSubstr("no polynomials: found 'neo_hookean'")));
  text = beam_scene(reduced_engine);
  text.replace(text.find("0.001, 0, 0]"), 12, "9, 0, 0]    ");
  EXPECT_THAT(message(text),
              testing::AllOf(testing::HasSubstr("beam.toml"),
                             testing::ContainsRegex("all [0-9]+ nodes .* are held")));
}

// Before a step is made: the bases of such bodies take long.
TEST(SceneBake, RefusesAtOnceMoreShapesThanPolynomialsCanHave) {
  const Scene scene = beam("{ kind = \"reduced\", k = 40, r = 400 }");
  try {
    const SceneBake bake(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("beam.toml"),
                               testing::HasSubstr("body.beam.engine.r: too many shapes"),
                               testing::HasSubstr("found '400', expected 1 to 128")));
  }
}

TEST(SceneBake, RefusesAtOnceWhatTheMemoryCannotHold) {
  const test::TemporaryFolder folder;
  std::string text = beam_scene("{ kind = \"reduced\", k = 1000, r = 8 }");
  text.replace(text.find("resolution = 10"), 15, "resolution = 60");
  const SceneBake bake(parse_scene(text, "beam.toml", "."));
  try {
    bake.bake(StepCache(folder / "cache"), folder / "beam.pliant");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::ContainsRegex(
                                  "^beam: modes: a body of [0-9]+ nodes and 501500 shapes would "
                                  "take [0-9]+ GB of memory, and .* are there: coarser"));
  }
}

TEST(Asset, DamagedHeadsAreRefused) {
  const test::TemporaryFolder folder;
  const TensorFile asset(bake_into(folder, beam()));
  const auto refused = [&](const std::string& key, const std::string& value) {
    TensorWriter writer;
    for (const auto& [name, text] : asset.metadata()) writer.set(name, text);
    writer.set(key, value);
    const std::string bytes = writer.bytes();
    EXPECT_THROW(read_asset_head(TensorFile(bytes, "damaged")), Error) << key << " " << value;
  };
  refused("format", "something else");
  refused("version", "99");
  refused("head", "{}");
  refused("head", "[1, 2");
  refused("head", std::string(1 << 20, '['));
  refused("head", R"({"rate": 1000, "bodies": {}})");
  refused("head", R"({"rate": 1000, "bodies": [{"name": 3}]})");
  const nlohmann::json head = nlohmann::json::parse(asset.metadata().at("head"));
  const auto changed = [&](const char* at, const nlohmann::json& value) {
    nlohmann::json other = head;
    other[nlohmann::json::json_pointer(at)] = value;
    refused("head", other.dump());
  };
  changed("/rate", 0);
  changed("/rate", "fast");
  changed("/something", 1);
  changed("/bodies/1", head["bodies"][0]);  // one name twice
  changed("/bodies/0/instances", nlohmann::json::array());
  changed("/bodies/0/instances/0/rotation", {0, 0, 0, 0});
  changed("/bodies/0/regions/0/material/law", "magic");
  changed("/handle", {{"body", "nobody"}});
}

TEST(Asset, TheHeadCarriesAllThatAViewerShows) {
  const test::TemporaryFolder folder;
  Scene scene = beam();
  scene.camera.position = Vector3d(1, 2, 3);
  scene.colours.background = Colour{1, 2, 3};
  scene.duration = 7;
  scene.wind = WindSpec{{1, 0, 0}, 0.5, 0.1, 3};
  scene.bodies[0].rate = 500;
  const AssetHead head = read_asset_head(TensorFile(bake_into(folder, scene)));
  EXPECT_EQ(head.camera.position, Vector3d(1, 2, 3));
  EXPECT_EQ(head.colours.background, (Colour{1, 2, 3}));
  EXPECT_EQ(head.duration, 7);
  EXPECT_EQ(head.wind->gust, 0.1);
  EXPECT_EQ(head.bodies[0].rate, 500);
  std::map<std::string, std::string> written = TensorFile(folder / "beam.pliant").metadata();
  for (const char* key : {header_hash_key, tensor_hashes_key}) EXPECT_EQ(written.erase(key), 1u);
  EXPECT_EQ(metadata_of(head), written) << "what was read is written the same";
}

}  // namespace
}  // namespace pliant
