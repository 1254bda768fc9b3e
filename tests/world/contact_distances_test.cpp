// SPDX-License-Identifier: MIT
#include "pliant/world/contact_distances.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "pliant/base/error.hpp"
#include "support/error_of.hpp"
#include "world/meeting.hpp"

namespace pliant {
namespace {

using test::Meeting;

constexpr double cell = 1.5 * 0.2 / 48;  // of the bodies below

TEST(Distances, OfAPlaneAndOfABallThatFliesAreThoseOfFormulas) {
  Meeting meeting(test::floor_text + test::ball_text(0.9));
  meeting.after(0.2);
  const Vector3d centre = meeting.now("ball").pose.position;
  ASSERT_LT(centre[1], 0.95);
  const Matrix3Xd places =
      centre.replicate<1, 3>() +
      Matrix3d(Vector3d(0.14, 0.13, 0.08).asDiagonal());  // in the box of its field
  const BodyDistances ball = distances(meeting.world(), meeting.body("ball"), places),
                      floor = distances(meeting.world(), meeting.body("floor"), places);
  for (Index k = 0; k < 3; ++k) {
    const Vector3d x = places.col(k);
    EXPECT_NEAR(ball.distance[k], (x - centre).norm() - 0.1, cell);
    EXPECT_NEAR((Vector3d(ball.witness.col(k)) - centre).norm(), 0.1, cell);
    EXPECT_LT((Vector3d(ball.gradient.col(k)).normalized() - (x - centre).normalized()).norm(),
              0.2);
    EXPECT_NEAR(floor.distance[k], x[1], 1e-6);
    EXPECT_LT((Vector3d(floor.witness.col(k)) - Vector3d(x[0], 0, x[2])).norm(), 1e-5);
  }
}

// A jelly that is held below and sags: its surface, as it is now, is where the distance is 0.
TEST(Distances, OfASoftBodyFollowItsShape) {
  Meeting meeting(test::jelly_material + test::floor_text +
                  test::jelly_text("jelly", {0, 0.5, 0}, true));
  const int jelly = meeting.body("jelly");
  meeting.world().apply(command::Gravity{{20, 0, 0}});
  meeting.after(2);
  Matrix3Xd now(3, meeting.world().point_count(jelly));
  for (Index p = 0; p < now.cols(); ++p) {
    now.col(p) = meeting.world().position(jelly, static_cast<int>(p));
  }
  const double leans = now.row(0).maxCoeff() - 0.1;
  ASSERT_GT(leans, 2 * cell);
  const BodyDistances found = distances(meeting.world(), jelly, now);
  EXPECT_LT(found.distance.cwiseAbs().maxCoeff(), 2 * cell);
  const Matrix3Xd inside = Vector3d(0, 0.5, 0);
  EXPECT_LT(distances(meeting.world(), jelly, inside).distance[0], -0.05);
}

TEST(Distances, OfWhatHasNoFieldAreRefused) {
  Meeting meeting(test::floor_text +
                  "[body.block]\nshape = [{ kind = \"box\", sides = [0.2, 0.1, 0.2] }]\n"
                  "engine = { kind = \"rigid\", motion = \"free\" }\n"
                  "contact = { role = \"shell\", resolution = 32, points = 500 }\n");
  const Matrix3Xd place = Vector3d(0, 1, 0);
  const auto of = [&](int body) { return [&, body] { distances(meeting.world(), body, place); }; };
  test::expect_error(of(meeting.body("block")), "no distance field");
  test::expect_error(of(7), "no such body");
  const Matrix3Xd nowhere = Vector3d(0, std::nan(""), 0);
  test::expect_error([&] { distances(meeting.world(), meeting.body("floor"), nowhere); },
                     "not finite");
}

}  // namespace
}  // namespace pliant
