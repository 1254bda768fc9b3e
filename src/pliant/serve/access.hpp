// SPDX-License-Identifier: MIT
// Who may ask, docs/protocol.md: a name in `Host` that is ours (against DNS rebinding), an `Origin`
// that is this server's own page (against other web pages), and a token unless only this machine
// can reach the server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pliant::serve {

struct Refusal {
  int status = 404;
  std::string code, message, advice;
};

class Access {
 public:
  // `host`: as the user gave it, or the loopback address. With an empty token none is asked for.
  Access(std::string host, std::string token);

  const std::string& token() const { return token_; }

  struct Request {
    std::string_view host;                   // header
    std::optional<std::string_view> origin;  // header
    std::string_view local_address;          // that the client has connected to
  };
  // Of any request; none: it may go on.
  std::optional<Refusal> check(const Request& request) const;
  // Of the API, assets and the WebSocket besides. `given` is empty if there was none.
  std::optional<Refusal> check_token(std::string_view given) const;

 private:
  std::string host_, token_;
};

// 128 random bits of the system, as 32 digits.
std::string random_token();

// ---- the target of a request: /path?name=value&..

std::string_view path_of(std::string_view target);
// The decoded value of a name in the query; empty if there is none.
std::string query_value(std::string_view target, std::string_view name);

}  // namespace pliant::serve
