// SPDX-License-Identifier: MIT
#include "describe_scene.hpp"

#include <cmath>

#include <fmt/format.h>

#include "pliant/scene/schema.hpp"

namespace pliant::app {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};

std::string text(const Vector3d& v) {
  return fmt::format("({:g}, {:g}, {:g})", v[0], v[1], v[2]);
}

std::string text(const MeshSpec& mesh) {
  std::string out = mesh.model.empty() ? mesh.file.string() : "model:" + mesh.model;
  if (mesh.metres_per_unit != 1) out += fmt::format(", 1 unit = {:g} m", mesh.metres_per_unit);
  if (mesh.scale != 1) out += fmt::format(", scaled by {:g}", mesh.scale);
  if (mesh.repair) out += ", mended";
  return out;
}

std::string text(const std::vector<ShapeSpec>& shapes) {
  std::string out;
  for (const ShapeSpec& shape : shapes) {
    out += (out.empty() ? "" : ", ") + shape_table().write(shape)["kind"].get<std::string>();
  }
  return out + " by formulas";
}

std::string text(const MeshingSpec& meshing) {
  return std::visit(
      Overload{
          [](const AutomaticMeshing&) -> std::string { return "voxels, unless it is a volume"; },
          [](const NoMeshing&) -> std::string { return "none: as in the file"; },
          [](const VoxelMeshing& v) {
            std::string out = v.resolution ? fmt::format("voxels, {} across", *v.resolution)
                                           : std::string("voxels, as many as suit it");
            if (v.fill) out += *v.fill ? ", solid" : ", a shell";
            if (v.split) out += *v.split == TetSplit::five ? ", 5 tets each" : ", 6 tets each";
            return out;
          },
          [](const StuffingOptions& s) {
            return fmt::format("{}tetrahedra, {} cells across", s.graded ? "graded " : "",
                               s.resolution);
          },
          [](const GradedOptions& g) {
            return fmt::format("graded bricks, {} across at the surface", g.resolution);
          }},
      meshing);
}

std::string text(const FixedSpec& fixed) {
  return std::visit(
      Overload{[](const FixedBox& b) {
                 return fmt::format("the box {} to {} m", text(b.from), text(b.to));
               },
               [](const FixedPlane& p) {
                 return fmt::format("behind the plane at {} m with normal {}", text(p.point),
                                    text(p.normal));
               },
               [](const FixedSphere& s) {
                 return fmt::format("the ball of radius {:g} m at {} m", s.radius, text(s.centre));
               },
               [](const FixedNodes& n) { return fmt::format("{} nodes", n.nodes.size()); },
               [](const FixedGroup& g) { return fmt::format("the group {}", printable(g.name)); }},
      fixed);
}

std::string text(const MaterialSpec& m) {
  const std::string constants = std::visit(
      Overload{[](const IsotropicConstants& c) {
                 return fmt::format("Young's modulus {:g} Pa, Poisson's ratio {:g}", c.young,
                                    c.poisson);
               },
               [](const LameConstants& c) {
                 return fmt::format("lambda {:g} Pa, mu {:g} Pa", c.lambda, c.mu);
               },
               [](const OrthotropicConstants& c) {
                 return fmt::format("orthotropic, Young's moduli {} Pa", text(c.young));
               },
               [](const AnisotropicConstants&) -> std::string { return "anisotropic"; },
               [](const MooneyRivlinConstants& c) {
                 return fmt::format("mu01 {:g} Pa, mu10 {:g} Pa, v1 {:g} Pa", c.mu01, c.mu10, c.v1);
               }},
      m.constants);
  return fmt::format("{}, {}, {:g} kg/m^3", fem::name_of(m.law), constants, m.density);
}

std::string text(const Pose& pose) {
  const Eigen::AngleAxisd turn(pose.rotation);
  std::string out = fmt::format("at {} m", text(pose.position));
  if (turn.angle() != 0) {
    out += fmt::format(", turned by {:g} degrees about {}", turn.angle() * 180 / EIGEN_PI,
                       text(Vector3d(turn.axis())));
  }
  return out;
}

