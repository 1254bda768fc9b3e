// SPDX-License-Identifier: MIT
#include "pliant/scene/check_scene.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pliant/base/nearest_name.hpp"
#include "pliant/mesh/io/mesh_file.hpp"

namespace pliant::scene {
namespace {

using Path = std::vector<std::string>;

class Checker {
 public:
  Checker(const Scene& scene, const Value& root) : scene_(scene), root_(root) {
    for (const MaterialSpec& m : scene.materials) materials_.push_back(m.name);
    for (const BodySpec& b : scene.bodies) bodies_.push_back(b.name);
  }

  void check() const {
    if (scene_.bodies.empty()) fail({"body"}, "the scene has no body", "", "a table [body.NAME]");
    for (const MaterialSpec& material : scene_.materials) check_material(material);
    for (const BodySpec& body : scene_.bodies) check_body(body);
    if (scene_.contact) check_contact(*scene_.contact);
    if (scene_.handle) check_handle(*scene_.handle);
    if (!scene_.handle && !std::holds_alternative<NoDevice>(scene_.device)) {
      fail({"device", "kind"},
           "a device moves the handle, and there is no [handle]: 'body' is missing");
    }
    if (const auto* replay = std::get_if<ReplayDevice>(&scene_.device)) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(replay->file, error)) {
        fail({"device", "file"}, "no such file", printable(replay->file));
      }
    }
  }

 private:
  [[noreturn]] void fail(const Path& path, const std::string& message,
                         const std::string& found = "", const std::string& expected = "") const {
    throw Error(place_of(root_, path), message, found, expected);
  }

  void refer(const std::string& name, const std::vector<std::string>& known, const Path& path,
             const char* what) const {
    if (std::ranges::find(known, name) != known.end()) return;
    fail(path,
         fmt::format("there is no [{}.{}]; {}", what, printable(name), nearest_known(name, known)));
  }

  bool is_written(const Path& path) const {
    const Value* value = &root_;
    for (const std::string& part : path) {
      const Object* object = std::get_if<Object>(&value->data);
      if (!object || !object->contains(part)) return false;
      value = &object->find(part)->second.value;
    }
    return true;
  }

  void check_material(const MaterialSpec& material) const {
    try {
      material_of(material);
    } catch (const Error& error) {
      fail({"material", material.name}, error.what());
    }
  }

  void check_body(const BodySpec& body) const {
    const Path at{"body", body.name};
    if (!body.material.empty()) {
      refer(body.material, materials_, below(at, {"material"}), "material");
      if (is_written(below(at, {"law"}))) {
        fail(below(at, {"law"}),
             fmt::format("the law of this body is that of [material.{}]", body.material));
      }
    }
    for (std::size_t i = 0; i < body.regions.size(); ++i) {
      const Path region = below(at, {"region", std::to_string(i)});
      refer(body.regions[i].material, materials_, below(region, {"material"}), "material");
      for (std::size_t j = 0; j < i; ++j) {
        if (body.regions[j].name == body.regions[i].name) {
          fail(below(region, {"name"}), "the region is listed twice", body.regions[i].name);
        }
      }
    }
    check_controls(body, at);
    check_accessible(body, at);
    check_shape(body, at);
    check_method(body, at);
    if (body.rate) {
      const double quotient = scene_.rate / *body.rate;
      if (quotient < 1 || std::abs(quotient - std::round(quotient)) > 1e-6 * quotient) {
        fail(below(at, {"rate"}), "it does not go into the scene's rate a whole number of times",
             fmt::format("{:g}", *body.rate), fmt::format("a whole part of {:g} Hz", scene_.rate));
      }
    }
    if (is_written(below(at, {"pose"})) && !body.instances.empty()) {
      fail(below(at, {"pose"}), "a body with instances stands at their poses");
    }
  }

