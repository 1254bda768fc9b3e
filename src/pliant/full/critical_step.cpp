// SPDX-License-Identifier: MIT
#include "pliant/full/critical_step.hpp"

#include <cmath>
#include <map>

#include "pliant/base/parallel.hpp"
#include "pliant/base/random.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/linalg/dense_eigen.hpp"

namespace pliant {
namespace {

constexpr int most_iterations = 2000;
constexpr std::uint64_t start_seed = 1;

// The largest eigenvalue of element e alone, K_e x = lambda M_e x.
double element_eigenvalue(const fem::ElasticModel& body, int e) {
  const VolumeMesh& mesh = body.mesh();
  VolumeMesh single;
  single.type = mesh.type;
  single.V = mesh.V(Eigen::all, mesh.E.col(e));
  single.E = VectorXi::LinSpaced(mesh.E.rows(), 0, static_cast<int>(mesh.E.rows()) - 1);
  const fem::ElasticModel element(single, {body.material_of(e)});
  const MatrixXd K = element.tangent(VectorXd::Zero(element.dof()));
  const VectorXd s = fem::lumped_mass(element).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = s.asDiagonal() * K * s.asDiagonal();
  return symmetric_eigen(scaled).values.maxCoeff();
}

}  // namespace

double critical_step_by_power_iteration(const FullModel& model, const VectorXd& u,
                                        double tolerance) {
  const SparseMatrix K = model.constraints().reduce(model.body().tangent(u));
  const VectorXd& m = model.mass();
  Random random(start_seed);
  VectorXd x(m.size());
  for (double& xi : x) xi = random.uniform(-1, 1);
  double lambda = 0.0;
  for (int i = 0; i < most_iterations; ++i) {
    x /= std::sqrt(x.dot(m.cwiseProduct(x)));
    const VectorXd y = K * x;
    // Rayleigh's quotient grows to the largest eigenvalue; the residual bounds what is missing.
    const double quotient = x.dot(y);
    const VectorXd next = y.cwiseQuotient(m);
    const VectorXd rest = next - quotient * x;
    lambda = quotient;
    if (std::sqrt(rest.dot(m.cwiseProduct(rest))) <= tolerance * quotient) break;
    x = next;
  }
  return 2.0 / std::sqrt(lambda);
}

double critical_step_by_elements(const FullModel& model) {
  const fem::ElasticModel& body = model.body();
  const int n = body.mesh().element_count();
  if (body.is_voxel_mesh()) {
    // Equal boxes: one element a material speaks for all.
    std::map<const fem::Material*, int> example;
    for (int e = 0; e < n; ++e) example.try_emplace(&body.material_of(e), e);
    double largest = 0.0;
    for (const auto& [material, e] : example) {
      largest = std::max(largest, element_eigenvalue(body, e));
    }
    return 2.0 / std::sqrt(largest);
  }
  const double largest = parallel_reduce(
      static_cast<std::size_t>(n), 64, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double most = 0.0;
        for (std::size_t e = begin; e < end; ++e) {
          most = std::max(most, element_eigenvalue(body, static_cast<int>(e)));
        }
        return most;
      },
      [](double a, double b) { return std::max(a, b); });
  return 2.0 / std::sqrt(largest);
}

}  // namespace pliant
