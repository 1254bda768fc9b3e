// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/vtu_data.hpp"

#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "pliant/base/error.hpp"
#include "pliant/mesh/io/number_type.hpp"

namespace pliant::io {
namespace {

constexpr std::size_t best_ratio = 1032;  // of deflate: 258 bytes from 2 bits

std::vector<std::int64_t> lengths(EncodedBytes& bytes, const VtuEncoding& encoding,
                                  std::size_t count) {
  const NumberType type = encoding.wide_header ? NumberType::uint64 : NumberType::uint32;
  if (count > bytes.at_most_left() / size_of(type)) {
    throw Error({}, "the data end before their lengths", std::to_string(count));
  }
  std::vector<std::int64_t> values;
  decode(bytes.take(count * size_of(type)), type, encoding.order, values);
  for (const std::int64_t value : values) {
    if (value < 0) throw Error({}, "a length is too large", std::to_string(value));
  }
  return values;
}

void wrong_length(std::int64_t found, std::size_t size) {
  throw Error({}, "the array has a wrong length", fmt::format("{} bytes", found),
              std::to_string(size));
}

std::string inflated(EncodedBytes& bytes, const VtuEncoding& encoding, std::size_t size) {
  const std::int64_t blocks = lengths(bytes, encoding, 1)[0];
  const auto block_and_last = lengths(bytes, encoding, 2);
  const std::int64_t block = block_and_last[0];
  const std::int64_t last = block_and_last[1] == 0 ? block : block_and_last[1];
  const auto total = static_cast<std::int64_t>(size);
  if (blocks == 0) {
    if (size > 0) wrong_length(0, size);
    return {};
  }
  // (blocks - 1) block + last = total, without overflow.
  const bool fits = last <= total && (block == 0 ? total == last
                                                 : (total - last) % block == 0 &&
                                                       (total - last) / block == blocks - 1);
  if (!fits) throw Error({}, "the array has a wrong length", "", fmt::format("{} bytes", size));
  const auto sizes = lengths(bytes, encoding, static_cast<std::size_t>(blocks));
  if (size / best_ratio > bytes.at_most_left()) {
    throw Error({}, "the compressed data are too short for the array", "",
                fmt::format("{} bytes", size));
  }
  std::string out(size, '\0');
  std::size_t position = 0;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    const std::string packed = bytes.take(static_cast<std::size_t>(sizes[b]));
    const auto expected = static_cast<std::size_t>(b + 1 < sizes.size() ? block : last);
    uLongf written = expected;
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data() + position), &written,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (status != Z_OK || written != expected) {
      throw Error({}, "a compressed block cannot be inflated", fmt::format("block {}", b),
                  fmt::format("{} bytes", expected));
    }
    position += expected;
  }
  return out;
}

}  // namespace

std::string EncodedBytes::take(std::size_t size) {
  std::string out;
  bool enough = size <= at_most_left();
  if (enough && decoder_) {
    out.resize(size);
    enough = decoder_->read(out.data(), size) == size;
  } else if (enough) {
    out = raw_.substr(0, size);
    raw_.remove_prefix(size);
  }
  if (!enough) throw Error({}, "the data end too early", "", fmt::format("{} bytes", size));
  return out;
}

std::string read_vtu_array(EncodedBytes& bytes, const VtuEncoding& encoding, std::size_t size) {
  if (encoding.zlib) return inflated(bytes, encoding, size);
  const std::int64_t length = lengths(bytes, encoding, 1)[0];
  if (static_cast<std::size_t>(length) != size) wrong_length(length, size);
  return bytes.take(size);
}

}  // namespace pliant::io
