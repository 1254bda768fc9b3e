// SPDX-License-Identifier: MIT
// What a user can get wrong about a body: each mistake is made several times in a random place of a
// random body that is otherwise good, and must end in an Error that names the item or the value.
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fem/meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/fem/statics.hpp"
#include "pliant/full/consistent_step.hpp"
#include "pliant/full/explicit_step.hpp"
#include "pliant/full/implicit_step.hpp"

namespace pliant::fem {
namespace {

using ::testing::HasSubstr;

constexpr int repetitions = 4;
constexpr double infinity = std::numeric_limits<double>::infinity();

// All that makes a simulation.
struct Input {
  VolumeMesh mesh;
  std::function<std::vector<Material>()> materials = [] {
    return std::vector<Material>{isotropic(Law::stvk, 1e6, 0.3, 1000)};
  };
  VolumeMesh constraint_mesh;
  std::vector<int> fixed;
  int prescribed_node = 0;
  Vector3d prescribed = Vector3d::Zero();
  Index load_size = 0;
  int load_node = 0;
  Vector3d load{1, 2, 3};
  Matrix3Xi pressed;
  StaticOptions statics;
  VectorXd start;
  Damping damping{1.0, 0.0};
  double safety = 0.9;
  double longest = 1e-3;
  int levels = 6;
  ImplicitOptions implicit;
};

Input good_input(Random& random) {
  constexpr ElementType types[] = {ElementType::tet4, ElementType::tet10, ElementType::hex8};
  Input in;
  in.mesh = test::block(types[random.below(3)], 3, 1, 1, Vector3d(0.6, 0.2, 0.2));
  if (random.below(2) == 0) in.mesh = test::warped(in.mesh, 0.01);
  in.constraint_mesh = in.mesh;
  for (int v = 0; v < in.mesh.vertex_count(); ++v) {
    if (in.mesh.V(0, v) < 0.05) in.fixed.push_back(v);
  }
  in.prescribed_node = in.fixed[0];
  in.load_size = 3 * in.mesh.vertex_count();
  in.load_node = in.mesh.vertex_count() - 1;
  in.pressed = boundary_triangles(in.mesh).leftCols(2);
  in.start = VectorXd::Zero(in.load_size);
  return in;
}

void simulate(const Input& in) {
  ElasticModel body(in.mesh, in.materials());
  Constraints constraints(in.constraint_mesh, in.fixed);
  constraints.prescribe(in.prescribed_node, in.prescribed);
  FullLoad load{VectorXd::Zero(in.load_size)};
  add_point_load(in.load_node, in.load, load.force);
  add_pressure_load(in.mesh, in.pressed, 1.0, VectorXd::Zero(body.dof()), load.force);
  solve_linear_static(body, constraints, load.force);
  solve_static(body, constraints, load.force, in.statics, in.start);
  const FullModel model(std::move(body), constraints, in.damping);
  FullState state(model);
  ConsistentStepper consistent(model, in.longest, in.levels);
  ImplicitStepper implicit(model, in.implicit);
  ExplicitStepper stepper(model, in.safety);
  stepper.start(load, state);
  ASSERT_EQ(stepper.step(load, stepper.stable_step(), state), StepStatus::ok);
  ASSERT_EQ(implicit.step(load, 1e-3, state), StepStatus::ok);
}

double any_of(Random& random, std::initializer_list<double> values) {
  return values.begin()[random.below(static_cast<int>(values.size()))];
}
double bad_positive(Random& random) {
  return any_of(random, {0.0, -random.uniform(0.1, 10), NAN, infinity, -infinity});
}
int missing_node(Random& random, const VolumeMesh& mesh) {
  return random.below(2) == 0 ? -1 - random.below(1000)
                              : mesh.vertex_count() + random.below(1 << 20);
}
std::string element(int e) {
  return fmt::format("element {}:", e);
}

// Spoils a good input; returns what the message must contain.
struct Mistake {
  const char* name;
  std::string (*make)(Random& random, Input& in);
};

void set_material(Input& in, std::function<Material()> make) {
  in.materials = [make = std::move(make)] { return std::vector<Material>{make()}; };
}

std::string use_record(Input& in, MaterialRecord record, Law law = Law::stvk) {
  set_material(in, [record, law] { return from_record(record, law); });
  return "material " + record.name;
}

MaterialRecord wood() {
  return {"wood",
          MaterialRecord::Law::orthotropic,
          600,
          {1e7, 1e6, 1e6, 0.3, 0.3, 0.03, 1e6, 1e6, 1e6, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

const Mistake of_the_mesh[] = {
    {"InvertedElement",
     [](Random& random, Input& in) {
       const int e = random.below(in.mesh.element_count());
       auto nodes = in.mesh.E.col(e);
       if (in.mesh.type == ElementType::hex8) {
         for (int a = 0; a < 4; ++a) std::swap(nodes[a], nodes[a + 4]);
       } else {
         std::swap(nodes[0], nodes[1]);
         if (in.mesh.type == ElementType::tet10) {
           std::swap(nodes[5], nodes[6]);
           std::swap(nodes[7], nodes[8]);
         }
       }
       return element(e) + " it is inverted";
     }},
    {"FlatElement",
     [](Random& random, Input& in) {
       const VectorXi nodes = in.mesh.E.col(random.below(in.mesh.element_count()));
       const Vector3d n = Vector3d(random.normal(), random.normal(), random.normal()).normalized();
       const Vector3d origin = in.mesh.V.col(nodes[0]);
       for (const int v : nodes) {
         in.mesh.V.col(v) -= n.dot(in.mesh.V.col(v) - origin) * n;
       }
       return std::string("it is inverted or flat");
     }},
    {"NodeTwiceInAnElement",
     [](Random& random, Input& in) {
       const int e = random.below(in.mesh.element_count());
       in.mesh.E(1 + random.below(3), e) = in.mesh.E(0, e);
       return element(e) + " it uses a node twice";
     }},
    {"CoordinateNotFinite",
     [](Random& random, Input& in) {
       const int v = random.below(in.mesh.vertex_count());
       in.mesh.V(random.below(3), v) = any_of(random, {NAN, infinity, -infinity, 1e300});
       return fmt::format("vertex {}:", v);
     }},
    {"ElementWithoutItsNode",
     [](Random& random, Input& in) {
       const int e = random.below(in.mesh.element_count());
       in.mesh.E(random.below(4), e) = missing_node(random, in.mesh);
       return element(e);
     }},
    {"WrongNodesPerElement",
     [](Random& random, Input& in) {
       const Index rows = in.mesh.E.rows() - 1 - random.below(2);
       in.mesh.E = in.mesh.E.topRows(rows).eval();
       return fmt::format("wrong number of nodes in an element: found '{}'", rows);
     }},
    {"EmptyMesh",
     [](Random& random, Input& in) {
       if (random.below(2) == 0) in.mesh.V.resize(3, 0);
       in.mesh.E.resize(in.mesh.E.rows(), 0);
       return std::string("no elements");
     }},
    {"HangingNodeWithWrongParents",
     [](Random& random, Input& in) {
       const int v = 1 + random.below(in.mesh.vertex_count() - 1);
       HangingNode h{v, 2, {0, 0, 0, 0}};
       switch (random.below(3)) {
         case 0:
           h.count = 3 + 2 * random.below(100);
           break;
         case 1:
           h.parents[1] = missing_node(random, in.mesh);
           break;
         default:
           h.parents[1] = v;
       }
       (random.below(2) == 0 ? in.mesh : in.constraint_mesh).hanging = {h};
       return fmt::format("hanging node {}", v);
     }},
};

const Mistake of_the_material[] = {
    {"ZeroDensity",
     [](Random& random, Input& in) {
       const double rho = bad_positive(random);
       const auto law = static_cast<Law>(random.below(6));
       set_material(in, [=] { return isotropic(law, 1e6, 0.3, rho); });
       return fmt::format("density must be positive: found '{:g}'", rho);
     }},
    {"IncompressibleOrWorse",
     [](Random& random, Input& in) {
       const double nu = any_of(
           random, {0.5, 0.5, random.uniform(0.4951, 2), random.uniform(-3, -1), NAN, infinity});
       const auto law = static_cast<Law>(random.below(6));
       set_material(in, [=] { return isotropic(law, 1e6, nu, 1000); });
       return fmt::format("'{:g}'", nu);
     }},
    {"YoungsModulusNotPositive",
     [](Random& random, Input& in) {
       const double E = bad_positive(random);
       const auto law = static_cast<Law>(random.below(6));
       set_material(in, [=] { return isotropic(law, E, 0.3, 1000); });
       return fmt::format("Young's modulus must be positive: found '{:g}'", E);
     }},
    {"IndefiniteStiffness",
     [](Random& random, Input& in) {
       Matrix6d C = isotropic_stiffness(1e6, 1e6);
       const int i = random.below(6);
       C(i, i) = -random.uniform(0, 1e6);
       set_material(in, [=] { return anisotropic(Law::stvk, C, 1000); });
       return std::string("not positive definite: found '-");
     }},
    {"AsymmetricStiffness",
     [](Random& random, Input& in) {
       Matrix6d C = isotropic_stiffness(1e6, 1e6);
       C(random.below(3), 3 + random.below(3)) = random.uniform(1, 1e5);
       set_material(in, [=] { return anisotropic(Law::linear, C, 1000); });
       return std::string("not symmetric: found '");
     }},
    {"StiffnessNotFinite",
     [](Random& random, Input& in) {
       Matrix6d C = isotropic_stiffness(1e6, 1e6);
       C(random.below(6), random.below(6)) = any_of(random, {NAN, infinity});
       set_material(in, [=] { return anisotropic(Law::linear, C, 1000); });
       return std::string("stiffness C_ijkl has a number that is not finite");
     }},
    {"AnisotropyOfAnIsotropicLaw",
     [](Random& random, Input& in) {
       const auto law = static_cast<Law>(2 + random.below(4));
       use_record(in, wood(), law);
       return std::string(name_of(law));
     }},
    {"OrthotropicConstants",
     [](Random& random, Input& in) {
       MaterialRecord record = wood();
       const int i = random.below(3);
       const std::size_t at = std::array<std::size_t, 3>{0, 3, 6}[static_cast<std::size_t>(i)] +
                              static_cast<std::size_t>(random.below(3));
       record.parameters[at] =
           i == 1 ? any_of(random, {NAN, infinity, 5, -5}) : bad_positive(random);
       return use_record(in, record);
     }},
    {"AxesNotOrthonormal",
     [](Random& random, Input& in) {
       MaterialRecord record = wood();
       record.parameters[9 + static_cast<std::size_t>(random.below(9))] =
           any_of(random, {NAN, 0.5, -2, infinity});
       return use_record(in, record) + ": the material axes are not orthonormal";
     }},
    {"TooFewConstants",
     [](Random& random, Input& in) {
       MaterialRecord record{"jelly", static_cast<MaterialRecord::Law>(random.below(3)), 1000, {}};
       record.parameters.assign(static_cast<std::size_t>(random.below(2)), 1.0);
       return use_record(in, record) +
              fmt::format(": too few constants: found '{}'", record.parameters.size());
     }},
    {"NegativeMooneyRivlin",
     [](Random& random, Input& in) {
       std::vector<double> constants(3, 1e5);
       constants[static_cast<std::size_t>(random.below(3))] =
           any_of(random, {-random.uniform(1, 1e5), NAN, infinity});
       return use_record(in, {"gum", MaterialRecord::Law::mooney_rivlin, 1000, constants});
     }},
    {"HandmadeMaterial",
     [](Random& random, Input& in) {
       Material material = isotropic(static_cast<Law>(random.below(6)), 1e6, 0.3, 1000);
       switch (random.below(3)) {
         case 0:
           material.density = bad_positive(random);
           break;
         case 1:
           material.constants.pop_back();
           break;
         default:
           material.constants[0] = any_of(random, {NAN, infinity});
       }
       set_material(in, [=] { return material; });
       return std::string("material 0: ");
     }},
    {"RegionWithoutMaterial",
     [](Random& random, Input& in) {
       const int e = random.below(in.mesh.element_count());
       in.mesh.region = VectorXi::Zero(in.mesh.element_count());
       in.mesh.region[e] = random.below(2) == 0 ? -1 : 2 + random.below(1 << 20);
       in.materials = [] { return std::vector<Material>(2, isotropic(Law::stvk, 1e6, 0.3, 1000)); };
       return element(e) + " its region has no material";
     }},
    {"MaterialsWithoutRegions",
     [](Random& random, Input& in) {
       const int n = 2 + random.below(5);
       in.materials = [n] {
         return std::vector<Material>(static_cast<std::size_t>(n),
                                      isotropic(Law::stvk, 1e6, 0.3, 1000));
       };
       return std::string("several materials need a region for each element");
     }},
    {"NoMaterial",
     [](Random&, Input& in) {
       in.materials = [] { return std::vector<Material>{}; };
       return std::string("no material");
     }},
    {"UnknownLaw",
     [](Random& random, Input& in) {
       const std::string name = fmt::format("law_{}", random.below(1000));
       set_material(in, [name] { return isotropic(law_of_name(name), 1e6, 0.3, 1000); });
       return name;
     }},
};

const Mistake of_what_holds_it[] = {
    {"FixedNodeDoesNotExist",
     [](Random& random, Input& in) {
       in.fixed.push_back(missing_node(random, in.mesh));
       return fmt::format("fixed node {}:", in.fixed.back());
     }},
    {"FixedNodeHangs",
     [](Random& random, Input& in) {
       const int v = in.fixed[static_cast<std::size_t>(random.below(2))];
       const int n = in.mesh.vertex_count();
       in.constraint_mesh.hanging = {{v, 2, {n - 1, n - 2, 0, 0}}};
       return fmt::format("fixed node {}: it hangs", v);
     }},
    {"DisconnectedParts",
     [](Random& random, Input& in) {
       const int n = in.mesh.vertex_count(), m = in.mesh.element_count();
       const Matrix3Xd V = in.mesh.V;
       const MatrixXi E = in.mesh.E;
       in.mesh.V.conservativeResize(3, 2 * n);
       in.mesh.V.rightCols(n) = V.colwise() + Vector3d(0, random.uniform(1, 5), 0);
       in.mesh.E.conservativeResize(E.rows(), 2 * m);
       in.mesh.E.rightCols(m) = E.array() + n;
       in.constraint_mesh = in.mesh;
       in.load_size = 6 * n;
       return element(m) + " it belongs to a part of the body that is not held";
     }},
    {"NodeWithoutElement",
     [](Random& random, Input& in) {
       const int n = in.mesh.vertex_count();
       in.mesh.V.conservativeResize(3, n + 1);
       in.mesh.V.col(n).setConstant(random.uniform(-1, 1));
       in.constraint_mesh = in.mesh;
       in.load_size = 3 * (n + 1);
       return fmt::format("node {}: it belongs to no element", n);
     }},
    {"FixedNodesInALine",
     [](Random& random, Input& in) {
       in.fixed.resize(static_cast<std::size_t>(1 + random.below(2)));
       return std::string("can still");
     }},
    {"ConstraintsOfAnotherMesh",
     [](Random& random, Input& in) {
       const int n = in.mesh.vertex_count() - 1 - random.below(3);
       in.constraint_mesh.E.resize(in.mesh.E.rows(), 0);
       in.constraint_mesh.V = in.mesh.V.leftCols(n).eval();
       std::erase_if(in.fixed, [n](int v) { return v >= n; });
       return fmt::format("another mesh: found '{} nodes'", n);
     }},
    {"PrescribedAtAFreeNode",
     [](Random& random, Input& in) {
       in.prescribed_node =
           random.below(2) == 0 ? in.mesh.vertex_count() - 1 : missing_node(random, in.mesh);
       return fmt::format("node {}: a displacement can be prescribed", in.prescribed_node);
     }},
    {"PrescribedDisplacementNotFinite",
     [](Random& random, Input& in) {
       in.prescribed[random.below(3)] = any_of(random, {NAN, infinity, -infinity});
       return fmt::format("node {}: a prescribed displacement is not finite", in.prescribed_node);
     }},
};

const Mistake of_the_load[] = {
    {"LoadNotFinite",
     [](Random& random, Input& in) {
       in.load[random.below(3)] = any_of(random, {NAN, infinity, -infinity});
       return fmt::format("load of node {}: it is not finite", in.load_node);
     }},
    {"LoadOfWrongSize",
     [](Random& random, Input& in) {
       in.load_size += random.below(2) == 0 ? 1 + random.below(100) : -1 - random.below(3);
       in.load_node = 0;
       return fmt::format("found '{}'", in.load_size);
     }},
    {"LoadAtAMissingNode",
     [](Random& random, Input& in) {
       in.load_node = missing_node(random, in.mesh);
       return fmt::format("'{}'", in.load_node);
     }},
    {"PressureAtAMissingNode",
     [](Random& random, Input& in) {
       const int t = random.below(2);
       in.pressed(random.below(3), t) = missing_node(random, in.mesh);
       return fmt::format("triangle {}: pressure at a node that does not exist", t);
     }},
    {"StartOfWrongSize",
     [](Random& random, Input& in) {
       in.start = VectorXd::Zero(1 + random.below(20));
       return fmt::format("starting displacement: wrong number of entries: found '{}'",
                          in.start.size());
     }},
    {"StartNotFinite",
     [](Random& random, Input& in) {
       in.start[random.below(static_cast<int>(in.start.size()))] = any_of(random, {NAN, infinity});
       return std::string("starting displacement of node");
     }},
};

const Mistake of_the_options[] = {
    {"StaticTolerance",
     [](Random& random, Input& in) {
       in.statics.tolerance = bad_positive(random);
       return fmt::format("tolerance out of range: found '{:g}'", in.statics.tolerance);
     }},
    {"StaticIterations",
     [](Random& random, Input& in) {
       int* const counts[] = {&in.statics.max_iterations, &in.statics.load_steps,
                              &in.statics.max_load_steps};
       int& count = *counts[random.below(3)];
       count = -random.below(10);
       return fmt::format("'{}'", count);
     }},
    {"NegativeDamping",
     [](Random& random, Input& in) {
       const double bad = any_of(random, {-random.uniform(1e-3, 1), NAN, infinity});
       (random.below(2) == 0 ? in.damping.alpha : in.damping.beta) = bad;
       return fmt::format("{:g}", bad);
     }},
    {"StiffnessDampingInTheLumpedScheme",
     [](Random& random, Input& in) {
       in.damping.beta = random.uniform(1e-6, 1e-5);
       return fmt::format("beta {:g}", in.damping.beta);
     }},
    {"SafetyFactor",
     [](Random& random, Input& in) {
       in.safety = random.below(2) == 0 ? random.uniform(1.001, 5) : bad_positive(random);
       return fmt::format("safety factor out of range: found '{:g}'", in.safety);
     }},
    {"LongestStepNotPositive",
     [](Random& random, Input& in) {
       in.longest = bad_positive(random);
       return fmt::format("longest step must be positive: found '{:g}'", in.longest);
     }},
    {"NoStableLevel",
     [](Random& random, Input& in) {
       in.longest = random.uniform(100, 1000);
       return std::string("more levels or a shorter longest step");
     }},
    {"NumberOfLevels",
     [](Random& random, Input& in) {
       in.levels = random.below(2) == 0 ? -random.below(10) : 21 + random.below(1000);
       return fmt::format("'{}'", in.levels);
     }},
    {"NewmarkParameters",
     [](Random& random, Input& in) {
       (random.below(2) == 0 ? in.implicit.beta : in.implicit.gamma) = bad_positive(random);
       return std::string("Newmark's parameters out of range");
     }},
    {"ImplicitIterationsAndTolerance",
     [](Random& random, Input& in) {
       if (random.below(2) == 0) {
         in.implicit.max_iterations = -random.below(10);
         return fmt::format("too few iterations: found '{}'", in.implicit.max_iterations);
       }
       in.implicit.tolerance = bad_positive(random);
       return fmt::format("tolerance out of range: found '{:g}'", in.implicit.tolerance);
     }},
};

TEST(BadInputs, TheGoodOnesPass) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(seed);
    EXPECT_NO_THROW(simulate(good_input(random)));
  }
  Random random(7);
  Input in = good_input(random);
  use_record(in, wood());
  EXPECT_NO_THROW(simulate(in));
}

TEST(BadInputs, EachGivesAnErrorThatNamesIt) {
  int inputs = 0;
  const auto try_all = [&](std::span<const Mistake> mistakes) {
    for (const Mistake& mistake : mistakes) {
      for (int repetition = 0; repetition < repetitions; ++repetition) {
        SCOPED_TRACE(fmt::format("{} {}", mistake.name, repetition));
        Random random(static_cast<std::uint64_t>(++inputs));
        Input in = good_input(random);
        const std::string expected = mistake.make(random, in);
        try {
          simulate(in);
          ADD_FAILURE() << "no error, expected one with: " << expected;
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), HasSubstr(expected));
        }
      }
    }
  };
  try_all(of_the_mesh);
  try_all(of_the_material);
  try_all(of_what_holds_it);
  try_all(of_the_load);
  try_all(of_the_options);
  EXPECT_GE(inputs, 100);
}

TEST(BadInputs, NothingHeldIsNoStatics) {
  for (std::uint64_t seed = 0; seed < repetitions; ++seed) {
    Random random(seed);
    const Input in = good_input(random);
    const ElasticModel body(in.mesh, in.materials());
    const VectorXd f = VectorXd::Zero(body.dof());
    for (const auto& solve :
         {std::function<void()>([&] { solve_static(body, Constraints(in.mesh), f); }),
          std::function<void()>([&] { solve_linear_static(body, Constraints(in.mesh), f); })}) {
      try {
        solve();
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("the body is not held anywhere"));
      }
    }
  }
}

