// SPDX-License-Identifier: MIT
// The WebSocket of one viewer.
#pragma once

#include "pliant/serve/beast.hpp"
#include "pliant/serve/connections.hpp"
#include "pliant/serve/hub.hpp"

namespace pliant::serve {

// Does the request ask for the subprotocol of docs/protocol.md?
bool wants_our_protocol(const http::request<http::string_body>& request);

// Takes the connection and its place over and lives as long as it does. The hub outlives it.
void start_web_socket(beast::tcp_stream stream, const http::request<http::string_body>& request,
                      Hub& hub, std::unique_ptr<Connections::Seat> seat);

}  // namespace pliant::serve
