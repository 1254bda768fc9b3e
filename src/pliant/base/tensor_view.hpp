// SPDX-License-Identifier: MIT
// Named tensors in one run of bytes, in the layout of `safetensors`: 8 bytes length of the header
// (little endian), a JSON header {name: {dtype, shape, data_offsets}}, raw little-endian data
// without gaps. Existing readers in Python and JavaScript open it. Nothing is copied; every offset,
// type, shape and length is checked, so that hostile bytes give an Error.
//
// Shapes are row-major, Eigen's matrices are column-major: a 3 by n matrix of points is stored as
// shape [n, 3], without moving a byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

namespace pliant {

// In the metadata: of the header, and of each tensor in the order of their names.
inline constexpr const char* header_hash_key = "xxh3";
inline constexpr const char* tensor_hashes_key = "xxh3 of tensors";

enum class Dtype { u8, u16, i32, i64, f16, f32, f64 };

std::string_view name_of(Dtype dtype);  // "F64"
std::size_t size_of(Dtype dtype);

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::u8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Dtype::u16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::i32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::i64;
  if constexpr (std::is_same_v<T, Eigen::half>) return Dtype::f16;
  if constexpr (std::is_same_v<T, float>) return Dtype::f32;
  if constexpr (std::is_same_v<T, double>) return Dtype::f64;
}

struct TensorInfo {
  Dtype dtype;
  std::vector<std::int64_t> shape;
  std::string_view bytes;  // of the elements; 8-aligned for 8-byte types, and so on
};

class TensorView {
 public:
  // On bytes aligned to 8 that the caller keeps alive as long as any copy of the view; `name` is
  // shown in errors. Throws Error if they are not sound.
  TensorView(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }  // the path, or what errors call the bytes
  const std::map<std::string, TensorInfo>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  bool contains(const std::string& name) const { return tensors_.contains(name); }
  // Throws Error if there is none.
  const TensorInfo& at(const std::string& name) const;
  const std::string& need_metadata(const std::string& key) const;
  // The JSON, blanks behind it included.
  std::string_view header() const { return header_; }
  // Whether it carries hashes of itself (tensor_file.hpp), which who opens a file has compared.
  bool has_hashes() const { return metadata_.contains(header_hash_key); }

  // A tensor of shape [cols, rows] or [rows] as a rows by cols matrix, in place. Throws Error if it
  // is absent, of another type, or has more dimensions; rows < 0: any number.
  template <class T>
  Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> matrix(
      const std::string& name, std::int64_t rows = -1) const {
    const auto [data, r, c] = matrix_of(name, dtype_of<T>(), rows);
    return {static_cast<const T*>(data), r, c};
  }

 private:
  struct MatrixPlace {
    const void* data;
    Eigen::Index rows, cols;
  };
  MatrixPlace matrix_of(const std::string& name, Dtype dtype, std::int64_t rows) const;
  void parse(std::string_view bytes);

  std::string name_;
  std::string_view header_;
  std::map<std::string, TensorInfo> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace pliant
