// SPDX-License-Identifier: MIT
// SipHash-2-4 with 64 bits: a short message and a secret key make a number that nobody else can make
// (Aumasson, Bernstein: SipHash, a fast short-input PRF, 2012).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pliant::devices {

using Key = std::array<std::uint64_t, 2>;

std::uint64_t sip_hash(const Key& key, std::span<const std::byte> message) noexcept;

}  // namespace pliant::devices
