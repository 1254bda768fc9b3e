// SPDX-License-Identifier: MIT
#include "pliant/serve/web_socket.hpp"

#include <deque>

namespace pliant::serve {
namespace {

using namespace std::chrono_literals;

constexpr const char* subprotocol = "pliant.1";
constexpr int socket_buffer = 256 << 10;  // bytes: a slow viewer shows soon
constexpr std::size_t roomy_buffer = std::size_t{64} << 10;

class WebSocketSession : public std::enable_shared_from_this<WebSocketSession> {
 public:
  WebSocketSession(beast::tcp_stream stream, Hub& hub, std::unique_ptr<Connections::Seat> seat)
      : seat_(std::move(seat)), socket_(std::move(stream)), hub_(hub) {}

  void start(const http::request<http::string_body>& request) {
    seat_->begin(Connections::Phase::busy);
    seat_->hand_over([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->close_socket();
    });
    auto& tcp = beast::get_lowest_layer(socket_);
    tcp.expires_never();  // the WebSocket has times of its own
    beast::error_code ignored;
    tcp.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    tcp.socket().set_option(asio::socket_base::send_buffer_size(socket_buffer), ignored);
    websocket::stream_base::timeout times{};
    times.handshake_timeout = 10s;
    times.idle_timeout = 30s;
    times.keep_alive_pings = true;
    socket_.set_option(times);
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, subprotocol);
    }));
    socket_.read_message_max(longest_message);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->join();
    });
  }

 private:
  struct Outgoing {
    bool text;
    SharedText body;  // of a text, or the sections of a frame
    FrameHead head;
    FrameCounters counters;

    std::size_t size() const { return body->size() + (text ? 0 : head.size() + counters.size()); }
  };

  void join() {
    const std::weak_ptr<WebSocketSession> weak = weak_from_this();
    const auto with = [weak](auto&& act) {
      if (const auto self = weak.lock()) act(*self);
    };
    Link link;
    link.send_text = [with](SharedText text) {
      with([&](auto& self) { self.send({true, std::move(text), {}, {}}); });
    };
    link.send_frame = [with](const FrameHead& head, SharedText sections,
                             const FrameCounters& counters) {
      with([&](auto& self) { self.send({false, std::move(sections), head, counters}); });
    };
    link.unsent_bytes = [weak] {
      const auto self = weak.lock();
      return self ? self->unsent_ : 0;
    };
    link.unsent_messages = [weak] {
      const auto self = weak.lock();
      return self ? self->queue_.size() : 0;
    };
    link.close = [with](CloseCode code, const std::string& reason) {
      with([&](auto& self) { self.close(code, reason); });
    };
    viewer_ = hub_.join(std::move(link));
    if (!viewer_) return close(CloseCode::try_later, "Too many viewers are connected.");
    seat_->begin(Connections::Phase::viewer);
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->on_read(error);
    });
  }

  void on_read(beast::error_code error) {
    if (error) return leave();
    if (!closing_) {
      if (socket_.got_text()) {
        hub_.hear(*viewer_, {static_cast<const char*>(buffer_.data().data()), buffer_.size()});
      } else {
        close(CloseCode::unsupported, "Only text is understood.");
      }
    }
    buffer_.consume(buffer_.size());
    if (buffer_.capacity() > roomy_buffer) buffer_.shrink_to_fit();
    read();  // after a close as well, until the other side has closed
  }

  void send(Outgoing message) {
    if (closing_) return;
    unsent_ += message.size();
    queue_.push_back(std::move(message));
    if (queue_.size() == 1) write();
  }

  void write() {
    const Outgoing& message = queue_.front();
    socket_.text(message.text);
    const auto done = [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->on_write(error);
    };
    const asio::const_buffer body = asio::buffer(*message.body);
    if (message.text) {
      socket_.async_write(std::array<asio::const_buffer, 3>{body, {}, {}}, done);
    } else {
      socket_.async_write(std::array<asio::const_buffer, 3>{asio::buffer(message.head), body,
                                                            asio::buffer(message.counters)},
                          done);
    }
  }

  void on_write(beast::error_code error) {
    if (error) return;  // reading fails as well, and ends the session
    unsent_ -= queue_.front().size();
    queue_.pop_front();
    if (!queue_.empty()) write();
  }

  void close(CloseCode code, const std::string& reason) {
    if (closing_) return;
    closing_ = true;
    seat_->begin(Connections::Phase::ending);
    const websocket::close_reason why(static_cast<websocket::close_code>(code), reason);
    socket_.async_close(why, [self = shared_from_this()](beast::error_code) { self->leave(); });
  }

  void leave() {
    closing_ = true;
    if (viewer_) hub_.leave(*viewer_);
    viewer_.reset();
    close_socket();
  }

  void close_socket() {
    beast::error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  std::unique_ptr<Connections::Seat> seat_;

  websocket::stream<beast::tcp_stream> socket_;
  Hub& hub_;
  beast::flat_buffer buffer_;
  std::optional<int> viewer_;
  std::deque<Outgoing> queue_;
  std::size_t unsent_ = 0;
  bool closing_ = false;
};

}  // namespace

bool wants_our_protocol(const http::request<http::string_body>& request) {
  const std::string_view offered = request[http::field::sec_websocket_protocol];
  for (std::size_t at = 0; at < offered.size();) {
    const std::size_t end = std::min(offered.find(',', at), offered.size());
    std::string_view one = offered.substr(at, end - at);
    while (one.starts_with(' ')) one.remove_prefix(1);
    while (one.ends_with(' ')) one.remove_suffix(1);
    if (one == subprotocol) return true;
    at = end + 1;
  }
  return false;
}

void start_web_socket(beast::tcp_stream stream, const http::request<http::string_body>& request,
                      Hub& hub, std::unique_ptr<Connections::Seat> seat) {
  std::make_shared<WebSocketSession>(std::move(stream), hub, std::move(seat))->start(request);
}

}  // namespace pliant::serve
