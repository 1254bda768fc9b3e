// SPDX-License-Identifier: MIT
#include "pliant/contact/state_field.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pliant/base/random.hpp"
#include "pliant/base/tensor_file.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/state_distances.hpp"
#include "pliant/contact/deformed_field.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/volume_mesh.hpp"
#include "support/allocation_counter.hpp"
#include "support/error_of.hpp"

namespace pliant::test {
namespace {

// A bar along z whose ends are bent aside: u = z^2 (c_0 e_x + c_1 e_y).
struct BentBar {
  static constexpr int levels = 3;

  BentBar()
      : surface(boundary_surface(block(ElementType::hex8, {2, 2, 12}, {0.04, 0.04, 0.4}))),
        U(basis(surface.V)),
        rest(distance_grid(
            [this](const Matrix3Xd& P) { return SurfaceDistance(surface).evaluate(P); },
            {Vector3d(surface.V.rowwise().minCoeff()), Vector3d(surface.V.rowwise().maxCoeff())},
            {.resolution = 64})),
        proxies(proxies_of(surface.V)) {
    for (const Eigen::Vector2d& end : {Eigen::Vector2d(0.8, 0), {-0.8, 0}, {0, 0.8}}) {
      MatrixXd& path = paths.emplace_back(2, levels);
      for (int t = 0; t < levels; ++t) path.col(t) = end * (t + 1) / levels;
    }
    table = state_table(surface, U, paths, options);
  }
  static MatrixXd basis(const Matrix3Xd& X) {
    MatrixXd out = MatrixXd::Zero(X.size(), 2);
    for (Index v = 0; v < X.cols(); ++v) {
      out(3 * v, 0) = out(3 * v + 1, 1) = X(2, v) * X(2, v);
    }
    return out;
  }
  static Proxies proxies_of(const Matrix3Xd& X) {
    Eigen::MatrixXf gradients = Eigen::MatrixXf::Zero(9, 2 * X.cols());
    for (Index v = 0; v < X.cols(); ++v) {
      gradients(2, 2 * v) = gradients(5, 2 * v + 1) = static_cast<float>(2 * X(2, v));
    }
    return Proxies(LinearShape(X, basis(X)), gradients);
  }
  SurfaceDistance exact(const VectorXd& c) const {
    SurfaceMesh bent = surface;
    bent.V.reshaped() += U * c;
    return SurfaceDistance(bent);
  }
  StateField field() const { return {table.train, table.c, table.W, table.levels, proxies}; }
  double cell() const { return table.train.spacing.maxCoeff(); }
  // In the prism, or up to `beyond` of its size outside.
  Vector3d place(Random& random, double beyond = 0) const {
    const StateTrain& t = table.train;
    const Vector3d size = t.spacing.cwiseProduct((t.nodes.array() - 1).cast<double>().matrix());
    const Vector3d unit(random.uniform(-beyond, 1 + beyond), random.uniform(-beyond, 1 + beyond),
                        random.uniform(-beyond, 1 + beyond));
    return t.origin + size.cwiseProduct(unit);
  }

