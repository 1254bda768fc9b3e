// SPDX-License-Identifier: MIT
#include "pliant/contact/traversal.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/shape/point_set.hpp"
#include "solids.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant {
namespace {

using test::Solid;

SurfaceMesh surface_of(const Solid& solid) {
  return isosurface({solid.D, solid.box, true}, 0.05);
}

Pointshell shell_of(const Solid& solid, const PointshellOptions& options) {
  return make_pointshell(test::field_of(solid), surface_of(solid), options);
}

// Bending, twisting and stretching, so that points move by much.
MatrixXd smooth_basis(const Matrix3Xd& X, Index r) {
  Random random(11);
  MatrixXd U(3 * X.cols(), r);
  for (Index j = 0; j < r; ++j) {
    const Vector3d axis = test::direction(random), wave = 2 * test::direction(random);
    const double phase = random.uniform(0, 6);
    for (Index p = 0; p < X.cols(); ++p) {
      U.block<3, 1>(3 * p, j) = std::sin(wave.dot(X.col(p)) + phase) * axis;
    }
  }
  return U;
}

struct Subject {
  explicit Subject(const Solid& solid, Index r = 0,
                   const PointshellOptions& options = {.points = 3000, .levels = 4, .steps = 20})
      : points(shell_of(solid, options)),
        data(nest(points)),
        shell(points.X, smooth_basis(points.X, r)),
        tree(data, shell) {}

