// SPDX-License-Identifier: MIT
#include "describe.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "pliant/base/bounds.hpp"
#include "pliant/mesh/length_unit.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/mesh/surface_report.hpp"

namespace pliant::app {
namespace {

Json box_of(const Matrix3Xd& V) {
  const Eigen::AlignedBox3d box = bounds(V);
  const Vector3d low = box.min(), high = box.max();
  return {{"from", {low[0], low[1], low[2]}}, {"to", {high[0], high[1], high[2]}}};
}

void add_doubt(const Matrix3Xd& V, Json& out) {
  if (V.cols() == 0) return;
  const std::string doubt = size_doubt(bounds(V).sizes().maxCoeff());
  if (!doubt.empty()) out["doubt"] = doubt;
}

Json of(const Statistics& s) {
  return {{"min", s.min}, {"mean", s.mean}, {"max", s.max}};
}

// Label and count of each bin that is not empty.
template <class Bins, class Label>
Json histogram(const Bins& bins, const Label& label) {
  Json out = Json::object();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] > 0) out[label(static_cast<int>(i))] = bins[i];
  }
  return out;
}

std::string text_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_number()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + text_of(item);
  return text;
}

constexpr int bar_width = 40;

void print_histogram(const std::string& name, const Json& bins, int indent) {
  fmt::print("{:{}}{}\n", "", indent, name);
  std::int64_t most = 1;
  for (const auto& [label, count] : bins.items()) most = std::max(most, count.get<std::int64_t>());
  for (const auto& [label, count] : bins.items()) {
    const auto length = static_cast<std::size_t>(bar_width * count.get<std::int64_t>() / most);
    fmt::print("{:{}}{:>14} {:>9} {}\n", "", indent, label, count.get<std::int64_t>(),
               std::string(std::max<std::size_t>(length, 1), '#'));
  }
}

void print_indented(const Json& object, int indent) {
  for (const auto& [key, value] : object.items()) {
    if (key.starts_with("histogram")) {
      print_histogram(key, value, indent);
    } else if (value.is_object()) {
      const bool flat = std::all_of(value.begin(), value.end(),
                                    [](const Json& item) { return item.is_number(); });
      if (flat && value.size() <= 3) {
        std::string line;
        for (const auto& [name, number] : value.items()) {
          line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, text_of(number));
        }
        fmt::print("{:{}}{:<26} {}\n", "", indent, key, line);
      } else {
        fmt::print("{:{}}{}\n", "", indent, key);
        print_indented(value, indent + 2);
      }
    } else if (value.is_array() && !value.empty() && value[0].is_string()) {
      fmt::print("{:{}}{}\n", "", indent, key);
      for (const Json& item : value) fmt::print("{:{}}- {}\n", "", indent + 2, text_of(item));
    } else {
      fmt::print("{:{}}{:<26} {}\n", "", indent, key, text_of(value));
    }
  }
}

}  // namespace

Json describe(const SurfaceMesh& mesh) {
  const SurfaceReport r = inspect(mesh);
  Json out{{"kind", "surface"},
           {"vertices", r.vertices},
           {"triangles", r.triangles},
           {"box [m]", box_of(mesh.V)},
           {"components", r.components},
           {"watertight", r.watertight},
           {"boundary edges", r.boundary_edges},
           {"non-manifold edges", r.non_manifold_edges},
           {"non-manifold vertices", r.non_manifold_vertices},
           {"inconsistent edges", r.inconsistent_edges},
           {"inverted components", r.inverted_components},
           {"self-intersections", r.self_intersections.pairs},
           {"degenerate triangles", r.degenerate_triangles},
           {"duplicate triangles", r.duplicate_triangles},
           {"vector area (relative)", r.vector_area},
           {"area [m^2]", r.area}};
  if (r.genus) out["genus"] = *r.genus;
  if (r.watertight && r.inconsistent_edges == 0) {
    const Matrix3d& I = r.mass.inertia;
    out["volume [m^3]"] = r.mass.volume;
    out["centre of mass [m]"] = {r.mass.centre_of_mass[0], r.mass.centre_of_mass[1],
                                 r.mass.centre_of_mass[2]};
    out["inertia xx yy zz xy yz zx"] = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(1, 2), I(2, 0)};
  }
  if (!mesh.group_names.empty()) out["groups"] = mesh.group_names;
  add_doubt(mesh.V, out);
  return out;
}

Json describe(const VolumeMesh& mesh) {
  const QualityReport q = quality(mesh);
  Json out{{"kind", "volume"},
           {"elements", q.elements},
           {"element type", name_of(mesh.type)},
           {"vertices", q.vertices},
           {"box [m]", box_of(mesh.V)},
           {"components", q.components},
           {"volume [m^3]", q.total_volume},
           {"surface [m^2]", q.boundary_area},
           {"inverted elements", q.inverted},
           {"element volume [m^3]", of(q.volume)},
           {"edge length [m]", of(q.edge_length)},
           {"aspect ratio", of(q.aspect_ratio)}};
  if (q.hanging_nodes > 0) out["hanging nodes"] = q.hanging_nodes;
  if (mesh.type == ElementType::hex8) {
    out["corner angle [deg]"] = of(q.corner_angle);
    out["scaled Jacobian"] = of(q.scaled_jacobian);
    out["Jacobian ratio"] = of(q.jacobian_ratio);
    out["histogram of scaled Jacobians"] = histogram(q.jacobian_bins, [](int i) {
      return fmt::format("{:.1f} .. {:.1f}", i / 10.0 - 1, (i + 1) / 10.0 - 1);
    });
  } else {
    out["dihedral angle [deg]"] = of(q.dihedral);
    out["histogram of dihedral angles"] = histogram(
        q.dihedral_bins, [](int i) { return fmt::format("{} .. {}", 10 * i, 10 * (i + 1)); });
  }
  const auto names = [](const auto& items) {
    std::vector<std::string> out;
    for (const auto& item : items) out.push_back(item.name);
    return out;
  };
  if (!mesh.regions.empty()) out["regions"] = names(mesh.regions);
  if (!mesh.materials.empty()) out["materials"] = names(mesh.materials);
  if (!mesh.node_sets.empty()) out["node sets"] = names(mesh.node_sets);
  if (!mesh.element_sets.empty()) out["element sets"] = names(mesh.element_sets);
  add_doubt(mesh.V, out);
  return out;
}

Json describe(const ReadReport& report) {
  Json out{{"format", report.format}};
  if (!report.repairs.empty()) out["repaired while reading"] = report.repairs;
  if (!report.notes.empty()) out["notes"] = report.notes;
  return out;
}

void print(const Json& object, bool as_json) {
  if (as_json) {
    fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_indented(object, 0);
  }
}

}  // namespace pliant::app
