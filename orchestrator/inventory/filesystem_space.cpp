#include "orchestrator/inventory/filesystem_space.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

struct Answer {
  std::int64_t code = 0;  ///< errno, 0: answered; as wide as the rest, so that no padding is piped
  Space space;
};

Answer ask(const std::filesystem::path& path, const StatFilesystem& stat_filesystem) {
  struct statvfs found {};
  if (stat_filesystem(path.c_str(), &found) != 0) return {errno, {}};
  const auto block = static_cast<std::int64_t>(found.f_frsize);
  return {
      0,
      {static_cast<std::int64_t>(found.f_blocks) * block, static_cast<std::int64_t>(found.f_bavail) * block}};
}

Result<Space> result(const std::filesystem::path& path, const Answer& answer) {
  if (answer.code != 0) return fail_environment(path.string(), std::strerror(static_cast<int>(answer.code)));
  return answer.space;
}

}  // namespace

Result<Space> local_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem) {
  return result(path, ask(path, stat_filesystem));
}

Result<Space> remote_space(const std::filesystem::path& path, const StatFilesystem& stat_filesystem,
                           double patience_s) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail_environment(path.string(), std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) {
    const Answer answer = ask(path, stat_filesystem);
    const ssize_t written = ::write(ends[1], &answer, sizeof answer);
    ::_exit(written == sizeof answer ? 0 : 1);
  }
  ::close(ends[1]);
  Answer answer{child < 0 ? errno : ETIMEDOUT, {}};
  pollfd readable{ends[0], POLLIN, 0};
  if (child > 0 && ::poll(&readable, 1, static_cast<int>(patience_s * 1000)) == 1)
    if (::read(ends[0], &answer, sizeof answer) != sizeof answer) answer = {EIO, {}};
  ::close(ends[0]);
  if (child > 0) {
    ::kill(child, SIGKILL);
    // A child that even SIGKILL can't end yet (a dead NFS server) is left to init.
    const int tries = answer.code == ETIMEDOUT ? 50 : std::numeric_limits<int>::max();
    for (int i = 0; i < tries && ::waitpid(child, nullptr, WNOHANG) == 0; ++i) ::usleep(1000);
  }
  if (answer.code == ETIMEDOUT)
    return fail_environment(path.string(), fmt::format("no answer within {}", duration_text(patience_s)));
  return result(path, answer);
}

}  // namespace shakedown