  Pointshell points;
  PointTreeData data;
  LinearShape shell;
  PointTree tree;
};

ToField random_pose(Random& random, double reach) {
  const Eigen::AngleAxisd turn(random.uniform(0, 3), test::direction(random));
  const Vector3d move = random.uniform(0, reach) * test::direction(random);
  return {turn.toRotationMatrix().cast<float>(), move.cast<float>()};
}

VectorXf random_coefficients(Random& random, Index r) {
  VectorXf c(r);
  for (float& x : c) x = static_cast<float>(0.1 * random.normal());
  return c;
}

std::vector<int> exhaustive(const Subject& subject, const VectorXf& c, const DistanceField& field,
                            const ToField& pose, int levels) {
  std::vector<int> found;
  for (int p = 0; p < subject.tree.nodes(levels - 1); ++p) {
    const Eigen::Vector3f x = subject.shell.position(p, c);
    const Eigen::Matrix3f& A = pose.rotation;
    Eigen::Vector3f y;
    for (int k = 0; k < 3; ++k) {
      y[k] = A(k, 0) * x[0] + A(k, 1) * x[1] + A(k, 2) * x[2] + pose.translation[k];
    }
    if (field.value(y) < 0) found.push_back(p);
  }
  return found;
}

std::vector<int> sorted(std::span<const int> points) {
  std::vector<int> all(points.begin(), points.end());
  std::ranges::sort(all);
  return all;
}

TEST(Pointshell, IsEvenOnEveryLevelAndOnTheSurface) {
  for (const Solid& solid : {test::sphere(), test::box(), test::torus()}) {
    const Pointshell shell = shell_of(solid, {.points = 4000, .levels = 4});
    EXPECT_NEAR(static_cast<double>(shell.X.cols()), 4000, 80) << solid.name;
    for (std::size_t l = 0; l < shell.evenness.size(); ++l) {
      EXPECT_LT(shell.evenness[l].deviation, 0.2) << solid.name << " level " << l;
      EXPECT_GT(shell.evenness[l].least, 0.2) << solid.name << " level " << l;
    }
    double worst = 0;
    for (Index p = 0; p < shell.X.cols(); ++p) {
      worst = std::max(worst, std::abs(solid.D(shell.X.col(p))));
    }
    EXPECT_LT(worst, 0.02) << solid.name;  // half a cell at sharp edges
    const SurfaceMesh surface = surface_of(solid);
    const double area = point_areas(surface.V, surface.F).sum();
    EXPECT_NEAR(shell.areas.sum(), area, 0.01 * area) << solid.name;
  }
}

TEST(Pointshell, NormalsPointInward) {
  const Pointshell shell = shell_of(test::sphere(), {.points = 1000, .levels = 3});
  for (Index p = 0; p < shell.X.cols(); ++p) {
    EXPECT_LT(shell.N.col(p).dot(shell.X.col(p).normalized()), -0.99);
  }
}

TEST(Pointshell, OfAnOffsetSurfaceHasBothSidesOfASheet) {
  const Solid sheet{"sheet",
                    [](const Vector3d& x) {
                      const Vector3d q = x.cwiseAbs() - Vector3d(0.5, 0.5, 0);
                      return q.cwiseMax(0).norm();
                    },
                    test::half_sides(0.5, 0.5, 0)};
  const DistanceField field = test::field_of(sheet);
  const double offset = 1.4 * field.cell();
  const Solid thick{"", [&](const Vector3d& x) { return sheet.D(x) - offset; },
                    test::half_sides(0.6, 0.6, 0.1)};
  const Pointshell shell = make_pointshell(field, isosurface({thick.D, thick.box, true}, 0.02),
                                           {.points = 2000, .levels = 3, .offset = offset});
  int up = 0, down = 0;
  for (Index p = 0; p < shell.X.cols(); ++p) {
    EXPECT_NEAR(sheet.D(shell.X.col(p)), offset, 0.2 * field.cell());
    up += shell.N(2, p) > 0.9;
    down += shell.N(2, p) < -0.9;
  }
  EXPECT_GT(up, 600);
  EXPECT_GT(down, 600);
}

// Of points that are given, any first levels are spread over the whole.
TEST(Pointshell, OfVerticesAndVoxelsHasLevelsByTheFarthestPointOrder) {
  for (const PointSource source : {PointSource::vertices, PointSource::voxels}) {
    Pointshell shell = shell_of(test::torus(), {.levels = 3, .source = source});
    ASSERT_EQ(shell.first.size(), 4U);
    EXPECT_GT(shell.X.cols(), 1000);
    EXPECT_EQ(shell.first.back(), shell.X.cols());
    EXPECT_NEAR(shell.first[1], static_cast<double>(shell.X.cols()) / 21, 2);
    // As far apart as an even sample of the same number is.
    EXPECT_GT(shell.evenness[0].least, 0.7);
    EXPECT_LT(shell.evenness[0].deviation, 0.2);
    const double area = shell.areas.sum();
    EXPECT_NEAR(area, 4 * 3.14159 * 3.14159 * 0.8 * 0.2, 0.05 * area);
    for (Index p = 0; p < shell.X.cols(); ++p) {
      const Vector3d x = shell.X.col(p);
      const Vector3d ring = Vector3d(x[0], x[1], 0).normalized() * 0.8;
      ASSERT_LT(shell.N.col(p).dot((x - ring).normalized()), -0.8);
    }
    const PointTreeData data = nest(shell);
    EXPECT_NO_THROW(PointTree(data, LinearShape(shell.X, MatrixXd(3 * shell.X.cols(), 0))));
  }
}

TEST(Pointshell, IsTheSameForAnyNumberOfThreads) {
  const PointshellOptions options{.points = 800, .levels = 3, .steps = 10};
  set_threads(1);
  const Pointshell one = shell_of(test::torus(), options);
  set_threads(2);
  const Pointshell two = shell_of(test::torus(), options);
  set_threads(0);
  EXPECT_EQ(one.X, two.X);
  EXPECT_EQ(one.areas, two.areas);
}

TEST(Pointshell, RefusesWhatIsNotSound) {
  EXPECT_THROW(shell_of(test::sphere(), {.points = 0}), Error);
  EXPECT_THROW(shell_of(test::sphere(), {.levels = 0}), Error);
  EXPECT_THROW(shell_of(test::sphere(), {.levels = 9}), Error);
  EXPECT_THROW(shell_of(test::sphere(), {.offset = std::nan("")}), Error);
  EXPECT_THROW(shell_of(test::sphere(), {.offset = -5}), Error);
  test::expect_error([] { shell_of(test::sphere(), {.offset = 5}); },
                     "the distance field ends there");
  EXPECT_THROW(make_pointshell(test::field_of(test::sphere()), SurfaceMesh{}), Error);
}

TEST(PointTree, BallsHoldAllThatIsBelowThem) {
  const Subject subject(test::torus(), 7);
  Random random(1);
  std::vector<int> above(static_cast<std::size_t>(subject.tree.point_count()));
  for (int trial = 0; trial < 50; ++trial) {
    const VectorXf c = random_coefficients(random, 7);
    for (int level = subject.tree.levels() - 2; level >= 0; --level) {
      for (int p = 0; p < subject.tree.point_count(); ++p) {
        int node = p;
        while (node >= subject.tree.nodes(level)) {
          node = subject.data.parent[static_cast<std::size_t>(node)];
        }
        const float d = (subject.shell.position(p, c) - subject.shell.position(node, c)).norm();
        ASSERT_LE(d, subject.tree.radius(level, node, c) * 1.00001F);
      }
    }
  }
}

TEST(PointTree, ChildrenAreAllPointsOfTheNextLevelOnce) {
  const Subject subject(test::box());
  for (int level = 0; level + 1 < subject.tree.levels(); ++level) {
    int next = subject.tree.first(level + 1);
    for (int p = 0; p < subject.tree.nodes(level); ++p) {
      const PointTree::Children below = subject.tree.children(level, p);
      EXPECT_EQ(below.begin, next);
      next = below.end;
    }
    EXPECT_EQ(next, subject.tree.nodes(level + 1));
  }
}

TEST(PointTree, RefusesWhatIsNotSound) {
  const Subject subject(test::sphere());
  for (const auto& damage : std::vector<std::function<void(PointTreeData&)>>{
           [](auto& d) { d.first = {0}; }, [](auto& d) { d.first.back() += 1; },
           [](auto& d) { d.first[1] = d.first[2]; }, [](auto& d) { d.parent.pop_back(); },
           [](auto& d) { d.parent.back() = -1; },
           [](auto& d) { d.parent[static_cast<std::size_t>(d.first[1])] = d.first[1]; },
           [](auto& d) { d.parent.back() = 0; }}) {
    PointTreeData data = subject.data;
    damage(data);
    EXPECT_THROW(PointTree(data, subject.shell), Error);
  }
}

// The heart of the matter: nothing that touches is missed, for rigid and deformed shells.
TEST(Traversal, FindsWhatLookingAtEveryPointFinds) {
  for (const Index r : {0, 7}) {
    const Subject subject(test::torus(), r);
    for (const Solid& solid : {test::box(), test::wire(), test::sphere()}) {
      const DistanceField field = test::field_of(solid);
      Traversal traversal(subject.tree);
      Random random(3);
      int touching = 0;
      std::int64_t visited = 0;
      constexpr int trials = 1700;  // six times: over 10,000 poses and shapes
      for (int trial = 0; trial < trials; ++trial) {
        const ToField pose = random_pose(random, 2);
        const VectorXf c = random_coefficients(random, r);
        traversal.run(subject.tree, subject.shell, c, field, pose);
        ASSERT_EQ(traversal.levels(), subject.tree.levels());
        const std::vector<int> all = exhaustive(subject, c, field, pose, subject.tree.levels());
        ASSERT_EQ(sorted(traversal.points()), all) << solid.name;
        touching += !all.empty();
        visited += traversal.visited();
      }
      // Whatever the turn, the ring is within the sphere for a fifth of the moves, and across the box
      // for most of the small ones. The wire is thinner than a cell: few of its places are inside.
      EXPECT_GT(touching, solid.name == "wire" ? 2 : trials / 20) << solid.name;
      EXPECT_LT(visited, std::int64_t{trials} * subject.tree.point_count()) << solid.name;
    }
  }
}

TEST(Traversal, WithoutTimeItCompletesFewerLevelsExactly) {
  const Subject subject(test::torus(), 7);
  const DistanceField field = test::field_of(test::box());
  Traversal traversal(subject.tree);
  Random random(4);
  std::vector<int> seen(5, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    const ToField pose = random_pose(random, 1);
    const VectorXf c = random_coefficients(random, 7);
    const int warm = 10 + random.below(4000);
    traversal.run(subject.tree, subject.shell, c, field, pose, {warm, warm * 4 / 5});
    ASSERT_GE(traversal.levels(), 1);
    ++seen[static_cast<std::size_t>(traversal.levels())];
    ASSERT_EQ(sorted(traversal.points()), exhaustive(subject, c, field, pose, traversal.levels()));
    if (traversal.levels() > 1) {
      ASSERT_LE(traversal.visited(), warm) << "a level is begun only if it fits";
    }
  }
  EXPECT_GT(std::ranges::count_if(seen, [](int n) { return n > 0; }), 2);
}

// Between the two thresholds a level stays as it is, whichever it was.
TEST(Traversal, KeepsALevelThatItWouldNotBegin) {
  const Subject subject(test::torus());
  const DistanceField field = test::field_of(test::box());
  Random random(4);
  int kept = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const ToField pose = random_pose(random, 0.8);
    Traversal traversal(subject.tree);
    const auto levels = [&](int warm, int cold) {
      traversal.run(subject.tree, subject.shell, {}, field, pose,
                    {.warm = warm, .cold = cold, .coherent = false});
      return traversal.levels();
    };
    const int all = levels(1 << 30, 1 << 30);
    if (all < 2) continue;
    const int work = 2 * static_cast<int>(traversal.work()) + subject.tree.point_count();
    const int few = levels(1, 1);
    ASSERT_EQ(few, 1);
    EXPECT_EQ(levels(work, 1), few);     // cold: not begun
    EXPECT_EQ(levels(work, work), all);  // begun
    EXPECT_EQ(levels(work, 1), all);     // warm: kept
    ++kept;
  }
  EXPECT_GT(kept, 10);
}

