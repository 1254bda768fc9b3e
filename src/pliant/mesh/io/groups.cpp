// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/groups.hpp"

namespace pliant::io {
namespace {

std::string fit_for_a_line(std::string name) {
  for (char& c : name) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (control || c == '#' || c == '\\') c = '_';
  }
  const std::size_t first = name.find_first_not_of(' ');
  if (first == name.npos) return "_";
  return name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

}  // namespace

int Groups::index_of(const std::string& given) {
  const std::string name = given.empty() ? "default" : given;
  any_named_ |= !given.empty();
  const auto [entry, is_new] = index_.try_emplace(name, static_cast<int>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

void for_each_group_run(
    const SurfaceMesh& mesh,
    const std::function<void(int begin, int end, const std::string& name)>& run) {
  if (mesh.group.size() == 0) return run(0, mesh.face_count(), "");
  for (int begin = 0; begin < mesh.face_count();) {
    const int group = mesh.group[begin];
    int end = begin + 1;
    while (end < mesh.face_count() && mesh.group[end] == group) ++end;
    run(begin, end, fit_for_a_line(mesh.group_names[static_cast<std::size_t>(group)]));
    begin = end;
  }
}

}  // namespace pliant::io
