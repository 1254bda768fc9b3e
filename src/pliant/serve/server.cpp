// SPDX-License-Identifier: MIT
#include "pliant/serve/server.hpp"

#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "pliant/base/error.hpp"
#include "pliant/serve/http_answer.hpp"
#include "pliant/serve/server_message.hpp"
#include "pliant/serve/web_socket.hpp"

namespace pliant::serve {
namespace {

using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr std::size_t most_connections = 256;
constexpr std::uint32_t largest_header = 16 << 10;
constexpr std::uint64_t largest_other_body = 64 << 10;
constexpr std::uint64_t largest_sent_picture = 1 << 20;
constexpr std::string_view picture_path = "/api/picture/", forget_path = "/api/forget/";
constexpr auto patience = 20s;        // for a request
constexpr auto long_patience = 600s;  // for a large asset on a slow line
// What a refused client still sends is read, so that it sees the answer.
constexpr std::uint64_t most_drained = std::uint64_t{1} << 30;
constexpr auto out_of_descriptors = 100ms;  // until the next attempt

// What all connections share.
struct Context {
  Hub hub;
  Access access;
  Connections connections{most_connections};
  asio::thread_pool readers{1};  // wait for processes that read uploaded meshes
  std::stop_source stop;         // of those
  int uploads = 0;               // how many there were

  Context(HubOptions options, std::string host, std::string token)
      : hub(std::move(options)), access(std::move(host), std::move(token)) {}
};

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(tcp::socket socket, Context& context)
      : stream_(std::move(socket)), context_(context) {
    beast::error_code error;
    const auto endpoint = stream_.socket().local_endpoint(error);
    if (!error) local_address_ = endpoint.address().to_string();
  }

  void start() {
    seat_ = std::make_unique<Connections::Seat>(context_.connections, [weak = weak_from_this()] {
      beast::error_code ignored;
      if (const auto self = weak.lock()) self->stream_.socket().close(ignored);
    });
    read();
  }

 private:
  using Request = http::request<http::string_body>;

