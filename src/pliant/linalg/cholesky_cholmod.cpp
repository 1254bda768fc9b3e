// SPDX-License-Identifier: MIT
// Cholesky by CHOLMOD. The only file that sees it.
#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cholmod.h>
#include <dlfcn.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/memory.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/linalg/cholesky.hpp"

extern "C" void openblas_set_num_threads(int n);

namespace pliant {
namespace {

constexpr double pivot_tolerance = 1e-14;
// Right-hand sides solved together: enough for matrix-matrix speed, few enough to share the work.
constexpr std::size_t columns_per_block = 8;

// With several threads OpenBLAS cuts its sums at places that depend on their number. CHOLMOD asks
// OpenMP for a team of four in every supernode, whatever OMP_NUM_THREADS says, and small systems
// then take several times as long as alone; the setting that forbids it belongs to the thread that
// calls. Loops over systems and loads are ours (base/parallel.hpp).
void use_one_thread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
  using SetLevels = void (*)(int);
  // CHOLMOD may have been built without OpenMP: then there is nothing to forbid.
  static const auto set_levels =
      reinterpret_cast<SetLevels>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  if (thread_local bool told = false; !told && set_levels) {
    set_levels(0);
    told = true;
  }
}

struct Common : cholmod_common {
  Common() {
    cholmod_start(this);
    print = 0;
  }
  ~Common() { cholmod_finish(this); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;
};

// Throws if CHOLMOD reports what is not a property of the numbers.
void check(const cholmod_common& common, const char* what) {
  if (common.status >= CHOLMOD_OK) return;
  const std::string text = std::string("sparse factorisation: ") + what + ": ";
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw Error(text + "not enough memory");
  if (common.status == CHOLMOD_TOO_LARGE) {
    throw Error(text + "the factor has more than 2^31 entries; use a coarser mesh or PCG");
  }
  throw Error(text + "CHOLMOD status " + std::to_string(common.status));
}

// A seen by CHOLMOD, symmetric by its lower triangle (stype -1) or general (0). Nothing is copied.
cholmod_sparse view(const SparseMatrix& A, int stype) {
  cholmod_sparse s{};
  s.nrow = static_cast<std::size_t>(A.rows());
  s.ncol = static_cast<std::size_t>(A.cols());
  s.nzmax = static_cast<std::size_t>(A.nonZeros());
  s.p = const_cast<int*>(A.outerIndexPtr());
  // CHOLMOD refuses null pointers, which Eigen has for a matrix without entries.
  static int no_index = 0;
  static double no_value = 0.0;
  s.i = A.nonZeros() > 0 ? const_cast<int*>(A.innerIndexPtr()) : &no_index;
  s.x = A.nonZeros() > 0 ? const_cast<double*>(A.valuePtr()) : &no_value;
  s.stype = stype;
  s.itype = CHOLMOD_INT;
  s.xtype = CHOLMOD_REAL;
  s.dtype = CHOLMOD_DOUBLE;
  s.sorted = 1;
  s.packed = 1;
  return s;
}

cholmod_dense view(double* data, Index rows, Index cols, Index stride) {
  cholmod_dense d{};
  d.nrow = static_cast<std::size_t>(rows);
  d.ncol = static_cast<std::size_t>(cols);
  d.nzmax = static_cast<std::size_t>(stride * cols);
  d.d = static_cast<std::size_t>(stride);
  d.x = data;
  d.xtype = CHOLMOD_REAL;
  d.dtype = CHOLMOD_DOUBLE;
  return d;
}

// Calls visit(k, pivot) for the pivots L(k,k)² or D(k,k).
template <class Visit>
void for_each_pivot(const cholmod_factor& L, const Visit& visit) {
  const double* x = static_cast<const double*>(L.x);
  if (L.is_super) {
    const int* super = static_cast<const int*>(L.super);
    const int* pi = static_cast<const int*>(L.pi);
    const int* px = static_cast<const int*>(L.px);
    for (std::size_t s = 0; s < L.nsuper; ++s) {
      const int rows = pi[s + 1] - pi[s];
      for (int k = super[s]; k < super[s + 1]; ++k) {
        const std::ptrdiff_t j = k - super[s];
        const double d = x[px[s] + j * (rows + 1)];
        visit(k, d * d);
      }
    }
  } else {
    const int* p = static_cast<const int*>(L.p);
    for (std::size_t k = 0; k < L.n; ++k) {
      const double d = x[p[k]];
      visit(static_cast<int>(k), L.is_ll ? d * d : d);
    }
  }
}

}  // namespace

struct Cholesky::Impl {
  Common common;
  cholmod_factor* symbolic = nullptr;
  cholmod_factor* L = nullptr;
  VectorXi permutation;
  std::uint64_t pattern = 0;
  CholeskyStatistics statistics;
  bool factored = false;