// A body that drifts, spins and swings with bounded rates, stands still at times and jumps at others.
struct Wandering {
  explicit Wandering(Index r, std::uint64_t seed) : random(seed), c(VectorXf::Zero(r)), rate(r) {
    rate.setZero();
  }
  void step() {
    constexpr double dt = 1e-3;
    if (random.below(2000) == 0) still = random.below(300);
    if (random.below(5000) == 0) position = test::direction(random);  // a reset
    if (still-- > 0) return;
    velocity += 0.05 * test::direction(random) - 1e-2 * velocity - 1e-2 * position;
    velocity *= std::min(1.0, 0.6 / velocity.norm());
    spin += 0.3 * test::direction(random) - 1e-2 * spin;
    spin *= std::min(1.0, 6 / spin.norm());
    position += dt * velocity;
    turn = (Eigen::Quaterniond(Eigen::AngleAxisd(dt * spin.norm(), spin.normalized())) * turn)
               .normalized();
    for (Index j = 0; j < c.size(); ++j) {
      rate[j] += static_cast<float>(0.2 * random.normal()) - 0.02F * rate[j] - 0.5F * c[j];
      c[j] += static_cast<float>(dt) * rate[j];
    }
  }
  ToField pose() const { return {turn.toRotationMatrix().cast<float>(), position.cast<float>()}; }

