// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "pliant/base/random.hpp"
#include "pliant/shape/displacement_bounds.hpp"

namespace pliant::bench {
namespace {

constexpr Index r = 15;

struct Subject {
  explicit Subject(Index points) : X(3, points), U(3 * points, r), c(r), x(3, points) {
    Random random(1);
    for (double& value : X.reshaped()) value = random.uniform(-1, 1);
    for (double& value : U.reshaped()) value = random.uniform(-1, 1);
    for (float& value : c) value = static_cast<float>(random.uniform(-1, 1));
  }
  // Normals of the same cost as any.
  LinearShape shape() const { return LinearShape(X, U, {X, U}); }

  Matrix3Xd X;
  MatrixXd U;
  VectorXf c;
  Matrix3Xf x;
};

// Against x = X + U c by Eigen, with U in single precision, 3 #P by r.
Result evaluate(Index points, bool normals) {
  Subject subject(points);
  const LinearShape shape = subject.shape();
  const double ns =
      1e9 / static_cast<double>(points) * seconds([&] {
        normals ? shape.normals(subject.c, subject.x) : shape.positions(subject.c, subject.x);
      });
  const Eigen::MatrixXf U = subject.U.cast<float>();
  const VectorXf X = subject.X.cast<float>().reshaped();
  VectorXf x(X.size());
  const double reference = 1e9 / static_cast<double>(points) * seconds([&] {
                             x = X;
                             x.noalias() += U * subject.c;
                             if (normals) x.reshaped(3, points).colwise().normalize();
                             keep(x.data());
                           });
  return {.value = ns,
          .reference_value = reference,
          .detail = fmt::format("{} points, r = {}; {:.0f} us in all", points, r,
                                1e-3 * ns * static_cast<double>(points))};
}

// Groups of consecutive points at random places, as the traversal of a point tree asks for.
Result list(int run) {
  Subject subject(60000);
  const LinearShape shape = subject.shape();
  std::vector<int> points;
  Random random(2);
  while (points.size() < 2000) {
    const int s = run * random.below(60000 / run);
    for (int k = 0; k < run; ++k) points.push_back(s + k);
  }
  const auto count = static_cast<double>(points.size());
  const double ns = 1e9 / count * seconds([&] { shape.positions(points, subject.c, subject.x); });
  // Point by point, from a basis that holds the numbers of a point side by side.
  const Eigen::MatrixXf U =
      subject.U.cast<float>().reshaped<Eigen::RowMajor>(60000, 3 * r).transpose();
  const Matrix3Xf X = subject.X.cast<float>();
  const double reference =
      1e9 / count * seconds([&] {
        for (std::size_t k = 0; k < points.size(); ++k) {
          subject.x.col(static_cast<Index>(k)) =
              X.col(points[k]) +
              Eigen::Map<const Matrix3Xf>(U.col(points[k]).data(), 3, r) * subject.c;
        }
        keep(subject.x.data());
      });
  return {.value = ns,
          .reference_value = reference,
          .detail = fmt::format("2,000 of 60,000 points in groups of {}, r = {}", run, r)};
}

Result bound() {
  const Subject subject(4096);
  std::vector<int> points(4096), first;
  for (int k = 0; k < 4096; ++k) points[static_cast<std::size_t>(k)] = k;
  for (int k = 0; k <= 4096; k += 8) first.push_back(k);
  const DisplacementBounds bounds(subject.shape(), points, first);
  float sum = 0;
  const double ns = 1e9 / 512 * seconds([&] {
                      for (Index k = 0; k < 512; ++k) sum += bounds(k, subject.c);
                      keep(&sum);
                    });
  return {.value = ns, .detail = fmt::format("a set of points, r = {}", r)};
}

const Rows rows{
    {.name = "shape.evaluate.60k",
     .unit = "ns",
     .reference = "x = X + U c by Eigen, in single precision",
     .run = [] { return evaluate(60000, false); }},
    {.name = "shape.evaluate.2k",
     .unit = "ns",
     .reference = "x = X + U c by Eigen, in single precision",
     .run = [] { return evaluate(2000, false); }},
    {.name = "shape.normals.60k",
     .unit = "ns",
     .reference = "the same by Eigen, in single precision",
     .run = [] { return evaluate(60000, true); }},
    {.name = "shape.list.groups8",
     .unit = "ns",
     .reference = "point by point, 3 x r stored side by side",
     .run = [] { return list(8); }},
    {.name = "shape.list.single",
     .unit = "ns",
     .reference = "point by point, 3 x r stored side by side",
     .run = [] { return list(1); }},
    {.name = "shape.bound", .unit = "ns", .run = bound},
};

}  // namespace
}  // namespace pliant::bench
