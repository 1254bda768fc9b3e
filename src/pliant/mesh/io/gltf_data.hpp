// SPDX-License-Identifier: MIT
// The data of a glTF file: container (JSON or GLB), buffers, views and accessors, all checked
// against the bytes that are there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pliant/mesh/io/gltf.hpp"
#include "pliant/mesh/io/json_item.hpp"
#include "pliant/mesh/io/source.hpp"

namespace pliant::io {

class GltfData {
 public:
  GltfData(const Source& source, const Load& load);
  GltfData(const GltfData&) = delete;
  GltfData& operator=(const GltfData&) = delete;

  JsonItem root() const { return document_.root(); }
  bool is_binary() const { return is_binary_; }

  // The values of an accessor of `type` "SCALAR" or "VEC3", one item after the other; sparse
  // changes are made, and normalised integers are in [-1, 1].
  std::vector<double> accessor(const JsonItem& item, std::string_view type);

  // A few bytes can ask for any number of vertices: accessors without data, meshes drawn by many
  // nodes, primitives that share accessors. So all numbers that are made are counted here, and
  // there may be a million and 32 for each byte that was read.
  void spend(std::size_t numbers);

 private:
  struct Container {
    Source json;
    std::optional<std::string_view> binary;
  };
  static Container open(const Source& source);
  GltfData(const Source& source, const Container& container, const Load& load);

  using Component = std::variant<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                 std::uint32_t, float>;  // which one, not its value
  static Component component_of(const JsonItem& item);

  std::string_view buffer(std::int64_t i);
  std::string_view view(std::int64_t i);
  // Fills `values` with items of `width` components from where the item's bufferView and byteOffset
  // lead to.
  void read_values(const JsonItem& item, const Component& component, bool normalised,
                   std::size_t width, std::vector<double>& values);

  std::string file_;
  bool is_binary_;
  std::optional<std::string_view> binary_;  // the BIN chunk of a GLB
  JsonDocument document_;
  const Load& load_;
  std::map<std::int64_t, std::string_view> buffers_;
  std::map<std::int64_t, std::string> decoded_;  // buffers within the JSON
  std::map<std::string, std::string> files_;
  ReadLimits limits_;
  std::size_t bytes_;  // of the file and of those that it names
  std::size_t spent_ = 0;
};

}  // namespace pliant::io
