// SPDX-License-Identifier: MIT
// Named tensors (tensor_view.hpp) in a file: reading maps it and copies nothing, writing is atomic.
//
// What is written carries hashes of itself, so that damage is noticed: XXH3 of each tensor's bytes,
// and of the header with the digits of this last hash as zeros. Files of other programs have none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/base/file.hpp"
#include "pliant/base/tensor_view.hpp"

namespace pliant {

class TensorFile : public TensorView {
 public:
  // Throws Error if the file cannot be read, is not a sound tensor file, or does not agree with the
  // hashes that it carries.
  explicit TensorFile(const std::filesystem::path& path);
  // On bytes that the caller keeps, as TensorView.
  using TensorView::TensorView;

  // Of names, types, shapes and data, not of the metadata.
  std::uint64_t content_hash() const;

 private:
  TensorFile(std::unique_ptr<MappedFile> file, std::string name);

  std::unique_ptr<MappedFile> file_;
};

// Throws Error, naming the damaged part, if the bytes do not agree with the hashes that they carry.
// If they carry none, nothing is compared.
void check_hashes(const TensorView& view);

// Collects tensors, then writes them all. What is added must live until write(); what is given to
// keep() lives in the writer.
class TensorWriter {
 public:
  void set(const std::string& key, std::string value) { metadata_[key] = std::move(value); }
  void add(const std::string& name, Dtype dtype, std::vector<std::int64_t> shape, const void* data);

  // A vector becomes [n]; a rows by cols column-major matrix becomes [cols, rows].
  template <class Derived>
  void add(const std::string& name, const Eigen::PlainObjectBase<Derived>& x) {
    static_assert(!Derived::IsRowMajor || Derived::IsVectorAtCompileTime);
    std::vector<std::int64_t> shape{x.cols(), x.rows()};
    if constexpr (Derived::IsVectorAtCompileTime) shape = {x.size()};
    add(name, dtype_of<typename Derived::Scalar>(), std::move(shape), x.data());
  }

  template <class Matrix>
  void keep(const std::string& name, Matrix x) {
    const auto kept = std::make_shared<Matrix>(std::move(x));
    add(name, *kept);
    kept_.push_back(kept);
  }

  // As TensorFile's.
  std::uint64_t content_hash() const;

  // Atomic: the file appears whole or not at all.
  void write(const std::filesystem::path& path) const;
  std::string bytes() const;

 private:
  struct Entry {
    Dtype dtype;
    std::vector<std::int64_t> shape;
    const void* data;
    std::size_t size;
  };
  std::string header() const;
  std::vector<std::string> order() const;

  std::map<std::string, Entry> entries_;
  std::vector<std::shared_ptr<const void>> kept_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace pliant