  SurfaceMesh surface;
  MatrixXd U;
  DistanceField rest;
  Proxies proxies;
  std::vector<MatrixXd> paths;
  StatesOptions options{.loads = 3, .resolution = 32, .tolerance = 0.1};
  StateTable table;
};
const BentBar& bar() {
  static const BentBar b;
  return b;
}

simd::Pack3 lanes(const Vector3d& x) {
  const auto at = [&](int i) { return simd::all(static_cast<float>(x[i])); };
  return {at(0), at(1), at(2)};
}
double value(const DeformedField& field, const Vector3d& x) {
  return static_cast<double>(field.values(lanes(x))[0]);
}

// Trilinear in the dense array.
double dense_value(const DenseDistance& d, Index state, const Vector3d& x) {
  const int axes[3] = {(d.line + 1) % 3, (d.line + 2) % 3, d.line};
  Index cell[3], stride[3] = {1, d.nodes[axes[0]], d.plane()};
  double part[3];
  for (int i = 0; i < 3; ++i) {
    const double place = (x[axes[i]] - d.origin[axes[i]]) / d.spacing[axes[i]];
    cell[i] = std::clamp<Index>(static_cast<Index>(place), 0, d.nodes[axes[i]] - 2);
    part[i] = place - static_cast<double>(cell[i]);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    Index at = 0;
    for (int i = 0; i < 3; ++i) {
      const int high = corner >> i & 1;
      weight *= high ? part[i] : 1 - part[i];
      at += stride[i] * (cell[i] + high);
    }
    sum += weight * static_cast<double>(d.values(at, state));
  }
  return sum;
}

TEST(StateField, HoldsItsBoundAtRandomPlacesAndStates) {
  const BentBar& b = bar();
  const StateTrain& t = b.table.train;
  const double spacing = t.spacing.maxCoeff();
  EXPECT_LE(t.bound, 0.1 * spacing);
  const MatrixXd states = b.U * b.table.c.cast<double>();
  const DenseDistance dense =
      dense_distance(b.surface, states, {t.origin, t.spacing, t.nodes, t.line});
  EXPECT_LT(t.numbers(), dense.values.size() / 2);
  const StateField field = b.field();
  const StateTrain again = compress(dense, 0.02 * spacing);
  EXPECT_GT(again.G.rows(), t.G.rows());  // a smaller error takes more
  const StateField finer(again, b.table.c, b.table.W, b.table.levels, b.proxies);
  Random random(2);
  for (int j = 0; j < static_cast<int>(t.states()); ++j) {
    const float* const slice = finer.slice(j);
    for (int i = 0; i < 1000; ++i) {
      const Vector3d x = b.place(random);
      const double d = static_cast<double>(finer.values(slice, lanes(x))[0]);
      EXPECT_LE(std::abs(d - dense_value(dense, j, x)), static_cast<double>(again.bound) + 2e-6);
    }
  }
}

TEST(StateField, OfFullRankIsTheDistanceAtItsNodes) {
  const BentBar& b = bar();
  const MatrixXd states = b.U * b.table.c.cast<double>();
  const DenseDistance dense =
      dense_distance(b.surface, states, prism_of(b.surface, states, 0.05, 0.05));
  const StateField field(compress(dense, 1e-6), b.table.c, b.table.W, b.table.levels, b.proxies);
  for (const int j : {0, 2, 7}) {
    const SurfaceDistance exact = b.exact(b.table.c.col(j).cast<double>());
    const float* const slice = field.slice(j);
    for (const Vector3d& at : {Vector3d(0, 0, 0), Vector3d(3, 1, 4), Vector3d(5, 3, 2)}) {
      const Vector3d x = dense.origin + dense.spacing.cwiseProduct(at);
      EXPECT_NEAR(static_cast<double>(field.values(slice, lanes(x))[0]), exact(x), 5e-6);
    }
  }
}

TEST(StateField, GradientIsThatOfItsValues) {
  const BentBar& b = bar();
  const StateField field = b.field();
  const float* const slice = field.slice(2);
  Random random(3);
  int tried = 0;
  for (int i = 0; i < 200; ++i) {
    const Vector3d x = b.place(random, 0.3);
    const auto s = field.samples(slice, lanes(x));
    EXPECT_NEAR(s.distance[0], field.values(slice, lanes(x))[0], 2e-6F);
    const Vector3d g(static_cast<double>(s.gradient.x[0]), static_cast<double>(s.gradient.y[0]),
                     static_cast<double>(s.gradient.z[0]));
    const double h = 2e-4;
    // Within one cell, and not across a side of the prism.
    const Vector3d in = (x - b.table.train.origin).cwiseQuotient(b.table.train.spacing);
    const Vector3d part = in.array() - in.array().floor();
    if ((part.array() < 0.05).any() || (part.array() > 0.95).any()) continue;
    ++tried;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = h * Vector3d::Unit(k);
      const double up = static_cast<double>(field.values(slice, lanes(x + step))[0]),
                   down = static_cast<double>(field.values(slice, lanes(x - step))[0]);
      EXPECT_NEAR((up - down) / (2 * h), g[k], 0.01);
    }
  }
  EXPECT_GT(tried, 50);
}

TEST(StateField, IsNeverAboveTheDistanceBeyondThePrism) {
  const BentBar& b = bar();
  const StateField field = b.field();
  Random random(4);
  for (const int j : {0, 3, 9}) {
    const SurfaceDistance exact = b.exact(b.table.c.col(j).cast<double>());
    const float* const slice = field.slice(j);
    for (int i = 0; i < 500; ++i) {
      const Vector3d x = b.place(random, 1.0);
      EXPECT_LE(static_cast<double>(field.values(slice, lanes(x))[0]),
                exact(x) + 0.9 * b.cell() + static_cast<double>(b.table.train.bound));
    }
  }
}

TEST(StateField, ABallThatItCallsClearIsClear) {
  const BentBar& b = bar();
  const StateField field = b.field();
  const float* const slice = field.slice(3);
  Random random(5);
  int clear = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vector3d x = b.place(random, 0.2);
    const float R = static_cast<float>(random.uniform(0, 0.2));
    const float d = field.values(slice, lanes(x))[0];
    EXPECT_EQ(d > field.clearance(R), field.clear_radius(d) > R) << d << " " << R;
    if (!(d > field.clearance(R))) continue;
    ++clear;
    for (int k = 0; k < 20; ++k) {
      const Vector3d away(random.normal(), random.normal(), random.normal());
      const Vector3d z = x + static_cast<double>(R) * away.normalized();
      EXPECT_GT(field.values(slice, lanes(z))[0], 0.0F);
    }
  }
  EXPECT_GT(clear, 200);
}

