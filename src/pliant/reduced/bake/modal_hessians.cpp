// SPDX-License-Identifier: MIT
#include "pliant/reduced/bake/modal_hessians.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/assert.hpp"
#include "pliant/reduced/bake/rest_solver.hpp"

namespace pliant {
namespace {

// Largest |u_a - u_b| / |X_a - X_b| over the pairs of an element's nodes, for the modes scaled to
// the step h: small enough that laws other than StVK are smooth, large enough against rounding.
constexpr double step_gradient = 0.01;

double largest_gradient(const VolumeMesh& mesh, const VectorXd& u) {
  double largest = 0.0;
  for (int e = 0; e < mesh.element_count(); ++e) {
    for (Index a = 1; a < mesh.E.rows(); ++a) {
      for (Index b = 0; b < a; ++b) {
        const int i = mesh.E(a, e), j = mesh.E(b, e);
        const double du = (u.segment<3>(3 * i) - u.segment<3>(3 * j)).squaredNorm();
        largest = std::max(largest, du / (mesh.V.col(i) - mesh.V.col(j)).squaredNorm());
      }
    }
  }
  return std::sqrt(largest);
}

// T(d) = d^3/ds^3 R(s Psi d + s^2/2 Phi d d) at s = 0, a cubic form of the direction d.
class CubicForm {
 public:
  CubicForm(const fem::ElasticModel& model, const LinearModes& modes, const MatrixXd& Phi)
      : model_(model), modes_(modes), Phi_(Phi), scale_(modes.count()), R_(model.dof()) {
    for (Index i = 0; i < modes.count(); ++i) {
      scale_[i] = step_gradient / largest_gradient(model.mesh(), modes.Psi.col(i));
    }
  }

  // Direction d with the components sign_i scale(i) of few modes.
  struct Term {
    Index mode;
    double sign;
  };
  double scale(Index i) const { return scale_[i]; }

  // Six points: the terms of order s, s^5 and all even ones cancel. With StVK R is of degree three,
  // and so this is a polynomial of degree six in s: exact.
  VectorXd operator()(std::initializer_list<Term> d) {
    VectorXd a = VectorXd::Zero(model_.dof()), b = a, sum = a;
    for (const Term& x : d) {
      a += (x.sign * scale_[x.mode]) * modes_.Psi.col(x.mode);
      for (const Term& y : d) {
        const Index pair =
            pair_index(std::min(x.mode, y.mode), std::max(x.mode, y.mode), modes_.count());
        b += (x.sign * y.sign * scale_[x.mode] * scale_[y.mode]) * Phi_.col(pair);
      }
    }
    const auto add = [&](double s, double weight) {
      model_.force(s * a + (0.5 * s * s) * b, R_);
      sum += weight * R_;
    };
    add(-3, 1.0 / 8);
    add(-2, -1.0);
    add(-1, 13.0 / 8);
    add(1, -13.0 / 8);
    add(2, 1.0);
    add(3, -1.0 / 8);
    return sum;
  }

 private:
  const fem::ElasticModel& model_;
  const LinearModes& modes_;
  const MatrixXd& Phi_;
  VectorXd scale_;
  VectorXd R_;
};

}  // namespace

MatrixXd modal_hessians(const fem::ElasticModel& model, const fem::Constraints& constraints,
                        const LinearModes& modes, const MatrixXd& Phi, Progress& progress) {
  const Index k = modes.count();
  PLIANT_ASSERT(Phi.rows() == model.dof() && Phi.cols() == pair_count(k),
                "derivatives of these modes");
  const RestSolver solver(model, constraints, modes);
  progress.begin("modal Hessians", 2 * triple_count(k));
  CubicForm T(model, modes, Phi);
  MatrixXd Theta(model.dof(), triple_count(k));
  const auto set = [&](Index i, Index j, Index l, const VectorXd& value) {
    const double scale = T.scale(i) * T.scale(j) * T.scale(l);
    Theta.col(triple_index(i, j, l, k)) = (-1.0 / scale) * value;
    progress.advance();
  };
  // Polarisation. Until the end of the loops below Theta holds the (scaled) cubic coefficients
  // N_ijl = T of the triples, from which those with more different indices follow:
  //   T(i)           = N_iii
  //   T(i + j)       = N_iii + 3 N_iij + 3 N_ijj + N_jjj,   T(i - j) likewise
  //   T(i + j + l)   = sum N_aaa + 3 sum N_aab + 6 N_ijl
  const auto get = [&](Index i, Index j, Index l) -> VectorXd {
    return -(T.scale(i) * T.scale(j) * T.scale(l)) * Theta.col(triple_index(i, j, l, k));
  };
  for (Index i = 0; i < k; ++i) set(i, i, i, T({{i, 1}}));
  for (Index i = 0; i < k; ++i) {
    for (Index j = i + 1; j < k; ++j) {
      const VectorXd plus = T({{i, 1}, {j, 1}}), minus = T({{i, 1}, {j, -1}});
      set(i, i, j, (plus - minus - 2.0 * get(j, j, j)) / 6.0);
      set(i, j, j, (plus + minus - 2.0 * get(i, i, i)) / 6.0);
    }
  }
  for (Index i = 0; i < k; ++i) {
    for (Index j = i + 1; j < k; ++j) {
      for (Index l = j + 1; l < k; ++l) {
        VectorXd N = T({{i, 1}, {j, 1}, {l, 1}});
        N -= get(i, i, i) + get(j, j, j) + get(l, l, l);
        N -= 3.0 * (get(i, i, j) + get(i, j, j) + get(i, i, l) + get(i, l, l) + get(j, j, l) +
                    get(j, l, l));
        set(i, j, l, N / 6.0);
      }
    }
  }
  solver.solve_in_place(Theta, progress);
  progress.end();
  return Theta;
}

}  // namespace pliant
