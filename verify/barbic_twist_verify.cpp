// SPDX-License-Identifier: MIT
// [Barbic07] figure 2.14, right: a beam twisted by 270 degrees in a basis of five vectors, two
// twist modes and their derivatives, although all of them were computed at rest.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/reduced/bake/coefficients.hpp"
#include "pliant/reduced/bake/mass_pca.hpp"
#include "pliant/reduced/bake/modal_derivatives.hpp"
#include "pliant/reduced/reduced_step.hpp"
#include "verify/motions.hpp"
#include "verify/plot.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double length = 0.4, side = 0.04;  // m
constexpr int cells = 20;                    // along it; 3 across
constexpr double young = 1e6, poisson = 0.4;

// A square beam along x, held at x = 0.
struct Beam {
  VolumeMesh mesh = block(ElementType::hex8, {cells, 3, 3}, {length, side, side});
  fem::ElasticModel model{mesh, {fem::isotropic(fem::Law::stvk, young, poisson, 1000)}};
  fem::Constraints constraints{mesh, section(0.0)};

  std::vector<int> section(double x) const {
    std::vector<int> nodes;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (std::abs(mesh.V(0, v) - x) < 1e-9) nodes.push_back(v);
    }
    return nodes;
  }
  // From the beam's axis to the node, in the plane of its section.
  Eigen::Vector2d arm(int v) const {
    return mesh.V.col(v).tail<2>() - Eigen::Vector2d::Constant(side / 2);
  }
};

// From the centre of a displaced section to its nodes: 2 by #nodes, in their order.
Eigen::Matrix2Xd arms(const Beam& beam, const std::vector<int>& nodes, const VectorXd& u) {
  Eigen::Matrix2Xd s(2, static_cast<Index>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    s.col(static_cast<Index>(i)) = beam.arm(nodes[i]) + u.segment<2>(3 * nodes[i] + 1);
  }
  return s.colwise() - s.rowwise().mean().eval();
}

// Where a section is after a displacement: the angle of the rotation that fits it best, and its
// size beside the one at rest.
struct Section {
  double angle, size;
};

Section section_at(const Beam& beam, double x, const VectorXd& u) {
  double cosine = 0.0, sine = 0.0, moment = 0.0, moved = 0.0;
  const std::vector<int> nodes = beam.section(x);
  const Eigen::Matrix2Xd deformed = arms(beam, nodes, u);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Eigen::Vector2d r = beam.arm(nodes[i]), s = deformed.col(static_cast<Index>(i));
    cosine += r.dot(s);
    sine += r[0] * s[1] - r[1] * s[0];
    moment += r.squaredNorm();
    moved += s.squaredNorm();
  }
  return {std::atan2(sine, cosine), std::sqrt(moved / moment)};
}

// The part of a mode's kinetic energy that is rotation of whole sections about the axis.
double twist_part(const Beam& beam, const VectorXd& mode) {
  const VectorXd mass = fem::lumped_mass(beam.model);
  double twist = 0.0;
  for (int i = 1; i <= cells; ++i) {
    double spin = 0.0, inertia = 0.0;
    for (const int v : beam.section(length * i / cells)) {
      const Eigen::Vector2d r = beam.arm(v), s = mode.segment<2>(3 * v + 1);
      spin += mass[3 * v] * (r[0] * s[1] - r[1] * s[0]);
      inertia += mass[3 * v] * r.squaredNorm();
    }
    twist += spin * spin / inertia;
  }
  return twist / mass.dot(mode.cwiseAbs2());
}

// The first two twist modes among the lowest 20.
LinearModes twist_modes(const Beam& beam) {
  const LinearModes all = linear_modes(beam.model, beam.constraints, 20);
  std::vector<Index> chosen;
  for (Index i = 0; i < all.count() && chosen.size() < 2; ++i) {
    if (twist_part(beam, all.Psi.col(i)) > 0.9) chosen.push_back(i);
  }
  if (chosen.size() < 2) throw Error("the beam has fewer than two twist modes among 20");
  return {all.omega(chosen), all.Psi(Eigen::all, chosen), all.rigid, all.mass};
}

// Forces of a torque about x on the free end, which turn with it and have no resultant [N].
VectorXd torque_load(const Beam& beam, double torque, const VectorXd& u) {
  VectorXd f = VectorXd::Zero(u.size());
  const std::vector<int> nodes = beam.section(length);
  const Eigen::Matrix2Xd s = arms(beam, nodes, u);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    f[3 * nodes[i] + 1] = -torque * s(1, static_cast<Index>(i));
    f[3 * nodes[i] + 2] = torque * s(0, static_cast<Index>(i));
  }
  return f / s.squaredNorm();
}

// Equilibria under a growing torque until the end has turned by `most`.
struct Twist {
  std::vector<double> angle, torque;  // degrees, N m
  VectorXd u;
  bool reached = false;
};

