// SPDX-License-Identifier: MIT
#include "pliant/report/frames.hpp"

#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/base/file.hpp"
#include "pliant/mesh/io/vtu.hpp"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Names of bodies may hold anything; names of files and XML should not.
std::string safe(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    out += plain || c == '-' ? c : '_';
  }
  return out;
}

void write_file(const fs::path& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

Matrix3Xd placed(const Matrix3Xd& X, const Pose& pose) {
  return (pose.rotation.toRotationMatrix() * X).colwise() + pose.position;
}

SurfaceMesh read_surface(const TensorFile& asset, const AssetBody& body) {
  SurfaceMesh surface;
  surface.V = asset.matrix<float>(body.tensor("shape/X"), 3).cast<double>();
  surface.F = asset.matrix<int>(body.tensor("surface/triangles"), 3);
  return surface;
}

std::span<const double> numbers(const auto& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

}  // namespace

FrameWriter::FrameWriter(fs::path folder, const TensorFile& asset, const World& world)
    : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    throw Error({folder_.string(), 0, ""}, "the folder cannot be made: " + error.message());
  for (int b = 0; b < world.body_count(); ++b) {
    const AssetBody& spec = world.asset_body(b);
    Body body;
    body.file_name = safe(world.body(b).name);
    if (world.body_count() > 1) body.file_name = fmt::format("{}_{}", b, body.file_name);
    if (spec.element.empty()) {
      body.surface = read_surface(asset, spec);
      if (world.model(b).ops->pressed) {
        const fem::Lame lame = fem::lame_of(spec.regions.front().material);
        body.fields.emplace(body.surface.V, body.surface.F, fem::young_of(lame.lambda, lame.mu),
                            0.5 * lame.lambda / (lame.lambda + lame.mu));
      }
    } else {
      body.nodes.emplace(asset, spec, b);
    }
    const Matrix3Xd& own = body.nodes ? body.nodes->mesh().V : body.surface.V;
    body.rest = placed(own, world.body(b).motion.pose);
    bodies_.push_back(std::move(body));
  }
}

std::string FrameWriter::name_of(const Body& body, std::size_t frame) const {
  return fmt::format("{}_{:05}.vtu", body.file_name, frame);
}

// Of a body that is pressed: where its vertices are, and its fields.
std::string FrameWriter::pressed_text(std::size_t b, const WorldState& state) const {
  const Body& body = bodies_[b];
  const BodyState& now = state.bodies[b];
  const Matrix3Xd u = now.c.cast<double>().reshaped(3, body.surface.V.cols());
  Matrix3Xd f = Matrix3Xd::Zero(3, u.cols());
  const Matrix3d back = now.pose.rotation.toRotationMatrix().transpose();
  for (const ContactState& contact : state.contacts) {
    if (contact.shell != static_cast<int>(b)) continue;
    f.col(contact.point) += back * contact.force;
  }
  const SurfaceFields::Values values = body.fields->evaluate(u, f);
  SurfaceMesh mesh = body.surface;
  mesh.V = placed(body.surface.V + u, now.pose);
  const Matrix3Xd moved = mesh.V - body.rest;
  const io::VtuField fields[] = {{"displacement", 3, numbers(moved)},
                                 {"area_change", 1, numbers(values.stretch)},
                                 {"energy_density", 1, numbers(values.energy)},
                                 {"von_mises", 1, numbers(values.von_mises)}};
  return io::write_vtu(mesh, fields);
}

void FrameWriter::add(double time, const WorldState& state) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    const BodyState& now = state.bodies[b];
    std::string text;
    if (body.fields) {
      text = pressed_text(b, state);
    } else {
      const Matrix3Xd x =
          body.nodes ? body.nodes->positions(state) : placed(body.surface.V, now.pose);
      const Matrix3Xd u = x - body.rest;
      const io::VtuField fields[] = {{"displacement", 3, numbers(u)}};
      if (body.nodes) {
        VolumeMesh mesh = body.nodes->mesh();
        mesh.V = x;
        text = io::write_vtu(mesh, fields, {});
      } else {
        SurfaceMesh mesh = body.surface;
        mesh.V = x;
        text = io::write_vtu(mesh, fields);
      }
    }
    write_file(folder_ / name_of(body, times_.size()), text);
  }
  times_.push_back(time);
}

fs::path FrameWriter::finish() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (std::size_t frame = 0; frame < times_.size(); ++frame) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      text += fmt::format("<DataSet timestep=\"{:.9g}\" group=\"\" part=\"{}\" file=\"{}\"/>\n",
                          times_[frame], b, name_of(bodies_[b], frame));
    }
  }
  const fs::path path = folder_ / "motion.pvd";
  write_file(path, text + "</Collection>\n</VTKFile>\n");
  return path;
}

std::string rest_vtu(const TensorFile& asset, const AssetHead& head, int index) {
  const AssetBody& body = head.bodies[static_cast<std::size_t>(index)];
  const Pose& pose = body.instances.front();
  if (body.element.empty()) {
    SurfaceMesh surface = read_surface(asset, body);
    surface.V = placed(surface.V, pose);
    return io::write_vtu(surface, {});
  }
  const NodalField nodes(asset, body, index);
  VolumeMesh mesh = nodes.mesh();
  mesh.V = placed(mesh.V, pose);
  if (!nodes.fixed().empty()) mesh.node_sets.push_back({"fixed", nodes.fixed()});
  std::vector<Matrix3Xd> shapes;
  std::vector<io::VtuField> fields;
  for (Index i = 0; i < nodes.basis().cols(); ++i) {
    const Eigen::Map<const Matrix3Xd> shape(nodes.basis().col(i).data(), 3, mesh.vertex_count());
    shapes.emplace_back(pose.rotation.toRotationMatrix() * shape);
  }
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    fields.push_back({fmt::format("shape {}", i + 1), 3, numbers(shapes[i])});
  }
  return io::write_vtu(mesh, fields, {});
}

}  // namespace pliant
