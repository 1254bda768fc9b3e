// SPDX-License-Identifier: MIT
#include "pliant/bake/contact_steps.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "pliant/bake/body_plan.hpp"
#include "pliant/bake/mesh_steps.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/contact/bake/distance_grid.hpp"
#include "pliant/contact/bake/domains.hpp"
#include "pliant/contact/bake/farthest_order.hpp"
#include "pliant/contact/bake/field_error.hpp"
#include "pliant/contact/bake/nested_points.hpp"
#include "pliant/contact/bake/pointshell.hpp"
#include "pliant/contact/bake/solid_distance.hpp"
#include "pliant/contact/bake/state_distances.hpp"
#include "pliant/contact/contact_shape.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {
namespace {

bool is_plane(const ShapeSpec& shape) {
  return std::holds_alternative<PlaneShape>(shape);
}

SurfaceMesh surface_of(const TensorFile& mesh) {
  SurfaceMesh surface;
  surface.V = mesh.matrix<double>("surface/V", 3);
  surface.F = mesh.matrix<int>("surface/triangles", 3);
  return surface;
}

SolidSign sign_of(ContactSolid solid) {
  switch (solid) {
    case ContactSolid::automatic:
      return SolidSign::automatic;
    case ContactSolid::closed:
      return SolidSign::pseudonormal;
    case ContactSolid::winding:
      return SolidSign::winding_number;
    case ContactSolid::soup:
      return SolidSign::offset;
  }
  return SolidSign::automatic;
}

// The body that a surface, or formulas, stand for.
struct Bounded {
  ExactDistances distances;
  Eigen::AlignedBox3d box;
  SurfaceMesh outside;  // closed
  // The cells at the surface whose sign is doubtful.
  std::function<SignDoubt(const DistanceGrid&)> doubt = [](const DistanceGrid&) {
    return SignDoubt();
  };
};

Bounded bounded(const BodySpec& body, const BodyContactSpec& spec, const TensorFile& mesh,
                double cell) {
  Bounded result;
  result.outside = surface_of(mesh);
  result.box = bounds(result.outside.V);
  if (!body.shape.empty()) {
    const Eigen::AlignedBox3d around(Vector3d(result.box.min().array() - 2 * cell),
                                     Vector3d(result.box.max().array() + 2 * cell));
    std::vector<RigidShape> shapes;
    for (const ShapeSpec& shape : body.shape) shapes.push_back(rigid_shape(shape));
    const auto distance = [shapes](const Vector3d& x) {
      double least = std::numeric_limits<double>::infinity();
      Vector3d n;
      for (const RigidShape& shape : shapes) least = std::min(least, shape.distance(x, n));
      return least;
    };
    result.distances = [distance](const Matrix3Xd& P) {
      VectorXd d(P.cols());
      for (Index k = 0; k < P.cols(); ++k) d[k] = distance(P.col(k));
      return d;
    };
    if (shapes.size() > 1) result.outside = isosurface({distance, around, true}, cell);
    return result;
  }
  SolidDistance solid = solid_distance(result.outside, {.cell = cell, .sign = sign_of(spec.solid)});
  result.doubt = [solid](const DistanceGrid& grid) { return sign_doubt(solid, grid); };
  result.distances = std::move(solid.distances);
  result.box = solid.box;
  result.outside = std::move(solid.outside);
  return result;
}

// Errors of the kernels know no body.
template <class Make>
auto at_body(const BodySpec& body, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (!error.place().file.empty() || error.place().item.starts_with("body.")) throw;
    fail(body, "contact",
         fmt::format("{}; a body that meets nobody, contact = {{ role = \"none\" }}, needs none of "
                     "this",
                     error.what()));
  }
}

BakeStep field_step(const BodySpec& body, const BodyContactSpec& spec, std::size_t mesh) {
  std::string inputs =
      fmt::format("{} {} {}", spec.resolution, spec.enlargement, static_cast<int>(spec.solid));
  for (const ShapeSpec& shape : body.shape) inputs += canonical(shape);
  return {body.name + ": field",
          "field",
          3,
          std::move(inputs),
          {mesh},
          [body, spec](Needs needs, TensorWriter& out, Progress& progress) {
            at_body(body, [&] {
              const Eigen::AlignedBox3d box = bounds(needs[0]->matrix<double>("surface/V", 3));
              const double cell = spec.enlargement * box.sizes().maxCoeff() / spec.resolution;
              Bounded solid = bounded(body, spec, *needs[0], cell);
              DistanceGrid grid = distance_grid(
                  solid.distances, solid.box,
                  {.resolution = spec.resolution, .enlargement = spec.enlargement}, progress);
              const SignDoubt doubt = solid.doubt(grid);
              out.keep("field/doubt", VectorXd(VectorXd::Constant(1, doubt.share)));
              if (doubt.places.cols() > 0) {
                out.keep("field/doubtful", Eigen::Matrix3Xf(doubt.places.cast<float>()));
              }
              keep_grid(out, "field/", std::move(grid));
              out.keep("outside/V", std::move(solid.outside.V));
              out.keep("outside/triangles", std::move(solid.outside.F));
            });
          }};
}

