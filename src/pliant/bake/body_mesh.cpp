// SPDX-License-Identifier: MIT
#include "pliant/bake/body_mesh.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pliant/base/assert.hpp"
#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/match.hpp"
#include "pliant/fem/loads.hpp"
#include "pliant/mesh/io/mesh_file.hpp"
#include "pliant/mesh/io/node_list.hpp"
#include "pliant/mesh/isosurface.hpp"
#include "pliant/mesh/solid_surfaces.hpp"
#include "pliant/mesh/surface_distance.hpp"
#include "pliant/mesh/surface_repair.hpp"

namespace pliant {

void fail(const BodySpec& body, const std::string& key, const std::string& message,
          const std::string& value, const std::string& expected) {
  Place place = body.place;
  place.item = fmt::format("body.{}.{}", body.name, key);
  throw Error(place, message, value, expected);
}

namespace {

constexpr double cells_of_a_union = 96;  // along its longest side

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none: the mesh has no named parts"
                       : fmt::format("{}", fmt::join(names, ", "));
}

// Of solids by formulas: side by side where they are only looked at, one closed surface where it is
// weighed.
SurfaceMesh surface_of(const BodySpec& body) {
  SurfaceMesh all;
  const auto add = [&](const SurfaceMesh& part, const Pose& pose) {
    const Index points = all.V.cols(), faces = all.F.cols();
    all.V.conservativeResize(3, points + part.V.cols());
    all.F.conservativeResize(3, faces + part.F.cols());
    all.F.rightCols(part.F.cols()) = part.F.array() + static_cast<int>(points);
    for (Index v = 0; v < part.V.cols(); ++v) {
      all.V.col(points + v) = pose.to_world(part.V.col(v));
    }
  };
  for (const ShapeSpec& shape : body.shape) {
    std::visit(
        Match{[&](const PlaneShape& s) {
                add(square_surface(s.size),
                    {s.point, Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), s.normal)});
              },
              [&](const SphereShape& s) { add(sphere_surface(s.radius), s.at); },
              [&](const BoxShape& s) { add(box_surface(s.sides), s.at); },
              [&](const CapsuleShape& s) { add(capsule_surface(s.radius, s.length), s.at); },
              [&](const CylinderShape& s) { add(cylinder_surface(s.radius, s.length), s.at); },
              [&](const TorusShape& s) { add(torus_surface(s.radius, s.tube), s.at); }},
        shape);
  }
  const auto* rigid = std::get_if<RigidSpec>(&body.engine);
  if (body.shape.size() == 1 || rigid->motion != RigidMotion::free) return all;
  std::vector<RigidShape> shapes;
  for (const ShapeSpec& shape : body.shape) shapes.push_back(rigid_shape(shape));
  const auto distance = [&](const Vector3d& x) {
    double least = std::numeric_limits<double>::infinity();
    Vector3d n;
    for (const RigidShape& shape : shapes) least = std::min(least, shape.distance(x, n));
    return least;
  };
  Eigen::AlignedBox3d box = bounds(all.V);
  const double cell = box.sizes().maxCoeff() / cells_of_a_union;
  box = {Vector3d(box.min().array() - 2 * cell), Vector3d(box.max().array() + 2 * cell)};
  return isosurface({distance, box, true}, cell);
}

MeshOrigin load(const BodySpec& body) {
  MeshOrigin origin;
  const double factor = body.mesh.metres_per_unit * body.mesh.scale;
  if (!body.shape.empty()) {
    origin.mesh = surface_of(body);
  } else if (body.mesh.tube) {
    origin.mesh = tube(*body.mesh.tube);
  } else if (body.mesh.model.empty()) {
    ReadReport report;
    origin.mesh = read_mesh(body.mesh.file, &report);
    origin.vertex_map = std::move(report.vertex_map);
  } else {
    origin.model = make_model(body.mesh.model, body.mesh.parameters);
    origin.mesh = std::move(origin.model->surface);
    for (Eigen::AlignedBox3d& box : origin.model->fixed) {
      box = Eigen::AlignedBox3d(box.min() * factor, box.max() * factor);
    }
  }
  std::visit([&](auto& mesh) { mesh.V *= factor; }, origin.mesh);
  const auto mend = [&](SurfaceMesh& surface) {
    RepairReport report;
    if (body.mesh.repair) surface = repair(surface, {}, report);
  };
  if (SurfaceMesh* surface = std::get_if<SurfaceMesh>(&origin.mesh)) mend(*surface);
  if (!body.mesh.surface.empty()) {
    if (!std::holds_alternative<VolumeMesh>(origin.mesh)) {
      fail(body, "mesh.surface", "a surface is drawn over solid elements, and the file has none",
           body.mesh.file.filename().string(), "a file of a volume, or no 'surface'");
    }
    origin.surface = read_surface_mesh(body.mesh.surface);
    origin.surface->V *= factor;
    mend(*origin.surface);
  }
  return origin;
}