  void read() {
    seat_->begin(Connections::Phase::waiting);
    parser_.emplace();
    parser_->header_limit(largest_header);
    parser_->body_limit(largest_upload);
    stream_.expires_after(patience);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              self->on_head(error);
                            });
  }

  const Request& request() const { return parser_->get(); }
  std::string_view target() const { return request().target(); }
  std::string_view path() const { return path_of(target()); }

  std::optional<Refusal> refusal() const {
    Access::Request who{request()[http::field::host], std::nullopt, local_address_};
    const auto origin = request().find(http::field::origin);
    if (origin != request().end()) who.origin = origin->value();
    if (auto refused = context_.access.check(who)) return refused;
    if (!needs_token(path())) return std::nullopt;
    return context_.access.check_token(query_value(target(), "token"));
  }

  void on_head(beast::error_code error) {
    if (error == http::error::body_limit) return answer_and_close(too_large());
    if (error == http::error::end_of_stream) return shut_down();
    if (error.category() == http::make_error_code(http::error::bad_target).category() && error) {
      return answer_and_close(
          refuse({400, "command", "The request cannot be read.", "Reload the page."}));
    }
    if (error) return;
    seat_->begin(Connections::Phase::busy);
    if (const auto refused = refusal()) return answer_and_close(refuse(*refused));
    if (websocket::is_upgrade(request())) return upgrade();
    const bool upload = request().method() == http::verb::post && path() == "/api/mesh";
    if (!upload) {
      const std::uint64_t limit = is_picture() ? largest_sent_picture : largest_other_body;
      parser_->body_limit(limit);
      if (parser_->content_length().value_or(0) > limit) return answer_and_close(too_large());
    } else if (context_.hub.options().reader.empty()) {
      return answer_and_close(
          refuse({404, "absent", "This server takes no meshes.", "Open a scene instead."}));
    } else if (context_.hub.may_upload() != RateLimit::Verdict::allowed) {
      return answer_and_close(refuse(
          {429, "rate", "Too many meshes were sent in a minute.", "Wait a minute and try again."}));
    }
    stream_.expires_after(upload ? long_patience : patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this(), upload](beast::error_code e, std::size_t) {
                       self->on_request(e, upload);
                     });
  }

  static Answer too_large() {
    return refuse({413, "size", "That is too large.",
                   fmt::format("At most {} MiB are allowed.", largest_upload >> 20)});
  }

  void upgrade() {
    if (path() != "/ws") {
      return answer_and_close(refuse({404, "absent", "There is no WebSocket here.", "Use /ws."}));
    }
    if (!wants_our_protocol(request())) {
      return answer_and_close(refuse({400, "command", "The subprotocol must be pliant.1.",
                                      "Reload the page: it may be of another version."}));
    }
    start_web_socket(std::move(stream_), request(), context_.hub, std::move(seat_));
  }

  void on_request(beast::error_code error, bool upload) {
    if (error == http::error::body_limit) return answer_and_close(too_large());
    if (error) return;
    const http::verb method = request().method();
    if (upload) return read_mesh();
    if (is_picture()) return take_picture();
    if (method == http::verb::post && path().starts_with(forget_path)) return forget();
    if (method != http::verb::get && method != http::verb::head) {
      return answer(refuse({405, "absent", "Only GET is understood here.", "Reload the page."}));
    }
    answer(answer_get(context_.hub, path(), request()[http::field::range]));
  }

  bool is_picture() const {
    return request().method() == http::verb::post && path().starts_with(picture_path);
  }

  void take_picture() {
    try {
      context_.hub.add_picture(std::string(path().substr(picture_path.size())), request().body());
      answer(json_answer("{}"));
    } catch (const std::exception& problem) {
      answer(refuse({422, "picture", problem.what(), "Save it from the page instead."}));
    }
  }

  void forget() {
    try {
      context_.hub.forget(std::string(path().substr(forget_path.size())));
      answer(json_answer("{}"));
    } catch (const std::exception& problem) {
      answer(refuse({422, "absent", problem.what(), "Open another scene first."}));
    }
  }

  // In another thread, as a large mesh takes seconds, and in another process, as nobody knows what
  // is in it.
  void read_mesh() {
    auto bytes = std::make_shared<std::string>(std::move(parser_->get().body()));
    asio::post(context_.readers, [self = shared_from_this(), name = query_value(target(), "name"),
                                  bytes, number = context_.uploads++] {
      auto mesh = std::make_shared<UploadedMesh>();
      std::optional<Refusal> problem;
      try {
        const HubOptions& options = self->context_.hub.options();
        const ScratchFolder folder(options.work / fmt::format("upload{}", number));
        *mesh = read_upload_apart(*bytes, name, options.reader, folder.path(),
                                  options.reader_limits, self->context_.stop.get_token());
      } catch (const UploadRefused& refused) {
        problem = refused.refusal();
      } catch (const std::exception&) {  // out of memory
        problem = {503, "mesh", "The server cannot read it now.", "Try again later."};
      }
      std::string().swap(*bytes);
      asio::post(self->stream_.get_executor(), [self, mesh, problem] {
        if (problem) return self->answer(refuse(*problem));
        std::string text = text_of(upload_message(*mesh));
        self->context_.hub.add_upload(std::move(*mesh));
        self->answer(json_answer(std::move(text)));
      });
    });
  }

  void answer(Answer answer) { write(std::move(answer), request().keep_alive()); }
  void answer_and_close(Answer answer) { write(std::move(answer), false); }

  void write(Answer answer, bool keep_alive) {
    seat_->begin(Connections::Phase::busy);
    head_ = head_of(answer, keep_alive);
    body_ = std::move(answer.body);
    const bool only_head = parser_->is_header_done() && request().method() == http::verb::head;
    stream_.expires_after(long_patience);
    const std::array<asio::const_buffer, 2> buffers{
        asio::buffer(head_), only_head
                                 ? asio::const_buffer()
                                 : asio::const_buffer(body_.bytes.data(), body_.bytes.size())};
    asio::async_write(
        stream_, buffers,
        [self = shared_from_this(), keep_alive](beast::error_code error, std::size_t) {
          if (error) return;
          self->body_ = {};
          if (keep_alive) {
            self->read();
          } else {
            self->shut_down();
          }
        });
  }

  // To close while something is unread would reset the connection, and the client might never see
  // the answer.
  void shut_down() {
    seat_->begin(Connections::Phase::ending);
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(patience);
    buffer_.clear();
    drain();
  }
  void drain() {
    constexpr std::size_t part = 64 << 10;
    stream_.async_read_some(buffer_.prepare(part),
                            [self = shared_from_this()](beast::error_code error, std::size_t size) {
                              self->drained_ += size;
                              if (!error && self->drained_ < most_drained) self->drain();
                            });
  }

  beast::tcp_stream stream_;
  Context& context_;
  std::string local_address_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::string head_;
  Blob body_;
  std::uint64_t drained_ = 0;
  std::unique_ptr<Connections::Seat> seat_;
};

}  // namespace

