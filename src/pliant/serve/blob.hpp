// SPDX-License-Identifier: MIT
// Bytes that live as long as somebody holds them: a mapped file, text, a part of the program.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace pliant::serve {

struct Blob {
  std::shared_ptr<const void> owner;  // null: they live forever
  std::string_view bytes;

  static Blob of(std::string text) {
    const auto kept = std::make_shared<const std::string>(std::move(text));
    return {kept, *kept};
  }
};

}  // namespace pliant::serve