TEST(StateField, TakesTheNearestPlaceOfAnyPath) {
  const BentBar& b = bar();
  const StateField field = b.field();
  VectorXf mark(2), work(field.states());
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector2d c(random.uniform(-1, 1), random.uniform(-1, 1));
    double least = 1e9;
    for (const MatrixXd& path : b.paths) {
      for (int k = 0; k <= 3000; ++k) {
        const double t = k / 3000.0;
        const VectorXd u = b.U * (c - t * path.col(BentBar::levels - 1));
        least =
            std::min(least, std::sqrt(u.squaredNorm() / static_cast<double>(b.surface.V.cols())));
      }
    }
    const auto found = field.nearest(c.cast<float>(), mark, work);
    EXPECT_NEAR(static_cast<double>(found.away), least, 2e-4 * c.norm());
  }
  const auto rest = field.nearest(VectorXf::Zero(2), mark, work);
  EXPECT_EQ(rest.from, 0);
  EXPECT_EQ(rest.away, 0.0F);
}

// Places near the bent surface, and the errors of a field there.
double mean_error(const DeformedField& field, const SurfaceDistance& exact, const BentBar& b) {
  Random random(8);
  double sum = 0;
  int count = 0;
  while (count < 500) {
    const Vector3d x = b.place(random);
    if (std::abs(exact(x)) > 0.02) continue;
    sum += std::abs(value(field, x) - exact(x));
    ++count;
  }
  return sum / count;
}

TEST(DeformedStates, AreCloseToTheDistanceOfAnAnswer) {
  const BentBar& b = bar();
  const StateField states = b.field();
  const VectorXd c = b.paths[0].col(1);
  for (const bool corrects : {false, true}) {
    DeformedField field(b.rest, b.proxies, states, corrects);
    field.update(c.cast<float>());
    EXPECT_LT(mean_error(field, b.exact(c), b), 0.15 * b.cell()) << corrects;
  }
}

