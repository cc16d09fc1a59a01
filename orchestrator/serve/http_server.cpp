#include "orchestrator/serve/http_server.hpp"

#include <csignal>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <optional>

namespace shakedown {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr int most_connections = 32;
constexpr std::uint32_t most_header = 8 * 1024;
constexpr std::chrono::seconds patience(10);
constexpr std::string_view cookie_name = "shakedown_token";

/// In a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

/// The value of "name=value" in a list of such; empty: it has none.
std::string_view named_value(std::string_view list, std::string_view name, char separator) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    std::string_view each = list.substr(0, end);
    while (each.starts_with(' ')) each.remove_prefix(1);
    if (each.starts_with(name) && each.substr(name.size()).starts_with('='))
      return each.substr(name.size() + 1);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

/// The host of a Host header, without its port.
std::string_view host_of(std::string_view header) {
  if (header.starts_with('[')) return header.substr(0, std::min(header.find(']') + 1, header.size()));
  return header.substr(0, std::min(header.find(':'), header.size()));
}

void secure(Response& response) {
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
}

Response plain(const Request& request, http::status status, std::string text) {
  Response response(status, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = std::move(text);
  return response;
}

/// The answer to a request that was read whole.
Response response_to(const Request& request, const HttpServer& server, bool loopback) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Response response = plain(request, http::status::method_not_allowed, "this server only shows: GET\n");
    response.set(http::field::allow, "GET, HEAD");
    return response;
  }
  const std::string_view host = host_of(view(request[http::field::host]));
  if (loopback && host != "localhost" && host != "127.0.0.1" && host != "[::1]" && host != server.address)
    return plain(request, http::status::misdirected_request, "this server answers as localhost only\n");
  const std::string_view target = view(request.target());
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, question);
  if (!server.token.empty()) {
    const std::string_view bearer = view(request[http::field::authorization]);
    const std::string_view query =
        question < target.size() ? target.substr(question + 1) : std::string_view();
    const bool by_query = same_secret(named_value(query, "token", '&'), server.token);
    const bool known =
        same_secret(named_value(view(request[http::field::cookie]), cookie_name, ';'), server.token) ||
        (bearer.starts_with("Bearer ") && same_secret(bearer.substr(7), server.token));
    if (!by_query && !known)
      return plain(request, http::status::unauthorized, "add ?token=... to the address, once\n");
    if (by_query) {  // out of the address bar and the browser's history
      Response response = plain(request, http::status::see_other, "");
      // "//host/" would lead to another one.
      response.set(http::field::location, std::string(path.starts_with("//") ? "/" : path));
      response.set(http::field::set_cookie,
                   std::string(cookie_name) + "=" + server.token + "; HttpOnly; SameSite=Strict; Path=/");
      return response;
    }
  }
  HttpAnswer answer = server.answer(path);
  Response response(static_cast<http::status>(answer.status), request.version());
  response.set(http::field::content_type, answer.type);
  response.body() = std::move(answer.body);
  return response;
}

/// One connection: a request, its answer, the next.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const HttpServer& server, bool loopback, int& open)
      : stream_(std::move(socket)), server_(server), loopback_(loopback), open_(open) {
    ++open_;
  }
  ~Connection() { --open_; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(most_header);
    parser_->body_limit(boost::none);  // it is never read
    stream_.expires_after(patience);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code code, std::size_t) {
                              if (!code) self->answer();
                            });
  }

 private:
  void answer() {
    const Request request = parser_->release();
    response_ = response_to(request, server_, loopback_);
    secure(response_);
    // A body is never read: what follows the header of a request that has one is no request.
    const bool has_body = request.has_content_length() || request.chunked();
    const bool more = request.keep_alive() && request.method() == http::verb::get && !has_body;
    response_.keep_alive(more);
    response_.prepare_payload();
    if (request.method() == http::verb::head) response_.body().clear();
    stream_.expires_after(6 * patience);
    http::async_write(stream_, response_,
                      [self = shared_from_this(), more](beast::error_code code, std::size_t) {
                        if (!code && more) return self->read();
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{most_header};
  std::optional<http::request_parser<http::empty_body>> parser_;
  Response response_;
  const HttpServer& server_;
  bool loopback_;
  int& open_;
};

/// Takes connections, and closes those beyond the most there may be.
class Listener {
 public:
  Listener(tcp::acceptor& acceptor, const HttpServer& server, bool loopback)
      : acceptor_(acceptor), server_(server), loopback_(loopback) {}
  void accept() {
    acceptor_.async_accept([this](beast::error_code code, tcp::socket socket) {
      if (code == asio::error::operation_aborted) return;
      if (!code && open_ < most_connections)
        std::make_shared<Connection>(std::move(socket), server_, loopback_, open_)->read();
      accept();
    });
  }

 private:
  tcp::acceptor& acceptor_;
  const HttpServer& server_;
  bool loopback_;
  int open_ = 0;
};

}  // namespace

Result<bool> is_loopback(const std::string& address) {
  beast::error_code code;
  const auto parsed = asio::ip::make_address(address, code);
  if (code)
    return fail("--listen", "'" + address + "' is no numeric address", "such as 127.0.0.1, 0.0.0.0 or ::1");
  return parsed.is_loopback();
}

Result<int> served(const HttpServer& server) {
  const auto loopback = is_loopback(server.address);
  if (!loopback) return failure_of(loopback);
  asio::io_context context(1);
  beast::error_code code;
  const tcp::endpoint endpoint(asio::ip::make_address(server.address), server.port);
  tcp::acceptor acceptor(context);
  acceptor.open(endpoint.protocol(), code);
  if (!code) acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) acceptor.bind(endpoint, code);
  if (!code) acceptor.listen(most_connections, code);
  if (code)
    return fail_environment(server.address + ":" + std::to_string(server.port),
                            "can't listen there: " + code.message(),
                            "choose another with --port N; 0 takes any that is free");
  int ended_by = SIGINT;
  Listener listener(acceptor, server, *loopback);
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](beast::error_code failed, int number) {
    if (failed) return;
    ended_by = number;
    context.stop();
  });
  listener.accept();
  server.listening(acceptor.local_endpoint().port());
  context.run();
  return ended_by;
}

}  // namespace shakedown
