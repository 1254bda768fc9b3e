// SPDX-License-Identifier: MIT
#include "pliant/scene/read_scene.hpp"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/scene/canonical.hpp"
#include "scene/samples.hpp"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReadScene : public ::testing::Test {
 protected:
  ReadScene() { test::write_sample_files(folder_); }

  Scene parse(const std::string& text) const {
    return parse_scene(text, "scene.toml", folder_.path());
  }
  std::string error_of(const std::string& text) const {
    try {
      parse(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string file_error(const std::string& name) const {
    try {
      read_scene(folder_ / name);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  test::TemporaryFolder folder_;
};

constexpr const char* cube = "[body.cube]\nmesh.model = \"cube\"\n";

TEST_F(ReadScene, TheSmallestSceneHasDefaults) {
  const Scene scene = parse(cube);
  EXPECT_EQ(scene.rate, 1000);
  EXPECT_EQ(scene.gravity, Vector3d(0, -9.81, 0));
  ASSERT_EQ(scene.bodies.size(), 1u);
  const BodySpec& body = scene.bodies[0];
  EXPECT_EQ(body.name, "cube");
  EXPECT_EQ(body.mesh.parameters.at("size"), 0.1);
  EXPECT_TRUE(std::holds_alternative<AutomaticMeshing>(body.meshing));
  EXPECT_EQ(std::get<ReducedSpec>(body.engine).k, 20);
  EXPECT_FALSE(body.fixed) << "what the model says";
  EXPECT_EQ(body.place.file, "scene.toml");
  EXPECT_EQ(body.place.line, 1);
}

TEST_F(ReadScene, ReadsWhatTheFirstSampleSays) {
  const Scene scene = parse(test::sample_scenes()[0]);
  EXPECT_EQ(scene.title, "All of it");
  EXPECT_EQ(scene.rate, 500);
  EXPECT_EQ(scene.gravity, Vector3d(0, 0, -1.62));
  EXPECT_EQ(scene.wind->velocity, Vector3d(1, 2, 3)) << "m/s, whatever the unit of length";
  EXPECT_EQ(scene.handle->body, "tool");
  EXPECT_TRUE(std::holds_alternative<OperatorDeviceSpec>(scene.device));
  EXPECT_EQ(scene.camera.position, Vector3d(0.01, 0.02, 0.03));
  EXPECT_EQ(scene.colours.force, (Colour{0, 255, 0}));
  ASSERT_EQ(scene.materials.size(), 2u) << "with that of the included file";
  ASSERT_EQ(scene.bodies.size(), 4u);
  EXPECT_EQ(scene.bodies[1].instances[0].position, Vector3d(0.01, 0.02, 0.03));
  EXPECT_EQ(std::get<RigidSpec>(scene.bodies[3].engine).mass, 3);

  const BodySpec& beam = scene.bodies[0];
  EXPECT_EQ(beam.mesh.parameters.at("length"), 0.5);
  EXPECT_EQ(beam.mesh.parameters.at("height"), 0.04) << "a default stays in m";
  EXPECT_EQ(beam.mesh.parameters.at("cells"), 20) << "a count is no length";
  const VoxelMeshing& voxels = std::get<VoxelMeshing>(beam.meshing);
  EXPECT_EQ(voxels.resolution, 20);
  EXPECT_EQ(voxels.split, TetSplit::six);
  EXPECT_EQ(beam.pose.position, Vector3d(0.01, 0.02, 0.03));
  EXPECT_TRUE((beam.pose.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX()));
  ASSERT_EQ(beam.fixed->size(), 5u);
  EXPECT_EQ(std::get<FixedBox>((*beam.fixed)[0]).to, Vector3d(0, 0.01, 0.01));
  EXPECT_EQ(std::get<FixedPlane>((*beam.fixed)[1]).normal, Vector3d(-1, 0, 0)) << "of length 1";
  EXPECT_EQ(std::get<FixedSphere>((*beam.fixed)[2]).radius, 0.04);
  EXPECT_EQ(std::get<FixedNodes>((*beam.fixed)[3]).nodes, (std::vector{3, 1, 4}));
  EXPECT_EQ(std::get<FixedGroup>((*beam.fixed)[4]).name, "feet");
  const ReducedSpec& engine = std::get<ReducedSpec>(beam.engine);
  EXPECT_EQ(engine.basis, ReducedSpec::Basis::sketch);
  EXPECT_EQ(engine.cubature.max_points, 50);
  EXPECT_EQ(engine.run.integrator.max_iterations, 4);
  EXPECT_EQ(beam.rate, 250);
  EXPECT_EQ(input_files(beam), std::vector{folder_ / "sketch.csv"});
}

TEST_F(ReadScene, ReadsWhatTheSecondSampleSays) {
  const Scene scene = parse(test::sample_scenes()[1]);
  const BodySpec &ball = scene.bodies[0], &blob = scene.bodies[1], &block = scene.bodies[2];
  EXPECT_EQ(std::get<ReducedSpec>(blob.engine).tolerance, 0.02);
  EXPECT_EQ(std::get<ReducedSpec>(blob.engine).run.coupling, FreeBody::Coupling::full);
  EXPECT_EQ(std::get<StuffingOptions>(ball.meshing).graded, true);
  EXPECT_EQ(ball.law, fem::Law::corotational);
  EXPECT_EQ(block.mesh.metres_per_unit, 0.001);
  EXPECT_EQ(std::get<GradedOptions>(block.meshing).cells, GradedCells::center_inside);
  const FullSpec& full = std::get<FullSpec>(block.engine);
  EXPECT_EQ(std::get<ImplicitOptions>(full.integrator).solver, ImplicitOptions::Solver::pcg);
  for (const MaterialSpec& material : scene.materials) EXPECT_NO_THROW(material_of(material));
}

TEST_F(ReadScene, MaterialsHaveTheConstantsThatWereGiven) {
  const Scene scene = parse(test::sample_scenes()[1]);
  const auto by_name = [&](const std::string& name) {
    return material_of(*std::ranges::find(scene.materials, name, &MaterialSpec::name));
  };
  const fem::Material jelly = by_name("jelly");
  EXPECT_NEAR(jelly.constants[0], 2e4, 1e-8);
  EXPECT_NEAR(jelly.constants[1], 1e4, 1e-8);
  const fem::Material crystal = by_name("crystal");
  EXPECT_EQ(crystal.constants.size(), 21u);
  EXPECT_EQ(crystal.constants[1], 3);
  EXPECT_EQ(by_name("hose").law, fem::Law::mooney_rivlin);
  // Turned about y by a quarter: the stiff axis 1 lies along -z.
  const fem::Material wood = by_name("wood");
  EXPECT_GT(wood.constants[11], 10 * wood.constants[0]) << "C33 against C11";
}

TEST_F(ReadScene, UnitsMakeNoOtherScene) {
  const auto scene = [&](const char* units, const char* r, const char* x, const char* s) {
    return canonical(
        parse(fmt::format("units = \"{}\"\n[body.b]\n"
                          "mesh = {{ model = \"sphere\", parameters = {{ radius = {} }} }}\n"
                          "fixed = [{{ kind = \"sphere\", centre = [{}, 0, 0], radius = {} }}]\n",
                          units, r, x, s)));
  };
  const std::string metres = scene("m", "0.07", "0.12", "0.11");
  EXPECT_EQ(metres, scene("cm", "7", "12", "11"));
  EXPECT_EQ(metres, scene("mm", "70", "120", "110"));
}

TEST_F(ReadScene, TheCanonicalFormKnowsNoOrderNorComments) {
  const std::string a =
      canonical(parse("rate = 500\n[body.a]\nmesh = { model = \"cube\" }\n"
                      "engine = { r = 5, k = 4 }\n[body.b]\n"
                      "mesh.model = \"torus\"\n"));
  const std::string b =
      canonical(parse("# A comment.\nrate = 500.0\n[body.b.mesh]\n"
                      "model = 'torus'\n[body.a]\nengine.k = 4 # four\n"
                      "engine.kind = \"reduced\"\nengine.r = 5\n"
                      "mesh.model = \"cube\"\n"
                      "mesh.parameters = { size = 0.1 }\n"
                      "[device]\nkind = \"none\"\n"));
  EXPECT_EQ(a, b);
}

TEST_F(ReadScene, AnUnknownKeySaysTheNearestAndWhere) {
  EXPECT_EQ(error_of("rate = 1000\n\n  gravty = [0, 0, 0]\n"),
            "scene.toml:3:3: unknown key 'gravty'; the nearest known is 'gravity'");
  EXPECT_EQ(error_of("[body.a]\nmesh.model = \"cube\"\nengine = { kind = \"full\", k = 3 }\n"),
            "scene.toml:3:27: body.a.engine: the key 'k' is only for kind = \"reduced\"");
  EXPECT_THAT(error_of("[body.a]\nmesh.model = \"cube\"\ncolor = \"#aabbcc\"\n"),
              HasSubstr("the nearest known is 'colour'"));
}

TEST_F(ReadScene, AWrongValueSaysWhatIsAllowed) {
  EXPECT_EQ(error_of("rate = 0\n"),
            "scene.toml:1:8: rate: wrong value: found '0', expected a number 1 to 100000 (in Hz)");
  EXPECT_EQ(error_of("rate = \"1e3\"\n"),
            "scene.toml:1:8: rate: this is a text: found '\"1e3\"', expected a number 1 to 100000 "
            "(in Hz), without quotes");
  EXPECT_THAT(error_of("[body.a]\nmesh.model = \"cube\"\nengine.kind = \"reducd\"\n"),
              HasSubstr("one of reduced, full, rigid, green, green_surface, "
                        "vademecum; the nearest known is 'reduced'"));
  EXPECT_THAT(error_of("[body.a]\nmesh.model = \"cub\"\n"), HasSubstr("'cube'"));
  EXPECT_THAT(error_of("[body.a]\nmesh = { model = \"cube\", parameters = { siz = 1 } }\n"),
              HasSubstr("'size'"));
}

TEST_F(ReadScene, AnErrorOfSyntaxSaysWhere) {
  EXPECT_THAT(error_of("rate = 1\nrate = 2\n"), StartsWith("scene.toml:2:"));
  EXPECT_THAT(error_of("[body.a]\n[body.b]\n[body.a]\n"), StartsWith("scene.toml:3:"))
      << "of two bodies with one name";
  EXPECT_THAT(error_of("rate = \n"), StartsWith("scene.toml:1:"));
  EXPECT_THAT(error_of("a = \"\xff\"\n"), StartsWith("scene.toml:1:"));
}

TEST_F(ReadScene, NamesThatNothingHasAreErrors) {
  const std::string rubber = "[material.rubber]\nyoung = 1e6\npoisson = 0.4\ndensity = 1000\n";
  EXPECT_EQ(error_of(rubber + cube + "material = \"ruber\"\n"),
            "scene.toml:7:1: body.cube.material: there is no [material.ruber]; the nearest known "
            "is 'rubber'");
  EXPECT_THAT(error_of(rubber + cube + "[[body.cube.region]]\nname = \"a\"\nmaterial = \"x\"\n"),
              StartsWith("scene.toml:9:1: body.cube.region[0].material: there is no [material.x]"));
  EXPECT_THAT(error_of(std::string(cube) + "[handle]\nbody = \"cub\"\n"),
              StartsWith("scene.toml:4:1: handle.body: there is no [body.cub]"));
  EXPECT_THAT(error_of(std::string(cube) + "material = \"x\"\n"), HasSubstr("nothing here"));
}

TEST_F(ReadScene, WhatDoesNotGoTogetherIsRefused) {
  const auto error = [&](const std::string& more) { return error_of(cube + more); };
  EXPECT_THAT(error("engine = { basis = \"modes\", k = 5, r = 6 }\n"),
              HasSubstr("found '6', expected at most 5: k = 5 modes"));
  EXPECT_THAT(error("engine = { k = 4, r = 15 }\n"), HasSubstr("at most 14"));
  EXPECT_EQ(error("engine = { k = 4, r = 14 }\n"), "no error");
  EXPECT_THAT(error("engine = { basis = \"sketch\" }\n"), HasSubstr("no 'basis_file'"));
  EXPECT_THAT(error("engine = { basis_file = \"sketch.csv\" }\n"), HasSubstr("only for basis"));
  EXPECT_THAT(error("engine = { basis = \"modes\", tolerance = 0.1 }\n"),
              HasSubstr("only for basis = \"derivatives\""));
  EXPECT_EQ(error("engine = { k = 4, r = 60, tolerance = 0.1 }\n"), "no error");
  EXPECT_THAT(error("engine = { coupling = \"full\", integrator.scheme = \"quasi_static\" }\n"),
              HasSubstr("needs the scheme newmark"));
  EXPECT_THAT(error("engine = { kind = \"full\", integrator = { kind = \"explicit\" }, "
                    "damping = { beta = 1 } }\n"),
              HasSubstr("scene.toml:3:82: body.cube.engine.damping.beta"));
  EXPECT_THAT(error("meshing.kind = \"none\"\n"), HasSubstr("must be meshed"));
  EXPECT_EQ(error("meshing.kind = \"none\"\nengine.kind = \"rigid\"\n"), "no error");
  EXPECT_THAT(error("mesh.file = \"block.obj\"\n"), HasSubstr("found 'several of them'"));
  EXPECT_THAT(error_of("[body.a]\nmesh.scale = 2\n"), HasSubstr("found 'none of them'"));
  EXPECT_THAT(error_of("[body.a]\nmesh.file = \"block.obj\"\n"), HasSubstr("no material"));
  EXPECT_THAT(error_of("[body.a]\nmesh.file = \"sketch.csv\"\n"), HasSubstr(".obj"));
  EXPECT_THAT(error_of("[body.a]\nmesh.file = \"ring.veg\"\nmeshing.kind = \"tets\"\n"),
              HasSubstr("its own elements"));
  EXPECT_THAT(error("meshing = { kind = \"hexes\", resolution = 12 }\n"),
              HasSubstr("a power of two"));
  EXPECT_THAT(error("fixed = [{ kind = \"box\", from = [0, 1, 0], to = [1, 0, 1] }]\n"),
              HasSubstr("the box is empty"));
  EXPECT_THAT(error("fixed = [{ from = [0, 1, 0], to = [1, 0, 1] }]\n"),
              HasSubstr("the key 'kind' is missing: expected one of box, plane"));
  EXPECT_THAT(error("[device]\nkind = \"viewer\"\n"), HasSubstr("no [handle]"));
  EXPECT_THAT(error("[material.a]\ndensity = 1\nyoung = 1\npoisson = 0.3\n[[body.cube.region]]\n"
                    "name = \"x\"\nmaterial = \"a\"\n[[body.cube.region]]\nname = \"x\"\n"
                    "material = \"a\"\n"),
              HasSubstr("listed twice"));
  EXPECT_THAT(error("[material.a]\nkind = \"lame\"\ndensity = 1\nlambda = -1\nmu = 1\n"),
              StartsWith("scene.toml:3:11: material.a: 3 lambda + 2 mu must be positive"));
  EXPECT_THAT(error("[material.a]\nkind = \"anisotropic\"\ndensity = 1\nstiffness = [1, 2]\n"),
              HasSubstr("found '2', expected 21 numbers"));
  EXPECT_THAT(error("[material.a]\nlaw = \"corotational\"\nkind = \"orthotropic\"\ndensity = 1\n"
                    "young = [1, 1, 1]\npoisson = [0, 0, 0]\nshear = [1, 1, 1]\n"),
              HasSubstr("cannot be anisotropic"));
  EXPECT_THAT(error("[body.\"a b\"]\nmesh.model = \"cube\"\n"), HasSubstr("bad name"));
  EXPECT_THAT(error_of("title = \"x\"\n"), HasSubstr("'body' is missing"));
  EXPECT_THAT(error_of("[body]\n"), HasSubstr("no body"));
}

TEST_F(ReadScene, WhatIsPlannedIsRefusedAsSuch) {
  EXPECT_THAT(error_of(std::string(cube) + "[recorder]\nevery = 1\n"),
              HasSubstr("not supported yet"));
}

TEST_F(ReadScene, ABodysOwnRateIsAWholePartOfTheScenes) {
  const auto error = [&](const std::string& more) { return error_of(cube + more); };
  EXPECT_EQ(error("rate = 250\n"), "no error");
  for (const char* rate : {"300", "2000"}) {
    EXPECT_THAT(error(std::string("rate = ") + rate + "\n"), HasSubstr("a whole part of 1000 Hz"));
  }
  EXPECT_THAT(error("pose.position = [1, 0, 0]\ninstances = [{ position = [2, 0, 0] }]\n"),
              HasSubstr("a body with instances stands at their poses"));
}

TEST_F(ReadScene, AFreeBodyHasAnEmptyList) {
  EXPECT_TRUE(parse(std::string(cube) + "fixed = []\n").bodies[0].fixed->empty());
}

TEST_F(ReadScene, IncludedFilesComeFirstAndAreOverridden) {
  write("parts/base.toml",
        "units = \"mm\"\nrate = 500\n[body.cube]\nmesh = { model = \"cube\", parameters = { size = "
        "200 } }\nengine = { kind = \"reduced\", k = 7, r = 3 }\npose.position = [10, 0, 0]\n");
  write("scene.toml",
        "include = [\"parts/base.toml\"]\nduration = 3\n[body.cube]\nengine.r = 5\n"
        "pose.rotation = [0, 1, 0, 0]\n");
  const Scene scene = read_scene(folder_ / "scene.toml");
  EXPECT_EQ(scene.rate, 500);
  EXPECT_EQ(scene.duration, 3);
  EXPECT_EQ(scene.files.size(), 2u);
  const BodySpec& body = scene.bodies[0];
  EXPECT_EQ(body.mesh.parameters.at("size"), 0.2) << "in the units of its own file";
  EXPECT_EQ(body.pose.position, Vector3d(0.01, 0, 0));
  EXPECT_EQ(std::get<ReducedSpec>(body.engine).k, 7);
  EXPECT_EQ(std::get<ReducedSpec>(body.engine).r, 5);

  write("other.toml", "include = [\"scene.toml\"]\n[body.cube]\nengine = { kind = \"rigid\" }\n");
  EXPECT_TRUE(
      std::holds_alternative<RigidSpec>(read_scene(folder_ / "other.toml").bodies[0].engine))
      << "another kind replaces the table whole";
}

TEST_F(ReadScene, ErrorsNameTheIncludedFile) {
  write("parts/base.toml", "\nrate = -1\n");
  write("scene.toml", std::string("include = [\"parts/base.toml\"]\n") + cube);
  EXPECT_THAT(file_error("scene.toml"), HasSubstr("parts/base.toml:2:8: rate"));
  write("scene.toml", std::string("include = [\"parts/base.toml\"]\nrate = 100\n") + cube);
  EXPECT_EQ(file_error("scene.toml"), "no error") << "what is overridden does not count";
  write("scene.toml", "include = [\n  \"parts/base.toml\",\n  \"absent.toml\",\n]\n");
  EXPECT_THAT(file_error("scene.toml"), HasSubstr("scene.toml:3:3: include[1]: no such file"));
}

TEST_F(ReadScene, PathsStartAtTheFileThatSaysThem) {
  write("parts/body.toml", "[body.a]\nmesh.file = \"mesh.obj\"\nengine.kind = \"rigid\"\n");
  write("parts/mesh.obj", "");
  write("scene.toml", "include = [\"parts/body.toml\"]\n");
  EXPECT_EQ(read_scene(folder_ / "scene.toml").bodies[0].mesh.file, folder_ / "parts/mesh.obj");
}

TEST_F(ReadScene, CyclesAndFloodsOfIncludesAreRefused) {
  write("a.toml", "include = [\"b.toml\"]\n");
  write("b.toml", "include = [\"./parts/../a.toml\"]\n");
  write("parts/x", "");
  EXPECT_THAT(file_error("a.toml"), HasSubstr("b.toml:1:12: include[0]: the file includes itself"));

  for (int i = 0; i < 40; ++i) {
    write("deep" + std::to_string(i) + ".toml",
          "include = [\"deep" + std::to_string(i + 1) + ".toml\"]\n");
  }
  write("deep40.toml", cube);
  EXPECT_THAT(file_error("deep0.toml"), HasSubstr("too deeply"));
  EXPECT_EQ(file_error("deep30.toml"), "no error");

  for (int i = 0; i < 10; ++i) {
    const std::string next = "\"wide" + std::to_string(i + 1) + ".toml\"";
    write("wide" + std::to_string(i) + ".toml", "include = [" + next + ", " + next + "]\n");
  }
  write("wide10.toml", cube);
  EXPECT_THAT(file_error("wide0.toml"), HasSubstr("too many included files"));
}

TEST_F(ReadScene, FilesThatAreNoScenesAreRefused) {
  EXPECT_THAT(file_error("absent.toml"), HasSubstr("absent.toml: cannot open the file"));
  std::filesystem::create_directory(folder_ / "folder.toml");
  EXPECT_THAT(file_error("folder.toml"), HasSubstr("not a regular file"));
  write("empty.toml", "");
  EXPECT_THAT(file_error("empty.toml"), HasSubstr("'body' is missing"));
  write("large.toml", "# " + std::string(2 << 20, 'x'));
  EXPECT_THAT(file_error("large.toml"), HasSubstr("too large"));
}

TEST_F(ReadScene, DepthIsBounded) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  const int many = 100000;
  EXPECT_THAT(error_of("a = " + repeated("[", many)), HasSubstr("brackets"));
  EXPECT_THAT(error_of("a = " + repeated("{b=", many)), HasSubstr("brackets"));
  EXPECT_THAT(error_of(repeated("a.", many) + "b = 1\n"), HasSubstr("too many parts"));
  EXPECT_THAT(error_of("\n[" + repeated("\"a,\" . ", many) + "b]\n"),
              StartsWith("scene.toml:2: a key of too many parts"));
  // Not in strings and comments.
  EXPECT_EQ(error_of("# " + repeated("a.[", 1000) + "\ntitle = \"" + repeated(".[", 1000) +
                     "\"\ndescription = '''\n" + repeated("[.\n", 1000) + "\"''''\n" + cube),
            "no error");
  EXPECT_EQ(error_of("title = \"a \\\" [[[[[[[[[[[[[[[[[[[[[[[[\"\n" + std::string(cube)),
            "no error");
}

TEST_F(ReadScene, HostileTextIsShownHarmlessly) {
  const std::string error = error_of("\"\\u001b[2J\" = 1\n");
  EXPECT_EQ(error.find('\x1b'), error.npos) << error;
  EXPECT_THAT(error, HasSubstr("unknown key"));
}

TEST(Examples, AllAreScenes) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLIANT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Scene scene = read_scene(entry.path());
    EXPECT_FALSE(scene.title.empty()) << entry.path();
    EXPECT_FALSE(scene.description.empty()) << entry.path() << ": the gallery shows it";
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST(StepCosts, GiveTheFastestRateThatIsHeld) {
  EXPECT_EQ(rate_held(0, 1000), 1000);
  EXPECT_EQ(rate_held(1e-4, 1000), 1000);
  EXPECT_EQ(rate_held(2.5e-4, 1000), 500) << "333 would be held too, 1000 not";
  EXPECT_EQ(rate_held(0.1, 1000), 2);
  EXPECT_EQ(rate_held(1e9, 1000), 1e-3) << "as slow as a body may be";
  EXPECT_FALSE(step_cost(ReducedSpec{}).has_value());
  EXPECT_TRUE(step_cost(FullSpec{}).has_value());
  EXPECT_FALSE(step_cost(FullSpec{.integrator = ExplicitSpec{}, .damping = {}}).has_value())
      << "explicit steps solve nothing";
}

TEST(Examples, BodiesWhoseStepsGrowWithTheMeshHoldTheirRate) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLIANT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    const Scene scene = read_scene(entry.path());
    for (const BodySpec& body : scene.bodies) {
      const auto cost = step_cost(body.engine);
      if (!cost) continue;
      const int cells = std::get<VoxelMeshing>(body.meshing).resolution.value();
      const double nodes = std::pow(cells + 1, 3);  // at most
      EXPECT_LE(body.rate.value_or(scene.rate), rate_held(cost->of(nodes), scene.rate))
          << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, 1);
}

TEST(Examples, TheBridgeIsThatOfTheTargets) {
  const Scene scene = read_scene(PLIANT_SOURCE_DIR "/examples/bridge.toml");
  const ReducedSpec& engine = std::get<ReducedSpec>(scene.bodies[0].engine);
  EXPECT_EQ(engine.k, 20);
  EXPECT_EQ(engine.r, 15);
  EXPECT_EQ(std::get<VoxelMeshing>(scene.bodies[0].meshing).resolution, 128);
}

}  // namespace
}  // namespace pliant
