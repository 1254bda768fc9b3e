// SPDX-License-Identifier: MIT
#include "pliant/report/static_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "pliant/bake/bake.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/report/comparison_scenes.hpp"
#include "pliant/report/markup.hpp"
#include "pliant/report/nodal_field.hpp"
#include "pliant/report/page_parts.hpp"
#include "pliant/report/plot.hpp"
#include "pliant/report/softest_point.hpp"
#include "pliant/world/desktop.hpp"

namespace pliant {
namespace {

constexpr double touch_depth = 0.4;  // of the body's size
constexpr int ramp = 100;            // steps from level to level
constexpr int most_steps = 3000;     // until it is at rest
constexpr int look_every = 20;       // steps
constexpr double at_rest = 1e-5;     // of the displacement, between two looks

const std::vector<std::string> usual_engines = {"linear", "reduced", "green", "vademecum"};

struct Baked {
  TensorFile asset;
  AssetHead head;
  double seconds;
};

class StaticComparer {
 public:
  StaticComparer(const Scene& scene, const StaticComparisonOptions& options, const StepCache& cache,
                 Progress& progress)
      : scene_(scene), options_(options), cache_(cache), progress_(progress) {}

  StaticComparison run() {
    check();
    choose_force();
    solve();
    for (const std::string& name : options_.engines.empty() ? usual_engines : options_.engines) {
      out_.engines.push_back(run_engine(engine_variant(name)));
    }
    return std::move(out_);
  }

 private:
  void check() {
    for (const std::string& name : options_.engines) engine_variant(name);
    const auto found = std::ranges::find_if(scene_.bodies, deforms);
    if (found == scene_.bodies.end()) {
      throw Error({"", 0, "scene"}, "nothing in it deforms: there is nothing to compare");
    }
    body_ = static_cast<int>(found - scene_.bodies.begin());
    if (takes_controls(found->engine)) {
      throw Error({"", 0, "body." + found->name},
                  "its control elements are moved by the engine green alone", "",
                  "fixed nodes, and another engine in the scene");
    }
    if (options_.levels.empty() || !std::ranges::is_sorted(options_.levels) ||
        !(options_.levels.front() > 0)) {
      throw Error({"", 0, "levels"}, "not levels of a force", "", "numbers > 0, ascending");
    }
    if (options_.force && !(options_.force->norm() > 0)) {
      throw Error({"", 0, "force"}, "a load without direction", "0 0 0",
                  "a vector that is not zero");
    }
    input_.first_frequencies.assign(scene_.bodies.size(), 0.0);
    out_.title = scene_.title;
    out_.body = found->name;
    out_.levels = options_.levels;
  }

  Baked bake(const EngineVariant& variant) {
    Scene scene = variant.scene(scene_, input_);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const double omega = 2 * std::numbers::pi * input_.first_frequencies[b];
      const Damping damping{.alpha = 2 * omega, .beta = 0};
      if (auto* reduced = std::get_if<ReducedSpec>(&scene.bodies[b].engine)) {
        reduced->run.damping = damping;
      } else if (auto* full = std::get_if<FullSpec>(&scene.bodies[b].engine)) {
        full->damping = damping;
      }
    }
    const auto path = folder_ / fmt::format("{}.pliant", variant.name);
    AssetHead head = SceneBake(std::move(scene), Figures::if_known).bake(cache_, path, progress_);
    double seconds = 0;
    for (const BakeStepReport& step : head.steps) seconds += step.figures ? 0.0 : step.seconds;
    return {TensorFile(path), std::move(head), seconds};
  }

  const AssetBody& body_of(const Baked& baked) const {
    return baked.head.bodies[static_cast<std::size_t>(body_)];
  }

