// SPDX-License-Identifier: MIT
// What is answered to an HTTP request, docs/protocol.md, without the network.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pliant/serve/access.hpp"
#include "pliant/serve/hub.hpp"

namespace pliant::serve {

struct Answer {
  int status = 200;
  std::string type;   // of the content
  std::string extra;  // further header lines, each with its end
  Blob body;
};

Answer refuse(const Refusal& refusal);
Answer json_answer(std::string json);

// GET or HEAD of a path without its query: the page, the gallery, pictures, assets. `range` is the
// header, or empty.
Answer answer_get(const Hub& hub, std::string_view path, std::string_view range);

// Does the path need a token?
bool needs_token(std::string_view path);

// The whole head of the answer, with the lines that every answer has.
std::string head_of(const Answer& answer, bool keep_alive);

}  // namespace pliant::serve
