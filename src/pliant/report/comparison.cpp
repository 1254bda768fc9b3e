// SPDX-License-Identifier: MIT
#include "pliant/report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <malloc.h>

#include "pliant/bake/bake.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/temporary_folder.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/fem/elastic_model.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/report/comparison_scenes.hpp"
#include "pliant/report/nodal_field.hpp"
#include "pliant/report/softest_point.hpp"
#include "pliant/world/desktop.hpp"
#include "pliant/world/recording/script.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr int most_samples = 200;
constexpr double touch_depth = 0.1;    // of the body's size
constexpr double periods = 3;          // of the first mode, by default
constexpr double look_at_least = 0.2;  // of the limit, before a run is judged too long
constexpr int default_refinement = 2;  // of the reference's step

// Bytes that the process has taken from the heap and not given back, as far as that is known.
std::optional<double> heap_in_use() {
#ifdef __GLIBC__
  const auto info = mallinfo2();
  if (info.uordblks > 0) return static_cast<double>(info.uordblks + info.hblkhd);
#endif
  return std::nullopt;
}

struct Baked {
  TensorFile asset;
  AssetHead head;
  double seconds;
};

// A body that deforms, and what the reference did with it.
struct Measured {
  int index;  // in the scene
  NodalField nodes;
  Matrix3Xd rest;  // of the nodes, in the world's frame, as are all displacements
  VectorXd mass;   // of the nodes, 3 #V
  double rest_volume;
  std::vector<Matrix3Xd> reference = {};  // displacements at the samples
  double largest = 0;                     // of their norms
  int node = 0;                           // that moves farthest, and whereto
  Vector3d direction = Vector3d::UnitX();

  double norm(const Matrix3Xd& u) const {
    return std::sqrt(u.reshaped().cwiseAbs2().dot(mass) / mass.sum());
  }
};

