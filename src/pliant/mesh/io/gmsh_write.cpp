// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "pliant/base/bounds.hpp"
#include "pliant/base/error.hpp"
#include "pliant/mesh/io/gmsh.hpp"
#include "pliant/mesh/io/gmsh_format.hpp"
#include "pliant/mesh/io/sink.hpp"

namespace pliant::io {
namespace {

using gmsh::point_type;
using gmsh::type_number;

// Numbers as text or as bytes.
class Numbers {
 public:
  explicit Numbers(bool binary) : binary_(binary) {}
  Numbers& integer(int value) {
    binary_ ? sink.raw<std::int32_t>(value) : sink.integer(value).text(" ");
    return *this;
  }
  Numbers& size(std::int64_t value) {
    binary_ ? sink.raw(value) : sink.integer(value).text(" ");
    return *this;
  }
  Numbers& real(double value) {
    binary_ ? sink.raw(value) : sink.number(value).text(" ");
    return *this;
  }
  Numbers& point(const Vector3d& x) { return real(x[0]).real(x[1]).real(x[2]); }
  void end_line() {
    if (!binary_) sink.text("\n");
  }
  void end_section(std::string_view word) {
    if (binary_) sink.text("\n");
    sink.text(word);
  }
  bool binary() const { return binary_; }

  Sink sink;

 private:
  bool binary_;
};

// Items (nodes or elements) with the same physical groups make one entity. Tags count from 1.
struct Entities {
  std::vector<std::vector<int>> groups;  // of each entity
  std::vector<int> of;                   // the entity of each item

  // Moves the items of a set to entities that have one group more.
  void refine(const std::vector<int>& items, int group) {
    std::map<int, int> with_group;
    for (const int i : items) {
      int& entity = of[static_cast<std::size_t>(i)];
      const auto [at, is_new] = with_group.try_emplace(entity, static_cast<int>(groups.size()));
      if (is_new) {
        std::vector<int> more = groups[static_cast<std::size_t>(entity)];
        more.push_back(group);
        groups.push_back(std::move(more));
      }
      entity = at->second;
    }
  }
};

std::string quoted(std::string name) {
  std::replace(name.begin(), name.end(), '"', '\'');
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return '"' + name + '"';
}

class GmshWriter {
 public:
  GmshWriter(const VolumeMesh& mesh, bool version4, bool binary)
      : mesh_(mesh), version4_(version4), out_(binary) {
    for (const Region& region : mesh.regions) volume_groups_.push_back(region.name);
    const bool sets = !mesh.node_sets.empty() || !mesh.element_sets.empty();
    if (mesh.regions.empty() && sets) volume_groups_.push_back(gmsh::all_elements);
    region_groups_ = static_cast<int>(volume_groups_.size());
  }

  std::string write() { return version4_ ? write4() : write2(); }

 private:
  std::string write2();
  std::string write4();
  void write_head();
  void write_names();
  void write_element_nodes(int e);
  Entities volumes() const;
  Entities points() const;
  int group_of(int e) const {  // the physical tag of its region
    return mesh_.region.size() > 0 ? mesh_.region[e] + 1 : region_groups_ > 0 ? 1 : 0;
  }

