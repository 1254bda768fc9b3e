// SPDX-License-Identifier: MIT
// Large deformations of a body within shapes, under one load that grows from nothing:
//
//   X^T (R(T X c) - t f) = 0,       t = 0 .. t_max
//
//   X   m by r: shapes of the free displacements, orthonormal in K(0)     u = T X c
//
// by the asymptotic numerical method: c as a power series in t from a point of the path, all orders
// with the one stiffness that is factored there (series_forces.hpp), continued by Pade approximants
// (pade.hpp) as far as they hold, and so on from there, after Newton's correction of what the step
// missed. Laws without a series take a series of one term, and more steps.
//
// Beside it the explicit linearisation of [Gonzalez15] 2.2: the load grows in equal increments, and
// the nonlinear terms are those of the increment before, so that K(0) serves all of them,
//
//   c_(i+1) = c_i + X^T (t_(i+1) f - R(c_i))
//
// It holds while the body is nowhere more than twice as stiff as at rest.
#pragma once

#include <memory>

#include <Eigen/Cholesky>

#include "pliant/fem/constraints.hpp"
#include "pliant/vademecum/bake/series_forces.hpp"

namespace pliant {

struct PathOptions {
  int order = 12;           // of the series
  double tolerance = 1e-4;  // relative, of c along the path
  int max_steps = 400;
};

struct PathFigures {
  int steps = 0;        // factorisations
  int corrections = 0;  // of Newton
};

class LoadPath {
  // By rows, a sparse matrix takes many shapes at once.
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

 public:
  // Keeps references to the model and the constraints.
  LoadPath(const fem::ElasticModel& model, const fem::Constraints& constraints, MatrixXd X,
           const PathOptions& options = {});

  // Scratch of one thread.
  class Workspace {
   public:
    explicit Workspace(const LoadPath& path);

   private:
    friend class LoadPath;
    VectorXd u, R;
    SparseMatrix K;
    RowMatrix KU;
    std::unique_ptr<SeriesForces::Workspace> series;
  };
  // f: m numbers, a load of 1 N; magnitudes: ascending [N]. c at each: r by #magnitudes. Throws
  // Error where the path cannot be followed, with the magnitude reached.
  MatrixXd follow(const VectorXd& f, const VectorXd& magnitudes, Workspace& workspace,
                  PathFigures* figures = nullptr) const;
  // By the explicit linearisation, `increments` between two magnitudes. Not finite where it fails.
  MatrixXd follow_explicit(const VectorXd& f, const VectorXd& magnitudes, int increments,
                           Workspace& workspace) const;

  // t f - T^T R(T X c): m numbers.
  VectorXd residual(const VectorXd& f, double t, const VectorXd& c, Workspace& workspace) const;
  const MatrixXd& shapes() const { return X_; }
  VectorXd displacements(const VectorXd& c) const { return U_ * c; }

 private:
  VectorXd reduced_force(const VectorXd& c, Workspace& w) const;
  MatrixXd stiffness(const VectorXd& c, Workspace& w, VectorXd& force) const;
  MatrixXd series(const VectorXd& c, const VectorXd& q, const Eigen::LLT<MatrixXd>& solver,
                  Workspace& w) const;

  const fem::ElasticModel& model_;
  const fem::Constraints& constraints_;
  MatrixXd X_, U_;  // U = T X
  RowMatrix rows_;  // U
  PathOptions options_;
  std::unique_ptr<SeriesForces> forces_;  // null: a law without series
  Eigen::LLT<MatrixXd> rest_;             // of the stiffness at c = 0, where all paths begin
};

}  // namespace pliant