// solve(f, u): the displacement under dead forces, from u.
template <class Solve>
Twist twist(const Beam& beam, double torque_step, int most_steps, double most, const Solve& solve) {
  Twist result{{0}, {0}, VectorXd::Zero(beam.model.dof())};
  double turned = 0.0;
  for (int i = 1; i <= most_steps && !result.reached; ++i) {
    const double torque = i * torque_step;
    for (int k = 0; k < 30; ++k) {
      const VectorXd before = result.u;
      result.u = solve(torque_load(beam, torque, before), before);
      if ((result.u - before).norm() < 1e-6 * result.u.norm()) break;
    }
    const double angle = section_at(beam, length, result.u).angle;
    turned += std::remainder(angle - turned, 2 * std::numbers::pi);
    result.angle.push_back(turned / degree);
    result.torque.push_back(torque);
    result.reached = turned >= most;
  }
  return result;
}

Twist reduced_twist(const Beam& beam, const MatrixXd& U, double step, int most_steps) {
  ReducedMaterials m = reduce_materials(beam.model, U);
  const ReducedModel model(
      PolynomialForces(std::move(m.parts), m.coefficients, Precision::double_precision),
      {std::move(m.masses), m.densities}, {});
  ReducedState state(model);
  return twist(beam, step, most_steps, 270 * degree, [&](const VectorXd& f, const VectorXd&) {
    solve_static(model, {U.transpose() * f}, 50, 1e-10, state);
    return VectorXd(U * state.q);
  });
}

// Twist angle along the beam [degrees], unwrapped from the held end on.
Curve profile(const Beam& beam, std::string name, const VectorXd& u) {
  Curve curve{.name = std::move(name), .x = {}, .y = {}, .markers = true};
  double turned = 0.0;
  for (int i = 0; i <= cells; ++i) {
    const double x = length * i / cells;
    turned += std::remainder(section_at(beam, x, u).angle - turned, 2 * std::numbers::pi);
    curve.x.push_back(x / length);
    curve.y.push_back(turned / degree);
  }
  return curve;
}

std::vector<Row> beam_twist() {
  const Beam beam;
  const LinearModes modes = twist_modes(beam);
  const MatrixXd Phi = modal_derivatives(beam.model, beam.constraints, modes);
  const auto basis = [&](const ShapeSet& set, int r) {
    return mass_pca(beam.model, beam.constraints, set, {.count = r}).U;
  };
  ShapeSet two, five;
  two.add(modes.Psi);
  five.add(modes.Psi);
  five.add(Phi * Phi.colwise().norm().cwiseInverse().asDiagonal());

  // Saint-Venant's torque of a square section, for 270 degrees.
  const double mu = young / (2 * (1 + poisson));
  const double linear = 0.1406 * mu * std::pow(side, 4) / length;
  const double step = linear * 270 * degree / 12;
  constexpr int most_steps = 240;  // 20 times Saint-Venant's torque
  fem::StaticOptions statics{.tolerance = 1e-8};
  const Twist full = twist(beam, step, 60, 270 * degree, [&](const VectorXd& f, const VectorXd& u) {
    return fem::solve_static(beam.model, beam.constraints, f, statics, u).u;
  });
  const Twist with_derivatives = reduced_twist(beam, basis(five, 5), step, most_steps);
  const Twist modes_only = reduced_twist(beam, basis(two, 2), step, most_steps);

  const Curve ours{.name = "two modes and their derivatives",
                   .x = with_derivatives.angle,
                   .y = with_derivatives.torque};
  write_plot({.title = "Torque that twists a beam",
              .x_label = "angle of the free end [degrees]",
              .y_label = "torque [N m]",
              .curves = {{.name = "full", .x = full.angle, .y = full.torque},
                         ours,
                         {.name = "two modes alone", .x = modes_only.angle, .y = modes_only.torque},
                         {.name = "Saint-Venant",
                          .x = {0, 270},
                          .y = {0, linear * 270 * degree},
                          .dashed = true}}},
             "barbic_twist_torque");
  write_plot({.title = "A beam twisted by 270 degrees",
              .x_label = "place along the beam",
              .y_label = "angle of the section [degrees]",
              .curves = {profile(beam, "full", full.u),
                         profile(beam, "two modes and their derivatives", with_derivatives.u)}},
             "barbic_twist");
  const Section end = section_at(beam, length, with_derivatives.u);
  return {at_least("angle", with_derivatives.angle.back(), 270, "degrees", "270"),
          at_most("size_of_the_end", 100 * std::abs(end.size - 1), 10, "%"),
          {"torque_over_full", "", with_derivatives.torque.back() / full.torque.back(), "x",
           "reported", true},
          at_most("modes_alone.angle", modes_only.angle.back(), 90, "degrees", "locks")};
}

const Experiments experiments{{.name = "barbic.beam_twist", .run = beam_twist}};

}  // namespace
}  // namespace pliant::verify