// Of the outside that the field's step found.
SurfaceMesh outside_of(const TensorFile& field) {
  SurfaceMesh surface;
  surface.V = field.matrix<double>("outside/V", 3);
  surface.F = field.matrix<int>("outside/triangles", 3);
  return surface;
}

PointSource source_of(ContactPoints from) {
  switch (from) {
    case ContactPoints::even:
      return PointSource::repulsion;
    case ContactPoints::vertices:
      return PointSource::vertices;
    case ContactPoints::voxels:
      return PointSource::voxels;
  }
  return PointSource::repulsion;
}

BakeStep shell_step(const BodySpec& body, const BodyContactSpec& spec, bool levels,
                    std::size_t field) {
  const int count = levels ? spec.levels : 1;
  return {body.name + ": shell",
          "shell",
          2,
          fmt::format("{} {} {} {}", spec.points, count, spec.offset,
                      static_cast<int>(spec.points_from)),
          {field},
          [body, spec, count](Needs needs, TensorWriter& out, Progress& progress) {
            at_body(body, [&] {
              const DistanceField field(*needs[0], "field/");
              Pointshell shell = make_pointshell(field, outside_of(*needs[0]),
                                                 {.points = spec.points,
                                                  .levels = count,
                                                  .source = source_of(spec.points_from),
                                                  .offset = spec.offset},
                                                 progress);
              const PointTreeData tree = nest(shell);
              const double mean = shell.areas.mean();
              Matrix3Xd evenness(3, std::ssize(shell.evenness));
              for (Index l = 0; l < evenness.cols(); ++l) {
                const Evenness& own = shell.evenness[static_cast<std::size_t>(l)];
                evenness.col(l) << own.mean, own.deviation, own.least;
              }
              out.keep("evenness", std::move(evenness));
              out.keep("X", std::move(shell.X));
              out.keep("N", std::move(shell.N));
              out.keep("weights_of_points", Eigen::VectorXf((shell.areas / mean).cast<float>()));
              out.keep("levels", VectorXi(Eigen::Map<const VectorXi>(tree.first.data(),
                                                                     std::ssize(tree.first))));
              out.keep("parents", VectorXi(Eigen::Map<const VectorXi>(tree.parent.data(),
                                                                      std::ssize(tree.parent))));
            });
          }};
}

// The points of the shell with the basis of the body, or the nodes that they follow.
BakeStep tree_step(const BodySpec& body, PointMotion motion, std::vector<std::size_t> needs) {
  return {body.name + ": tree",
          "tree",
          2,
          motion == PointMotion::dense    ? "dense"
          : motion == PointMotion::linear ? "linear"
                                          : "rigid",
          std::move(needs),
          [motion](Needs files, TensorWriter& out, Progress& progress) {
            progress.begin("tree");
            const TensorFile& shell = *files[0];
            const Matrix3Xd X = shell.matrix<double>("X", 3), N = shell.matrix<double>("N", 3);
            const auto keep_rest = [&] {
              out.keep("shell/X", Matrix3Xf(X.cast<float>()));
              out.keep("shell/N", Matrix3Xf(N.cast<float>()));
            };
            if (motion == PointMotion::rigid) {
              keep_rest();
            } else {
              const HeldVolume solid = read_volume(*files[1], "volume/", region_names(*files[1]));
              Embedding embedding = embed(X, solid.mesh);
              if (motion == PointMotion::linear) {
                const MatrixXd U = files[2]->matrix<double>("U");
                const MatrixXd gradients = embedded_gradients(embedding, solid.mesh, U);
                LinearShape(X, embedded_basis(embedding, U), transported_normals(N, gradients))
                    .write(out, "shell/");
              } else {
                keep_rest();
                out.keep(
                    "shell/gradients",
                    Eigen::MatrixXf(embedded_shape_gradients(embedding, solid.mesh).cast<float>()));
                out.keep("shell/nodes", std::move(embedding.nodes));
                out.keep("shell/weights", std::move(embedding.weights));
              }
            }
            out.keep("shell/weights_of_points",
                     Eigen::VectorXf(shell.matrix<float>("weights_of_points").reshaped()));
            out.keep("shell/evenness", Matrix3Xd(shell.matrix<double>("evenness", 3)));
            if (motion != PointMotion::dense) {
              out.keep("shell/levels", VectorXi(shell.matrix<int>("levels").reshaped()));
              out.keep("shell/parents", VectorXi(shell.matrix<int>("parents").reshaped()));
            }
            progress.end();
          }};
}

