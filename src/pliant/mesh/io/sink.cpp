// SPDX-License-Identifier: MIT
#include "pliant/mesh/io/sink.hpp"

#include <charconv>

namespace pliant::io {

Sink& Sink::number(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return text({digits, static_cast<std::size_t>(end - digits)});
}

Sink& Sink::integer(std::int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return text({digits, static_cast<std::size_t>(end - digits)});
}

}  // namespace pliant::io
