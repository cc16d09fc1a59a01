#include "orchestrator/core/process_identity.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {

std::string boot_id() {
  const auto text = file_content("/proc/sys/kernel/random/boot_id");
  return text ? std::string(trimmed(*text)) : std::string();
}

namespace {

/// The kernel reports start times by the clock of the reader's time namespace, so that is part of it.
std::string pid_space() {
  std::string text;
  for (const char* file : {"/proc/self/ns/pid", "/proc/self/ns/time"}) {
    struct stat status = {};
    if (::stat(file, &status) == 0) text += fmt::format("{}{}", text.empty() ? "" : "/", status.st_ino);
  }
  return text;
}

struct Stat {
  char state = '?';
  unsigned long long start_ticks = 0;
};

std::optional<Stat> stat_of(int pid) {
  const auto text = file_content(fmt::format("/proc/{}/stat", pid));
  if (!text) return std::nullopt;
  const auto name_end = text->rfind(')');  // the name in front of it can hold anything
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = words(std::string_view(*text).substr(name_end + 1));
  constexpr std::size_t start = 22 - 3;  // of 1-based fields; the state is the third
  if (fields.size() <= start) return std::nullopt;
  const auto ticks = parsed_integer(fields[start]);
  if (!ticks) return std::nullopt;
  return Stat{fields.front().front(), static_cast<unsigned long long>(*ticks)};
}

}  // namespace

ProcessIdentity this_process() {
  ProcessIdentity self{host_name(), boot_id(), pid_space(), ::getpid(), 0};
  if (const auto stat = stat_of(self.pid)) self.start_ticks = stat->start_ticks;
  return self;
}

Life life_of(const ProcessIdentity& process) {
  const bool known_here = process.pid > 0 && !process.boot.empty() && process.boot == boot_id() &&
                          process.pid_space == pid_space();
  if (!known_here) return Life::unknown;
  if (const auto stat = stat_of(process.pid)) {
    const bool over = stat->state == 'Z' || stat->state == 'X';
    return over || stat->start_ticks != process.start_ticks ? Life::gone : Life::runs;
  }
  return ::kill(process.pid, 0) != 0 && errno == ESRCH ? Life::gone : Life::unknown;
}

}  // namespace shakedown
