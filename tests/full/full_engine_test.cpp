// SPDX-License-Identifier: MIT
#include "pliant/full/full_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "full/bodies.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/rotation.hpp"
#include "pliant/fem/mass.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/full/consistent_step.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/full/full_settings.hpp"
#include "pliant/world/engine.hpp"
#include "support/allocation_counter.hpp"

namespace pliant::test {
namespace {

static_assert(Engine<FullEngine>);
static_assert(!EditsMaterial<FullEngine> && !EditsDamping<FullEngine> && !TakesPose<FullEngine>);

using table::Object;
using table::Value;

constexpr double dt = 1e-3;

Value number(double x) {
  return {x, {}};
}
Value word(const char* text) {
  return {std::string(text), {}};
}
Value below(std::initializer_list<std::pair<const char*, Value>> keys) {
  Object object;
  for (const auto& [key, value] : keys) object[key] = {value, {}};
  return {object, {}};
}
Value integrator(const char* kind) {
  return below({{"integrator", below({{"kind", word(kind)}})}});
}

// The bar as an asset has it.
struct Input {
  explicit Input(Value value, VolumeMesh mesh = bar_mesh(),
                 const std::vector<int>& fixed = left_end())
      : settings(std::move(value)) {
    mesh.region = VectorXi::Zero(mesh.element_count());
    TensorWriter writer;
    write_volume(writer, "bar/volume/", mesh, fixed);
    bytes = writer.bytes();
  }
  FullEngine::Model model(double step = dt) const {
    const TensorFile tensors(bytes, "test");
    return FullEngine::model({tensors, "bar/", settings, regions, step});
  }

  Value settings;
  std::vector<BodyRegion> regions{{"", "rubber", fem::isotropic(fem::Law::stvk, 1e5, 0.3, 1000)}};
  std::string bytes;
};

Pose tilted() {
  return {Vector3d(1, 2, 3), rotation_by(Vector3d(0.3, -0.5, 0.2))};
}

// A pull at the free end that grows and turns.
VectorXd pull(const FullModel& model, int i) {
  VectorXd f = VectorXd::Zero(model.body().dof());
  const VolumeMesh& mesh = model.body().mesh();
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.V(0, v) < 0.6 - 1e-9) continue;
    f.segment<3>(3 * v) = Vector3d(0.1 * i, -0.2 * i, 0.05 * i * i) / 20;
  }
  return f;
}

// The steps of the engine against those of a stepper, to the bit.
template <class Stepper, class Step>
void expect_same_run(const Value& settings, Stepper& stepper, const FullModel& body,
                     const Step& step_alone) {
  const FullEngine::Model model = Input(settings).model();
  FullEngine::State state = FullEngine::state(model, tilted());
  FullState alone(body);
  FullLoad force = no_load(body);
  stepper.start(force, alone);
  Load load(FullEngine::size(model), FullEngine::tangent);
  Motion motion(FullEngine::size(model));
  for (int i = 0; i < 60; ++i) {
    force.force = load.Q = pull(body, i % 20);
    load.force = load.torque = Vector3d(1e6, 0, 0);  // its frame does not move
    ASSERT_EQ(FullEngine::step(model, load, state), StepStatus::ok);
    ASSERT_EQ(step_alone(force, alone), StepStatus::ok);
    ASSERT_EQ(state.motion().u, alone.u) << i;
    ASSERT_EQ(state.motion().v, alone.v) << i;
    ASSERT_EQ(state.motion().time, alone.time) << i;
  }
  EXPECT_GT(alone.u.norm(), 1e-3);
  FullEngine::motion(model, state, motion);
  EXPECT_EQ(motion.pose.position, tilted().position);
  EXPECT_EQ(motion.velocity, Vector3d::Zero());
  EXPECT_EQ(motion.c, VectorXf(alone.u.cast<float>()));
  EXPECT_EQ(motion.dc, VectorXf(body.constraints().expand_direction(alone.v).cast<float>()));
  const Energy energy = FullEngine::energy(model, state);
  EXPECT_EQ(energy.elastic, balance(body, alone).elastic);
  EXPECT_EQ(energy.kinetic, balance(body, alone).kinetic);
}

TEST(FullEngine, StepsAsTheExplicitIntegrator) {
  const FullModel body = bar(left_end());
  ExplicitStepper stepper(body);
  expect_same_run(integrator("explicit"), stepper, body,
                  [&](const FullLoad& f, FullState& s) { return stepper.advance(f, dt, s); });
}