void keep_proxies(TensorWriter& out, const std::string& prefix, const Matrix3Xd& X,
                  const VolumeMesh& mesh, const MatrixXd& U) {
  const Embedding embedding = embed(X, mesh);
  LinearShape(X, embedded_basis(embedding, U)).write(out, prefix);
  const MatrixXd rows = embedded_gradients(embedding, mesh, U);
  Eigen::MatrixXf gradients(9, X.cols() * U.cols());
  for (Index s = 0; s < X.cols(); ++s) {
    gradients.middleCols(s * U.cols(), U.cols()) = rows.middleRows(9 * s, 9).cast<float>();
  }
  out.keep(prefix + "gradients", std::move(gradients));
}

// Grid and proxies of each domain, if the body falls into several.
void keep_domains(const BodySpec& body, const BodyContactSpec& spec, Needs files, TensorWriter& out,
                  Progress& progress) {
  constexpr int samples_a_proxy = 10;
  const DistanceField field(*files[0], "field/");
  const Pointshell samples =
      make_pointshell(field, outside_of(*files[0]),
                      {.points = samples_a_proxy * spec.proxies, .levels = 1}, progress);
  const Bounded solid = bounded(body, spec, *files[1], static_cast<double>(field.cell()));
  const Domains domains = choose_domains(solid.distances, samples, {.most = spec.domains});
  if (domains.count() < 2) return;
  const HeldVolume volume = read_volume(*files[1], "volume/", region_names(*files[1]));
  const MatrixXd U = files[2]->matrix<double>("U");
  for (int k = 0; k < domains.count(); ++k) {
    const std::string prefix = fmt::format("domains/{}/", k);
    keep_grid(
        out, prefix + "field/",
        distance_grid(domains.distances[static_cast<std::size_t>(k)], solid.box,
                      {.resolution = spec.resolution, .enlargement = spec.enlargement}, progress));
    std::vector<Index> own;
    for (Index s = 0; s < samples.X.cols(); ++s) {
      if (domains.of_sample[s] == k) own.push_back(s);
    }
    const Matrix3Xd X = samples.X(Eigen::all, own);
    std::vector<int> spread = farthest_order(X, std::min<Index>(spec.proxies, X.cols()));
    spread.resize(std::min(spread.size(), static_cast<std::size_t>(spec.proxies)));
    keep_proxies(out, prefix + "proxies/", X(Eigen::all, spread), volume.mesh, U);
  }
}

// Of an elastic surface: its nodes are the points, by which it feels what is soft. What is rigid presses
// on them.
BakeStep nodes_step(const BodySpec& body, std::size_t mesh) {
  return {body.name + ": points of contact",
          "points of contact",
          1,
          "nodes",
          {mesh},
          [](Needs files, TensorWriter& out, Progress& progress) {
            progress.begin("points of contact");
            const Matrix3Xd X = files[0]->matrix<double>("surface/V", 3);
            const Matrix3Xi F = files[0]->matrix<int>("surface/triangles", 3);
            const PointNormals rest = surface_normals(X, F, MatrixXd(3 * X.cols(), 0));
            Eigen::VectorXf area = Eigen::VectorXf::Zero(X.cols());
            for (Index t = 0; t < F.cols(); ++t) {
              const Vector3d a = X.col(F(0, t)), b = X.col(F(1, t)), c = X.col(F(2, t));
              for (int k = 0; k < 3; ++k) {
                area[F(k, t)] += static_cast<float>((b - a).cross(c - a).norm());
              }
            }
            MatrixXi nodes(1, X.cols());
            for (Index p = 0; p < X.cols(); ++p) nodes(0, p) = static_cast<int>(p);
            out.keep("shell/X", Eigen::Matrix3Xf(X.cast<float>()));
            out.keep("shell/N", Eigen::Matrix3Xf(-rest.N.cast<float>()));
            out.keep("shell/nodes", std::move(nodes));
            out.keep("shell/weights", MatrixXd(MatrixXd::Ones(1, X.cols())));
            out.keep("shell/gradients", Eigen::MatrixXf(Eigen::MatrixXf::Zero(3, X.cols())));
            out.keep("shell/weights_of_points", Eigen::VectorXf(area / area.mean()));
            progress.end();
          }};
}

