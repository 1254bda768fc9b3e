// SPDX-License-Identifier: MIT
// The binary encodings of a .vtu file's data arrays.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/mesh/io/base64.hpp"

namespace pliant::io {

// A sequence of bytes, as they are or in base64.
class EncodedBytes {
 public:
  EncodedBytes(std::string_view text, bool base64) : raw_(text) {
    if (base64) decoder_.emplace(text);
  }
  std::size_t at_most_left() const { return decoder_ ? decoder_->at_most_left() : raw_.size(); }
  // Throws Error (without a place) if there are not so many.
  std::string take(std::size_t size);

 private:
  std::string_view raw_;
  std::optional<Base64Reader> decoder_;
};

struct VtuEncoding {
  std::endian order = std::endian::little;
  bool wide_header = false;  // lengths have 8 bytes, not 4
  bool zlib = false;
};

// The array of exactly `size` bytes that begins here: its length and its bytes, or, compressed, the
// number of blocks, the size of a block, that of the last, the compressed sizes, and the blocks.
// Throws Error (without a place) if it is not that; never allocates much more than is there, or
// than zlib could make of it.
std::string read_vtu_array(EncodedBytes& bytes, const VtuEncoding& encoding, std::size_t size);

}  // namespace pliant::io