// Steps do not throw: they say so and leave the state alone.
TEST(BadInputs, AStepOfNoDurationIsNotMade) {
  Random random(1);
  const Input in = good_input(random);
  const FullModel model(ElasticModel(in.mesh, in.materials()), Constraints(in.mesh, in.fixed), {});
  ExplicitStepper explicit_stepper(model);
  ImplicitStepper implicit_stepper(model, {});
  FullLoad load{VectorXd::Ones(model.body().dof())};
  for (const double dt : {0.0, -1e-4, static_cast<double>(NAN), infinity, -infinity}) {
    FullState state(model);
    state.v.setOnes();
    EXPECT_EQ(explicit_stepper.step(load, dt, state), StepStatus::unstable_step) << dt;
    EXPECT_EQ(implicit_stepper.step(load, dt, state), StepStatus::unstable_step) << dt;
    EXPECT_EQ(state.z.norm(), 0) << dt;
    EXPECT_EQ(state.time, 0) << dt;
  }
}

// A load that is not finite is found in the step; the state stays the last good one.
TEST(BadInputs, AStepUnderALoadThatIsNotFiniteIsTakenBack) {
  Random random(1);
  const Input in = good_input(random);
  const FullModel model(ElasticModel(in.mesh, in.materials()), Constraints(in.mesh, in.fixed), {});
  ExplicitStepper explicit_stepper(model);
  ImplicitStepper implicit_stepper(model, {});
  for (const double bad : {static_cast<double>(NAN), infinity}) {
    FullLoad load{VectorXd::Constant(model.body().dof(), bad)};
    FullState state(model);
    EXPECT_TRUE(has(explicit_stepper.step(load, explicit_stepper.stable_step(), state),
                    StepStatus::not_finite));
    EXPECT_TRUE(has(implicit_stepper.step(load, 1e-3, state), StepStatus::not_finite));
    EXPECT_EQ(state.z.norm(), 0);
    EXPECT_EQ(state.v.norm(), 0);
    EXPECT_EQ(state.time, 0);
  }
}

}  // namespace
}  // namespace pliant::fem
