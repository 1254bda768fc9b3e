// SPDX-License-Identifier: MIT
// Reads frames back, from docs/protocol.md alone.
#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace pliant::test {

template <class T>
T read_at(const std::string& bytes, std::size_t at) {
  if (at + sizeof(T) > bytes.size()) throw std::runtime_error("the frame is too short");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct DecodedFrame {
  std::uint32_t sequence, epoch;
  std::uint64_t step;
  double time;
  std::multimap<int, std::string> sections;

  const std::string& section(int tag) const {
    const auto found = sections.find(tag);
    if (found == sections.end()) throw std::runtime_error("the frame has no such section");
    return found->second;
  }
};

inline DecodedFrame decode(const std::string& bytes) {
  if (read_at<std::uint32_t>(bytes, 0) != 0x544e4c50 || read_at<std::uint16_t>(bytes, 4) != 1 ||
      read_at<std::uint16_t>(bytes, 6) != 1) {
    throw std::runtime_error("not a frame");
  }
  DecodedFrame frame{read_at<std::uint32_t>(bytes, 8),
                     read_at<std::uint32_t>(bytes, 12),
                     read_at<std::uint64_t>(bytes, 16),
                     read_at<double>(bytes, 24),
                     {}};
  std::size_t at = 32;
  while (at < bytes.size()) {
    const auto tag = read_at<std::uint16_t>(bytes, at);
    const auto length = read_at<std::uint32_t>(bytes, at + 4);
    if (at + 8 + length > bytes.size()) throw std::runtime_error("a section is too long");
    frame.sections.emplace(tag, bytes.substr(at + 8, length));
    at += 8 + (length + 3) / 4 * 4;
  }
  return frame;
}

// Coefficients of a section 1.
inline std::vector<float> coefficients(const std::string& section) {
  std::vector<float> c(read_at<std::uint16_t>(section, 2));
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = read_at<float>(section, 40 + 4 * i);
  return c;
}

}  // namespace pliant::test
