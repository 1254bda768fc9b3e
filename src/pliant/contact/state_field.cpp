// SPDX-License-Identifier: MIT
#include "pliant/contact/state_field.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/tensor_view.hpp"
#include "pliant/contact/deformed_field.hpp"

namespace pliant {
namespace {

using Pack = StateField::Pack;
using simd::root;
constexpr Index lanes = 8;

[[noreturn]] void fail(const std::string& what, const std::string& value,
                       const std::string& expected) {
  throw Error({"", 0, "field of states"}, what, value, expected);
}

// Every lookup must stay inside of the arrays.
void check(const StateTrain& t, const MatrixXf& c, const MatrixXf& W, int levels) {
  if (t.line < 0 || t.line > 2 || (t.nodes.array() < 2).any() || (t.nodes.array() > 4096).any() ||
      !t.origin.allFinite() || !t.spacing.allFinite() || (t.spacing.array() <= 0).any()) {
    fail("its prism is not sound", "", "at least two nodes a side, of a spacing above 0 m");
  }
  const Index plane = t.nodes.cast<Index>().prod() / t.nodes[t.line];
  if (t.G.rows() < 1 || t.G.cols() != plane || t.H.rows() != t.G.rows() ||
      t.H.cols() % t.nodes[t.line] != 0) {
    fail("its cores have other sizes", std::to_string(t.G.cols()), std::to_string(plane));
  }
  if (levels < 1 || t.states() < 1 || (t.states() - 1) % levels != 0 || c.cols() != t.states() ||
      W.rows() != c.rows() || W.cols() != c.rows()) {
    fail("another number of states", std::to_string(c.cols()), std::to_string(t.states()));
  }
  if (!t.G.allFinite() || !t.H.allFinite() || !c.allFinite() || !W.allFinite() || !(t.bound >= 0) ||
      !(t.lipschitz >= 1) || !std::isfinite(t.lipschitz)) {
    fail("a number is not sound", "", "finite numbers, a gradient of at least 1");
  }
}

// Rows beyond the last are zero.
MatrixXf padded(const MatrixXf& A) {
  MatrixXf out = MatrixXf::Zero((A.rows() + lanes - 1) / lanes * lanes, A.cols());
  out.topRows(A.rows()) = A;
  return out;
}

StateTrain train_of(const TensorView& file, const std::string& prefix) {
  const auto box = file.matrix<double>(prefix + "box", 6);
  const auto nodes = file.matrix<std::int32_t>(prefix + "nodes", 5);
  const auto bounds = file.matrix<float>(prefix + "bounds", 2);
  if (box.cols() != 1 || nodes.cols() != 1 || bounds.cols() != 1) {
    fail("its head has another size", "", "one column");
  }
  return {.origin = box.col(0).head<3>(),
          .spacing = box.col(0).tail<3>(),
          .nodes = nodes.col(0).head<3>(),
          .line = nodes(3, 0),
          .G = file.matrix<float>(prefix + "G"),
          .H = file.matrix<float>(prefix + "H"),
          .bound = bounds(0, 0),
          .lipschitz = bounds(1, 0)};
}

}  // namespace

StateField::StateField(const TensorView& file, const std::string& prefix, const Proxies& proxies)
    : StateField(train_of(file, prefix), file.matrix<float>(prefix + "c"),
                 file.matrix<float>(prefix + "W"),
                 file.matrix<std::int32_t>(prefix + "nodes", 5)(4, 0), proxies) {}

StateField::StateField(StateTrain train, MatrixXf c, MatrixXf W, int levels, const Proxies& proxies)
    : train_(std::move(train)), levels_(levels), c_(std::move(c)), W_(std::move(W)) {
  check(train_, c_, W_, levels_);
  if (proxies.size() != c_.rows()) {
    fail("states of another number of coefficients", std::to_string(c_.rows()),
         std::to_string(proxies.size()));
  }
  train_.G = padded(train_.G);
  train_.H = padded(train_.H);
  marks_ = W_ * c_;
  squares_ = marks_.colwise().squaredNorm().transpose();
  along_ = begun_ = VectorXf::Zero(states());
  for (Index j = 1; j < states(); ++j) {
    const Index before = (j - 1) % levels_ == 0 ? 0 : j - 1;
    const VectorXf way = marks_.col(j) - marks_.col(before);
    along_[j] = way.squaredNorm();
    begun_[j] = way.dot(marks_.col(before));
  }
  references_.resize(Proxies::numbers * proxies.count(), states());
  VectorXf reference;
  for (Index j = 0; j < states(); ++j) {
    proxies.evaluate(c_.col(j), reference);
    references_.col(j) = reference;
  }
  for (int i = 0; i < 3; ++i) {
    const int axis = axes_[i] = (train_.line + 1 + i) % 3;
    origin_[i] = static_cast<float>(train_.origin[axis]);
    step_[i] = static_cast<float>(train_.spacing[axis]);
    scale_[i] = static_cast<float>(1 / train_.spacing[axis]);
  }
  slack_ = static_cast<float>(train_.spacing.norm()) + 2 * train_.bound;
  rounding_ = static_cast<float>(1e-3 * cell());
}

StateField::Choice StateField::nearest(const VectorXf& c, VectorXf& mark,
                                       VectorXf& work) const noexcept {
  mark.noalias() = W_.leftCols(c.size()) * c;
  work.noalias() = marks_.transpose() * mark;
  const float square = mark.squaredNorm();
  Choice best;
  float least = square;  // at rest
  for (Index j = 1; j < states(); ++j) {
    const Index before = (j - 1) % levels_ == 0 ? 0 : j - 1;
    const float forward = work[j] - work[before] - begun_[j];
    const float part = along_[j] > 0 ? std::clamp(forward / along_[j], 0.0F, 1.0F) : 0.0F;
    const float away =
        square - 2 * work[before] + squares_[before] + part * (part * along_[j] - 2 * forward);
    if (!(away < least)) continue;
    least = away;
    best = {static_cast<int>((j - 1) / levels_), static_cast<int>(before), static_cast<int>(j),
            part, 0};
  }
  best.away = std::sqrt(std::max(0.0F, least));
  return best;
}

// Where eight points are: a cell each, the place in it, and how far outside of the prism.
struct StateField::Place {
  const float* G[lanes];
  Index at[lanes];  // of z in a slice
  Pack part[3];     // from 0 to 1
  Points out;       // by x, y, z of the train [m]
};

StateField::Place StateField::place_of(const Points& x) const noexcept {
  using Ints = std::int32_t __attribute__((vector_size(32)));
  const Pack own[3] = {x.x, x.y, x.z};
  const Index n = train_.G.rows(), nx = train_.nodes[axes_[0]];
  Place place;
  Ints cell[3];
  Pack out[3];
  for (int i = 0; i < 3; ++i) {
    const int last = train_.nodes[axes_[i]] - 1;
    const Pack to = (own[axes_[i]] - origin_[i]) * scale_[i];
    const Pack above = to > 0.0F ? to : Pack{};  // also where it is not a number
    const auto most = static_cast<float>(last);
    const Pack in = above < most ? above : simd::all(most);
    out[i] = (to - in) * step_[i];
    const Ints whole = __builtin_convertvector(in, Ints);
    cell[i] = whole < last - 1 ? whole : last - 1 - Ints{};
    place.part[i] = in - __builtin_convertvector(cell[i], Pack);
  }
  place.out = {out[0], out[1], out[2]};
  for (int k = 0; k < lanes; ++k) {
    place.G[k] = train_.G.data() + n * (cell[1][k] * nx + cell[0][k]);
    place.at[k] = n * cell[2][k];
  }
  return place;
}

StateField::Pack StateField::values(const float* slice, const Points& x) const noexcept {
  const Place at = place_of(x);
  const Index n = train_.G.rows(), row = n * train_.nodes[axes_[0]];
  const Pack right = at.part[0], up = at.part[1];
  const Pack w11 = right * up, w10 = right - w11, w01 = up - w11, w00 = 1.0F - right - w01;
  Pack value;
  for (int k = 0; k < lanes; ++k) {
    const float *g = at.G[k], *h = slice + at.at[k];
    const float a = w00[k], b = w10[k], c = w01[k], d = w11[k], t = at.part[2][k];
    Pack sum{};
    for (Index i = 0; i < n; i += lanes) {
      const Pack below = simd::load(h + i);
      const Pack line = below + t * (simd::load(h + n + i) - below);
      const Pack plane = a * simd::load(g + i) + b * simd::load(g + n + i) +
                         c * simd::load(g + row + i) + d * simd::load(g + row + n + i);
      sum += plane * line;
    }
    value[k] = simd::sum(sum);
  }
  const Pack squared = at.out.x * at.out.x + at.out.y * at.out.y + at.out.z * at.out.z;
  return squared == 0.0F ? value : root(squared + value * value);
}

StateField::Samples StateField::samples(const float* slice, const Points& x) const noexcept {
  const Place at = place_of(x);
  const Index n = train_.G.rows(), row = n * train_.nodes[axes_[0]];
  Pack corner[lanes];  // x fastest, then y, then z
  for (int k = 0; k < lanes; ++k) {
    for (int i = 0; i < 8; ++i) {
      const float* g = at.G[k] + (i & 1) * n + (i >> 1 & 1) * row;
      const float* h = slice + at.at[k] + (i >> 2) * n;
      Pack sum{};
      for (Index j = 0; j < n; j += lanes) sum += simd::load(g + j) * simd::load(h + j);
      corner[i][k] = simd::sum(sum);
    }
  }
  const Pack &u = at.part[0], &v = at.part[1], &w = at.part[2];
  const auto mix = [](const Pack& t, const Pack& p, const Pack& q) -> Pack {
    return p + t * (q - p);
  };
  const Pack x0 = corner[1] - corner[0], x1 = corner[3] - corner[2], x2 = corner[5] - corner[4],
             x3 = corner[7] - corner[6];
  const Pack a0 = corner[0] + u * x0, a1 = corner[2] + u * x1, a2 = corner[4] + u * x2,
             a3 = corner[6] + u * x3;
  const Pack b0 = mix(v, a0, a1), b1 = mix(v, a2, a3);
  const Pack inside = mix(w, b0, b1);
  Pack slope[3] = {scale_[0] * mix(w, mix(v, x0, x1), mix(v, x2, x3)),
                   scale_[1] * mix(w, a1 - a0, a3 - a2), scale_[2] * (b1 - b0)};
  // Beyond the prism: of sqrt(|x - p|^2 + d(p)^2), with p moving along the sides alone.
  const Pack out[3] = {at.out.x, at.out.y, at.out.z};
  const Pack squared = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
  const auto in = squared == 0.0F;
  const Pack far = root(squared + inside * inside);
  Pack own[3];
  for (int i = 0; i < 3; ++i) {
    const Pack along = out[i] == 0.0F ? inside * slope[i] : out[i];
    own[axes_[i]] = in ? slope[i] : simd::ratio(along, far);
  }
  return {in ? inside : far, {own[0], own[1], own[2]}};
}

}  // namespace pliant
