// SPDX-License-Identifier: MIT
#include "pliant/contact/query.hpp"

#include <algorithm>

#include "pliant/base/assert.hpp"

namespace pliant {
namespace {

using Floats = simd::Floats;
using Points = simd::Pack3;

constexpr int newton_steps = 8;

// `enough`: how near to the surface a witness must be [m].
template <class Field, class Bound>
void answer(const Field& field, float enough, const Bound& bound, const Matrix3Xf& places,
            DistanceAnswers& answers) noexcept {
  PLIANT_ASSERT(answers.distance.size() == places.cols(), "as many answers as places");
  constexpr Index lanes = 8;
  for (Index first = 0; first < places.cols(); first += lanes) {
    const Index count = std::min(lanes, places.cols() - first);
    Points x{};
    for (int k = 0; k < lanes; ++k) {
      const Index p = first + std::min<Index>(k, count - 1);
      x.x[k] = places(0, p);
      x.y[k] = places(1, p);
      x.z[k] = places(2, p);
    }
    const simd::DistanceSamples start = field.samples(x);
    Points w = x;
    simd::DistanceSamples at = start;
    for (int step = 0; step < newton_steps; ++step) {
      const Points& g = at.gradient;
      // Not more than the distance itself, where the gradient nearly vanishes.
      const Floats squared = simd::larger(g.x * g.x + g.y * g.y + g.z * g.z, simd::all(0.25F));
      const Floats move = at.distance / squared;
      w.x -= move * g.x;
      w.y -= move * g.y;
      w.z -= move * g.z;
      at = field.samples(w);
    }
    const Floats a = x.x - w.x, b = x.y - w.y, c = x.z - w.z;
    const Floats way = simd::root(a * a + b * b + c * c);
    for (int k = 0; k < count; ++k) {
      const Index p = first + k;
      answers.distance[p] = start.distance[k];
      answers.gradient.col(p) << start.gradient.x[k], start.gradient.y[k], start.gradient.z[k];
      answers.witness.col(p) << w.x[k], w.y[k], w.z[k];
      const bool found = std::abs(at.distance[k]) < enough;
      answers.error[p] =
          found ? bound(start.distance[k], way[k]) : std::numeric_limits<float>::infinity();
    }
  }
}

// Of fields that are bent: what the witness does not meet is off by their bending.
template <class Field>
void answer_bent(const Field& field, float cell, const Matrix3Xf& places,
                 DistanceAnswers& answers) noexcept {
  answer(
      field, 0.5F * cell,
      [&](float d, float way) { return 0.87F * cell + std::abs(way - std::abs(d)); }, places,
      answers);
}

}  // namespace

void query(const DistanceField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept {
  const auto cell = static_cast<float>(field.cell());
  answer(
      field, 0.1F * cell,
      [&](float d, float way) {
        // Cells within two of the surface have exact corners; farther ones may be coarse. Beyond
        // the box the value is a lower bound, and the way to the witness an upper one.
        const float known = std::abs(d) < 2 * cell ? 0.87F * cell : 3.7F * cell;
        return std::max(known, way - std::abs(d));
      },
      places, answers);
}

void query(const AnalyticField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept {
  answer(
      field, 1e-4F, [](float d, float way) { return std::abs(way - std::abs(d)); }, places,
      answers);
}

void query(const DeformedField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept {
  answer_bent(field, static_cast<float>(field.cell()), places, answers);
}

void query(const DomainField& field, const Matrix3Xf& places, DistanceAnswers& answers) noexcept {
  double cell = 0;
  for (int k = 0; k < field.count(); ++k) cell = std::max(cell, field.domain(k).cell());
  answer_bent(field, static_cast<float>(cell), places, answers);
}

}  // namespace pliant
