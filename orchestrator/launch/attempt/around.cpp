#include "orchestrator/launch/attempt/around.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

namespace {

constexpr double patience_s = 5;  // a launcher reaches a hundred nodes in one or two
constexpr double mercy_s = 0.5;   // for it to take its remote processes with it

/// Whether the process ended within `seconds`.
bool ends_within(pid_t pid, double seconds) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const double deadline = clock_s(CLOCK_MONOTONIC) + seconds;
  while (true) {
    const pid_t ended = waitpid(pid, nullptr, WNOHANG);
    if (ended == pid || ended < 0) return true;
    const double left = deadline - clock_s(CLOCK_MONOTONIC);
    if (left <= 0) return false;
    // Not longer than a moment: a signal of another child, taken before, would not come again.
    const double step = left < 0.1 ? left : 0.1;
    const timespec pause = {0, static_cast<long>(1e9 * step)};
    sigtimedwait(&child, nullptr, &pause);
  }
}

}  // namespace

bool Around::add(const char* word) {
  if (count >= most_words) return false;
  words[count++] = word;
  return true;
}

void look(const Around& around, const char* phase, const sigset_t& old_mask) {
  if (around.count == 0) return;
  Around with_phase = around;
  with_phase.words[with_phase.count] = phase;
  const pid_t pid = fork();
  if (pid < 0) return;
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &old_mask, nullptr);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd);
    execvp(with_phase.words[0], const_cast<char**>(with_phase.words));
    _exit(127);
  }
  setpgid(pid, pid);
  if (ends_within(pid, patience_s)) return;
  kill(-pid, SIGTERM);
  if (ends_within(pid, mercy_s)) return;
  kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

}  // namespace attempt
