// SPDX-License-Identifier: MIT
// Decoding of base64 (RFC 4648), whole or as a stream. Blanks and line ends are skipped; at the end
// of the text padding may be missing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pliant::io {

// The bytes of a text in base64; nothing if it is not one.
std::optional<std::string> decode_base64(std::string_view text);

// VTK puts several encoded pieces, each padded, one behind the other: here padding ends a piece and
// not the text.
class Base64Reader {
 public:
  explicit Base64Reader(std::string_view text) : text_(text) {}

  // Decodes the next `size` bytes to `out`. Returns how many there were: fewer at the end of the
  // text or at a character that is not base64.
  std::size_t read(char* out, std::size_t size);

  // No more bytes than this can come.
  std::size_t at_most_left() const {
    return (text_.size() - position_ + 3) / 4 * 3 + (pending_end_ - pending_begin_);
  }
  bool at_end() const { return position_ == text_.size(); }

 private:
  bool next_quad();

  std::string_view text_;
  std::size_t position_ = 0;
  char pending_[3] = {};  // decoded and not yet read: [begin, end)
  std::size_t pending_begin_ = 0, pending_end_ = 0;
};

}  // namespace pliant::io