BakeStep proxies_step(const BodySpec& body, const BodyContactSpec& spec, std::size_t field,
                      std::size_t mesh, std::size_t basis) {
  return {body.name + ": proxies",
          "proxies",
          2,
          fmt::format("{} {}", spec.proxies, spec.domains),
          {field, mesh, basis},
          [body, spec](Needs files, TensorWriter& out, Progress& progress) {
            at_body(body, [&] {
              const DistanceField field(*files[0], "field/");
              const Pointshell points = make_pointshell(
                  field, outside_of(*files[0]), {.points = spec.proxies, .levels = 1}, progress);
              const HeldVolume solid = read_volume(*files[1], "volume/", region_names(*files[1]));
              keep_proxies(out, "proxies/", points.X, solid.mesh, files[2]->matrix<double>("U"));
              if (spec.domains > 1) keep_domains(body, spec, files, out, progress);
            });
          }};
}

// A sweep through the first shapes: c by which the body's points move by parts of its size.
std::vector<VectorXd> sweep(const MatrixXd& U, double size, VectorXd& bends) {
  constexpr double parts[] = {0.05, 0.1, 0.2};
  const Index shapes = std::min<Index>(3, U.cols());
  std::vector<VectorXd> poses;
  bends.resize(shapes * std::ssize(parts));
  for (Index j = 0; j < shapes; ++j) {
    const double largest =
        std::sqrt(U.col(j).reshaped(3, U.rows() / 3).colwise().squaredNorm().maxCoeff());
    for (const double part : parts) {
      bends[std::ssize(poses)] = part;
      poses.emplace_back(part * size / largest * VectorXd::Unit(U.cols(), j));
    }
  }
  return poses;
}

BakeStep bend_step(const BodySpec& body, const BodyContactSpec& spec, std::size_t field,
                   std::size_t mesh, std::size_t basis, std::size_t proxies) {
  return {body.name + ": bend",
          "bend",
          1,
          spec.push_forward ? "pushed" : "pulled",
          {field, mesh, basis, proxies},
          [spec](Needs files, TensorWriter& out, Progress& progress) {
            progress.begin("error of the bent field");
            const MatrixXd U = files[2]->matrix<double>("U");
            const HeldVolume solid = read_volume(*files[1], "volume/", region_names(*files[1]));
            const SurfaceMesh surface = outside_of(*files[0]);
            const MatrixXd own = embedded_basis(embed(surface.V, solid.mesh), U);
            const double size = bounds(surface.V).sizes().maxCoeff();
            TensorWriter both;
            copy_tensors(both, *files[0], "field/", "");
            copy_tensors(both, *files[3], "", "");
            const std::string bytes = both.bytes();
            const TensorFile tensors(bytes, "");
            const ContactField rest(tensors, "", U.cols(), spec.push_forward);
            DomainField bent = *deformed_field(rest);
            VectorXd bends;
            const std::vector<VectorXd> poses = sweep(own, size, bends);
            const std::vector<FieldError> errors =
                field_errors(bent, surface, own, poses, {.places = 2000});
            Eigen::Matrix4Xd rows(4, std::ssize(errors));
            for (Index k = 0; k < rows.cols(); ++k) {
              const FieldError& e = errors[static_cast<std::size_t>(k)];
              rows.col(k) << bends[k], e.mean / size, e.largest / size, e.wrong_side;
            }
            out.keep("bend/errors", MatrixXd(rows));
            progress.end();
          },
          true};
}

BakeStep states_step(const BodySpec& body, const StatesSpec& spec, const BodyPlan& plan,
                     std::size_t field, std::size_t mesh) {
  return {body.name + ": states",
          "states",
          1,
          fmt::format("{} {} {} {}", spec.loads, spec.levels, spec.resolution, spec.tolerance),
          {field, mesh, *plan.basis},
          [body, spec, answers = plan.answers](Needs files, TensorWriter& out, Progress& progress) {
            at_body(body, [&] {
              const SurfaceMesh outside = outside_of(*files[0]);
              const HeldVolume solid = read_volume(*files[1], "volume/", region_names(*files[1]));
              const MatrixXd U = files[2]->matrix<double>("U");
              state_table(
                  outside, embedded_basis(embed(outside.V, solid.mesh), U),
                  answers(*files[2], spec.levels),
                  {.loads = spec.loads, .resolution = spec.resolution, .tolerance = spec.tolerance},
                  progress)
                  .keep(out, "states/");
            });
          }};
}

