#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What a server answers a GET with.
struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

/// Where a server listens and whom it answers.
struct HttpServer {
  std::string address = "127.0.0.1";  ///< numeric, of IPv4 or IPv6
  std::uint16_t port = 0;             ///< 0: any that is free
  /// What a browser must show to be answered: `?token=...` once, a cookie from then on; or the header
  /// `Authorization: Bearer ...`. Empty: nothing, which only a loopback address may have.
  std::string token;
  /// Answers a GET by its path, without its query. Called one at a time.
  std::function<HttpAnswer(std::string_view path)> answer;
  /// Called once it listens, with the port.
  std::function<void(std::uint16_t port)> listening;
};

/// Whether a numeric address is of this machine alone. Fails (input) where it is no numeric address.
Result<bool> is_loopback(const std::string& address);

/// Serves until SIGINT or SIGTERM, and returns that signal's number. It only ever answers GET and HEAD;
/// others get 405. At most 32 connections at once, 10 s for a request, 8 KiB of header. On a loopback address
/// it refuses requests for other hosts' names (DNS rebinding), with 421. Fails (environment) if it can't
/// listen.
Result<int> served(const HttpServer& server);

}  // namespace shakedown
