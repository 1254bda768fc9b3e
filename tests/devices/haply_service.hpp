// SPDX-License-Identifier: MIT
// A stand-in for the service of the Haply Inverse3: an inventory on connect, one state for each message,
// HTTP for what is set for good. What it answers can be spoilt.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include "pliant/base/types.hpp"

namespace pliant::test {

class HaplyService {
 public:
  using Json = nlohmann::json;
  struct Options {
    int port = 0;        // 0: any
    bool old = false;    // that knows `values`
    bool device = true;  // is there an Inverse3
    bool calibrated = true;
  };

  explicit HaplyService(Options options) : options_(options) {
    namespace asio = boost::asio;
    using asio::ip::tcp;
    const tcp::endpoint at(asio::ip::make_address("127.0.0.1"),
                           static_cast<unsigned short>(options.port));
    acceptor_.open(at.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(at);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    thread_ = std::jthread([this] { accept(); });
  }
  ~HaplyService() {
    ended_ = true;
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    hang_up();
    thread_.join();
    for (std::thread& talk : talks_) talk.join();
  }

  int port() const { return port_; }
  std::vector<Json> messages() const {  // that it got
    const std::lock_guard lock(lock_);
    return messages_;
  }
  std::vector<std::string> posts() const {  // paths and bodies
    const std::lock_guard lock(lock_);
    return posts_;
  }
  int connections() const { return connections_; }
  // Where the cursor is; a state is made from it.
  std::atomic<double> x{0.0}, y{-0.12}, z{0.15};
  // In place of the state; empty: nothing is answered.
  std::function<std::string(int count, const std::string& state)> spoil;
  // Ends all connections.
  void hang_up() {
    const std::lock_guard lock(lock_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }

 private:
  using Socket = boost::asio::ip::tcp::socket;

  void accept() {
    while (!ended_) {
      boost::system::error_code error;
      Socket socket(context_);
      acceptor_.accept(socket, error);
      if (error) return;
      {
        const std::lock_guard lock(lock_);
        sockets_.push_back(socket.native_handle());
      }
      talks_.emplace_back([this, s = std::move(socket)]() mutable {
        try {
          talk(s);
        } catch (const std::exception&) {  // hung up
        }
        const std::lock_guard lock(lock_);
        std::erase(sockets_, s.native_handle());
      });
    }
  }

  void talk(Socket& socket) {
    namespace beast = boost::beast;
    namespace http = beast::http;
    beast::flat_buffer buffer;
    http::request<http::string_body> request;
    http::read(socket, buffer, request);
    if (!beast::websocket::is_upgrade(request)) {
      {
        const std::lock_guard lock(lock_);
        posts_.push_back(std::string(request.target()) + " " + request.body());
      }
      http::response<http::string_body> response(http::status::ok, 11);
      response.body() = "{}";
      response.prepare_payload();
      http::write(socket, response);
      return;
    }
    ++connections_;
    beast::websocket::stream<Socket&> web(socket);
    web.accept(request);
    write(web, inventory().dump());
    for (int count = 0;; ++count) {
      beast::flat_buffer message;
      web.read(message);
      {
        const std::lock_guard lock(lock_);
        messages_.push_back(Json::parse(beast::buffers_to_string(message.data())));
        if (messages_.size() > 5000)
          messages_.erase(messages_.begin() + 10, messages_.begin() + 1000);
      }
      std::string answer = state().dump();
      if (spoil) answer = spoil(count, answer);
      if (!answer.empty()) write(web, answer);
    }
  }

  template <class Web>
  static void write(Web& web, const std::string& text) {
    web.write(boost::asio::buffer(text));
  }

  Json state() const {
    Json json = {{"inverse3",
                  {{{"device_id", "049D"},
                    {"state",
                     {{"cursor_position", {{"x", x.load()}, {"y", y.load()}, {"z", z.load()}}},
                      {"cursor_velocity", {{"x", 0.25}, {"y", 0.0}, {"z", 0.0}}}}},
                    {"status", {{"calibrated", options_.calibrated}}}}}},
                 {"wireless_verse_grip",
                  {{{"device_id", "61548"},
                    {"state",
                     {{"orientation", {{"w", 1.0}, {"x", 0.0}, {"y", 0.0}, {"z", 0.0}}},
                      {"buttons", {{"a", false}, {"b", true}, {"c", false}}}}}}}}};
    if (!options_.old) json["session_id"] = 7;
    return json;
  }

  Json inventory() const {
    Json json = state();
    if (!options_.device) {
      json["inverse3"] = Json::array();
      return json;
    }
    json["inverse3"][0]["config"] = {
        {"type", "inverse3"},
        {"preset", "defaults"},
        {"gravity_compensation", {{"enabled", true}, {"scaling_factor", 1.0}}},
        {"torque_scaling", {{"enabled", false}}},
        {"filters", {{"force_gate", {{"gain", 0.3}}}, {"damping", {{"scalar", 0.5}}}}}};
    return json;
  }

  Options options_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_{context_};
  int port_ = 0;
  std::atomic<bool> ended_{false};
  std::atomic<int> connections_{0};
  mutable std::mutex lock_;
  std::vector<Json> messages_;
  std::vector<std::string> posts_;
  std::vector<int> sockets_;
  std::vector<std::thread> talks_;  // of the thread that accepts, until it ended
  std::jthread thread_;
};

}  // namespace pliant::test