TEST(FullEngine, StepsAsTheConsistentIntegrator) {
  const Damping damping{.alpha = 0.5, .beta = 1e-4};
  const FullModel body = bar(left_end(), damping);
  ConsistentStepper stepper(body, dt, 8);
  const Value settings = below(
      {{"integrator", below({{"kind", word("consistent")}})},
       {"damping", below({{"alpha", number(damping.alpha)}, {"beta", number(damping.beta)}})}});
  expect_same_run(settings, stepper, body, [&](const FullLoad& f, FullState& s) {
    StepStatus status = StepStatus::ok;
    const int level = stepper.stable_level();
    for (int i = 0; i < (1 << level); ++i) status |= stepper.step(f, level, s);
    return status;
  });
}

TEST(FullEngine, StepsAsTheImplicitIntegrator) {
  for (const char* solver : {"direct", "pcg"}) {
    const FullModel body = bar(left_end(), {.beta = 1e-3});
    ImplicitOptions options{.scheme = ImplicitOptions::Scheme::backward_euler};
    if (std::string(solver) == "pcg") options.solver = ImplicitOptions::Solver::pcg;
    ImplicitStepper stepper(body, options);
    const Value settings = below({{"integrator", below({{"kind", word("implicit")},
                                                        {"scheme", word("backward_euler")},
                                                        {"solver", word(solver)}})},
                                  {"damping", below({{"beta", number(1e-3)}})}});
    expect_same_run(settings, stepper, body,
                    [&](const FullLoad& f, FullState& s) { return stepper.step(f, dt, s); });
  }
}

// Two bodies of one model do not disturb each other, and a reset one runs again as at first.
TEST(FullEngine, BodiesShareAModel) {
  for (const char* kind : {"explicit", "consistent", "implicit"}) {
    const FullEngine::Model model = Input(integrator(kind)).model();
    FullEngine::State a = FullEngine::state(model, {}), b = FullEngine::state(model, {});
    Load load(FullEngine::size(model), false), none(FullEngine::size(model), false);
    std::vector<VectorXd> first;
    for (int i = 0; i < 40; ++i) {
      load.Q = pull(model.body(), i % 20);
      ASSERT_EQ(FullEngine::step(model, load, a), StepStatus::ok);
      ASSERT_EQ(FullEngine::step(model, none, b), StepStatus::ok);
      first.push_back(a.motion().u);
    }
    EXPECT_LT(b.motion().u.norm(), 1e-12) << kind;
    FullEngine::reset(model, a);
    EXPECT_EQ(a.motion().u, VectorXd(VectorXd::Zero(load.Q.size())));
    EXPECT_EQ(a.motion().time, 0.0);
    Motion motion(FullEngine::size(model));
    FullEngine::motion(model, a, motion);
    EXPECT_EQ(motion.dc.norm(), 0.0f);
    for (int i = 0; i < 40; ++i) {
      load.Q = pull(model.body(), i % 20);
      FullEngine::step(model, load, a);
      ASSERT_EQ(a.motion().u, first[static_cast<std::size_t>(i)]) << kind << ' ' << i;
    }
  }
}

TEST(FullEngine, ALoadThatIsNotFiniteLeavesItAsItWas) {
  for (const char* kind : {"explicit", "consistent", "implicit"}) {
    const FullEngine::Model model = Input(integrator(kind)).model();
    FullEngine::State state = FullEngine::state(model, {});
    Load load(FullEngine::size(model), false);
    load.Q = pull(model.body(), 10);
    FullEngine::step(model, load, state);
    const FullState before = state.motion();
    load.Q[load.Q.size() - 1] = std::nan("");
    EXPECT_EQ(FullEngine::step(model, load, state), StepStatus::not_finite) << kind;
    EXPECT_EQ(state.motion().z, before.z) << kind;
    EXPECT_EQ(state.motion().v, before.v) << kind;
    load.Q.setZero();
    EXPECT_EQ(FullEngine::step(model, load, state), StepStatus::ok) << kind;
  }
}

