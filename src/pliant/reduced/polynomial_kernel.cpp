// SPDX-License-Identifier: MIT
#include "pliant/reduced/polynomial_kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "pliant/base/pack.hpp"

namespace pliant {
namespace {

using simd::all;
using simd::lanes;
using simd::load;
using simd::Pack;
using simd::Quad;
using simd::store;
using simd::sum;
using simd::sums;

template <class T>
constexpr Index padded(Index n) {
  return (n + lanes<T> - 1) / lanes<T> * lanes<T>;
}

// All bits of a lane are one, or all are zero.
template <class T>
using Mask = decltype(Pack<T>{} < Pack<T>{});

// The first n lanes, n = 0 .. 11.
template <class T>
Mask<T> first_lanes(Index n) {
  using Integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  static constexpr Integer ones[24] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  Mask<T> mask;
  __builtin_memcpy(&mask, ones + 12 - n, sizeof mask);
  return mask;
}

// Columns j .. j + N - 1 of what follows.
template <int N, class T>
inline void add_columns(const T* S, Index j, const T* q, T* z, T* dots, Quad<T>& value) {
  constexpr Index L = lanes<T>;
  const T* column[N];
  Pack<T> qj[N], dot[4];
  PLIANT_UNROLL
  for (int t = 0; t < 4; ++t) dot[t] = Pack<T>{};
  PLIANT_UNROLL
  for (int t = 0; t < N; ++t) {
    column[t] = S + t * j + pair_count(t);
    qj[t] = all(q[j + t]);
  }
  Index i = 0;
  for (; i + L <= j; i += L) {
    const Pack<T> qi = load(q + i);
    Pack<T> zi{};  // its own sum, so that it does not wait for the store of the columns before
    PLIANT_UNROLL
    for (int t = 0; t < N; ++t) {
      const Pack<T> s = load(column[t] + i);
      zi += s * qj[t];
      dot[t] += s * qi;
    }
    store(z + i, load(z + i) + zi);
  }
  // The diagonal: rows beyond a column's end belong to the next column.
  const Pack<T> qi = load(q + i);
  Pack<T> zi{};
  PLIANT_UNROLL
  for (int t = 0; t < N; ++t) {
    const Pack<T> s = reinterpret_cast<Pack<T>>(reinterpret_cast<Mask<T>>(load(column[t] + i)) &
                                                first_lanes<T>(j - i + t + 1));
    zi += s * qj[t];
    dot[t] += s * qi;
  }
  store(z + i, load(z + i) + zi);
  const Quad<T> dot_j = sums(dot[0], dot[1], dot[2], dot[3]);
  Quad<T> q4;
  __builtin_memcpy(&q4, q + j, sizeof q4);
  __builtin_memcpy(dots + j, &dot_j, sizeof dot_j);
  value += q4 * dot_j;
}

// The quadratic form sum_{i<=j} S_ij q_i q_j of n variables, S packed by pairs: its value, and its
// gradient as the sum of z_i = sum_j S_ij q_j and dots_j = sum_i S_ij q_i (i <= j). All are padded.
template <class T>
T evaluate_form(const T* S, Index n, const T* q, T* z, T* dots) {
  for (Index i = 0; i < n; i += lanes<T>) store(z + i, Pack<T>{});
  Quad<T> value{};
  Index j = 0;
  for (; j + 4 <= n; j += 4) add_columns<4>(S + pair_count(j), j, q, z, dots, value);
  if (n - j == 3) add_columns<3>(S + pair_count(j), j, q, z, dots, value);
  if (n - j == 2) add_columns<2>(S + pair_count(j), j, q, z, dots, value);
  if (n - j == 1) add_columns<1>(S + pair_count(j), j, q, z, dots, value);
  return sum(value);
}

}  // namespace

void to_coefficients(EnergyPolynomial& V, Index r) noexcept {
  // 1 / (product of the factorials of the lengths of runs of equal indices).
  const auto factor = [](auto... sorted) {
    const Index index[] = {sorted...};
    double product = 1.0, run = 1.0;
    for (std::size_t t = 1; t < sizeof...(sorted); ++t) {
      run = index[t] == index[t - 1] ? run + 1.0 : 1.0;
      product *= run;
    }
    return 1.0 / product;
  };
  for (Index l = 0; l < r; ++l) {
    for (Index k = 0; k <= l; ++k) {
      V.quadratic[pair_place(k, l)] *= factor(k, l);
      for (Index j = 0; j <= k; ++j) {
        V.cubic[triple_place(j, k, l)] *= factor(j, k, l);
        for (Index i = 0; i <= j; ++i) V.quartic[quadruple_place(i, j, k, l)] *= factor(i, j, k, l);
      }
    }
  }
}

template <class T>
PolynomialKernel<T>::PolynomialKernel(Index r) : r_(r), odd_(r % 2), z_stride_(padded<T>(r)) {
  const Index n = groups(r);
  Index numbers = 0, blocks = 0;
  for (Index g = 0; g < n; ++g) {
    const Index length = padded<T>(pair_count(first(g) + 2));
    layout_.push_back({length, numbers, blocks});
    blocks += 2 * numbers + 3 * length;
    numbers += 2 * length;
  }
  a_ = VectorXd::Zero(pair_count(r));
  b_ = VectorX<T>::Zero(numbers);
  c_ = VectorX<T>::Zero(blocks);
}

template <class T>
PolynomialKernel<T>::Scratch::Scratch(const PolynomialKernel& kernel) {
  const Index r = kernel.r_, pad = lanes<T> + 4;
  // Packs are read and written beyond the ends.
  q = VectorX<T>::Zero(r + 3 * pad);
  x = VectorX<T>::Zero(padded<T>(pair_count(r)));
  S = VectorX<T>::Zero(kernel.b_.size() + pad);
  D = VectorX<T>::Zero(padded<T>(pair_count(r)));
  f = VectorX<T>::Zero((r + 1) * (r + 2));
  z = VectorX<T>::Zero(r * kernel.z_stride_);
  values = VectorXd::Zero(r);
  dots = VectorX<T>::Zero(r * kernel.z_stride_);
  q_double = VectorXd::Zero(r + pad);
  total = VectorXd::Zero(pair_count(r) + pad);
  z_double = VectorXd::Zero(r + pad);
  dots_double = VectorXd::Zero(r + pad);
}

template <class T>
void PolynomialKernel<T>::assign(const std::vector<EnergyPolynomial>& parts,
                                 const VectorXd& weights) noexcept {
  // The sum of a run of coefficients that is contiguous in the parts.
  const auto each = [&](VectorXd EnergyPolynomial::*member, Index from, Index count,
                        const auto& put) {
    for (Index e = 0; e < count; ++e) {
      double sum = 0.0;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        sum += weights.data()[p] * (parts[p].*member).data()[from + e];
      }
      put(e, sum);
    }
  };
  each(&EnergyPolynomial::quadratic, 0, pair_count(r_), [&](Index e, double sum) { a_[e] = sum; });
  for (Index k = 0; k < r_; ++k) {
    const Index g = (k + odd_) / 2;
    T* b = b_.data() + layout(g).slices + (k - first(g)) * layout(g).slice;
    each(&EnergyPolynomial::cubic, triple_place(0, 0, k), pair_count(k + 1),
         [&](Index e, double sum) { b[e] = static_cast<T>(sum); });
  }
  constexpr Index L = lanes<T>;
  T* block = c_.data();
  for (Index h = 0; h < groups(r_); ++h) {
    for (Index g = 0; g <= h; ++g) {
      const Index interleaved = g < h ? 4 : 3;
      for (Index s = 0; s < 2; ++s) {
        for (Index t = g < h ? 0 : s; t < 2; ++t) {
          const Index k = first(g) + s, l = first(h) + t;
          if (k < 0) continue;
          T* c = block + (g < h ? 2 * s + t : s + t) * L;
          each(&EnergyPolynomial::quartic, quadruple_place(0, 0, k, l), pair_count(k + 1),
               [&](Index e, double sum) {
                 c[e / L * interleaved * L + e % L] = static_cast<T>(sum);
               });
        }
      }
      block += interleaved * layout(g).slice;
    }
  }
}

