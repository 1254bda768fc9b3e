// SPDX-License-Identifier: MIT
// Bodies whose own parts meet.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "support/allocation_counter.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::AllocationCounter;
using test::Meeting;
using test::TemporaryFolder;
using testing::HasSubstr;

// A strip that is bent to a U: prongs 0.3 m high and 30 mm thick, 60 mm between them.
void write_fork(const std::filesystem::path& path) {
  constexpr double W = 0.12, H = 0.3, t = 0.03, depth = 0.06;
  const std::vector<std::pair<double, double>> outline{{0, 0},     {W, 0}, {W, H}, {W - t, H},
                                                       {W - t, t}, {t, t}, {t, H}, {0, H}};
  std::ofstream out(path);
  for (const double z : {0.0, depth}) {
    for (const auto& [x, y] : outline) out << "v " << x << ' ' << y << ' ' << z << '\n';
  }
  const auto quad = [&](int a, int b, int c, int d) {
    out << "f " << a << ' ' << b << ' ' << c << "\nf " << a << ' ' << c << ' ' << d << '\n';
  };
  for (int k = 0; k < 8; ++k) {
    const int a = k + 1, b = (k + 1) % 8 + 1;
    quad(a, b, b + 8, a + 8);
  }
  const int caps[3][4] = {{1, 2, 5, 6}, {2, 3, 4, 5}, {1, 6, 7, 8}};
  for (const auto& c : caps) {
    quad(c[3], c[2], c[1], c[0]);
    quad(c[0] + 8, c[1] + 8, c[2] + 8, c[3] + 8);
  }
}

std::string fork_text(const std::string& contact) {
  return "gravity = [0, 0, 0]\n[material.rubber]\nyoung = 3e5\npoisson = 0.4\ndensity = 1000\n"
         "[body.fork]\nmesh = { file = \"fork.obj\" }\n"
         "meshing = { kind = \"voxels\", resolution = 20, enlargement = 1 }\nmaterial = "
         "\"rubber\"\n"
         "fixed = [{ kind = \"plane\", point = [0, 0.002, 0], normal = [0, 1, 0] }]\n"
         "engine = { kind = \"reduced\", k = 8, r = 20, damping = { alpha = 2, beta = 3e-3 } }\n"
         "contact = { resolution = 128, points = 6000, proxies = 80 " +
         contact + " }\n";
}

struct Pressed {
  double gap;  // between the tips of the prongs on their inner sides [m]
  WorldState state;
};

// The tips are pulled towards and past each other.
class Fork {
 public:
  explicit Fork(const std::string& contact) {
    write_fork(folder_ / "fork.obj");
    meeting_ = std::make_unique<Meeting>(
        parse_scene(fork_text(contact), "fork.toml", folder_.path().string()));
    for (const bool left : {true, false}) {
      // The inner corner and the outer one of the tip.
      inner_[left] = nearest({left ? 0.03 : 0.09, 0.3, 0.03});
      const int outer = nearest({left ? 0.0 : 0.12, 0.3, 0.03});
      const Vector3d at = meeting_->world().position(0, outer);
      meeting_->world().apply(command::Pull{.slot = static_cast<std::uint8_t>(left ? 0 : 1),
                                            .body = 0,
                                            .point = outer,
                                            .target = {at[0] + (left ? 0.07 : -0.07), at[1], at[2]},
                                            .stiffness = 100});
    }
  }
  Pressed after(double seconds) {
    const WorldState& state = meeting_->after(seconds);
    World& world = meeting_->world();
    return {world.position(0, inner_[false])[0] - world.position(0, inner_[true])[0], state};
  }
  Meeting& meeting() { return *meeting_; }

 private:
  int nearest(const Vector3d& place) {
    World& world = meeting_->world();
    int best = 0;
    for (int p = 0; p < world.point_count(0); ++p) {
      if ((world.position(0, p) - place).norm() < (world.position(0, best) - place).norm())
        best = p;
    }
    return best;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Meeting> meeting_;
  int inner_[2] = {};
};

TEST(SelfContact, EndsThatMeetDoNotPassThroughEachOther) {
  Fork through(""), meets(", self = true");
  const double start = meets.after(1e-3).gap;
  EXPECT_NEAR(start, 0.06, 0.01);
  const Pressed free = through.after(1.0), held = meets.after(1.0);
  EXPECT_LT(free.gap, -0.02) << "nothing keeps them apart";
  EXPECT_EQ(free.state.contact.contacts, 0);
  EXPECT_GT(held.gap, -0.005);
  EXPECT_LT(held.gap, 0.02) << "they touch";
  EXPECT_GT(held.state.contact.contacts, 0);
  EXPECT_LT(held.state.contact.deepest, 0.01);
  // What a body does to itself moves it nowhere.
  EXPECT_TRUE(held.state.bodies[0].contact_force.isZero(0.0));
  for (const ContactState& contact : held.state.contacts) {
    EXPECT_EQ(contact.shell, 0);
    EXPECT_EQ(contact.field, 0);
    EXPECT_GT(contact.place[1], 0.1) << "at the tips, not where they grow together";
  }
  EXPECT_EQ(held.state.fault.status, StepStatus::ok);
}

TEST(SelfContact, AllocatesNothing) {
  Fork fork(", self = true");
  fork.after(0.4);
  const AllocationCounter counter;
  fork.meeting().after(0.4);
  EXPECT_EQ(counter.count(), 0);
}

TEST(SelfContact, IsForBodiesThatDeform) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      Meeting meeting(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("[body.ball]\nshape = [{ kind = \"sphere\" }]\ncontact = { self = true }\n"),
              HasSubstr("reduced"));
}

}  // namespace
}  // namespace pliant
