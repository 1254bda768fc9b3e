// SPDX-License-Identifier: MIT
#include "pliant/base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace pliant {
namespace {

XXH64_state_t* state_of(void* state) {
  return static_cast<XXH64_state_t*>(state);
}

}  // namespace

Hasher::Hasher(std::uint64_t seed) : state_(XXH64_createState()) {
  XXH64_reset(state_of(state_), seed);
}

Hasher::~Hasher() {
  XXH64_freeState(state_of(state_));
}

Hasher& Hasher::add_bytes(const void* data, std::size_t size) {
  if (size > 0) XXH64_update(state_of(state_), data, size);
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  return add_bytes(text.data(), text.size());
}

std::uint64_t Hasher::digest() const {
  return XXH64_digest(state_of(state_));
}

std::string Hasher::hex() const {
  return fmt::format("{:016x}", digest());
}

std::uint64_t xxhash64(std::span<const std::byte> data, std::uint64_t seed) {
  return XXH64(data.data(), data.size(), seed);
}

std::string xxh3_hex(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace pliant