// k of group g, l of group h > g.
template <class T>
const T* PolynomialKernel<T>::contract_block(Index g, Index h, const T* c, const T* from,
                                             Scratch& s) const noexcept {
  constexpr Index L = lanes<T>;
  const Index n = layout(g).slice, k = first(g), l = first(h);
  const T *q = s.q.data() + L, *x = s.x.data();
  const T *from0 = from + layout(g).slices, *from1 = from0 + n;
  T *Sk0 = s.S.data() + layout(g).slices, *Sk1 = Sk0 + n;
  T *Sl0 = s.S.data() + layout(h).slices, *Sl1 = Sl0 + layout(h).slice;
  const Pack<T> qk0 = all(q[k]), qk1 = all(q[k + 1]), ql0 = all(q[l]), ql1 = all(q[l + 1]);
  Pack<T> f00{}, f01{}, f10{}, f11{};
  for (Index e = 0; e < n; e += L, c += 4 * L) {
    const Pack<T> c00 = load(c), c01 = load(c + L), c10 = load(c + 2 * L), c11 = load(c + 3 * L);
    const Pack<T> xe = load(x + e);
    f00 += xe * c00;
    f01 += xe * c01;
    f10 += xe * c10;
    f11 += xe * c11;
    store(Sk0 + e, load(from0 + e) + ql0 * c00 + ql1 * c01);
    store(Sk1 + e, load(from1 + e) + ql0 * c10 + ql1 * c11);
    store(Sl0 + e, load(Sl0 + e) + qk0 * c00 + qk1 * c10);
    store(Sl1 + e, load(Sl1 + e) + qk0 * c01 + qk1 * c11);
  }
  const Quad<T> f = sums(f00, f10, f01, f11);
  __builtin_memcpy(f_row(s, l) + k, &f, sizeof f / 2);
  const Quad<T> rest = __builtin_shufflevector(f, f, 2, 3, 2, 3);
  __builtin_memcpy(f_row(s, l + 1) + k, &rest, sizeof f / 2);
  return c;
}