VolumeMesh voxels_of(const SurfaceMesh& surface, const VoxelMeshing& spec,
                     const MeshOrigin& origin) {
  VoxelOptions options{.enlargement = spec.enlargement, .keep_largest = spec.keep_largest};
  options.resolution = spec.resolution.value_or(origin.model ? origin.model->voxel_resolution : 64);
  options.fill_interior = spec.fill.value_or(origin.model ? origin.model->fill_interior : true);
  const VoxelGrid grid = voxelise(surface, options);
  return spec.split ? tetrahedra(grid, *spec.split) : hexahedra(grid);
}

VolumeMesh elements_of(const BodySpec& body, const MeshOrigin& origin, Progress& progress) {
  if (const VolumeMesh* volume = std::get_if<VolumeMesh>(&origin.mesh)) {
    if (!std::holds_alternative<AutomaticMeshing>(body.meshing) &&
        !std::holds_alternative<NoMeshing>(body.meshing)) {
      fail(body, "meshing", "the file holds solid elements, which stay as they are", "",
           "no [meshing], or kind = \"none\"");
    }
    return *volume;
  }
  const SurfaceMesh& surface = std::get<SurfaceMesh>(origin.mesh);
  return std::visit(
      Match{[&](const AutomaticMeshing&) { return voxels_of(surface, {}, origin); },
            [&](const NoMeshing&) -> VolumeMesh {
              fail(body, "meshing", "a surface has to be filled with elements", "none",
                   "voxels, tets or hexes");
            },
            [&](const VoxelMeshing& spec) { return voxels_of(surface, spec, origin); },
            [&](const StuffingOptions& spec) { return stuff(surface, spec, progress); },
            [&](const GradedOptions& spec) { return graded_hexahedra(surface, spec); }},
      body.meshing);
}

const MaterialSpec& find(const std::vector<MaterialSpec>& materials, const std::string& name) {
  return *std::find_if(materials.begin(), materials.end(),
                       [&](const MaterialSpec& m) { return m.name == name; });
}

Matrix3Xd centres_of(const VolumeMesh& mesh) {
  Matrix3Xd centres(3, mesh.element_count());
  for (int e = 0; e < mesh.element_count(); ++e) {
    centres.col(e).setZero();
    for (int a = 0; a < mesh.E.rows(); ++a) centres.col(e) += mesh.V.col(mesh.E(a, e));
  }
  return centres / static_cast<double>(mesh.E.rows());
}

SurfaceMesh group_of(const SurfaceMesh& surface, int group) {
  SurfaceMesh part{surface.V, {}, {}, {}};
  std::vector<Index> faces;
  for (Index f = 0; f < surface.F.cols(); ++f) {
    if (surface.group[f] == group) faces.push_back(f);
  }
  part.F = surface.F(Eigen::all, faces);
  return part;
}

// The group of this name; throws if there is none.
int group_index(const BodySpec& body, const std::string& key, const SurfaceMesh& surface,
                const std::string& name) {
  const auto& names = surface.group_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    fail(body, key, "the surface has no such group", name, list_of(names));
  }
  return static_cast<int>(found - names.begin());
}

// For a surface with groups: the first part whose group encloses the element's centre, the nearest
// group where none does (a shell of voxels lies partly outside), else the part without a group.
VectorXi parts_by_groups(const BodySpec& body, const SurfaceMesh& surface, const VolumeMesh& mesh,
                         const std::vector<BodyRegion>& parts) {
  VectorXi part = VectorXi::Constant(mesh.element_count(), -1);
  VectorXd nearest =
      VectorXd::Constant(mesh.element_count(), std::numeric_limits<double>::infinity());
  const Matrix3Xd centres = centres_of(mesh);
  std::optional<int> rest;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].name.empty()) {
      rest = static_cast<int>(p);
      continue;
    }
    const int group = group_index(body, "region", surface, parts[p].name);
    const VectorXd d =
        SurfaceDistance(group_of(surface, group), DistanceSign::winding_number).evaluate(centres);
    for (Index e = 0; e < part.size(); ++e) {
      if (nearest[e] <= 0 || !(d[e] < nearest[e])) continue;  // an earlier part has it
      nearest[e] = d[e];
      part[e] = static_cast<int>(p);
    }
  }
  if (rest) {
    for (Index e = 0; e < part.size(); ++e) {
      if (!(nearest[e] <= 0)) part[e] = *rest;
    }
  }
  return part;
}

