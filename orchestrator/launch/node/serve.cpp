#include "orchestrator/launch/node/serve.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/sha256_blocks.hpp"
#include "orchestrator/launch/attempt/cgroup.hpp"
#include "orchestrator/launch/attempt/command.hpp"
#include "orchestrator/launch/attempt/orphans.hpp"
#include "orchestrator/launch/attempt/run.hpp"
#include "orchestrator/launch/attempt_server.hpp"
#include "orchestrator/launch/node/look.hpp"

namespace shakedown {
namespace {

constexpr int exit_io = 74;  // as of the wrapper

std::string own_path;
std::span<char> own_words;  // of the command line, as others see it

int known_look(int count, const char* const* words) {
  ::prctl(PR_SET_NAME, "node-state");  // as one that was executed
  return own_path == words[0] ? look(own_path, {words + 1, words + count}) : -1;
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
  last_look = shared_with_copies<LastLook>();
  while (const auto attempt = received_attempt(server_descriptor)) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const auto pid = static_cast<std::int32_t>(::fork());
    if (pid == 0) become_attempt(*attempt);
    if (::send(server_descriptor, &pid, sizeof pid, MSG_NOSIGNAL) != sizeof pid) break;
  }
  return 0;
}

}  // namespace shakedown