// k <= l of group g.
template <class T>
void PolynomialKernel<T>::contract_corner(Index g, const T* c, Scratch& s) const noexcept {
  constexpr Index L = lanes<T>;
  const Index n = layout(g).slice, k = first(g);
  const T *q = s.q.data() + L, *x = s.x.data();
  T *S0 = s.S.data() + layout(g).slices, *S1 = S0 + n;
  const Pack<T> q0 = all(q[k]), q1 = all(q[k + 1]);
  Pack<T> f00{}, f01{}, f11{};
  for (Index e = 0; e < n; e += L, c += 3 * L) {
    const Pack<T> c00 = load(c), c01 = load(c + L), c11 = load(c + 2 * L), xe = load(x + e);
    f00 += xe * c00;
    f01 += xe * c01;
    f11 += xe * c11;
    store(S0 + e, load(S0 + e) + (q0 + q0) * c00 + q1 * c01);
    store(S1 + e, load(S1 + e) + q0 * c01 + (q1 + q1) * c11);
  }
  const Quad<T> f = sums(f00, f01, f11, f11);
  f_row(s, k)[k] = f[0];
  f_row(s, k + 1)[k] = f[1];
  f_row(s, k + 1)[k + 1] = f[2];
}

// S^k of group g is complete: D gets its share, z^k and the value of the form S^k are formed.
template <class T>
void PolynomialKernel<T>::finish_group(Index g, Index r, Scratch& s) const noexcept {
  constexpr Index L = lanes<T>;
  const Index n = layout(g).slice;
  const T *q = s.q.data() + L, *b = b_.data() + layout(g).slices,
          *S = s.S.data() + layout(g).slices;
  T* D = s.D.data();
  const Pack<T> half0 = all(q[first(g)] / 2), half1 = all(q[first(g) + 1] / 2);
  for (Index e = 0; e < n; e += L) {
    store(D + e, load(D + e) + half0 * (load(b + e) + load(S + e)) +
                     half1 * (load(b + n + e) + load(S + n + e)));
  }
  for (Index k = std::max(first(g), Index{0}); k < std::min(first(g) + 2, r); ++k) {
    s.values.data()[k] = static_cast<double>(
        evaluate_form(S + (k - first(g)) * n, k + 1, q, z_row(s.z, k), z_row(s.dots, k)));
  }
}