  ~Impl() {
    cholmod_free_factor(&symbolic, &common);
    cholmod_free_factor(&L, &common);
  }
  void change(const SparseMatrix& C, bool up);
  void solve_block(double* data, Index cols, Index stride) const;
};

struct Cholesky::Workspace::Impl {
  Common common;
  cholmod_dense *X = nullptr, *Y = nullptr, *E = nullptr;

  ~Impl() {
    cholmod_free_dense(&X, &common);
    cholmod_free_dense(&Y, &common);
    cholmod_free_dense(&E, &common);
  }
  // The solution is in X.
  void solve(const cholmod_factor& L, cholmod_dense& B) {
    cholmod_solve2(CHOLMOD_A, const_cast<cholmod_factor*>(&L), &B, nullptr, &X, nullptr, &Y, &E,
                   &common);
    check(common, "solve");
  }
};

Cholesky::Workspace::Workspace() : impl_(std::make_unique<Impl>()) {}
Cholesky::Workspace::~Workspace() = default;
Cholesky::Workspace::Workspace(Workspace&&) noexcept = default;
Cholesky::Workspace& Cholesky::Workspace::operator=(Workspace&&) noexcept = default;

Cholesky::Cholesky() : impl_(std::make_unique<Impl>()) {}
Cholesky::~Cholesky() = default;
Cholesky::Cholesky(Cholesky&&) noexcept = default;
Cholesky& Cholesky::operator=(Cholesky&&) noexcept = default;

void Cholesky::analyse(const SparseMatrix& A, const CholeskyOptions& options) {
  PLIANT_ASSERT(A.rows() == A.cols() && A.isCompressed(), "a square, compressed matrix");
  const Timer timer;
  auto impl = std::make_unique<Impl>();
  cholmod_common& c = impl->common;
  c.supernodal = CHOLMOD_SUPERNODAL;
  c.postorder = options.postorder;
  c.nmethods = 1;
  int* given = nullptr;
  VectorXi permutation = options.permutation;
  switch (options.ordering) {
    case Ordering::automatic:
      c.nmethods = 2;
      c.method[0].ordering = CHOLMOD_AMD;
      c.method[1].ordering = CHOLMOD_METIS;
      break;
    case Ordering::amd:
      c.method[0].ordering = CHOLMOD_AMD;
      break;
    case Ordering::metis:
      c.method[0].ordering = CHOLMOD_METIS;
      break;
    case Ordering::natural:
      c.method[0].ordering = CHOLMOD_NATURAL;
      break;
    case Ordering::given:
      require_permutation(permutation, A.rows());
      c.method[0].ordering = CHOLMOD_GIVEN;
      given = permutation.data();
      break;
  }
  cholmod_sparse a = view(A, -1);
  impl->symbolic = cholmod_analyze_p(&a, given, nullptr, 0, &c);
  check(c, "analysis");
  impl->permutation =
      Eigen::Map<const VectorXi>(static_cast<const int*>(impl->symbolic->Perm), A.rows());
  impl->pattern = pattern_hash(A);
  impl->statistics.nnz_A = static_cast<std::int64_t>(c.anz);
  impl->statistics.nnz_L = static_cast<std::int64_t>(c.lnz);
  impl->statistics.stored_L = static_cast<std::int64_t>(impl->symbolic->xsize);
  impl->statistics.flops = c.fl;
  impl->statistics.analyse_seconds = timer.seconds();
  impl_ = std::move(impl);
}

int Cholesky::try_factor(const SparseMatrix& A) {
  Impl& impl = *impl_;
  PLIANT_ASSERT(impl.symbolic != nullptr, "analyse() comes before factor()");
  PLIANT_ASSERT(A.rows() == size() && A.cols() == size() && A.isCompressed() &&
                    pattern_hash(A) == impl.pattern,
                "the matrix has the pattern that was analysed");
  require_finite(A);
  const Timer timer;
  impl.factored = false;
  if (impl.L == nullptr || !impl.L->is_super) {
    require_memory(8.0 * static_cast<double>(impl.statistics.stored_L),
                   "the factor of the stiffness", "coarser elements need less");
    cholmod_free_factor(&impl.L, &impl.common);
    impl.L = cholmod_copy_factor(impl.symbolic, &impl.common);
    check(impl.common, "copy of the symbolic factor");
  }
  cholmod_sparse a = view(A, -1);
  use_one_thread();
  cholmod_factorize(&a, impl.L, &impl.common);
  if (impl.common.status == CHOLMOD_NOT_POSDEF) {
    return impl.permutation[static_cast<Index>(impl.L->minor)];
  }
  check(impl.common, "factorisation");

  const VectorXd diagonal = A.diagonal();
  int broken = -1;
  for_each_pivot(*impl.L, [&](int k, double pivot) {
    const int row = impl.permutation[k];
    if (broken < 0 && !(pivot > pivot_tolerance * diagonal[row])) broken = row;
  });
  impl.factored = broken < 0;
  impl.statistics.factor_seconds = timer.seconds();
  return broken;
}

void Cholesky::Impl::change(const SparseMatrix& C, bool up) {
  PLIANT_ASSERT(factored, "factor() comes before update() and downdate()");
  PLIANT_ASSERT(C.rows() == permutation.size() && C.isCompressed(), "C has n rows");
  require_finite(C);
  // CHOLMOD wants P C.
  Eigen::PermutationMatrix<Eigen::Dynamic> to_new(permutation);
  SparseMatrix permuted = to_new.transpose() * C;
  permuted.makeCompressed();
  cholmod_sparse c = view(permuted, 0);
  factored = false;
  cholmod_updown(up, &c, L, &common);
  check(common, up ? "update" : "downdate");
  int broken = -1;
  std::int64_t entries = 0;
  for_each_pivot(*L, [&](int k, double pivot) {
    if (broken < 0 && !(pivot > 0.0)) broken = permutation[k];
    entries += static_cast<const int*>(L->nz)[k];
  });
  if (broken >= 0) {
    throw Error({"", 0, "row " + std::to_string(broken)},
                "the matrix is no longer positive definite after the downdate: more stiffness was "
                "taken away than there is");
  }
  statistics.nnz_L = statistics.stored_L = entries;
  factored = true;
}

void Cholesky::update(const SparseMatrix& C) {
  impl_->change(C, true);
}

void Cholesky::downdate(const SparseMatrix& C) {
  impl_->change(C, false);
}

void Cholesky::Impl::solve_block(double* data, Index cols, Index stride) const {
  Workspace::Impl workspace;
  cholmod_dense b = view(data, permutation.size(), cols, stride);
  workspace.solve(*L, b);
  const double* x = static_cast<const double*>(workspace.X->x);
  for (Index j = 0; j < cols; ++j) {
    std::copy_n(x + j * permutation.size(), permutation.size(), data + j * stride);
  }
}

void Cholesky::solve_in_place(Eigen::Ref<MatrixXd> B) const {
  PLIANT_ASSERT(impl_->factored, "factor() comes before solve()");
  PLIANT_ASSERT(B.rows() == size(), "a right-hand side has n rows");
  if (B.size() == 0) return;
  parallel_chunks(static_cast<std::size_t>(B.cols()), columns_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    impl_->solve_block(B.data() + static_cast<Index>(begin) * B.outerStride(),
                                       static_cast<Index>(end - begin), B.outerStride());
                  });
}

void Cholesky::solve(const VectorXd& b, VectorXd& x, Workspace& workspace) const {
  PLIANT_ASSERT(impl_->factored, "factor() comes before solve()");
  PLIANT_ASSERT(b.size() == size(), "a right-hand side has n rows");
  cholmod_dense view_b = view(const_cast<double*>(b.data()), b.size(), 1, b.size());
  workspace.impl_->solve(*impl_->L, view_b);
  x = Eigen::Map<const VectorXd>(static_cast<const double*>(workspace.impl_->X->x), size());
}

Index Cholesky::size() const {
  return impl_->permutation.size();
}
bool Cholesky::factored() const {
  return impl_->factored;
}
const VectorXi& Cholesky::permutation() const {
  return impl_->permutation;
}
const CholeskyStatistics& Cholesky::statistics() const {
  return impl_->statistics;
}

}  // namespace pliant