struct Server::Impl {
  explicit Impl(ServerOptions given)
      : options(std::move(given)),
        host(options.host.value_or("127.0.0.1")),
        context(options.hub, host, options.host ? random_token() : std::string()),
        acceptor(io),
        timer(io),
        retry(io),
        signals(io) {
    beast::error_code error;
    const asio::ip::address address = find_address();
    const tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      throw Error({"", 0, fmt::format("address {}:{}", host, options.port)},
                  "the server cannot listen there: " + error.message(), "",
                  "a free port (--port 0 takes any) of this machine");
    }
  }

  // The sessions that are left in the context refer to what is destroyed here.
  ~Impl() {
    context.stop.request_stop();
    context.readers.join();
  }

  asio::ip::address find_address() {
    beast::error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    if (!error) return address;
    tcp::resolver resolver(io);
    const auto found = resolver.resolve(host, "", error);
    if (error || found.empty()) {
      throw Error({"", 0, "--host"}, "this machine does not know the address", printable(host),
                  "one of its addresses, or 0.0.0.0 for all");
    }
    return found.begin()->endpoint().address();
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error || context.connections.full()) context.connections.make_room();
      if (error) return accept_later();
      if (!context.connections.full()) {
        std::make_shared<HttpSession>(std::move(socket), context)->start();
      }
      accept();
    });
  }
  // Out of descriptors: to try again at once would only fail again.
  void accept_later() {
    retry.expires_after(out_of_descriptors);
    retry.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  void tick() {
    constexpr auto period = std::chrono::nanoseconds(1'000'000'000 / Hub::ticks_a_second);
    const auto now = std::chrono::steady_clock::now();
    next_tick = std::max(next_tick + period, now);
    timer.expires_at(next_tick);
    timer.async_wait([this](beast::error_code error) {
      if (error) return;
      context.hub.tick();
      tick();
    });
  }

  void end() {
    if (ending) return;
    ending = true;
    beast::error_code ignored;
    acceptor.close(ignored);
    timer.cancel();
    retry.cancel();
    signals.cancel(ignored);
    context.hub.close_all();
    // Those who do not answer the good-bye are left.
    timer.expires_after(500ms);
    timer.async_wait([this](beast::error_code) { io.stop(); });
    poll_end();
  }
  void poll_end() {
    if (context.hub.viewers() == 0) return io.stop();
    asio::post(io, [this] { poll_end(); });
  }

  ServerOptions options;
  std::string host;
  Context context;
  asio::io_context io{1};  // destroyed first: its sessions refer to the context
  tcp::acceptor acceptor;
  asio::steady_timer timer, retry;
  asio::signal_set signals;
  std::chrono::steady_clock::time_point next_tick{};
  bool ending = false;
};

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  if (!impl_->options.end_on_signals) return;
  // Before anybody knows the address: a signal from now on waits for run().
  impl_->signals.add(SIGINT);
  impl_->signals.add(SIGTERM);
}
Server::~Server() = default;

std::uint16_t Server::port() const {
  return impl_->acceptor.local_endpoint().port();
}
const std::string& Server::token() const {
  return impl_->context.access.token();
}
std::string Server::url() const {
  const bool v6 = impl_->host.find(':') != std::string::npos;
  const bool any = impl_->host == "0.0.0.0" || impl_->host == "::";
  const std::string name = any ? "127.0.0.1" : v6 ? "[" + impl_->host + "]" : impl_->host;
  const std::string query = token().empty() ? "" : "?token=" + token();
  return fmt::format("http://{}:{}/{}", name, port(), query);
}
Hub& Server::hub() {
  return impl_->context.hub;
}

void Server::run() {
  if (impl_->options.end_on_signals) {
    impl_->signals.async_wait([this](beast::error_code error, int) {
      if (!error) impl_->end();
    });
  }
  impl_->next_tick = std::chrono::steady_clock::now();
  impl_->accept();
  impl_->tick();
  impl_->io.run();
}

void Server::stop() {
  asio::post(impl_->io, [this] { impl_->end(); });
}

}  // namespace pliant::serve