  // Collisions as constraints.
  void check_method(const BodySpec& body, const Path& at) const {
    if (!body.contact || body.contact->method != ContactMethod::constraint) return;
    const Path method = below(at, {"contact", "method"});
    const auto* full = std::get_if<FullSpec>(&body.engine);
    if (full == nullptr || !std::holds_alternative<ExplicitSpec>(full->integrator)) {
      fail(method, "constraints are for explicit steps of every node", "constraint",
           "engine = { kind = \"full\", integrator = { kind = \"explicit\" } }, or penalty");
    }
    if (body.rate) {
      fail(method, "a body that meets by constraints steps with all others", "constraint",
           "no rate of its own, or penalty");
    }
  }

  void check_controls(const BodySpec& body, const Path& at) const {
    if (!body.control) return;
    if (!takes_controls(body.engine)) {
      fail(below(at, {"control"}), "this engine has no control elements", name_of(body.engine),
           "engine.kind = \"green\"");
    }
    for (std::size_t i = 0; i < body.control->size(); ++i) {
      const std::string& name = (*body.control)[i].own.name;
      for (std::size_t j = 0; j < i; ++j) {
        if ((*body.control)[j].own.name != name) continue;
        fail(below(at, {"control", std::to_string(i), "name"}), "the name is taken", name);
      }
    }
  }

  void check_accessible(const BodySpec& body, const Path& at) const {
    if (!body.accessible) return;
    const Path key = below(at, {"accessible"});
    if (!takes_loads(body.engine)) {
      fail(key, "this engine makes no answers to loads beforehand", name_of(body.engine),
           "engine.kind = \"vademecum\" or \"green\"");
    }
    if (body.accessible->empty()) {
      fail(key, "no accessible boundary: nothing could be loaded", "[]",
           "at least one part of the surface, or no 'accessible': all of it");
    }
  }

  const BodySpec& body_of(const std::string& name) const {
    return *std::ranges::find(scene_.bodies, name, &BodySpec::name);
  }

  void check_handle(const HandleSpec& handle) const {
    refer(handle.body, bodies_, {"handle", "body"}, "body");
    for (std::size_t i = 0; i < handle.fingers.size(); ++i) {
      const std::string& name = handle.fingers[i].body;
      const Path at{"handle", "fingers", std::to_string(i), "body"};
      refer(name, bodies_, at, "body");
      bool taken = name == handle.body;
      for (std::size_t j = 0; j < i; ++j) taken = taken || handle.fingers[j].body == name;
      if (taken) fail(at, "the hand has this body already", name);
    }
    // What moves by itself is not put anywhere: what says how is without effect.
    const auto* rigid = std::get_if<RigidSpec>(&body_of(handle.body).engine);
    if (rigid != nullptr && rigid->motion == RigidMotion::kinematic) return;
    const HandleSpec usual;
    const std::pair<const char*, bool> without_effect[] = {
        {"coupling", handle.coupling != usual.coupling},
        {"damping", handle.damping != usual.damping},
        {"speed", handle.speed.has_value()},
        {"turning", handle.turning != usual.turning}};
    for (const auto& [key, is_set] : without_effect) {
      if (!is_set) continue;
      fail({"handle", key}, "it has no effect on a body that moves by itself", "",
           "engine = { kind = \"rigid\", motion = \"kinematic\" }, or no such key");
    }
  }