  const VolumeMesh& mesh_;
  bool version4_;
  Numbers out_;
  std::vector<std::string> volume_groups_;
  int region_groups_;
};

void GmshWriter::write_head() {
  out_.sink.text("$MeshFormat\n")
      .text(version4_ ? "4.1" : "2.2")
      .text(out_.binary() ? " 1 8\n" : " 0 8\n");
  if (out_.binary()) out_.sink.raw<std::int32_t>(1).text("\n");
  out_.sink.text("$EndMeshFormat\n");
}

void GmshWriter::write_names() {
  Sink& sink = out_.sink;
  const std::size_t sets = version4_ ? mesh_.element_sets.size() : 0;
  const std::size_t count = mesh_.node_sets.size() + volume_groups_.size() + sets;
  if (count == 0) return;
  sink.text("$PhysicalNames\n").integer(static_cast<std::int64_t>(count)).text("\n");
  int tag = 0;
  const auto name = [&](const char* dimension, const std::string& text) {
    sink.text(dimension).text(" ").integer(++tag).text(" ").text(quoted(text)).text("\n");
  };
  for (const NamedSet& set : mesh_.node_sets) name("0", set.name);
  tag = 0;
  for (const std::string& group : volume_groups_) name("3", group);
  for (std::size_t s = 0; s < sets; ++s) name("3", mesh_.element_sets[s].name);
  sink.text("$EndPhysicalNames\n");
}

void GmshWriter::write_element_nodes(int e) {
  int nodes[10];
  const int count = nodes_per_element(mesh_.type);
  for (int k = 0; k < count; ++k) nodes[k] = mesh_.E(k, e) + 1;
  if (mesh_.type == ElementType::tet10) gmsh::swap_tet10_order(nodes);
  for (int k = 0; k < count; ++k) version4_ ? out_.size(nodes[k]) : out_.integer(nodes[k]);
}

Entities GmshWriter::volumes() const {
  Entities entities;
  for (int g = 0; g < std::max(region_groups_, 1); ++g) {
    entities.groups.push_back(region_groups_ > 0 ? std::vector{g + 1} : std::vector<int>());
  }
  for (int e = 0; e < mesh_.element_count(); ++e) {
    entities.of.push_back(std::max(group_of(e) - 1, 0));
  }
  int tag = region_groups_;
  for (const NamedSet& set : mesh_.element_sets) entities.refine(set.items, ++tag);
  return entities;
}

Entities GmshWriter::points() const {
  Entities entities;
  entities.groups.emplace_back();
  entities.of.assign(static_cast<std::size_t>(mesh_.vertex_count()), 0);
  int tag = 0;
  for (const NamedSet& set : mesh_.node_sets) entities.refine(set.items, ++tag);
  return entities;
}

std::string GmshWriter::write2() {
  write_head();
  write_names();
  Sink& sink = out_.sink;
  const int n = mesh_.vertex_count(), elements = mesh_.element_count();
  sink.text("$Nodes\n").integer(n).text("\n");
  for (int i = 0; i < n; ++i) {
    out_.integer(i + 1).point(mesh_.V.col(i));
    out_.end_line();
  }
  out_.end_section("$EndNodes\n$Elements\n");

  std::size_t total = static_cast<std::size_t>(elements);
  for (const NamedSet& set : mesh_.node_sets) total += set.items.size();
  sink.integer(static_cast<std::int64_t>(total)).text("\n");
  int number = 0;
  // Binary: a head for all elements of a type; text: one for each.
  const auto block = [&](int type, std::size_t count) {
    if (out_.binary() && count > 0) {
      out_.integer(type).integer(static_cast<int>(count)).integer(2);
    }
  };
  const auto head = [&](int type, int group, int entity) {
    out_.integer(++number);
    if (!out_.binary()) out_.integer(type).integer(2);
    out_.integer(group).integer(entity);
  };
  const int type = type_number(mesh_.type);
  block(type, static_cast<std::size_t>(elements));
  for (int e = 0; e < elements; ++e) {
    head(type, group_of(e), std::max(group_of(e), 1));
    write_element_nodes(e);
    out_.end_line();
  }
  int tag = 0;
  for (const NamedSet& set : mesh_.node_sets) {
    block(point_type, set.items.size());
    ++tag;
    for (const int i : set.items) {
      head(point_type, tag, tag);
      out_.integer(i + 1);
      out_.end_line();
    }
  }
  out_.end_section("$EndElements\n");
  return sink.take();
}

std::string GmshWriter::write4() {
  write_head();
  write_names();
  Sink& sink = out_.sink;
  const int n = mesh_.vertex_count(), elements = mesh_.element_count();
  const Entities volume = volumes(), point = points();

  // Entity 0 of the points holds the nodes of no set and is not written.
  std::vector<std::vector<int>> point_nodes(point.groups.size());
  for (int i = 0; i < n; ++i) {
    const auto entity = static_cast<std::size_t>(point.of[static_cast<std::size_t>(i)]);
    if (entity > 0) point_nodes[entity].push_back(i);
  }
  std::size_t used_points = 0, set_nodes = 0;
  for (const std::vector<int>& nodes : point_nodes) {
    used_points += nodes.empty() ? 0 : 1;
    set_nodes += nodes.size();
  }

  const auto groups = [&](const std::vector<int>& tags) {
    out_.size(std::ssize(tags));
    for (const int tag : tags) out_.integer(tag);
  };
  sink.text("$Entities\n");
  out_.size(static_cast<std::int64_t>(used_points)).size(0).size(0).size(std::ssize(volume.groups));
  out_.end_line();
  for (std::size_t p = 1; p < point_nodes.size(); ++p) {
    if (point_nodes[p].empty()) continue;
    out_.integer(static_cast<int>(p)).point(mesh_.V.col(point_nodes[p].front()));
    groups(point.groups[p]);
    out_.end_line();
  }
  const Eigen::AlignedBox3d box =
      n > 0 ? bounds(mesh_.V) : Eigen::AlignedBox3d(Vector3d(Vector3d::Zero()));
  for (std::size_t v = 0; v < volume.groups.size(); ++v) {
    out_.integer(static_cast<int>(v) + 1).point(box.min()).point(box.max());
    groups(volume.groups[v]);
    out_.size(0);  // bounding surfaces
    out_.end_line();
  }
  out_.end_section("$EndEntities\n$Nodes\n");

  // All nodes in one block of the first volume, in their order.
  out_.size(1).size(n).size(1).size(n);
  out_.end_line();
  out_.integer(3).integer(1).integer(0).size(n);
  out_.end_line();
  for (int i = 0; i < n; ++i) {
    out_.size(i + 1);
    out_.end_line();
  }
  for (int i = 0; i < n; ++i) {
    out_.point(mesh_.V.col(i));
    out_.end_line();
  }
  out_.end_section("$EndNodes\n$Elements\n");

  // A block is a run of elements of one entity: they stay in their order.
  std::vector<int> starts;
  for (int e = 0; e < elements; ++e) {
    const auto i = static_cast<std::size_t>(e);
    if (e == 0 || volume.of[i] != volume.of[i - 1]) starts.push_back(e);
  }
  const std::int64_t total = elements + static_cast<std::int64_t>(set_nodes);
  out_.size(std::ssize(starts) + static_cast<std::int64_t>(used_points));
  out_.size(total).size(1).size(total);
  out_.end_line();
  std::int64_t number = 0;
  for (std::size_t b = 0; b < starts.size(); ++b) {
    const int end = b + 1 < starts.size() ? starts[b + 1] : elements;
    out_.integer(3).integer(volume.of[static_cast<std::size_t>(starts[b])] + 1);
    out_.integer(type_number(mesh_.type)).size(end - starts[b]);
    out_.end_line();
    for (int e = starts[b]; e < end; ++e) {
      out_.size(++number);
      write_element_nodes(e);
      out_.end_line();
    }
  }
  for (std::size_t p = 1; p < point_nodes.size(); ++p) {
    if (point_nodes[p].empty()) continue;
    out_.integer(0).integer(static_cast<int>(p)).integer(point_type);
    out_.size(std::ssize(point_nodes[p]));
    out_.end_line();
    for (const int i : point_nodes[p]) {
      out_.size(++number).size(i + 1);
      out_.end_line();
    }
  }
  out_.end_section("$EndElements\n");
  return sink.take();
}

}  // namespace

std::string write_gmsh(const VolumeMesh& mesh, const WriteOptions& options) {
  const bool version4 = options.version == "4.1" || options.version.empty();
  if (!version4 && options.version != "2.2") {
    throw Error({"", 0, "version of the Gmsh format"}, "it cannot be written", options.version,
                "2.2 or 4.1");
  }
  return GmshWriter(mesh, version4, options.binary).write();
}

}  // namespace pliant::io