  void choose_force() {
    const Baked baked = bake(engine_variant("reduced"));
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      const auto& all = baked.head.bodies[b].frequencies;
      if (!all.empty()) input_.first_frequencies[b] = all.front();
    }
    const SoftestPoint soft = softest_point(baked.asset, baked.head, body_);
    pose_ = body_of(baked).instances.front();
    out_.point = soft.point;
    out_.at = pose_.to_world(soft.at);
    const auto* own =
        std::get_if<VademecumSpec>(&scene_.bodies[static_cast<std::size_t>(body_)].engine);
    if (options_.force) {
      out_.force = *options_.force;
    } else if (own && own->direction) {
      out_.force = pose_.rotation * (own->load * own->direction->normalized());
    } else {
      const double size = own ? own->load : touch_depth * soft.size / soft.compliance;
      out_.force = pose_.rotation * (size * soft.direction);
    }
    input_.push = out_.force * out_.levels.back();
  }

  // The full equilibria.
  void solve() {
    const Baked baked = bake(engine_variant("implicit"));
    const AssetBody& spec = body_of(baked);
    const NodalField nodes(baked.asset, spec, body_);
    std::vector<fem::Material> materials;
    for (const BodyRegion& region : spec.regions) materials.push_back(region.material);
    const fem::ElasticModel model(nodes.mesh(), materials);
    const fem::Constraints held(nodes.mesh(), nodes.fixed());
    mass_ = fem::lumped_mass(model);
    out_.nodes = nodes.mesh().vertex_count();
    out_.elements = nodes.mesh().element_count();
    const auto of = baked.asset.matrix<int>(spec.tensor("embedding/nodes"));
    const auto weights = baked.asset.matrix<double>(spec.tensor("embedding/weights"));
    const VectorXd weight = fem::gravity_load(model, pose_.rotation.conjugate() * scene_.gravity);
    fem::StaticSolver solver(model, held);
    VectorXd u;
    out_.full = {.name = "full", .what = "every node, Newton's method"};
    out_.full.bake_seconds = baked.seconds;
    const Vector3d force = pose_.rotation.conjugate() * out_.force;
    for (const double level : out_.levels) {
      VectorXd f = weight;
      for (Index k = 0; k < of.rows(); ++k) {
        f.segment<3>(3 * Index{of(k, out_.point)}) += level * weights(k, out_.point) * force;
      }
      const Timer timer;
      u = solver.solve(f, {}, u, progress_).u;
      out_.full.step_mean += timer.seconds() / static_cast<double>(out_.levels.size());
      full_.emplace_back(u.reshaped(3, u.size() / 3));
      out_.full.error.push_back(0);
      Vector3d moved = Vector3d::Zero();
      for (Index k = 0; k < of.rows(); ++k) {
        moved += weights(k, out_.point) * u.segment<3>(3 * Index{of(k, out_.point)});
      }
      out_.full.deflection.push_back(moved.dot(force.normalized()));
    }
  }

  double norm(const Matrix3Xd& u) const {
    return std::sqrt(u.reshaped().cwiseAbs2().dot(mass_) / mass_.sum());
  }

  StaticEngine run_engine(const EngineVariant& variant) {
    StaticEngine engine{.name = variant.name, .what = variant.what};
    try {
      const Baked baked = bake(variant);
      engine.bake_seconds = baked.seconds;
      const NodalField nodes(baked.asset, body_of(baked), body_);
      World world(baked.asset, desktop_options());
      const Vector3d rest = world.position(body_, out_.point);
      WorldState state = world.make_state();
      double seconds = 0, before = 0;
      std::int64_t steps = 0;
      const auto step = [&](double level) {
        const Vector3d force = level * out_.force;
        world.apply(command::Force{0, body_, out_.point, force});
        const Timer timer;
        world.step();
        seconds += timer.seconds();
        ++steps;
        progress_.throw_if_cancelled();
      };
      for (std::size_t k = 0; k < out_.levels.size(); ++k) {
        const double level = out_.levels[k];
        for (int i = 1; i <= ramp; ++i) step(before + (level - before) * i / ramp);
        before = level;
        Matrix3Xd u, last;
        for (int i = 0; i < most_steps; ++i) {
          step(level);
          if (i % look_every != 0) continue;
          world.state(state);
          u = nodes.displacement(state);
          if (last.size() > 0 && norm(u - last) <= at_rest * norm(u)) break;
          last = u;
        }
        engine.error.push_back(norm(u - full_[k]) / norm(full_[k]));
        engine.deflection.push_back(
            (world.position(body_, out_.point) - rest).dot(out_.force.normalized()));
      }
      engine.step_mean = seconds / static_cast<double>(steps);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      engine.left_out = error.what();
    }
    return engine;
  }

