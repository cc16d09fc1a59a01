#include "orchestrator/launch/attempt_server.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/spawn.hpp"

namespace shakedown {
namespace {

/// One message: its length, the number of variables, then each text with its end.
std::string message_of(const ServedAttempt& attempt) {
  std::string body;
  const auto add = [&](const std::string& text) { body.append(text.c_str(), text.size() + 1); };
  add(std::to_string(attempt.environment.size()));
  add(attempt.folder);
  for (const std::string& variable : attempt.environment) add(variable);
  for (const std::string& word : attempt.argv) add(word);
  const auto size = static_cast<std::uint32_t>(body.size());
  std::string message(reinterpret_cast<const char*>(&size), sizeof size);
  return message + body;
}

bool received(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::recv(socket, data, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool sent(int socket, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::optional<ServedAttempt> received_attempt(int socket) {
  std::uint32_t size = 0;
  if (!received(socket, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string body(size, '\0');
  if (!received(socket, body.data(), body.size()) || body.empty()) return std::nullopt;
  body.pop_back();  // the last text's end
  std::vector<std::string> texts;
  for (const std::string_view text : split(body, '\0')) texts.emplace_back(text);
  const auto variables = parsed_integer(texts.front());
  if (!variables || *variables < 0 || static_cast<std::size_t>(*variables) + 2 >= texts.size())
    return std::nullopt;
  ServedAttempt attempt;
  const auto words = texts.begin() + 2 + *variables;
  attempt.folder = texts[1];
  attempt.environment.assign(texts.begin() + 2, words);
  attempt.argv.assign(words, texts.end());
  return attempt;
}

AttemptServer::~AttemptServer() {
  end();
}

void AttemptServer::end() {
  if (socket_ >= 0) ::close(socket_);
  // One that waits in the kernel, for a file system that hangs, ends when that does: not waited for.
  constexpr int tries = 5000;  // 1 s
  if (pid_ > 0 && ::kill(pid_, SIGKILL) == 0)
    for (int i = 0; i < tries && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i) ::usleep(200);
  socket_ = -1;
  pid_ = 0;
}

Result<void> AttemptServer::begin(const std::filesystem::path& program) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail_environment(program.string(), std::strerror(errno));
  socket_ = ends[0];
  constexpr timeval patience = {5, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto pid = spawned({program.string(), "serve"}, "/", {}, ends[1]);
  ::close(ends[1]);
  if (!pid) {
    end();
    return failure_of(pid);
  }
  pid_ = *pid;
  return {};
}

Result<int> AttemptServer::start(const std::filesystem::path& program, const ServedAttempt& attempt) {
  if (socket_ < 0)
    if (auto begun = begin(program); !begun) return failure_of(begun);
  std::int32_t pid = 0;
  if (sent(socket_, message_of(attempt)) && received(socket_, reinterpret_cast<char*>(&pid), sizeof pid) &&
      pid > 0)
    return pid;
  end();
  return fail_environment(program.string(), "does not start attempts");
}

}  // namespace shakedown
