#include "orchestrator/launch/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "orchestrator/core/layout.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace shakedown {
std::vector<char*> environment_with(const std::vector<std::string>& more) {
  std::vector<char*> all;
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::none_of(more, [&](const std::string& each) { return name_of(each) == name_of(*entry); }))
      all.push_back(*entry);
  for (const std::string& entry : more) all.push_back(const_cast<char*>(entry.c_str()));
  all.push_back(nullptr);
  return all;
}

namespace {

/// As `spawned`. By posix_spawn, which copies no page table: ours is large. Returns errno.
int spawn(pid_t& pid, const std::string& program, const std::vector<std::string>& argv,
          const std::string& folder, const std::vector<std::string>& environment, int descriptor) {
  const std::vector<char*> variables = environment_with(environment);
  std::vector<char*> words;
  words.reserve(argv.size() + 1);
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  if (const int failed = ::posix_spawnattr_init(&attributes); failed != 0) return failed;
  if (const int failed = ::posix_spawn_file_actions_init(&files); failed != 0) return failed;
  sigset_t none;
  sigset_t restored;
  sigemptyset(&none);
  sigfillset(&restored);
  int failed = 0;
  const auto note = [&](int code) { failed = failed == 0 ? code : failed; };
  note(::posix_spawnattr_setflags(&attributes,
                                  POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  note(::posix_spawnattr_setsigmask(&attributes, &none));
  note(::posix_spawnattr_setsigdefault(&attributes, &restored));
  note(::posix_spawn_file_actions_addchdir_np(&files, folder.c_str()));
  for (const int fd : {0, 1, 2}) note(::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0));
  if (descriptor >= 0) note(::posix_spawn_file_actions_adddup2(&files, descriptor, 3));
  note(::posix_spawn_file_actions_addclosefrom_np(&files, descriptor >= 0 ? 4 : 3));
  if (failed == 0)
    failed = ::posix_spawn(&pid, program.c_str(), &files, &attributes, words.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return failed;
}

}  // namespace

Result<int> spawned(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                    const std::vector<std::string>& environment, int descriptor) {
  const std::filesystem::path program = program_in_path(argv.front());
  if (program.empty()) return fail_environment(argv.front(), "no such program in PATH");
  pid_t pid = 0;
  if (const int failed = spawn(pid, program.string(), argv, folder.string(), environment, descriptor);
      failed != 0)
    return fail_environment(program.string(), fmt::format("cannot be started: {}", std::strerror(failed)));
  return pid;
}

}  // namespace shakedown
