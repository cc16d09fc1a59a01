#include "orchestrator/launch/node/serve.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <list>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orchestrator/core/sha256_blocks.hpp"
#include "orchestrator/inventory/gpus.hpp"
#include "orchestrator/inventory/system_file.hpp"
#include "orchestrator/launch/attempt/cgroup.hpp"
#include "orchestrator/launch/attempt/command.hpp"
#include "orchestrator/launch/attempt/machine.hpp"
#include "orchestrator/launch/attempt/orphans.hpp"
#include "orchestrator/launch/attempt/run.hpp"
#include "orchestrator/launch/attempt/sha256.hpp"
#include "orchestrator/launch/attempt_server.hpp"
#include "orchestrator/launch/node/look.hpp"
#include "orchestrator/launch/spawn.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace shakedown {
namespace {

constexpr int exit_io = 74;  // as of the wrapper

std::string own_path;
std::span<char> own_words;  // of the command line, as others see it

int known_look(int count, const char* const* words) {
  ::prctl(PR_SET_NAME, "node-state");  // as one that was executed
  return own_path == words[0] ? look(own_path, {words + 1, words + count}) : -1;
}

/// Of the attempts that run, the looks that this process takes for their wrappers: a process of its own for
/// each costs more than the look.
class ServedLook {
 public:
  /// Looks at once, while the wrapper begins; it writes when the wrapper says that the attempt is its own.
  ServedLook(int socket, const ServedAttempt& attempt, NodeArguments arguments, int wrapper)
      : socket_(socket), attempt_(attempt), look_(std::move(arguments), wrapper) {
    begun_ = as_attempt([&] { look_.begin(); });
  }
  ~ServedLook() { ::close(socket_); }
  ServedLook(const ServedLook&) = delete;
  ServedLook& operator=(const ServedLook&) = delete;

  [[nodiscard]] int socket() const { return socket_; }

  /// Does what the wrapper asks for. False: it asks for nothing more, or has ended.
  bool answer() {
    char byte = 0;
    if (::recv(socket_, &byte, 1, 0) != 1) return false;
    const bool first = std::exchange(first_, false);
    Result<void> done;
    const bool there = as_attempt([&] { done = first ? look_.before() : look_.after(); });
    return begun_ && there && done && ::send(socket_, "", 1, MSG_NOSIGNAL) == 1 && first;
  }

 private:
  /// Does it as a process of the attempt would: in its folder, with its variables. False: there is no such
  /// folder.
  template <class Work>
  bool as_attempt(Work work) {
    std::vector<char*> variables = environment_with(attempt_.environment);
    if (::chdir(attempt_.folder.c_str()) != 0) return false;
    char** const own = std::exchange(environ, variables.data());
    work();
    environ = own;
    return true;
  }

  int socket_;
  ServedAttempt attempt_;
  NodeLook look_;
  bool begun_ = false;
  bool first_ = true;
};

/// How an attempt is looked at, where this process can do that. What a driver's library does to a process
/// that forks is its own affair, and it may wait for a GPU that hangs: there each attempt has its own
/// process.
std::optional<NodeArguments> served_look(const ServedAttempt& attempt) {
  std::vector<std::string> words;
  for (std::size_t i = 1; i + 1 < attempt.argv.size() && attempt.argv[i] != "--"; i += 2)
    if (attempt.argv[i] == "--around") words.push_back(attempt.argv[i + 1]);
  if (words.empty() || words.front() != own_path || may_have_nvidia_driver()) return std::nullopt;
  words.erase(words.begin());
  words.emplace_back("around");
  auto arguments = node_arguments(words);
  if (!arguments || !is_looked_at_here(*arguments)) return std::nullopt;
  return *std::move(arguments);
}

/// Becomes the wrapper of an attempt, in a session of its own.
[[noreturn]] void become_attempt(const ServedAttempt& attempt) {
  ::close(server_descriptor);
  ::setsid();
  ::signal(SIGPIPE, SIG_DFL);
  // What `ps` shows of it is that of an executed one.
  constexpr char words[] = "attempt\0--folder\0.";
  if (own_words.size() >= sizeof words) {
    std::ranges::fill(own_words, '\0');
    std::ranges::copy(words, own_words.begin());
  }
  ::prctl(PR_SET_NAME, "attempt");
  if (::chdir(attempt.folder.c_str()) != 0) ::_exit(exit_io);
  for (const std::string& variable : attempt.environment) ::putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> argv;
  argv.reserve(attempt.argv.size() + 1);
  for (const std::string& word : attempt.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::_exit(attempt::run(static_cast<int>(attempt.argv.size()), argv.data()));
}

/// Starts the attempt that the owner names. False: it names none more.
bool start_next(std::list<ServedLook>& looks) {
  const auto attempt = received_attempt(server_descriptor);
  if (!attempt) return false;
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  auto look = served_look(*attempt);
  int ends[2] = {-1, -1};
  if (look && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) look.reset();
  const auto pid = static_cast<std::int32_t>(::fork());
  if (pid == 0) {
    for (const ServedLook& other : looks) ::close(other.socket());
    ::close(ends[0]);
    attempt::Around::served = ends[1];
    become_attempt(*attempt);
  }
  ::close(ends[1]);
  const bool sent = ::send(server_descriptor, &pid, sizeof pid, MSG_NOSIGNAL) == sizeof pid;
  if (look && pid > 0)
    looks.emplace_back(ends[0], *attempt, *std::move(look), pid);
  else
    ::close(ends[0]);
  return sent;
}

/// An object in memory that this process shares with its copies; null: there is none.
template <class Object>
Object* shared_with_copies() {
  void* memory = ::mmap(nullptr, sizeof(Object), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Object;
}

}  // namespace

int serve(std::span<char*> words) {
  own_path = words.front();
  own_words = {words.front(), words.back() + std::strlen(words.back()) + 1};
  attempt::Around::known = known_look;
  char cgroup[1024];
  attempt::own_cgroup(cgroup, sizeof cgroup);  // found once for all attempts, as is this:
  static_cast<void>(has_sha256_instructions());
  attempt::seen_processes = shared_with_copies<attempt::SeenProcesses>();
  attempt::hashed_files = shared_with_copies<attempt::HashedFiles>();
  static_cast<void>(attempt::this_origin());
  last_look = shared_with_copies<LastLook>();
  keep_system_files_open();
  std::list<ServedLook> looks;
  for (bool owned = true; owned || !looks.empty();) {
    std::vector<pollfd> ends = {{owned ? server_descriptor : -1, POLLIN, 0}};
    for (const ServedLook& look : looks) ends.push_back({look.socket(), POLLIN, 0});
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
    auto end = ends.begin();
    std::erase_if(looks, [&](ServedLook& look) { return (++end)->revents != 0 && !look.answer(); });
    if (ends.front().revents != 0) owned = start_next(looks);
  }
  return 0;
}

}  // namespace shakedown