// Whenever memory ends within a step, the step says so, and the next one goes on from where the
// body was, as if nothing had been tried.
TEST(FullEngine, AStepWithoutMemoryFailsByItsStatus) {
  if (!AllocationCounter::can_count()) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const char* kind : {"explicit", "consistent", "implicit"}) {
    const VolumeMesh mesh = fem::test::block(ElementType::hex8, 12, 6, 6, Vector3d(0.6, 0.3, 0.3));
    const FullEngine::Model model = Input(integrator(kind), mesh, {0, 1, 2, 3}).model();
    FullEngine::State state = FullEngine::state(model, {}), twin = FullEngine::state(model, {});
    Load load(FullEngine::size(model), false);
    load.Q = pull(model.body(), 10);
    int failed = 0;
    for (long successes = 0; successes < 2000; successes = successes + 1 + successes / 4) {
      const FullState before = state.motion();
      StepStatus status = StepStatus::ok;
      {
        const AllocationFailure failure(successes);
        status = FullEngine::step(model, load, state);
      }
      if (status == StepStatus::ok) {
        FullEngine::step(model, load, twin);
        continue;
      }
      ++failed;
      ASSERT_EQ(status, StepStatus::failed) << kind << ' ' << successes;
      ASSERT_EQ(state.motion().z, before.z) << kind << ' ' << successes;
      ASSERT_EQ(state.motion().u, before.u);
      ASSERT_EQ(state.motion().v, before.v);
      ASSERT_EQ(state.motion().a, before.a);
      ASSERT_EQ(state.motion().time, before.time);
    }
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(FullEngine::step(model, load, state), StepStatus::ok) << kind;
      ASSERT_EQ(FullEngine::step(model, load, twin), StepStatus::ok) << kind;
      EXPECT_EQ(state.motion().u, twin.motion().u) << kind;
    }
    // The explicit step allocates nothing, so that it cannot fail.
    EXPECT_EQ(failed > 0, std::string(kind) != "explicit") << kind;

    const AllocationFailure failure(0);
    const Energy energy = FullEngine::energy(model, state);
    EXPECT_GT(energy.kinetic, 0.0);
    EXPECT_TRUE(std::isnan(energy.elastic));
  }
}

TEST(FullEngine, GravityIsTheWeightOfTheNodes) {
  const FullEngine::Model model = Input(integrator("implicit")).model();
  const FullEngine::State state = FullEngine::state(model, tilted());
  const Vector3d g(0, -9.81, 2);
  Load load(FullEngine::size(model), false);
  Motion seen(FullEngine::size(model));
  FullEngine::motion(model, state, seen);
  FullEngine::add_gravity(model, seen, g, load);
  Vector3d sum = Vector3d::Zero();
  for (Index i = 0; i < load.Q.size(); i += 3) sum += load.Q.segment<3>(i);
  const Vector3d weight = fem::total_mass(model.body().body()) * g;
  EXPECT_LT((tilted().rotation * sum - weight).norm(), 1e-10 * weight.norm());
  // Each node by its own mass.
  const VectorXd m = fem::lumped_mass(model.body().body());
  const Vector3d own = tilted().rotation.conjugate() * g;
  EXPECT_LT((load.Q.segment<3>(30) - m[30] * own).norm(), 1e-14);
}

// load . M^-1 load, from what a short step makes of the load. Hanging nodes pass theirs on, and
// held ones do not move.
TEST(FullEngine, MobilityIsTheVelocityThatAShortStepGives) {
  VolumeMesh mesh = bar_mesh();
  const auto node_at = [&](const Vector3d& x) {
    Index node = 0;
    EXPECT_LT((mesh.V.colwise() - x).colwise().squaredNorm().minCoeff(&node), 1e-18);
    return static_cast<int>(node);
  };
  mesh.hanging = {{node_at({0.5, 0, 0}), 2, {node_at({0.4, 0, 0}), node_at({0.6, 0, 0}), 0, 0}}};
  const std::vector<int> held = left_end();
  const double step = 1e-6;
  const FullEngine::Model model = Input(integrator("explicit"), mesh, held).model(step);
  const int free_node = node_at({0.6, 0.2, 0.2});
  for (const int node : {free_node, mesh.hanging[0].node}) {
    FullEngine::State state = FullEngine::state(model, {});
    Load load(FullEngine::size(model), false);
    load.Q.segment<3>(3 * node) = Vector3d(0.3, -0.5, 0.7);
    Load probe = load;
    const double mobility = FullEngine::mobility(model, Motion(), probe);
    ASSERT_GT(mobility, 0.0);
    // The first step of central differences gives half of it, as the load begins in it.
    ASSERT_EQ(FullEngine::step(model, load, state), StepStatus::ok);
    Motion motion(FullEngine::size(model));
    FullEngine::motion(model, state, motion);
    const double power = load.Q.dot(motion.dc.cast<double>());
    EXPECT_NEAR(mobility, 2 * power / step, 1e-4 * mobility);
  }
  Load load(FullEngine::size(model), false);
  load.Q.segment<3>(3 * held[0]) = Vector3d(1, 1, 1);
  EXPECT_EQ(FullEngine::mobility(model, Motion(), load), 0.0);
}

