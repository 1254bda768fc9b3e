// SPDX-License-Identifier: MIT
// The server of `pliant play`: HTTP and WebSocket, docs/protocol.md. One thread does all of it; the
// simulation has its own. Boost.Beast is seen by server.cpp and web_socket.cpp only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "pliant/serve/hub.hpp"

namespace pliant::serve {

struct ServerOptions {
  std::optional<std::string> host;  // none: this machine only, without a token
  std::uint16_t port = 0;           // 0: any that is free
  bool end_on_signals = false;      // SIGINT and SIGTERM
  HubOptions hub;
};

class Server {
 public:
  // Listens at once. Throws Error: the address cannot be used.
  explicit Server(ServerOptions options);
  ~Server();

  std::uint16_t port() const;
  const std::string& token() const;  // empty: none is asked for
  std::string url() const;           // of the page, with the token
  Hub& hub();                        // before run(), or within it

  // Serves until stop(), or a signal.
  void run();
  void stop();  // from any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant::serve