Matrix3Xd surface_of(const World& world, int body) {
  Matrix3Xd x(3, world.point_count(body));
  for (int p = 0; p < x.cols(); ++p) x.col(p) = world.position(body, p);
  return x;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

class Comparer {
 public:
  Comparer(const Scene& scene, const ComparisonOptions& options, const StepCache& cache,
           Progress& progress)
      : scene_(scene), options_(options), cache_(cache), progress_(progress) {}

  Comparison run() {
    check();
    look_at_reduced();
    choose_times();
    run_reference();
    for (const EngineVariant& variant : engine_variants()) {
      const auto& wanted = options_.engines;
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), variant.name) == wanted.end())
        continue;
      out_.engines.push_back(run_engine(variant));
    }
    return std::move(out_);
  }

 private:
  using OnSample = std::function<void(std::size_t sample, const World&, const WorldState&)>;

  void check() {
    for (const std::string& name : options_.engines) engine_variant(name);
    for (const BodySpec& body : scene_.bodies) any_ = any_ || deforms(body);
    for (const BodySpec& body : scene_.bodies) {
      if (!takes_controls(body.engine)) continue;
      throw Error({"", 0, "body." + body.name},
                  "its control elements are moved by the engine green alone", "",
                  "fixed nodes, and another engine in the scene");
    }
    if (!any_) throw Error({"", 0, "scene"}, "nothing in it deforms: there is nothing to compare");
    rate_ = options_.rate > 0 ? options_.rate : scene_.rate;
    reference_rate_ =
        options_.reference_rate > 0 ? options_.reference_rate : default_refinement * rate_;
    common_ = std::min(rate_, reference_rate_);
    const double ratio = std::max(rate_, reference_rate_) / common_;
    if (std::abs(ratio - std::round(ratio)) > 1e-9) {
      throw Error({"", 0, "rates"}, "one of them must be a multiple of the other",
                  fmt::format("{:g} Hz and {:g} Hz", rate_, reference_rate_));
    }
    out_.title = scene_.title;
    out_.description = scene_.description;
    out_.gravity = scene_.gravity;
    out_.script = options_.script.string();
    out_.view.up = scene_.camera.up;
    if (scene_.camera.position && scene_.camera.target) {
      out_.view.from = *scene_.camera.position - *scene_.camera.target;
    }
  }

  Baked bake(const EngineVariant& variant, double rate) {
    Scene scene = variant.scene(
        scene_, {frequencies_, out_.touch ? out_.touch->force : Vector3d(Vector3d::Zero())});
    scene.rate = rate;
    const fs::path path = folder_ / fmt::format("{}-{:g}.pliant", variant.name, rate);
    AssetHead head = SceneBake(std::move(scene), Figures::if_known).bake(cache_, path, progress_);
    double seconds = 0;
    for (const BakeStepReport& step : head.steps) seconds += step.figures ? 0.0 : step.seconds;
    return {TensorFile(path), std::move(head), seconds};
  }

  // The reduced body knows the first frequencies and where it yields most.
  void look_at_reduced() {
    frequencies_.assign(scene_.bodies.size(), 0.0);
    try {
      const Baked baked = bake(engine_variant("reduced"), rate_);
      for (std::size_t b = 0; b < frequencies_.size(); ++b) {
        const auto& all = baked.head.bodies[b].frequencies;
        if (!all.empty()) frequencies_[b] = all.front();
      }
      if (options_.script.empty()) touch(baked);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      if (options_.script.empty()) {
        throw Error({"", 0, "loads"},
                    fmt::format("the reduced engine, which says where to push, cannot run ({}): "
                                "give a script of loads",
                                error.what()));
      }
    }
  }

  void touch(const Baked& baked) {
    std::size_t b = 0;
    while (!deforms(scene_.bodies[b])) ++b;
    const SoftestPoint soft = softest_point(baked.asset, baked.head, static_cast<int>(b));
    const Vector3d direction = baked.head.bodies[b].instances.front().rotation * soft.direction;
    const double sign = direction.dot(scene_.gravity) < 0 ? -1 : 1;
    out_.touch = ComparisonTouch{scene_.bodies[b].name, soft.point,
                                 baked.head.bodies[b].instances.front().rotation * soft.at +
                                     baked.head.bodies[b].instances.front().position,
                                 sign * touch_depth * soft.size / soft.compliance * direction,
                                 1 / frequencies_[b]};
    touched_ = static_cast<int>(b);
  }

  void choose_times() {
    double duration = options_.duration;
    if (duration <= 0) {
      double slowest = 0;
      for (const double f : frequencies_) {
        if (f > 0) slowest = std::max(slowest, 1 / f);
      }
      duration = slowest > 0 ? periods * slowest : scene_.duration;
    }
    const auto steps = std::max<std::int64_t>(1, std::llround(duration * common_));
    every_ = (steps + most_samples - 1) / most_samples;
    for (std::int64_t k = 0; k * every_ <= steps; ++k) {
      out_.times.push_back(static_cast<double>(k * every_) / common_);
    }
  }

  // Steps the world through all samples. False: it would take longer than `limit`.
  bool drive(World& world, double rate, std::optional<double> heap, double limit,
             EngineComparison& engine, const OnSample& on_sample) {
    const auto stride = every_ * std::llround(rate / common_);
    const auto steps = stride * static_cast<std::int64_t>(out_.times.size() - 1);
    WorldState state = world.make_state();
    ScriptPlayer script(script_);
    on_sample(0, world, state);
    progress_.begin(engine.name, steps);
    const Timer whole;
    double sum = 0;
    for (std::int64_t i = 0; i < steps; ++i) {
      script.before_step(i, world);
      const Timer timer;
      world.step();
      const double seconds = timer.seconds();
      sum += seconds;
      engine.step_max = std::max(engine.step_max, seconds);
      engine.steps = i + 1;
      engine.step_mean = sum / static_cast<double>(i + 1);
      if (i == 0 && heap) engine.memory = std::max(0.0, heap_in_use().value_or(*heap) - *heap);
      if ((i + 1) % stride == 0) {
        world.state(state);
        on_sample(static_cast<std::size_t>((i + 1) / stride), world, state);
      }
      progress_.advance();
      const double expected =
          whole.seconds() * static_cast<double>(steps) / (static_cast<double>(i) + 1);
      if (whole.seconds() > look_at_least * limit && expected > limit) {
        progress_.end();
        engine.left_out = fmt::format("{} steps of {:.3g} ms would take {:.0f} s, more than {:g} s",
                                      steps, 1e3 * engine.step_mean, expected, limit);
        return false;
      }
    }
    progress_.end();
    world.state(state);
    for (const std::int64_t count : state.status_counts) engine.rough_steps += count;
    return true;
  }

  void run_reference() {
    EngineComparison& engine = out_.reference;
    engine.name = "reference";
    engine.what = "every node, Newmark";
    engine.rate = reference_rate_;
    const Baked baked = bake(engine_variant("implicit"), reference_rate_);
    engine.bake_seconds = baked.seconds;
    prepare(baked);
    const auto heap = heap_in_use();
    const Timer timer;
    World world(baked.asset, desktop_options());
    engine.set_up_seconds = timer.seconds();
    load_script(world);
    double farthest = -1;
    const auto sample = [&](std::size_t k, const World& w, const WorldState& state) {
      double together = 0;
      for (std::size_t m = 0; m < measured_.size(); ++m) {
        Measured& body = measured_[m];
        body.reference.push_back(body.nodes.positions(state) - body.rest);
        const double norm = body.norm(body.reference.back());
        body.largest = std::max(body.largest, norm);
        together += norm;
        record(body, body.reference.back(), state, engine.bodies[m]);
      }
      if (!(together > farthest)) return;
      farthest = together;
      out_.picture_time = out_.times[k];
      picture_ = k;
      for (std::size_t m = 0; m < measured_.size(); ++m) {
        engine.bodies[m].surface = surface_of(w, measured_[m].index);
      }
    };
    drive(world, reference_rate_, heap, std::numeric_limits<double>::infinity(), engine, sample);
    for (std::size_t m = 0; m < measured_.size(); ++m) {
      Measured& body = measured_[m];
      const Matrix3Xd& u = body.reference[picture_];
      Index node = 0;
      const double distance = std::sqrt(u.colwise().squaredNorm().maxCoeff(&node));
      body.node = static_cast<int>(node);
      if (distance > 0) body.direction = u.col(node) / distance;
      for (const Matrix3Xd& at : body.reference) {
        engine.bodies[m].deflection.push_back(at.col(body.node).dot(body.direction));
      }
      finish(body, engine.bodies[m]);
    }
  }

  void prepare(const Baked& baked) {
    World world(baked.asset, desktop_options());
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
      if (!deforms(scene_.bodies[b])) continue;
      const AssetBody& spec = baked.head.bodies[b];
      const auto index = static_cast<int>(b);
      NodalField nodes(baked.asset, spec, index);
      std::vector<fem::Material> materials;
      for (const BodyRegion& region : spec.regions) materials.push_back(region.material);
      const fem::ElasticModel model(nodes.mesh(), materials);
      out_.bodies.push_back({spec.name, surface_of(world, index),
                             baked.asset.matrix<int>(spec.tensor("surface/triangles"), 3),
                             nodes.mesh().vertex_count(), nodes.mesh().element_count(),
                             frequencies_[b]});
      out_.reference.bodies.push_back({.name = spec.name});
      const double rest_volume = volume(nodes.mesh());
      const Matrix3Xd rest = nodes.positions(world.make_state());
      measured_.push_back({index, std::move(nodes), rest, fem::lumped_mass(model), rest_volume});
    }
  }

  void load_script(const World& world) {
    if (!options_.script.empty()) {
      script_ = read_script(options_.script, world);
      return;
    }
    const ComparisonTouch& touch = *out_.touch;
    script_ = {{0.0, command::Force{0, touched_, touch.point, touch.force}},
               {touch.until, command::Release{}}};
  }

  // What can be said of a sample without the reference.
  void record(const Measured& body, const Matrix3Xd& u, const WorldState& state,
              BodyComparison& out) const {
    const BodyState& now = state.bodies[static_cast<std::size_t>(body.index)];
    out.energy.push_back(now.energy.kinetic + now.energy.elastic);
    VolumeMesh mesh;
    mesh.type = body.nodes.mesh().type;
    mesh.E = body.nodes.mesh().E;
    mesh.V = body.rest + u;
    out.volume.push_back(volume(mesh) / body.rest_volume - 1);
  }

  void finish(const Measured& body, BodyComparison& out) const {
    out.volume_change = largest(out.volume);
    const double near = frequencies_[static_cast<std::size_t>(body.index)];
    if (!out_.touch || near <= 0 || body.index != touched_) return;
    std::vector<double> t, y;
    for (std::size_t k = 0; k < out_.times.size(); ++k) {
      if (out_.times[k] < out_.touch->until) continue;
      t.push_back(out_.times[k]);
      y.push_back(out.deflection[k]);
    }
    if (t.size() > 8 && (t.back() - t.front()) * near > 0.9) {
      out.frequency = fitted_frequency(t, y, near);
    }
  }

  EngineComparison run_engine(const EngineVariant& variant) {
    EngineComparison engine{.name = variant.name, .what = variant.what, .rate = rate_};
    try {
      const Baked baked = bake(variant, rate_);
      engine.bake_seconds = baked.seconds;
      std::vector<NodalField> fields;
      for (const Measured& body : measured_) {
        fields.emplace_back(baked.asset, baked.head.bodies[static_cast<std::size_t>(body.index)],
                            body.index);
        engine.bodies.push_back({.name = scene_.bodies[static_cast<std::size_t>(body.index)].name});
      }
      const auto heap = heap_in_use();
      const Timer timer;
      World world(baked.asset, desktop_options());
      engine.set_up_seconds = timer.seconds();
      const auto sample = [&](std::size_t k, const World& w, const WorldState& state) {
        for (std::size_t m = 0; m < measured_.size(); ++m) {
          const Measured& body = measured_[m];
          BodyComparison& out = engine.bodies[m];
          const Matrix3Xd u = fields[m].positions(state) - body.rest;
          out.error.push_back(body.norm(u - body.reference[k]) / std::max(body.largest, 1e-300));
          out.deflection.push_back(u.col(body.node).dot(body.direction));
          record(body, u, state, out);
          if (k == picture_) out.surface = surface_of(w, body.index);
        }
      };
      if (!drive(world, rate_, heap, options_.time_limit, engine, sample)) {
        engine.bodies.clear();
        return engine;
      }
      for (std::size_t m = 0; m < measured_.size(); ++m) judge(m, engine.bodies[m]);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      engine.left_out = error.what();
      engine.bodies.clear();
    }
    return engine;
  }

  void judge(std::size_t m, BodyComparison& out) const {
    const BodyComparison& reference = out_.reference.bodies[m];
    double sum = 0, energy = 0;
    for (std::size_t k = 0; k < out.error.size(); ++k) {
      sum += out.error[k];
      out.max_error = std::max(out.max_error, out.error[k]);
      energy = std::max(energy, std::abs(out.energy[k] - reference.energy[k]));
    }
    out.mean_error = sum / static_cast<double>(out.error.size());
    out.energy_error = energy / std::max(largest(reference.energy), 1e-300);
    finish(measured_[m], out);
  }

  const Scene& scene_;
  const ComparisonOptions& options_;
  const StepCache& cache_;
  Progress& progress_;
  TemporaryFolder folder_{"pliant-compare"};  // where the assets of the engines are
  bool any_ = false;
  double rate_ = 0, reference_rate_ = 0, common_ = 0;
  std::int64_t every_ = 1;  // steps of the common rate to a sample
  std::vector<double> frequencies_;
  int touched_ = -1;
  std::vector<TimedCommand> script_;
  std::vector<Measured> measured_;
  std::size_t picture_ = 0;
  Comparison out_;
};