TEST(FullEngine, TellsItsSettings) {
  Input input(below({{"damping", below({{"alpha", number(0.7)}, {"beta", number(1e-3)}})}}));
  const FullEngine::Model model = input.model();
  const FullEngine::State state = FullEngine::state(model, {});
  BodySettings settings;
  settings.regions.resize(1);
  settings.active = 3;
  FullEngine::settings(model, state, settings);
  const fem::Lame lame = fem::lame(1e5, 0.3);
  EXPECT_EQ(settings.damping.alpha, 0.7);
  EXPECT_EQ(settings.damping.beta, 1e-3);
  EXPECT_EQ(settings.active, 0);
  EXPECT_FALSE(settings.linear);
  EXPECT_EQ(settings.regions[0].lambda, lame.lambda);
  EXPECT_EQ(settings.regions[0].mu, lame.mu);
  EXPECT_EQ(settings.regions[0].density, 1000);

  input.regions[0].material = fem::isotropic(fem::Law::stable_neo_hookean, 1e5, 0.3, 900);
  const FullEngine::Model stable = input.model();
  FullEngine::settings(stable, FullEngine::state(stable, {}), settings);
  EXPECT_NEAR(settings.regions[0].lambda, lame.lambda, 1e-12 * lame.lambda);
  EXPECT_NEAR(settings.regions[0].mu, lame.mu, 1e-12 * lame.mu);

  input.regions[0].material = fem::mooney_rivlin(1e4, 1e4, 1e5, 900);
  const FullEngine::Model other = input.model();
  FullEngine::settings(other, FullEngine::state(other, {}), settings);
  EXPECT_EQ(settings.regions[0].lambda, 0.0);
  EXPECT_EQ(settings.regions[0].density, 900);
}

TEST(FullEngine, RefusesAStepOfTooManyParts) {
  const auto refused = [](const Value& settings, double step, const char* why) {
    try {
      Input(settings).model(step);
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
      EXPECT_THAT(error.what(), testing::HasSubstr("implicit"));
    }
  };
  refused(integrator("explicit"), 1e3, "too many parts");
  const Value fine = below(
      {{"integrator", below({{"kind", word("consistent")}, {"levels", {std::int64_t{20}, {}}}})}});
  refused(fine, 400.0, "too many parts");
}

// More than 10,000 parts are not too many for 24 elements, but for 4096 they would take minutes.
TEST(FullEngine, RefusesAStepOfTooMuchWork) {
  Input few(integrator("explicit"));
  Input many(integrator("explicit"),
             fem::test::block(ElementType::hex8, 16, 16, 16, Vector3d(1.6, 1.6, 1.6)), {});
  for (Input* input : {&few, &many}) {
    input->regions[0].material = fem::isotropic(fem::Law::stvk, 1e15, 0.3, 1000);
  }
  few.model();
  try {
    many.model();
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at most 4883, with 4096 elements"));
  }
}

TEST(FullEngine, RefusesWhatIsNotSound) {
  EXPECT_THROW(Input(below({{"damper", number(1)}})).model(), Error);
  EXPECT_THROW(Input(integrator("magic")).model(), Error);
  for (const double step : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(Input(integrator("implicit")).model(step), Error) << step;
  }
  Input input(integrator("implicit"));
  input.regions.clear();
  EXPECT_THROW(input.model(), Error);
  const Value beta = below({{"integrator", below({{"kind", word("explicit")}})},
                            {"damping", below({{"beta", number(1e-3)}})}});
  EXPECT_THROW(Input(beta).model(), Error);
}

TEST(FullEngine, AStepThatIsGivenUpLeavesTheState) {
  for (const char* kind : {"explicit", "consistent", "implicit"}) {
    const FullEngine::Model model = Input(integrator(kind)).model();
    FullEngine::State state = FullEngine::state(model, {});
    Load load(FullEngine::size(model), false);
    load.Q.setConstant(1e-3);
    FullEngine::step(model, load, state);
    ASSERT_EQ(FullEngine::step(model, load, state), StepStatus::ok) << kind;
    const VectorXd before = state.motion().u;
    EXPECT_GT(before.norm(), 0);
    FullEngine::give_up(state);
    EXPECT_EQ(FullEngine::step(model, load, state), StepStatus::failed) << kind;
    EXPECT_EQ(state.motion().u, before) << kind;
  }
}

}  // namespace
}  // namespace pliant::test