VectorXi parts_by_regions(const BodySpec& body, const VolumeMesh& mesh,
                          const std::vector<BodyRegion>& parts) {
  std::vector<int> of_region(mesh.regions.size(), -1);
  int rest = -1;
  for (std::size_t p = parts.size(); p-- > 0;) {
    if (parts[p].name.empty()) {
      rest = static_cast<int>(p);
      continue;
    }
    const auto found = std::find_if(mesh.regions.begin(), mesh.regions.end(),
                                    [&](const Region& r) { return r.name == parts[p].name; });
    if (found == mesh.regions.end()) {
      std::vector<std::string> names;
      for (const Region& region : mesh.regions) names.push_back(region.name);
      fail(body, "region", "the volume has no such region", parts[p].name, list_of(names));
    }
    of_region[static_cast<std::size_t>(found - mesh.regions.begin())] = static_cast<int>(p);
  }
  VectorXi part = VectorXi::Constant(mesh.element_count(), rest);
  for (Index e = 0; e < mesh.region.size(); ++e) {
    const int own = of_region[static_cast<std::size_t>(mesh.region[e])];
    if (own >= 0) part[e] = own;
  }
  return part;
}

void set_regions(const BodySpec& body, const std::vector<BodyRegion>& parts, const VectorXi& part,
                 VolumeMesh& mesh) {
  for (Index e = 0; e < part.size(); ++e) {
    if (part[e] >= 0) continue;
    fail(body, "material", fmt::format("element {} has no material", e), "",
         "material = \"NAME\", for all that no region names");
  }
  mesh.regions.clear();
  mesh.materials.clear();
  std::vector<int> renumbered(parts.size(), -1);
  mesh.region.resize(mesh.element_count());
  for (Index e = 0; e < part.size(); ++e) {
    int& number = renumbered[static_cast<std::size_t>(part[e])];
    if (number < 0) {
      number = static_cast<int>(mesh.regions.size());
      mesh.regions.push_back({parts[static_cast<std::size_t>(part[e])].name, -1});
    }
    mesh.region[e] = number;
  }
}

// Nodes within an element's size of a group of the surface.
std::vector<int> nodes_near_group(const BodySpec& body, const std::string& key,
                                  const SurfaceMesh& surface, const VolumeMesh& mesh,
                                  const std::string& name) {
  const int group = group_index(body, key, surface, name);
  const SurfaceDistance distance(group_of(surface, group), DistanceSign::winding_number);
  const double reach = std::cbrt(volume(mesh) / mesh.element_count());
  std::vector<int> nodes;
  const VectorXd d = distance.evaluate(mesh.V);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (std::abs(d[v]) <= reach) nodes.push_back(v);
  }
  return nodes;
}

// Of a body without elements: those of the group's triangles.
std::vector<int> nodes_of_group(const BodySpec& body, const std::string& key,
                                const SurfaceMesh& surface, const std::string& name) {
  const SurfaceMesh part = group_of(surface, group_index(body, key, surface, name));
  const std::set<int> nodes(part.F.data(), part.F.data() + part.F.size());
  return {nodes.begin(), nodes.end()};
}

template <class Inside>
std::vector<int> nodes_where(const VolumeMesh& mesh, const Inside& inside) {
  std::vector<int> nodes;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (inside(Vector3d(mesh.V.col(v)))) nodes.push_back(v);
  }
  return nodes;
}

// In the numbers of the file that the mesh was read from, which may have been mended.
std::vector<int> listed_nodes(const std::filesystem::path& file, const MeshOrigin& origin,
                              const VolumeMesh& mesh) {
  const VectorXi& map = origin.vertex_map;
  std::vector<int> nodes =
      read_node_list(file, map.size() > 0 ? static_cast<int>(map.size()) : mesh.vertex_count());
  if (map.size() > 0) {
    for (int& node : nodes) node = map[node];
    std::erase(nodes, -1);
  }
  return nodes;
}