void require_states(const BodySpec& body, const BodyContactSpec& spec, const BodyPlan& plan) {
  if (!plan.answers) {
    fail(body, "contact.states", "this engine does not know its answers to loads", "",
         "the engine vademecum");
  }
  if (*spec.role == ContactRole::shell) {
    fail(body, "contact.states", "nobody feels the distance of a body that has points alone", "",
         "role = \"field\" or \"both\"");
  }
  if (spec.self) {
    fail(body, "contact.states", "a body that meets itself does so by its field at rest", "",
         "either self or states");
  }
  if (spec.domains > 1 || spec.push_forward) {
    fail(body, "contact.states", "domains and push_forward are of a field at rest that is bent", "",
         "either these or states");
  }
}

bool may_meet(const Scene& scene, const BodySpec& body) {
  if (body.contact && body.contact->role == ContactRole::none) return false;
  if (!scene.contact) return true;
  if (scene.contact->pairs == ContactSpec::Pairs::none) return false;
  if (scene.contact->pairs == ContactSpec::Pairs::all) return true;
  return std::ranges::any_of(scene.contact->pair, [&](const ContactPairSpec& pair) {
    return pair.first == body.name || pair.second == body.name;
  });
}

}  // namespace

std::optional<BodyContactSpec> contact_of(const Scene& scene, const BodySpec& body,
                                          PointMotion motion) {
  if (!may_meet(scene, body)) return {};
  std::size_t bodies = 0;
  for (const BodySpec& other : scene.bodies) {
    if (may_meet(scene, other)) bodies += std::max<std::size_t>(1, other.instances.size());
  }
  BodyContactSpec spec = body.contact.value_or(BodyContactSpec{});
  if (bodies < 2 && !spec.self) return {};
  using enum ContactRole;
  const bool plane = std::ranges::any_of(body.shape, is_plane);
  const bool dense = motion == PointMotion::dense || motion == PointMotion::surface;
  if (plane && spec.role && *spec.role != field) {
    fail(body, "contact.role", "a plane has no end, and no points", "", "field");
  }
  if (dense && spec.role && *spec.role != shell) {
    fail(body, "contact.role", "a body whose nodes all move has points, and no field that is known",
         "", "shell, or the engine reduced");
  }
  if (spec.self && (motion != PointMotion::linear || (spec.role && *spec.role != both))) {
    fail(body, "contact.self", "only a body that deforms, and has points and a field, meets itself",
         "", "the engine reduced, and role = \"both\" or none at all");
  }
  const auto* rigid = std::get_if<RigidSpec>(&body.engine);
  // What is moved by hand has points too: it may be pressed on formulas that have none.
  const bool stands = rigid != nullptr && rigid->motion == RigidMotion::fixed;
  if (!spec.role)
    spec.role = dense ? shell : plane || (!body.shape.empty() && stands) ? field : both;
  return spec;
}

ContactSteps add_contact_steps(BakeGraph& graph, const BodySpec& body, const BodyContactSpec& spec,
                               PointMotion motion, std::size_t mesh, const BodyPlan& plan) {
  ContactSteps steps{
      .spec = spec, .field = {}, .tree = {}, .proxies = {}, .states = {}, .bend = {}};
  const std::optional<std::size_t>& basis = plan.basis;
  if (spec.states) require_states(body, spec, plan);
  const bool feels = *spec.role != ContactRole::field, felt = *spec.role != ContactRole::shell;
  if (!feels && !body.shape.empty()) return steps;  // formulas suffice
  if (motion == PointMotion::surface) {
    steps.tree = graph.add(nodes_step(body, mesh));
    return steps;
  }
  const std::size_t field = graph.add(field_step(body, spec, mesh));
  if (felt && body.shape.empty()) steps.field = field;
  if (felt && basis) steps.proxies = graph.add(proxies_step(body, spec, field, mesh, *basis));
  if (felt && spec.states) {
    steps.states = graph.add(states_step(body, *spec.states, plan, field, mesh));
  }
  if (!feels) return steps;
  std::vector<std::size_t> needs{
      graph.add(shell_step(body, spec, motion != PointMotion::dense, field))};
  if (motion != PointMotion::rigid) needs.push_back(mesh);
  if (basis) needs.push_back(*basis);
  steps.tree = graph.add(tree_step(body, motion, std::move(needs)));
  return steps;
}

void add_contact_figures(BakeGraph& graph, const BodySpec& body, std::size_t mesh,
                         std::optional<std::size_t> basis, ContactSteps& steps) {
  if (!steps.proxies || !steps.field || steps.states) return;
  steps.bend = graph.add(bend_step(body, steps.spec, *steps.field, mesh, *basis, *steps.proxies));
}

}  // namespace pliant
