#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What starts an attempt: the words of its wrapper.
struct ServedAttempt {
  std::string folder;                    ///< that it starts in
  std::vector<std::string> argv;         ///< of the wrapper, its own name the first
  std::vector<std::string> environment;  ///< "NAME=value" beside or instead of the server's
};

/// The server's end of the socket.
inline constexpr int server_descriptor = 3;

/// Reads one from the socket. Nothing: the other end is closed.
std::optional<ServedAttempt> received_attempt(int socket);

/// A process that starts attempts on this machine as copies of itself: a wrapper that is executed anew, and
/// what looks at the node, cost two milliseconds more for each case. It ends with its owner; attempts that
/// run go on.
class AttemptServer {
 public:
  AttemptServer() = default;
  ~AttemptServer();
  AttemptServer(const AttemptServer&) = delete;
  AttemptServer& operator=(const AttemptServer&) = delete;

  /// Starts an attempt. `program`: `node-state`, which becomes the server when it is first needed. Returns
  /// the wrapper's pid, a process in a session of its own with its streams at /dev/null; its end can be
  /// watched, and is never reaped before the next start. Fails (environment) where the server can't be
  /// started or does not answer.
  Result<int> start(const std::filesystem::path& program, const ServedAttempt& attempt);

 private:
  Result<void> begin(const std::filesystem::path& program);
  void end();

  int socket_ = -1;
  int pid_ = 0;
};

}  // namespace shakedown
