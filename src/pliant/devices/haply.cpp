// SPDX-License-Identifier: MIT
#include "pliant/devices/haply.hpp"

#include <thread>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

#include "pliant/base/error.hpp"
#include "pliant/devices/exchange.hpp"
#include "pliant/devices/haply_talk.hpp"
#include "pliant/devices/steady_clock.hpp"

namespace pliant::devices {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr auto connecting = milliseconds(2000), answering = milliseconds(100);
constexpr auto between_tries = milliseconds(500);
constexpr auto between_messages = microseconds(400);  // the loop takes one a millisecond
constexpr std::size_t largest_message = std::size_t{1} << 20;
constexpr int most_not_sound = 100;  // in a row

asio::ip::address address_of(const std::string& host) {
  beast::error_code error;
  const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) {
    throw Error({"", 0, "device.host"}, "not an address of a machine", printable(host),
                "an IP address, or \"localhost\"");
  }
  return address;
}

double steady_seconds() {
  return 1e-6 * static_cast<double>(steady_us());
}

}  // namespace

class Haply::Talker {
 public:
  explicit Talker(const HaplyDevice& spec)
      : spec_(spec),
        service_(address_of(spec.host), static_cast<unsigned short>(spec.port)),
        where_(fmt::format("{}:{}", printable(spec.host), spec.port)) {
    exchange.set(DeviceHealth::absent, "waiting for the Haply service at " + where_);
    asio::co_spawn(context_, talk(), asio::detached);
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~Talker() {
    context_.stop();
    thread_.join();
  }

  Exchange exchange;

 private:
  using Socket = websocket::stream<beast::tcp_stream>;
  using Task = asio::awaitable<void>;

  static auto into(beast::error_code& error) {
    return asio::redirect_error(asio::use_awaitable, error);
  }

  Task wait(std::chrono::steady_clock::duration time) {
    asio::steady_timer timer(context_, time);
    beast::error_code ignored;
    co_await timer.async_wait(into(ignored));
  }

  Task talk() {
    for (;;) {
      std::string why;
      co_await session(why);
      exchange.set(DeviceHealth::absent,
                   fmt::format("the Haply service at {} is not there: {}", where_, why));
      co_await wait(between_tries);
    }
  }

  // Until the connection ends; `why`: for people.
  Task session(std::string& why) {
    beast::error_code error;
    Socket socket(context_);
    beast::tcp_stream& stream = beast::get_lowest_layer(socket);
    stream.expires_after(connecting);
    co_await stream.async_connect(service_, into(error));
    if (!error) {
      stream.socket().set_option(tcp::no_delay(true), error);
      socket.read_message_max(largest_message);
      co_await socket.async_handshake(where_, "/", into(error));
    }
    if (!error) co_await converse(socket, why, error);
    if (why.empty()) why = error.message();
  }

  Task converse(Socket& socket, std::string& why, beast::error_code& error) {
    beast::tcp_stream& stream = beast::get_lowest_layer(socket);
    words_ = std::make_unique<HaplyTalk>(spec_);
    ready_ = false;
    beast::flat_buffer buffer;
    int not_sound = 0;
    for (;;) {
      buffer.clear();
      stream.expires_after(answering);
      co_await socket.async_read(buffer, into(error));
      if (error) co_return;
      const HaplyTalk::Heard heard =
          hear({static_cast<const char*>(buffer.data().data()), buffer.size()});
      if (heard == HaplyTalk::Heard::no_device) {
        why = "it has no Inverse3";
        co_return;
      }
      not_sound = heard == HaplyTalk::Heard::not_sound ? not_sound + 1 : 0;
      if (not_sound > most_not_sound || words_->id().empty()) {
        why = "it says what is not to be understood";
        co_return;
      }
      if (heard == HaplyTalk::Heard::inventory) co_await configure();
      const std::string answer = say();
      stream.expires_after(answering);
      co_await socket.async_write(asio::buffer(answer), into(error));
      if (error) co_return;
      co_await wait(between_messages);
    }
  }

  // The frames of coroutines are not aligned as samples must be: these are functions of their own.
  HaplyTalk::Heard hear(std::string_view text) {
    DeviceSample sample;
    const HaplyTalk::Heard heard = words_->take(text, steady_seconds(), sample);
    if (heard != HaplyTalk::Heard::state) return heard;
    exchange.give(sample);
    if (!ready_ || !words_->calibrated()) {
      ready_ = words_->calibrated();
      exchange.set(ready_ ? DeviceHealth::ready : DeviceHealth::waiting,
                   words_->words() + (ready_ ? "" : ": not calibrated, put its grip to rest"));
    }
    return heard;
  }
  std::string say() {
    const DeviceForce force = exchange.force_at(steady_seconds());
    return words_->answer(ready_ ? Vector3d(force.wrench.head<3>()) : Vector3d(0, 0, 0));
  }

  // What only HTTP sets; a service that does not take it says so in its next inventory.
  Task configure() {
    for (const auto& [name, body] : words_->settings()) {
      beast::error_code error;
      beast::tcp_stream stream(context_);
      stream.expires_after(connecting);
      co_await stream.async_connect(service_, into(error));
      if (error) co_return;
      http::request<http::string_body> request(http::verb::post,
                                               "/inverse3/" + words_->id() + "/config/" + name, 11);
      request.set(http::field::host, where_);
      request.set(http::field::content_type, "application/json");
      request.body() = body;
      request.prepare_payload();
      co_await http::async_write(stream, request, into(error));
      if (error) co_return;
      beast::flat_buffer buffer;
      http::response<http::string_body> response;
      co_await http::async_read(stream, buffer, response, into(error));
      stream.socket().shutdown(tcp::socket::shutdown_both, error);
    }
  }

  HaplyDevice spec_;
  tcp::endpoint service_;
  std::string where_;
  std::unique_ptr<HaplyTalk> words_;  // of the connection
  bool ready_ = false;
  asio::io_context context_{1};
  std::jthread thread_;
};

Haply::Haply(const HaplyDevice& spec)
    : facts_{.name = "haply",
             .renders_force = true,
             .renders_torque = false,
             .stiffness = 2000,
             .most_force = spec.mapping.most_force,
             .workspace = 0.1,
             .rate = 1000},
      talker_(std::make_unique<Talker>(spec)) {}

Haply::~Haply() = default;

DeviceHealth Haply::health() const noexcept {
  return talker_->exchange.health();
}
bool Haply::read(DeviceSample& sample) noexcept {
  return talker_->exchange.read(sample);
}
void Haply::write(const DeviceForce& force) noexcept {
  talker_->exchange.write(force);
}
std::string Haply::message() const {
  return talker_->exchange.message();
}

}  // namespace pliant::devices