std::vector<int> nodes_of(const BodySpec& body, const std::string& key, const FixedSpec& spec,
                          const MeshOrigin& origin, const SurfaceMesh& surface,
                          const VolumeMesh& mesh) {
  return std::visit(Match{[&](const FixedBox& box) {
                            const Eigen::AlignedBox3d b(box.from, box.to);
                            return nodes_where(mesh,
                                               [&](const Vector3d& x) { return b.contains(x); });
                          },
                          [&](const FixedPlane& plane) {
                            return nodes_where(mesh, [&](const Vector3d& x) {
                              return (x - plane.point).dot(plane.normal) <= 0;
                            });
                          },
                          [&](const FixedSphere& sphere) {
                            return nodes_where(mesh, [&](const Vector3d& x) {
                              return (x - sphere.centre).norm() <= sphere.radius;
                            });
                          },
                          [&](const FixedNodes& list) {
                            if (!list.file.empty()) return listed_nodes(list.file, origin, mesh);
                            for (const int node : list.nodes) {
                              if (node >= 0 && node < mesh.vertex_count()) continue;
                              fail(body, key, "the mesh has no such node", std::to_string(node),
                                   fmt::format("0 to {}", mesh.vertex_count() - 1));
                            }
                            return list.nodes;
                          },
                          [&](const FixedGroup& group) {
                            for (const NamedSet& set : mesh.node_sets) {
                              if (set.name == group.name) return set.items;
                            }
                            return mesh.element_count() == 0
                                       ? nodes_of_group(body, key, surface, group.name)
                                       : nodes_near_group(body, key, surface, mesh, group.name);
                          }},
                    spec);
}

// What a rule finds; `key` says which.
std::vector<int> found_nodes(const BodySpec& body, const std::string& key, const FixedSpec& rule,
                             const MeshOrigin& origin, const BodyMesh& result) {
  const VolumeMesh& mesh = *result.volume;
  std::vector<int> found = nodes_of(body, key, rule, origin, result.surface, mesh);
  if (found.empty()) {
    const Eigen::AlignedBox3d box = bounds(mesh.V);
    const Vector3d low = box.min(), high = box.max();
    fail(body, key, "no node lies there", "",
         fmt::format("a place within [{:.4g}, {:.4g}, {:.4g}] to [{:.4g}, {:.4g}, {:.4g}] m",
                     low[0], low[1], low[2], high[0], high[1], high[2]));
  }
  return found;
}

// A hanging node follows its parents, which are held or moved with it.
void take_parents(const VolumeMesh& mesh, std::set<int>& nodes) {
  for (const HangingNode& h : mesh.hanging) {
    if (nodes.erase(h.node) == 0) continue;
    nodes.insert(h.parents.begin(), h.parents.begin() + h.count);
  }
}

constexpr std::string_view control_set = "control_";  // as tubes and table 1 name them

std::vector<NamedSet> control_nodes(const BodySpec& body, const MeshOrigin& origin,
                                    const BodyMesh& result) {
  const VolumeMesh& mesh = *result.volume;
  std::vector<NamedSet> controls;
  const auto add = [&](const std::string& name, const std::vector<int>& found) {
    std::set<int> nodes(found.begin(), found.end());
    take_parents(mesh, nodes);
    controls.push_back({name, {nodes.begin(), nodes.end()}});
  };
  if (!body.control) {
    for (const NamedSet& set : mesh.node_sets) {
      if (set.name.starts_with(control_set)) add(set.name, set.items);
    }
    return controls;
  }
  for (std::size_t i = 0; i < body.control->size(); ++i) {
    const ControlSpec& control = (*body.control)[i];
    add(control.own.name,
        found_nodes(body, fmt::format("control[{}]", i), control.nodes, origin, result));
  }
  return controls;
}

std::vector<int> accessible_nodes(const BodySpec& body, const MeshOrigin& origin,
                                  const BodyMesh& result) {
  std::set<int> nodes;
  for (std::size_t i = 0; i < body.accessible->size(); ++i) {
    const std::vector<int> found =
        found_nodes(body, fmt::format("accessible[{}]", i), (*body.accessible)[i], origin, result);
    nodes.insert(found.begin(), found.end());
  }
  take_parents(*result.volume, nodes);
  const Matrix3Xi triangles = fem::boundary_triangles(*result.volume);
  const std::set<int> surface(triangles.data(), triangles.data() + triangles.size());
  std::vector<int> both;
  std::ranges::set_intersection(nodes, surface, std::back_inserter(both));
  if (both.empty()) {
    fail(body, "accessible", "no node of the surface lies there, so that nothing could be loaded",
         fmt::format("{} nodes, all inside", nodes.size()), "a part of the surface");
  }
  return both;
}