// Squares that a + b cos(w t) + c sin(w t) leaves of y.
double residual(const VectorXd& t, const VectorXd& y, double frequency) {
  const double w = 2 * std::numbers::pi * frequency;
  MatrixXd A(t.size(), 3);
  A << VectorXd::Ones(t.size()), (w * t).array().cos().matrix(), (w * t).array().sin().matrix();
  const Vector3d x = (A.transpose() * A).ldlt().solve(A.transpose() * y);
  return (A * x - y).squaredNorm();
}

}  // namespace

std::vector<std::string> comparison_engines() {
  std::vector<std::string> names;
  for (const EngineVariant& variant : engine_variants()) names.emplace_back(variant.name);
  return names;
}

double fitted_frequency(const std::vector<double>& t, const std::vector<double>& y, double near) {
  const VectorXd times =
      Eigen::Map<const VectorXd>(t.data(), static_cast<Index>(t.size())).array() - t.front();
  const VectorXd values = Eigen::Map<const VectorXd>(y.data(), static_cast<Index>(y.size()));
  constexpr int trials = 240;
  const double factor = std::pow(9.0, 1.0 / trials);
  double best = near, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= trials; ++i) {
    const double f = near / 3 * std::pow(factor, i), rest = residual(times, values, f);
    if (rest < least) {
      least = rest;
      best = f;
    }
  }
  double low = best / factor, high = best * factor;
  for (int i = 0; i < 60; ++i) {  // ternary search
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (residual(times, values, a) < residual(times, values, b) ? high : low) =
        residual(times, values, a) < residual(times, values, b) ? b : a;
  }
  return 0.5 * (low + high);
}

Comparison compare(const Scene& scene, const ComparisonOptions& options, const StepCache& cache,
                   Progress& progress) {
  return Comparer(scene, options, cache, progress).run();
}

}  // namespace pliant