Json describe_body(const BodySpec& body) {
  Json out =
      body.shape.empty() ? Json{{"mesh", text(body.mesh)}} : Json{{"shape", text(body.shape)}};
  const bool rigid = !needs_volume(body.engine) && !elastic_surface(body.engine);
  if (needs_volume(body.engine) || !std::holds_alternative<AutomaticMeshing>(body.meshing)) {
    out["meshing"] = text(body.meshing);
  }
  if (body.instances.empty()) {
    out["pose"] = text(body.pose);
  } else {
    out["instances"] = body.instances.size();
  }
  if (!rigid) {
    out["material"] = body.material.empty() ? "what the mesh brings along" : body.material;
    Json regions = Json::object();
    for (const RegionSpec& region : body.regions) regions[region.name] = region.material;
    if (!regions.empty()) out["regions"] = std::move(regions);
    std::vector<std::string> fixed;
    for (const FixedSpec& item : body.fixed.value_or(std::vector<FixedSpec>{})) {
      fixed.push_back(text(item));
    }
    if (!body.fixed) {
      out["fixed"] = body.mesh.model.empty() ? "nothing" : "what the model says";
    } else if (fixed.empty()) {
      out["fixed"] = "nothing";
    } else {
      out["fixed"] = std::move(fixed);
    }
  }
  out["engine"] = words_of(body.engine);
  if (body.rate) out["rate [Hz]"] = *body.rate;
  return out;
}

}  // namespace

Json describe(const Scene& scene) {
  Json out{{"kind", "scene"}};
  if (!scene.title.empty()) out["title"] = scene.title;
  if (!scene.description.empty()) out["description"] = scene.description;
  if (scene.files.size() > 1) {
    std::vector<std::string> included;
    for (std::size_t i = 1; i < scene.files.size(); ++i)
      included.push_back(scene.files[i].string());
    out["includes"] = std::move(included);
  }
  out["rate [Hz]"] = scene.rate;
  out["duration [s]"] = scene.duration;
  out["gravity [m/s^2]"] = text(scene.gravity);
  if (scene.wind) out["wind [m/s]"] = text(scene.wind->velocity);
  Json materials = Json::object(), bodies = Json::object();
  for (const MaterialSpec& material : scene.materials) materials[material.name] = text(material);
  for (const BodySpec& body : scene.bodies) bodies[body.name] = describe_body(body);
  if (!materials.empty()) out["materials"] = std::move(materials);
  out["bodies"] = std::move(bodies);
  if (scene.handle) out["handle"] = "moves " + scene.handle->body;
  return out;
}

Json schema_json() {
  Json sections = Json::array();
  for (const SchemaSection& section : schema()) {
    Json keys = Json::array();
    for (const KeyInfo& key : section.keys) {
      Json row{{"key", key.name}, {"type", name_of(key.type)}};
      if (!key.unit.empty()) row["unit"] = key.unit;
      if (key.is_length()) row["length"] = true;
      if (std::isfinite(key.least)) row[key.above ? "above" : "least"] = key.least;
      if (std::isfinite(key.most)) row["most"] = key.most;
      if (!key.options.empty()) row["options"] = key.options;
      row["required"] = key.required;
      if (!key.default_text.empty()) row["default"] = key.default_text;
      row["description"] = key.description;
      keys.push_back(std::move(row));
    }
    Json one{{"path", section.path}, {"list", section.list}};
    if (!section.kind.empty()) one["kind"] = section.kind;
    if (!section.within.empty()) one["within"] = section.within;
    one["description"] = section.description;
    one["keys"] = std::move(keys);
    sections.push_back(std::move(one));
  }
  return sections;
}

std::string schema_text() {
  std::string out;
  for (const SchemaSection& section : schema()) {
    if (!out.empty()) out += "\n";
    out += section.path.empty() ? "top of the file"
           : section.list       ? "[[" + section.path + "]]"
                                : "[" + section.path + "]";
    if (!section.kind.empty()) out += fmt::format(" kind = \"{}\"", section.kind);
    if (!section.within.empty()) out += fmt::format(", where {}", section.within);
    out += "\n  " + section.description + "\n";
    for (const KeyInfo& key : section.keys) {
      const std::string preset = key.required               ? "; required"
                                 : key.default_text.empty() ? ""
                                                            : "; default " + key.default_text;
      out += fmt::format("  {:<22} {}\n  {:<22} {}{}\n", key.name, key.description, "",
                         allowed_text(key), preset);
    }
  }
  return out;
}

}  // namespace pliant::app