std::vector<int> fixed_nodes(const BodySpec& body, const MeshOrigin& origin,
                             const BodyMesh& result) {
  std::set<int> nodes;
  const VolumeMesh& mesh = *result.volume;
  if (!body.fixed && origin.model) {
    for (const Eigen::AlignedBox3d& box : origin.model->fixed) {
      for (const int v : nodes_where(mesh, [&](const Vector3d& x) { return box.contains(x); })) {
        nodes.insert(v);
      }
    }
  }
  const auto rules = body.fixed.value_or(std::vector<FixedSpec>{});
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::vector<int> found =
        found_nodes(body, fmt::format("fixed[{}]", i), rules[i], origin, result);
    nodes.insert(found.begin(), found.end());
  }
  take_parents(mesh, nodes);
  if (std::ssize(nodes) == mesh.vertex_count() - std::ssize(mesh.hanging)) {
    fail(body, "fixed", fmt::format("all {} nodes of the body are held", mesh.vertex_count()), "",
         "some that can move: smaller boxes, or finer elements");
  }
  return {nodes.begin(), nodes.end()};
}

}  // namespace

const MeshOrigin& MeshSource::get() {
  std::call_once(once_, [&] { origin_ = load(body_); });
  return *origin_;
}

std::vector<BodyRegion> body_regions(const BodySpec& body, MeshSource& source,
                                     const std::vector<MaterialSpec>& materials) {
  std::vector<BodyRegion> regions;
  for (const RegionSpec& region : body.regions) {
    regions.push_back(
        {region.name, region.material, material_of(find(materials, region.material))});
  }
  if (!body.material.empty()) {
    regions.push_back({"", body.material, material_of(find(materials, body.material))});
    return regions;
  }
  // What the mesh brings along for a part that the scene names would never count.
  const auto add = [&](BodyRegion region) {
    const auto same = [&](const BodyRegion& r) { return r.name == region.name; };
    if (std::ranges::none_of(regions, same)) regions.push_back(std::move(region));
  };
  if (!body.mesh.model.empty()) {
    for (const ModelMaterial& m : source.get().model->materials) {
      add({m.group, m.name, fem::isotropic(body.law, m.young, m.poisson, m.density)});
    }
    return regions;
  }
  if (const VolumeMesh* volume = std::get_if<VolumeMesh>(&source.get().mesh)) {
    for (const Region& region : volume->regions) {
      if (region.material < 0) continue;
      const MaterialRecord& record = volume->materials[static_cast<std::size_t>(region.material)];
      add({region.name, record.name, fem::from_record(record, body.law)});
    }
  }
  return regions;
}

BodyMesh make_body_mesh(const BodySpec& body, MeshSource& source,
                        const std::vector<BodyRegion>& regions, Progress& progress) {
  const MeshOrigin& origin = source.get();
  BodyMesh result;
  const SurfaceMesh* surface = std::get_if<SurfaceMesh>(&origin.mesh);
  result.surface = surface          ? *surface
                   : origin.surface ? *origin.surface
                                    : boundary_surface(std::get<VolumeMesh>(origin.mesh));
  const bool elements = needs_volume(body.engine) || of_elements(body.engine);
  if (elastic_surface(body.engine) && !elements) {
    VolumeMesh nodes;
    nodes.V = result.surface.V;
    result.volume = std::move(nodes);
    result.fixed = fixed_nodes(body, origin, result);
    result.volume.reset();
  }
  if (!elements) return result;

  VolumeMesh volume = elements_of(body, origin, progress);
  const VectorXi part = surface ? parts_by_groups(body, *surface, volume, regions)
                                : parts_by_regions(body, volume, regions);
  set_regions(body, regions, part, volume);
  result.volume = std::move(volume);
  result.fixed = fixed_nodes(body, origin, result);
  if (takes_controls(body.engine)) result.controls = control_nodes(body, origin, result);
  if (takes_loads(body.engine) && body.accessible) {
    result.accessible = accessible_nodes(body, origin, result);
  }
  if (elastic_surface(body.engine)) {
    if (!result.volume->hanging.empty()) {
      fail(body, "meshing", "its surface would have nodes that hang on others", "hexes",
           "voxels or tets");
    }
    result.surface = boundary_surface(*result.volume, &result.surface_nodes);
  }
  return result;
}

std::vector<fem::Material> materials_of(const VolumeMesh& mesh,
                                        const std::vector<BodyRegion>& regions) {
  std::vector<fem::Material> materials;
  for (const Region& region : mesh.regions) {
    const auto found = std::find_if(regions.begin(), regions.end(),
                                    [&](const BodyRegion& r) { return r.name == region.name; });
    PLIANT_ASSERT(found != regions.end(), "a mesh has the regions that it was made with");
    materials.push_back(found->material);
  }
  return materials;
}

}  // namespace pliant
