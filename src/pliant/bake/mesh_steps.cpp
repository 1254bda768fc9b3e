// SPDX-License-Identifier: MIT
#include "pliant/bake/mesh_steps.hpp"

#include <nlohmann/json.hpp>

#include "pliant/base/file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/fem/volume_tensors.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/scene/canonical.hpp"
#include "pliant/shape/linear_shape.hpp"

namespace pliant {
namespace {

using Json = nlohmann::json;

std::string mesh_inputs(const BodySpec& body, const std::vector<BodyRegion>& regions) {
  std::string text = canonical(body.mesh) + canonical(body.meshing);
  for (const std::filesystem::path& file : {body.mesh.file, body.mesh.surface}) {
    if (!file.empty()) text += file_hash(file);
  }
  for (const ShapeSpec& shape : body.shape) text += canonical(shape);
  for (const BodyRegion& region : regions) text += region.name + "\n";
  const auto add_rules = [&](const std::vector<FixedSpec>& rules) {
    for (const FixedSpec& rule : rules) {
      text += canonical(rule);
      const auto* nodes = std::get_if<FixedNodes>(&rule);
      if (nodes != nullptr && !nodes->file.empty()) text += file_hash(nodes->file);
    }
  };
  if (body.fixed) {
    add_rules(*body.fixed);
    text += "fixed by the scene";
  }
  if (takes_loads(body.engine) && body.accessible) {
    add_rules(*body.accessible);
    text += "accessible";
  }
  for (const ControlSpec& control : body.control.value_or(std::vector<ControlSpec>{})) {
    text += control.own.name + canonical(control.nodes);
    const auto* nodes = std::get_if<FixedNodes>(&control.nodes);
    if (nodes != nullptr && !nodes->file.empty()) text += file_hash(nodes->file);
  }
  if (takes_controls(body.engine)) text += body.control ? "controls" : "controls of the mesh";
  if (!needs_volume(body.engine)) text += "surface alone";
  if (elastic_surface(body.engine)) text += ", held";
  if (of_elements(body.engine)) text += ", of elements";
  if (!body.shape.empty()) text += canonical(body.engine);
  return text;
}

}  // namespace

std::string file_hash(const std::filesystem::path& path) {
  const MappedFile file(path);
  return Hasher().add(file.bytes()).hex();
}

std::vector<std::string> region_names(const TensorFile& mesh) {
  return Json::parse(mesh.need_metadata("regions")).get<std::vector<std::string>>();
}

void write_controls(TensorWriter& out, const std::vector<NamedSet>& controls) {
  if (controls.empty()) return;
  std::vector<std::string> names;
  for (const NamedSet& control : controls) {
    names.push_back(control.name);
    out.keep("control/" + control.name,
             VectorXi(Eigen::Map<const VectorXi>(control.items.data(), std::ssize(control.items))));
  }
  out.set("controls", Json(names).dump());
}

std::vector<NamedSet> read_controls(const TensorFile& mesh) {
  std::vector<NamedSet> controls;
  if (!mesh.metadata().contains("controls")) return controls;
  for (const auto& name :
       Json::parse(mesh.need_metadata("controls")).get<std::vector<std::string>>()) {
    const VectorXi nodes = mesh.matrix<int>("control/" + name);
    controls.push_back({name, {nodes.begin(), nodes.end()}});
  }
  return controls;
}

BakeStep mesh_step(const BodySpec& body, const std::shared_ptr<MeshSource>& source,
                   const std::vector<BodyRegion>& regions) {
  return {body.name + ": mesh",
          "mesh",
          1,
          mesh_inputs(body, regions),
          {},
          [body, source, regions](Needs, TensorWriter& out, Progress& progress) {
            progress.begin("mesh");
            BodyMesh mesh = make_body_mesh(body, *source, regions, Progress::none());
            out.keep("surface/V", std::move(mesh.surface.V));
            out.keep("surface/triangles", std::move(mesh.surface.F));
            std::vector<std::string> names;
            if (!mesh.surface_nodes.empty()) {
              out.keep("surface/nodes",
                       VectorXi(Eigen::Map<const VectorXi>(mesh.surface_nodes.data(),
                                                           std::ssize(mesh.surface_nodes))));
            } else if (elastic_surface(body.engine)) {
              out.keep("surface/fixed", VectorXi(Eigen::Map<const VectorXi>(
                                            mesh.fixed.data(), std::ssize(mesh.fixed))));
            }
            if (mesh.volume) {
              write_volume(out, "volume/", *mesh.volume, mesh.fixed);
              for (const Region& region : mesh.volume->regions) names.push_back(region.name);
            }
            out.set("regions", Json(names).dump());
            write_controls(out, mesh.controls);
            if (!mesh.accessible.empty()) {
              out.keep("accessible", VectorXi(Eigen::Map<const VectorXi>(
                                         mesh.accessible.data(), std::ssize(mesh.accessible))));
            }
            progress.end();
          }};
}

namespace {

// Each point is a node of its own; normals stay, as deformations are small.
void write_own_nodes(Index points, TensorWriter& out) {
  MatrixXi nodes(1, points);
  for (Index p = 0; p < points; ++p) nodes(0, p) = static_cast<int>(p);
  out.keep("embedding/nodes", std::move(nodes));
  out.keep("embedding/weights", MatrixXd(MatrixXd::Ones(1, points)));
  out.keep("embedding/gradients", Eigen::MatrixXf(Eigen::MatrixXf::Zero(3, points)));
}

}  // namespace

// Of the last needed step: U, or no basis.
BakeStep shape_step(const std::string& name, std::vector<std::size_t> needs, PointMotion motion) {
  const bool volume = motion == PointMotion::linear || motion == PointMotion::dense;
  const bool nodes = motion == PointMotion::surface;
  return {name + ": shape",
          "shape",
          2,
          volume  ? "embedded"
          : nodes ? "nodes"
                  : "surface",
          std::move(needs),
          [volume, nodes](Needs files, TensorWriter& out, Progress& progress) {
            progress.begin("shape");
            const Matrix3Xd X = files[0]->matrix<double>("surface/V", 3);
            const Matrix3Xi triangles = files[0]->matrix<int>("surface/triangles", 3);
            const PointNormals rest = surface_normals(X, triangles, MatrixXd(3 * X.cols(), 0));
            const auto write_rest = [&] {
              out.keep("shape/X", Eigen::Matrix3Xf(X.cast<float>()));
              out.keep("shape/N", Eigen::Matrix3Xf(rest.N.cast<float>()));
            };
            if (!volume) {
              write_rest();
              if (nodes) write_own_nodes(X.cols(), out);
              return progress.end();
            }
            const HeldVolume solid = read_volume(*files[0], "volume/", region_names(*files[0]));
            Embedding embedding = embed(X, solid.mesh);
            VectorXi region(X.cols());
            for (Index p = 0; p < X.cols(); ++p)
              region[p] = solid.mesh.region[embedding.element[p]];
            out.keep("shape/region", std::move(region));
            if (files.size() > 1) {
              const MatrixXd U = files[1]->matrix<double>("U");
              const MatrixXd gradients = embedded_gradients(embedding, solid.mesh, U);
              LinearShape(X, embedded_basis(embedding, U), transported_normals(rest.N, gradients))
                  .write(out, "shape/");
              out.keep("shape/gradient", Eigen::MatrixXf(gradients.cast<float>()));
            } else {
              write_rest();
              out.keep(
                  "embedding/gradients",
                  Eigen::MatrixXf(embedded_shape_gradients(embedding, solid.mesh).cast<float>()));
            }
            out.keep("embedding/nodes", std::move(embedding.nodes));
            out.keep("embedding/weights", std::move(embedding.weights));
            progress.end();
          }};
}

}  // namespace pliant
