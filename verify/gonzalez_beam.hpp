// SPDX-License-Identifier: MIT
// The beam of [Gonzalez15] 4.1: 40 x 40 x 400 mm, 3 x 3 x 21 nodes, held at one end, 209 GPa, 0.3, StVK,
// up to 10^6 N across it at any node.
#pragma once

#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/progress.hpp"
#include "pliant/base/random.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/fem/constraints.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/mesh/block.hpp"
#include "pliant/table/json.hpp"
#include "pliant/table/table.hpp"
#include "pliant/vademecum/bake/vademecum_bake.hpp"
#include "pliant/vademecum/vademecum_engine.hpp"
#include "pliant/vademecum/vademecum_settings.hpp"

namespace pliant::gonzalez {

inline constexpr double published_load = 1e6;  // N

// A body and the loads for which it has answers.
struct LoadedBody {
  // t newtons in the first direction, divided among the nodes.
  VectorXd load(const std::vector<int>& nodes, double t) const {
    VectorXd f = VectorXd::Zero(model.dof());
    for (const int v : nodes) {
      fem::add_point_load(v, t / static_cast<double>(nodes.size()) * loads.directions.col(0), f);
    }
    return f;
  }
  VectorXd newton(const VectorXd& f) const { return fem::solve_static(model, constraints, f).u; }
  VectorXd newton(const std::vector<int>& nodes, double t) const { return newton(load(nodes, t)); }

  fem::ElasticModel model;
  fem::Constraints constraints;
  LoadOptions loads;
};

struct Beam : LoadedBody {
  Beam() : Beam(block(ElementType::hex8, {2, 2, 20}, {0.04, 0.04, 0.4})) {}

 private:
  explicit Beam(const VolumeMesh& mesh)
      : LoadedBody{{mesh, {fem::isotropic(fem::Law::stvk, 209e9, 0.3, 7800)}},
                   {mesh, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
                   {.directions = Vector3d(0, -1, 0), .largest = published_load, .levels = 8}} {}
};

// Full equilibria of a body, one after the other: from an answer that is near, or from rest where
// that leads nowhere.
class FullSolver {
 public:
  explicit FullSolver(const LoadedBody& body) : solver_(body.model, body.constraints) {}
  VectorXd operator()(const VectorXd& f, const VectorXd& near) {
    try {
      return solver_.solve(f, {.max_load_steps = 1}, near).u;
    } catch (const Error&) {
      return solver_.solve(f).u;
    }
  }

 private:
  fem::StaticSolver solver_;
};

// Its vademecum.
struct Baked {
  double seconds = 0;
  Vademecum vademecum;

  Baked(const LoadedBody& body, const VademecumOptions& options,
        Progress& progress = Progress::none()) {
    const Timer timer;
    vademecum = bake_vademecum(body.model, body.constraints, body.loads, options, progress);
    seconds = timer.seconds();
  }
};
// The beam's, with as many shapes as published, made once.
struct BakedBeam : Baked {
  explicit BakedBeam(Beam own)
      : Baked(own, {.shapes = 81, .tolerance = 0.005, .terms = 400}), beam(std::move(own)) {}
  Beam beam;
};
inline const BakedBeam& baked_beam() {
  static const BakedBeam beam{Beam()};
  return beam;
}

inline double relative(const VectorXd& a, const VectorXd& exact) {
  return (a - exact).norm() / exact.norm();
}

// The engine on a vademecum.
inline VademecumModel engine_of(const Vademecum& vademecum, const fem::ElasticModel& body,
                                const VademecumSettings& settings) {
  TensorWriter writer;
  vademecum.write(writer, "beam/vademecum/");
  const std::string bytes = writer.bytes();
  const TensorFile tensors(bytes, "beam");
  const table::Value value = table::value_of(vademecum_settings_table().write(settings), {});
  const std::vector<BodyRegion> regions{{"", "steel", body.materials()[0]}};
  return VademecumEngine::model({tensors, "beam/", value, regions, 1e-3, false});
}

// Where it comes to rest under forces on the nodes.
inline VectorXd at_rest(const VademecumModel& model, const MatrixXd& U, const VectorXd& f) {
  VademecumState state = VademecumEngine::state(model, {});
  Load load(U.cols(), true);
  load.Q = U.transpose() * f;
  for (int i = 0; i < 5; ++i) VademecumEngine::step(model, load, state);
  return U * state.c;
}

}  // namespace pliant::gonzalez
