// SPDX-License-Identifier: MIT
#include "pliant/devices/sip_hash.hpp"

#include <bit>

namespace pliant::devices {

std::uint64_t sip_hash(const Key& key, std::span<const std::byte> message) noexcept {
  std::uint64_t v0 = key[0] ^ 0x736f6d6570736575ULL, v1 = key[1] ^ 0x646f72616e646f6dULL,
                v2 = key[0] ^ 0x6c7967656e657261ULL, v3 = key[1] ^ 0x7465646279746573ULL;
  const auto rounds = [&](int count) {
    for (int i = 0; i < count; ++i) {
      v0 += v1, v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1, v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < message.size(); ++i) {
    word |= std::to_integer<std::uint64_t>(message[i]) << (8 * (i % 8));
    if (i % 8 == 7) {
      take(word);
      word = 0;
    }
  }
  take(word | std::uint64_t{message.size() & 0xff} << 56);
  v2 ^= 0xff;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace pliant::devices