TEST(DeformedStates, CorrectWhatTheStateLeavesOut) {
  const BentBar& b = bar();
  const StateField states = b.field();
  const Eigen::Vector2d c(0.55, 0.3);  // of no path
  const SurfaceDistance exact = b.exact(c);
  DeformedField nearest(b.rest, b.proxies, states, false),
      corrected(b.rest, b.proxies, states, true), bent(b.rest, b.proxies);
  for (DeformedField* field : {&nearest, &corrected, &bent}) field->update(c.cast<float>());
  const double plain = mean_error(nearest, exact, b), ours = mean_error(corrected, exact, b),
               rest = mean_error(bent, exact, b);
  EXPECT_LT(ours, 0.3 * plain);
  EXPECT_LT(ours, 0.3 * b.cell());
  EXPECT_LT(ours, rest + 0.2 * b.cell());
  EXPECT_EQ(corrected.state().path, 0);
  // What a nearest state misses is bounded by how far its surface is.
  const StateField::Choice& at = nearest.state();
  const VectorXf stands = (1 - at.part) * b.table.c.col(at.from) + at.part * b.table.c.col(at.to);
  const VectorXd u = b.U * (c - stands.cast<double>());
  const double farthest =
      std::sqrt(u.reshaped(3, b.surface.V.cols()).colwise().squaredNorm().maxCoeff());
  Random random(9);
  for (int i = 0; i < 500; ++i) {
    const Vector3d x = b.place(random);
    EXPECT_LE(std::abs(value(nearest, x) - exact(x)), farthest + b.cell());
  }
}

// Where a blend of the distances of both would have no zero near the surface.
TEST(DeformedStates, AreRightBetweenTwoThatAreFarApart) {
  const BentBar& b = bar();
  const StateTable coarse = state_table(b.surface, b.U, {b.paths[0].rightCols(1)}, b.options);
  const StateField states(coarse.train, coarse.c, coarse.W, 1, b.proxies);
  DeformedField field(b.rest, b.proxies, states, true), plain(b.rest, b.proxies, states, false);
  double last = 0;
  for (int i = 0; i <= 20; ++i) {
    const VectorXd c = i / 20.0 * b.paths[0].rightCols(1);
    field.update(c.cast<float>());
    plain.update(c.cast<float>());
    const SurfaceDistance exact = b.exact(c);
    const double ours = mean_error(field, exact, b);
    EXPECT_LT(ours, 0.3 * b.cell()) << i;
    if (i == 10) {
      EXPECT_GT(mean_error(plain, exact, b), 3 * ours);
    }
    const double d = value(field, {0.06, 0, 0.35});
    if (i > 0) {
      EXPECT_LT(std::abs(d - last), 0.01) << i;
    }
    last = d;
  }
}

TEST(DeformedStates, GradientIsThatOfTheirValues) {
  const BentBar& b = bar();
  const StateField states = b.field();
  DeformedField field(b.rest, b.proxies, states, true);
  field.update(Eigen::Vector2f(0.5F, 0.2F));
  Random random(10);
  int tried = 0, right = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d x = b.place(random);
    const auto s = field.samples(lanes(x));
    EXPECT_NEAR(static_cast<double>(s.distance[0]), value(field, x), 1e-5);
    const float g[3] = {s.gradient.x[0], s.gradient.y[0], s.gradient.z[0]};
    const double h = 3e-4;
    bool same = true;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = h * Vector3d::Unit(k);
      const double slope = (value(field, x + step) - value(field, x - step)) / (2 * h);
      same = same && std::abs(slope - static_cast<double>(g[k])) < 0.03;
    }
    ++tried;
    right += same;
  }
  // But where a cell or the proxies change between the two.
  EXPECT_GT(right, 0.8 * tried);
}

