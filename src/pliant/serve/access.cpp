// SPDX-License-Identifier: MIT
#include "pliant/serve/access.hpp"

#include <random>

#include <fmt/format.h>

namespace pliant::serve {
namespace {

// Of "name:port", "[::1]:port" or either without a port.
std::string_view name_in(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return end == host.npos ? std::string_view() : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size();
    const int high = escape ? digit(text[i + 1]) : -1, low = escape ? digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  return out;
}

}  // namespace

Access::Access(std::string host, std::string token)
    : host_(std::move(host)), token_(std::move(token)) {}

std::optional<Refusal> Access::check(const Request& request) const {
  const std::string_view name = name_in(request.host);
  const bool ours = name == "localhost" || name == "127.0.0.1" || name == "::1" ||
                    (!name.empty() && (name == host_ || name == request.local_address));
  if (!ours) {
    return Refusal{403, "origin", "This server does not go by that name.",
                   "Open the address that `pliant play` printed."};
  }
  if (request.origin && *request.origin != "http://" + std::string(request.host)) {
    return Refusal{403, "origin", "Another web page has asked.",
                   "Open the address that `pliant play` printed in a tab of its own."};
  }
  return std::nullopt;
}

std::optional<Refusal> Access::check_token(std::string_view given) const {
  if (token_.empty()) return std::nullopt;
  // In a time that tells nothing about where they differ.
  unsigned difference = given.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i < token_.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(token_[i]) ^ static_cast<unsigned char>(other);
  }
  if (difference == 0) return std::nullopt;
  return Refusal{401, "token", "The token is missing or wrong.",
                 "Open the address that `pliant play` printed, with its token."};
}

std::string random_token() {
  std::random_device device;  // the system's, not a sequence
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

std::string query_value(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  std::string_view rest = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) != name) continue;
    return equals == pair.npos ? std::string() : decoded(pair.substr(equals + 1));
  }
  return {};
}

}  // namespace pliant::serve
