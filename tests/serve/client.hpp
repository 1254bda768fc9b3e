// SPDX-License-Identifier: MIT
// A client of the server on a raw socket, written from the RFCs: it can also say what no honest
// client would.
#pragma once

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pliant/base/timer.hpp"

namespace pliant::test {

// How long an answer may take [s]: a sanitizer makes a server many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double patience = 400;
#else
inline constexpr double patience = 20;
#endif

class Socket {
 public:
  explicit Socket(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  // False: the other side has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // What has come within the time; empty: nothing, or the end.
  std::string receive(double seconds) {
    pollfd wait{fd_, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(1000 * seconds)) <= 0) return {};
    std::string bytes(1 << 16, '\0');
    const auto got = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (got <= 0) {
      ended_ = true;
      return {};
    }
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
  }
  bool ended() const { return ended_; }

 private:
  int fd_;
  bool ended_ = false;
};

struct HttpAnswer {
  int status = 0;
  std::string head, body;

  nlohmann::json json() const { return nlohmann::json::parse(body); }
};

// One request; the connection is closed after it. `text` is all that is sent.
inline HttpAnswer http_raw(std::uint16_t port, const std::string& text) {
  Socket socket(port);
  socket.send(text);
  std::string all;
  const Timer timer;
  std::size_t wanted = std::string::npos;
  while (timer.seconds() < patience && !socket.ended() && all.size() < wanted) {
    all += socket.receive(1);
    const std::size_t end = all.find("\r\n\r\n"), length = all.find("Content-Length: ");
    if (end == all.npos || length == all.npos) continue;
    wanted = end + 4 + std::stoul(all.substr(length + 16));
  }
  const std::size_t end = all.find("\r\n\r\n");
  if (all.size() < 12 || end == all.npos) return {};
  return {std::stoi(all.substr(9, 3)), all.substr(0, end), all.substr(end + 4)};
}

inline HttpAnswer http_get(std::uint16_t port, const std::string& target,
                           const std::string& lines = "") {
  return http_raw(port, "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                            "\r\nConnection: close\r\n" + lines + "\r\n");
}

class WebSocketClient {
 public:
  struct Message {
    int opcode = 0;  // 1 text, 2 binary, 8 close
    std::string payload;

    nlohmann::json json() const { return nlohmann::json::parse(payload); }
    int close_code() const {
      return payload.size() < 2 ? 0
                                : static_cast<unsigned char>(payload[0]) * 256 +
                                      static_cast<unsigned char>(payload[1]);
    }
  };

  explicit WebSocketClient(std::uint16_t port, const std::string& target = "/ws",
                           const std::string& lines = "")
      : socket_(port) {
    socket_.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                 "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Protocol: pliant.1\r\n" +
                 lines + "\r\n");
    const Timer timer;
    while (buffer_.find("\r\n\r\n") == buffer_.npos && timer.seconds() < patience &&
           !socket_.ended()) {
      buffer_ += socket_.receive(1);
    }
    const std::size_t end = buffer_.find("\r\n\r\n");
    if (end == buffer_.npos) return;
    head_ = buffer_.substr(0, end);
    buffer_.erase(0, end + 4);
  }

  bool open() const { return head_.starts_with("HTTP/1.1 101"); }
  const std::string& head() const { return head_; }
  Socket& socket() { return socket_; }

  bool send(const nlohmann::json& message) { return send_frame(1, message.dump()); }
  bool send_frame(int opcode, std::string_view payload) {
    return socket_.send(encode(opcode, payload));
  }
  // Masked, as the RFC wants it of clients, or not.
  static std::string encode(int opcode, std::string_view payload, bool masked = true) {
    std::string frame(1, static_cast<char>(0x80 | opcode));
    const std::size_t n = payload.size();
    const char mask_bit = static_cast<char>(masked ? 0x80 : 0);
    if (n < 126) {
      frame += static_cast<char>(mask_bit | static_cast<char>(n));
    } else {
      const int bytes = n < 65536 ? 2 : 8;
      frame += static_cast<char>(mask_bit | (bytes == 2 ? 126 : 127));
      for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(n >> (8 * i));
    }
    const char mask[4] = {0x12, 0x34, 0x56, 0x78};
    if (masked) frame.append(mask, 4);
    for (std::size_t i = 0; i < n; ++i) {
      frame += masked ? static_cast<char>(payload[i] ^ mask[i % 4]) : payload[i];
    }
    return frame;
  }

  // The next message within the time; pings are answered on the way.
  std::optional<Message> next(double seconds = patience) {
    const Timer timer;
    while (true) {
      if (auto message = take()) {
        if (message->opcode == 9) {
          send_frame(10, message->payload);
          continue;
        }
        return message;
      }
      if (socket_.ended() || timer.seconds() > seconds) return std::nullopt;
      buffer_ += socket_.receive(0.05);
    }
  }
  // The next text of this type; frames are passed over.
  nlohmann::json text(const std::string& type, double seconds = patience) {
    const Timer timer;
    while (timer.seconds() < seconds) {
      const auto message = next(seconds);
      if (!message || message->opcode == 8) break;
      if (message->opcode != 1) continue;
      nlohmann::json json = message->json();
      if (json["type"] == type) return json;
    }
    throw std::runtime_error("no message " + type);
  }
  std::string frame(double seconds = patience) {
    const Timer timer;
    while (timer.seconds() < seconds) {
      const auto message = next(seconds);
      if (!message || message->opcode == 8) break;
      if (message->opcode == 2) return message->payload;
    }
    throw std::runtime_error("no frame");
  }
  // Reads on until the server closes; its code, 0 for an end without one.
  int close_code(double seconds = patience) {
    const Timer timer;
    while (timer.seconds() < seconds) {
      const auto message = next(seconds);
      if (!message) break;
      if (message->opcode == 8) return message->close_code();
    }
    return 0;
  }

 private:
  std::optional<Message> take() {
    if (buffer_.size() < 2) return std::nullopt;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
    std::size_t length = byte(1) & 0x7f, at = 2;
    const int extended = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (buffer_.size() < at + static_cast<std::size_t>(extended)) return std::nullopt;
    if (extended > 0) {
      length = 0;
      for (int i = 0; i < extended; ++i) length = length << 8 | byte(at++);
    }
    if (buffer_.size() < at + length) return std::nullopt;
    Message message{byte(0) & 0x0f, buffer_.substr(at, length)};
    buffer_.erase(0, at + length);
    return message;
  }

  Socket socket_;
  std::string head_, buffer_;
};

}  // namespace pliant::test