  Random random;
  Vector3d position = Vector3d(0.8, 0.3, 0.2), velocity = Vector3d::Zero(), spin = Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  VectorXf c, rate;
  int still = 0;
};

TEST(Traversal, WithCoherenceMissesNothing) {
  for (const Index r : {0, 5}) {
    const Subject subject(test::torus(), r, {.points = 340, .levels = 3, .steps = 20});
    const DistanceField field = test::field_of(test::box());
    Traversal coherent(subject.tree), plain(subject.tree);
    Wandering wandering(r, 7);
    std::int64_t visited = 0, without = 0, contacts = 0;
    for (int cycle = 0; cycle < 100000; ++cycle) {
      wandering.step();
      const ToField pose = wandering.pose();
      coherent.run(subject.tree, subject.shell, wandering.c, field, pose);
      plain.run(subject.tree, subject.shell, wandering.c, field, pose, {.coherent = false});
      ASSERT_EQ(sorted(coherent.points()), sorted(plain.points())) << "cycle " << cycle;
      if (cycle % 100 == 0) {
        ASSERT_EQ(sorted(coherent.points()),
                  exhaustive(subject, wandering.c, field, pose, subject.tree.levels()));
      }
      visited += coherent.visited();
      without += plain.visited();
      contacts += static_cast<std::int64_t>(coherent.points().size());
    }
    EXPECT_GT(contacts, 10000);
    EXPECT_LT(static_cast<double>(visited), 0.7 * static_cast<double>(without)) << r;
  }
}

// Distances of another field say nothing about this one.
TEST(Traversal, ForgetsWhatItIsToldTo) {
  const Subject subject(test::sphere());
  const DistanceField small = test::field_of(test::sphere(0.2)),
                      large = test::field_of(test::box());
  Traversal traversal(subject.tree);
  const ToField away{Eigen::Matrix3f::Identity(), {1.2F, 0, 0}};
  traversal.run(subject.tree, subject.shell, {}, small, away);
  EXPECT_TRUE(traversal.points().empty());
  traversal.run(subject.tree, subject.shell, {}, small, away);
  EXPECT_LT(traversal.visited(), 10) << "nothing moved: all that is clear is asleep";
  EXPECT_GT(traversal.asleep(), 10);
  traversal.forget();
  traversal.run(subject.tree, subject.shell, {}, large, away);
  EXPECT_EQ(sorted(traversal.points()),
            exhaustive(subject, {}, large, away, subject.tree.levels()));
  EXPECT_FALSE(traversal.points().empty());
}

TEST(Traversal, OfPointsWithoutATreeLooksAtAll) {
  const Subject subject(test::torus());
  const DistanceField field = test::field_of(test::box());
  Traversal all(subject.shell.point_count());
  Matrix3Xf places(3, subject.shell.point_count());
  subject.shell.positions({}, places);
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const ToField pose = random_pose(random, 1);
    all.run_all(places, field, pose);
    Traversal tree(subject.tree);
    tree.run(subject.tree, subject.shell, {}, field, pose);
    ASSERT_EQ(sorted(all.points()), sorted(tree.points()));
  }
}

TEST(Traversal, AllocatesNothing) {
  const Subject subject(test::torus(), 7);
  const DistanceField field = test::field_of(test::box());
  Traversal traversal(subject.tree);
  Random random(5);
  const ToField pose = random_pose(random, 0.5);
  const VectorXf c = random_coefficients(random, 7);
  const test::AllocationCounter counter;
  for (int k = 0; k < 10; ++k) traversal.run(subject.tree, subject.shell, c, field, pose);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace pliant
