// SPDX-License-Identifier: MIT
// Surfaces of which a scene asks for contact, and that cannot have it as it asks.
#include <array>
#include <fstream>

#include <gmock/gmock.h>

#include "support/beam_scene.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using testing::HasSubstr;

class ContactMistakes : public testing::Test {
 protected:
  // A cube of one metre beside the origin by so many of its triangles, its lid last.
  void write_cube(const Vector3d& corner, int triangles = 12) {
    constexpr std::array<std::array<int, 3>, 12> faces{{{0, 2, 1},
                                                        {0, 1, 4},
                                                        {1, 2, 3},
                                                        {1, 5, 4},
                                                        {0, 4, 2},
                                                        {2, 4, 6},
                                                        {1, 3, 5},
                                                        {3, 7, 5},
                                                        {2, 6, 3},
                                                        {3, 6, 7},
                                                        {4, 5, 6},
                                                        {5, 7, 6}}};
    std::ofstream out(folder_ / "thing.obj", std::ios::app);
    for (int v = 0; v < 8; ++v) {
      const Vector3d x = corner + Vector3d(v & 1, v >> 1 & 1, v >> 2);
      out << "v " << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    }
    for (int t = 0; t < triangles; ++t) {
      out << 'f';
      for (const int v : faces[static_cast<std::size_t>(t)]) out << ' ' << 8 * cubes_ + v + 1;
      out << '\n';
    }
    ++cubes_;
  }
  std::string mistake(const std::string& contact) {
    const std::string text =
        "[body.floor]\nshape = [{ kind = \"plane\" }]\n"
        "[body.thing]\nmesh = { file = \"thing.obj\" }\npose = { position = [0, 2, 0] }\n"
        "engine = { kind = \"rigid\" }\ncontact = { resolution = 32, points = 200" +
        contact + " }\n";
    return test::error_of([&] {
      test::bake_into(folder_, parse_scene(text, "thing.toml", folder_.path().string()));
    });
  }

  test::TemporaryFolder folder_;
  int cubes_ = 0;
};

TEST_F(ContactMistakes, ACubeHasNone) {
  write_cube({0, 0, 0});
  EXPECT_EQ(mistake(", solid = \"closed\""), "no error");
}

TEST_F(ContactMistakes, AnOpenSurfaceIsNotClosed) {
  write_cube({0, 0, 0}, 10);
  const std::string text = mistake(", solid = \"closed\"");
  EXPECT_THAT(text, HasSubstr("body.thing"));
  EXPECT_THAT(text, HasSubstr("it is open"));
}

TEST_F(ContactMistakes, TwoTrianglesEncloseNothing) {
  write_cube({0, 0, 0}, 2);
  const std::string text = mistake("");
  EXPECT_THAT(text, HasSubstr("body.thing"));
  EXPECT_THAT(text, HasSubstr("encloses nothing"));
  EXPECT_THAT(text, HasSubstr("2 triangles"));
}

TEST_F(ContactMistakes, ASurfaceThatCrossesItselfHasNoSignByItsNormals) {
  write_cube({0, 0, 0});
  write_cube({0.5, 0.3, 0.2});
  const std::string text = mistake(", solid = \"closed\"");
  EXPECT_THAT(text, HasSubstr("body.thing"));
  EXPECT_THAT(text, HasSubstr("crosses itself"));
  EXPECT_THAT(text, HasSubstr("winding"));
  EXPECT_EQ(mistake(", solid = \"winding\""), "no error");
}

}  // namespace
}  // namespace pliant