  void check_contact(const ContactSpec& contact) const {
    for (std::size_t i = 0; i < contact.pair.size(); ++i) {
      const ContactPairSpec& pair = contact.pair[i];
      const Path at{"contact", "pair", std::to_string(i)};
      refer(pair.first, bodies_, below(at, {"first"}), "body");
      refer(pair.second, bodies_, below(at, {"second"}), "body");
      const auto same = [&](const ContactPairSpec& other) {
        return (other.first == pair.first && other.second == pair.second) ||
               (other.first == pair.second && other.second == pair.first);
      };
      const auto before = contact.pair.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::any_of(contact.pair.begin(), before, same)) {
        fail(below(at, {"second"}), "the two are listed twice", pair.second);
      }
    }
    if (contact.pairs == ContactSpec::Pairs::listed && contact.pair.empty()) {
      fail({"contact", "pairs"}, "no pair is listed", "listed", "a table [[contact.pair]]");
    }
    if (contact.pairs == ContactSpec::Pairs::none && !contact.pair.empty()) {
      fail({"contact", "pair"}, "nobody meets, says `pairs`", "", "pairs = \"all\" or \"listed\"");
    }
  }

  void check_tube(const BodySpec& body, const Path& at) const {
    if (!std::holds_alternative<AutomaticMeshing>(body.meshing) &&
        !std::holds_alternative<NoMeshing>(body.meshing)) {
      fail(below(at, {"meshing", "kind"}), "a tube has its own elements", "",
           "kind = \"none\", or no meshing");
    }
    if (body.mesh.repair) {
      fail(below(at, {"mesh", "repair"}), "a tube has no surface to mend");
    }
  }

  // A body that is known by its surface alone.
  void check_surface(const BodySpec& body, const Path& at) const {
    if (!of_elements(body.engine) && !std::holds_alternative<AutomaticMeshing>(body.meshing)) {
      fail(below(at, {"meshing"}), "this engine needs no elements: the surface is all of the body",
           name_of(body.engine), "no meshing, or method = \"elements\"");
    }
    if (body.rate) {
      fail(below(at, {"rate"}), "a body that is pressed steps with all others",
           name_of(body.engine), "no rate of its own");
    }
    if (body.material.empty() && body.mesh.model.empty() && !body.mesh.tube) {
      fail(at, "the body has no material", "", "material = \"NAME\", and a table [material.NAME]");
    }
  }

  // The file, the meshing and the engine, as far as the file's ending tells what is in it.
  void check_shape(const BodySpec& body, const Path& at) const {
    if (!body.shape.empty()) return;
    if (elastic_surface(body.engine)) check_surface(body, at);
    if (body.mesh.tube) return check_tube(body, at);
    const bool surface_suffices = !needs_volume(body.engine) && !of_elements(body.engine);
    const bool from_model = !body.mesh.model.empty();
    const FormatInfo* format = from_model ? nullptr : &format_info(body.mesh.file);
    const bool surface_only = from_model || !format->volume;
    const bool volume_only = !from_model && !format->surface;
    const bool meshes = !std::holds_alternative<AutomaticMeshing>(body.meshing) &&
                        !std::holds_alternative<NoMeshing>(body.meshing);
    if (volume_only && meshes) {
      fail(below(at, {"meshing", "kind"}),
           fmt::format("a {} file has its own elements", format->name), "",
           "kind = \"none\", or no meshing");
    }
    if (volume_only && body.mesh.repair) {
      fail(below(at, {"mesh", "repair"}),
           fmt::format("a {} file has no surface to mend", format->name));
    }
    if (surface_suffices) return;
    if (surface_only && std::holds_alternative<NoMeshing>(body.meshing)) {
      fail(below(at, {"meshing", "kind"}), "a surface has no elements: it must be meshed", "none",
           "voxels, tets or hexes, or the engine rigid");
    }
    if (surface_only && !from_model && body.material.empty() && body.regions.empty()) {
      fail(at,
           fmt::format("the body has no material, and a {} file brings none along", format->name),
           "", "material = \"NAME\", and a table [material.NAME]");
    }
  }

  static Path below(Path path, const Path& more) {
    path.insert(path.end(), more.begin(), more.end());
    return path;
  }

  const Scene& scene_;
  const Value& root_;
  std::vector<std::string> materials_, bodies_;
};

}  // namespace

void check_scene(const Scene& scene, const Value& root) {
  Checker(scene, root).check();
}

}  // namespace pliant::scene
