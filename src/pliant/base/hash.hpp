// SPDX-License-Identifier: MIT
// Hashes: FNV-1a for short keys at compile time, XXH64 for what is added piece by piece, XXH3 for
// what lies in one piece.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

// FNV-1a, 64 bits.
constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    h ^= static_cast<unsigned char>(c);
    h *= 0x100000001b3ULL;
  }
  return h;
}

// XXH64 of everything that was added; the order counts, the cuts do not.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed = 0);
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& add_bytes(const void* data, std::size_t size);
  // Length and bytes, so that ("ab", "c") differs from ("a", "bc").
  Hasher& add(std::string_view text);
  Hasher& add(double x) { return add_bytes(&x, sizeof x); }
  Hasher& add(std::int64_t x) { return add_bytes(&x, sizeof x); }
  Hasher& add(int x) { return add(static_cast<std::int64_t>(x)); }

  std::uint64_t digest() const;
  std::string hex() const;  // 16 lower-case digits

 private:
  void* state_;
};

std::uint64_t xxhash64(std::span<const std::byte> data, std::uint64_t seed = 0);

// XXH3 with 64 bits, as 16 lower-case digits.
std::string xxh3_hex(std::string_view bytes);

}  // namespace pliant