  const Scene& scene_;
  const StaticComparisonOptions& options_;
  const StepCache& cache_;
  Progress& progress_;
  TemporaryFolder folder_{"pliant-compare"};
  VariantInput input_;
  int body_ = 0;
  Pose pose_;
  VectorXd mass_;
  std::vector<Matrix3Xd> full_;  // displacements of each level, in the body's frame
  StaticComparison out_;
};

void add_row(const StaticEngine& e, bool full, std::string& html) {
  html += fmt::format("<tr><td><b>{}</b><small>{}</small></td>", escaped(e.name), escaped(e.what));
  if (!e.left_out.empty()) {
    html += fmt::format("<td class=\"out\" colspan=\"9\">left out: {}</td></tr>\n",
                        escaped(e.left_out));
    return;
  }
  for (std::size_t k = 0; k < e.error.size(); ++k) {
    html += fmt::format("<td>{}<small>{} mm</small></td>", full ? "–" : percent_text(e.error[k]),
                        short_number(1e3 * e.deflection[k]));
  }
  html += fmt::format("<td>{}</td><td>{}</td></tr>\n", duration_text(e.step_mean),
                      duration_text(e.bake_seconds));
}

}  // namespace

StaticComparison compare_at_rest(const Scene& scene, const StaticComparisonOptions& options,
                                 const StepCache& cache, Progress& progress) {
  return StaticComparer(scene, options, cache, progress).run();
}

std::string static_comparison_page(const StaticComparison& c, const std::string& command) {
  const std::string title = escaped(c.title.empty() ? "Scene" : c.title);
  std::string html = page_begin(title + ": engines at rest");
  html += fmt::format(
      "<h1>{}: engines at rest</h1>\n<p><b>{}</b>: {} nodes, {} elements, pushed at ({} {} {}) m "
      "with up to ({} {} {}) N. Where each engine comes to rest, against the full equilibrium: "
      "errors are of the displacements of all nodes, weighted with their mass, relative to their "
      "norm; below them how far the point has moved along the force.</p>\n",
      title, escaped(c.body), c.nodes, c.elements, short_number(c.at[0]), short_number(c.at[1]),
      short_number(c.at[2]), short_number(c.force[0]), short_number(c.force[1]),
      short_number(c.force[2]));
  html += "<div class=\"card\"><table><thead><tr><th>engine</th>";
  for (const double level : c.levels) {
    html += fmt::format("<th>{} N</th>", short_number(level * c.force.norm()));
  }
  html += "<th>a step,<br>or a solve</th><th>bake</th></tr></thead><tbody>\n";
  add_row(c.full, true, html);
  for (const StaticEngine& engine : c.engines) add_row(engine, false, html);
  html += "</tbody></table></div>\n<h2>Against the load</h2>\n<div class=\"plots\">\n";
  std::vector<double> loads;
  for (const double level : c.levels) loads.push_back(level * c.force.norm());
  Plot error{.title = "Error of displacement",
             .x_label = "load [N]",
             .y_label = "relative error",
             .log_y = true};
  Plot way{.title = "Displacement of the point along the force",
           .x_label = "load [N]",
           .y_label = "displacement [m]"};
  for (const StaticEngine& e : c.engines) {
    if (!e.left_out.empty()) continue;
    error.curves.push_back({.name = e.name, .x = loads, .y = e.error, .markers = true});
    way.curves.push_back({.name = e.name, .x = loads, .y = e.deflection, .markers = true});
  }
  way.curves.push_back({.name = "full", .x = loads, .y = c.full.deflection, .dashed = true});
  html += "<figure class=\"plot\">" + svg_of(way) + "</figure>\n<figure class=\"plot\">" +
          svg_of(error) + "</figure>\n</div>\n";
  html += fmt::format(
      "<p class=\"soft\">Engines with inertia are damped as much as keeps the first mode from "
      "swinging, and step until they are at rest.</p>\n<p class=\"soft\"><code>{}</code></p>\n",
      escaped(command));
  return html + page_end();
}

}  // namespace pliant