TEST(DeformedStates, AllocateNothing) {
  const BentBar& b = bar();
  const StateField states = b.field();
  for (const bool corrects : {false, true}) {
    DeformedField field(b.rest, b.proxies, states, corrects);
    VectorXf c(2);
    const AllocationCounter counter;
    for (int i = 0; i < 20; ++i) {
      c << 0.05F * static_cast<float>(i), 0.3F - 0.02F * static_cast<float>(i);
      field.update(c);
      field.values(lanes({0.01, 0.02, 0.3}));
      field.samples(lanes({0.01, 0.02, 0.3}));
    }
    EXPECT_EQ(counter.count(), 0);
  }
}

TEST(DeformedStates, TellHowFarTheyCame) {
  const BentBar& b = bar();
  const StateField states = b.field();
  for (const bool corrects : {false, true}) {
    DeformedField field(b.rest, b.proxies, states, corrects);
    const double begin = field.travel();
    field.update(Eigen::Vector2f(0.4F, 0));
    EXPECT_GE(field.travel() - begin, 0.4 * 0.4 * 0.4 - 1e-6) << corrects;
    const double then = field.travel();
    field.update(Eigen::Vector2f(0.4F, 0));
    EXPECT_EQ(field.travel(), then);
  }
}

TEST(StateTable, IsReadAsItWasWritten) {
  const BentBar& b = bar();
  TensorWriter writer;
  b.table.keep(writer, "bar/states/");
  const TensorFile file(writer.bytes(), "test");
  const StateField field(file, "bar/states/", b.proxies), own = b.field();
  EXPECT_EQ(field.train().G, own.train().G);
  EXPECT_EQ(field.train().H, own.train().H);
  EXPECT_EQ(field.coefficients(), own.coefficients());
  EXPECT_EQ(field.clearance(0.1F), own.clearance(0.1F));
}

TEST(StateTable, RefusesWhatIsNotSound) {
  const BentBar& b = bar();
  const auto made = [&](StateTrain train, MatrixXf c) {
    return error_of([&] { StateField(std::move(train), std::move(c), b.table.W, 3, b.proxies); });
  };
  StateTrain short_core = b.table.train;
  short_core.G.conservativeResize(Eigen::NoChange, 5);
  EXPECT_THAT(made(short_core, b.table.c), testing::HasSubstr("its cores have other sizes"));
  EXPECT_THAT(made(b.table.train, b.table.c.leftCols(4)),
              testing::HasSubstr("another number of states"));
  StateTrain bad = b.table.train;
  bad.H(0, 0) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(made(bad, b.table.c), testing::HasSubstr("a number is not sound"));
  bad = b.table.train;
  bad.nodes[1] = 1;
  EXPECT_THAT(made(bad, b.table.c), testing::HasSubstr("its prism is not sound"));
}

TEST(StateTable, RefusesAPrismThatDoesNotFitInMemory) {
  const BentBar& b = bar();
  const MatrixXd states = b.U * b.table.c.cast<double>();
  EXPECT_THAT(error_of([&] { prism_of(b.surface, states, 2e-5, 0.03); }),
              testing::AllOf(testing::HasSubstr("a prism of"), testing::HasSubstr("memory")));
  EXPECT_THAT(error_of([&] { prism_of(b.surface, states, 0, 0.03); }),
              testing::HasSubstr("no grid"));
  EXPECT_THAT(error_of([&] { state_table(b.surface, b.U, {}, b.options); }),
              testing::HasSubstr("no states of this surface"));
}

TEST(Covering, TakesTheFarthestAndSaysHowFarTheRestIs) {
  MatrixXd marks(1, 5);
  marks << 1, 4, 10, -3, 3.5;
  double radius = 0;
  EXPECT_THAT(covering(marks, 3, &radius), testing::ElementsAre(2, 1, 3));
  EXPECT_DOUBLE_EQ(radius, 1);
  EXPECT_EQ(covering(marks, 9, &radius).size(), 5U);
  EXPECT_DOUBLE_EQ(radius, 0);
}

}  // namespace
}  // namespace pliant::test
