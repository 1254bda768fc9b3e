// SPDX-License-Identifier: MIT
// What the paper leaves open and the engine decides, measured on the beam of [Gonzalez15] 4.1: loads
// between nodes, and loads across the directions of the answers. All against Newton's method.
#include <fmt/format.h>

#include "pliant/base/parallel.hpp"
#include "verify/gonzalez_beam.hpp"
#include "verify/verify.hpp"

namespace pliant::verify {
namespace {

using gonzalez::Beam;
using gonzalez::published_load;
using gonzalez::relative;

constexpr int trials = 40;

Row shown(std::string name, double value) {
  return {.name = std::move(name), .value = 100 * value, .unit = "%", .pass = true};
}

// Force f_i(random) on the body: mean errors of the engines given.
VectorXd errors(const gonzalez::Beam& beam, const MatrixXd& U,
                const std::vector<const VademecumModel*>& engines,
                const std::function<VectorXd(Random&)>& load) {
  MatrixXd error(std::ssize(engines), trials);
  parallel_for(trials, 1, [&](std::size_t i) {
    Random random(900 + i);
    const VectorXd f = load(random);
    const VectorXd u = beam.newton(f);
    for (std::size_t k = 0; k < engines.size(); ++k) {
      error(static_cast<Index>(k), static_cast<Index>(i)) =
          relative(gonzalez::at_rest(*engines[k], U, f), u);
    }
  });
  return error.rowwise().mean();
}

std::vector<Row> between() {
  const gonzalez::BakedBeam& m = gonzalez::baked_beam();
  const Vademecum& v = m.vademecum;
  const auto engine = [&](LoadPlace place, Correction use) {
    return gonzalez::engine_of(v, m.beam.model, {place, {use, 20}});
  };
  const VademecumModel nearest = engine(LoadPlace::nearest, Correction::never),
                       linear = engine(LoadPlace::linear, Correction::never),
                       corrected = engine(LoadPlace::linear, Correction::always);
  const VectorXd e =
      errors(m.beam, v.U, {&nearest, &linear, &corrected}, [&](Random& random) -> VectorXd {
        const Index triangle = random.below(static_cast<int>(v.loads.triangles.cols()));
        Vector3d l(random.uniform(), random.uniform(), random.uniform());
        l *= published_load * random.uniform(0.1, 1) / l.sum();
        VectorXd f = VectorXd::Zero(m.beam.model.dof());
        for (int k = 0; k < 3; ++k) {
          const int s = v.loads.triangles(k, triangle);
          fem::add_point_load(v.loads.nodes[static_cast<std::size_t>(s)], {0, -l[k], 0}, f);
        }
        return f;
      });
  return {shown("nearest", e[0]), shown("linear", e[1]), at_most("corrected", 100 * e[2], 10, "%")};
}

std::vector<Row> directions() {
  const Beam beam;
  LoadOptions six = beam.loads;
  six.directions = {};
  const Vademecum v = bake_vademecum(beam.model, beam.constraints, six,
                                     {.shapes = 81, .tolerance = 0.005, .terms = 600});
  const VademecumModel superposed =
                           gonzalez::engine_of(v, beam.model, {{}, {Correction::never, 20}}),
                       corrected =
                           gonzalez::engine_of(v, beam.model, {{}, {Correction::always, 20}});
  const auto error = [&](bool oblique) {
    return errors(beam, v.U, {&superposed, &corrected}, [&](Random& random) -> VectorXd {
      const int s = random.below(static_cast<int>(v.loads.node_count()));
      Vector3d d(random.normal(), random.normal(), random.normal());
      // Across the beam, along which it hardly yields.
      d = oblique ? Vector3d(d[0], d[1], 0.2 * d[2]).normalized() : Vector3d(0, -1, 0);
      VectorXd f = VectorXd::Zero(beam.model.dof());
      fem::add_point_load(v.loads.nodes[static_cast<std::size_t>(s)],
                          published_load * random.uniform(0.1, 1) * d, f);
      return f;
    });
  };
  const VectorXd along = error(false), across = error(true);
  return {
      {.name = "terms", .value = static_cast<double>(v.separation.weights.terms()), .pass = true},
      shown("along_an_axis.superposed", along[0]),
      shown("along_an_axis.corrected", along[1]),
      shown("any.superposed", across[0]),
      at_most("any.corrected", 100 * across[1], 15, "%")};
}

const Experiments experiments{
    {.name = "gonzalez.between_nodes", .slow = true, .run = between},
    {.name = "gonzalez.directions", .slow = true, .run = directions},
};

}  // namespace
}  // namespace pliant::verify