// f, z, the values of the forms S^k, and total = a + D.
template <class T>
void PolynomialKernel<T>::contract(const Eigen::Ref<const VectorXd>& given,
                                   Scratch& s) const noexcept {
  const Index r = given.size(), last = groups(r) - 1, variables = first(last) + 2;
  T* const q = s.q.data() + lanes<T>;
  T* __restrict x = s.x.data();
  s.q.setZero();
  s.q_double.setZero();
  std::copy_n(given.data(), r, s.q_double.data());
  for (Index i = 0; i < r; ++i) q[i] = static_cast<T>(given.data()[i]);
  for (Index j = 0; j < variables; x += ++j) {
    for (Index i = 0; i <= j; ++i) x[i] = q[i] * q[j];
  }
  std::fill(x, s.x.data() + layout(last).slice, T{});
  std::fill_n(s.D.data(), layout(last).slice, T{});

  // From the last l down, since S^l is then complete when all (k, l) are done. S begins as b, which
  // is read in its stead the first time.
  const Index at = layout(last).slices;
  std::copy_n(b_.data() + at, 2 * layout(last).slice, s.S.data() + at);
  for (Index h = last; h >= 0; --h) {
    const T* c = c_.data() + layout(h).blocks;
    const T* from = h == last ? b_.data() : s.S.data();
    for (Index g = 0; g < h; ++g) c = contract_block(g, h, c, from, s);
    contract_corner(h, c, s);
    finish_group(h, r, s);
  }
  const double* a = a_.data();
  double* total = s.total.data();
  for (Index e = 0; e < pair_count(r); ++e) total[e] = a[e] + static_cast<double>(s.D.data()[e]);
}

template <class T>
void PolynomialKernel<T>::evaluate(const Eigen::Ref<const VectorXd>& q, Eigen::Ref<VectorXd> R,
                                   Eigen::Ref<MatrixXd> K, Scratch& s) const noexcept {
  contract(q, s);
  evaluate_form(s.total.data(), q.size(), s.q_double.data(), s.z_double.data(),
                s.dots_double.data());
  const double *total = s.total.data(), *values = s.values.data();
  const double *z_total = s.z_double.data(), *dots_total = s.dots_double.data();
  for (Index k = 0; k < q.size(); total += ++k) {
    R.data()[k] = values[k] + z_total[k] + dots_total[k];
    const T *z = z_row(s.z, k), *dots = z_row(s.dots, k), *f = f_row(s, k);
    const Index stride = K.outerStride();
    double* __restrict column = K.data() + k * stride;
    for (Index i = 0; i < k; ++i) {
      column[i] = total[i] + static_cast<double>(z[i] + dots[i] + f[i]);
    }
    column[k] = 2 * (total[k] + static_cast<double>(z[k] + dots[k] + f[k]));
    for (Index i = 0; i < k; ++i) K.data()[k + i * stride] = column[i];
  }
}

template <class T>
double PolynomialKernel<T>::energy(const Eigen::Ref<const VectorXd>& q, Scratch& s) const noexcept {
  contract(q, s);
  return evaluate_form(s.total.data(), q.size(), s.q_double.data(), s.z_double.data(),
                       s.dots_double.data());
}

template class PolynomialKernel<float>;
template class PolynomialKernel<double>;

}  // namespace pliant
