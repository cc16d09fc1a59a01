#include "orchestrator/launch/attempt/command.hpp"

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "orchestrator/launch/attempt/cgroup.hpp"
#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

namespace {

constexpr int max_processes = 4096;

/// All living processes below us but `observer`, by /proc/*/task/*/children. As a subreaper, we are the
/// parent of every process of the job whose own parent died, so none escapes.
int descendants(pid_t* found, pid_t observer) {
  int count = 0;
  pid_t pending[max_processes];
  int left = 0;
  pending[left++] = getpid();
  while (left > 0) {
    const pid_t parent = pending[--left];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    char text[16384];
    if (!read_small(path, text, sizeof text)) continue;
    char* rest = text;
    while (true) {
      char* end = nullptr;
      const long pid = strtol(rest, &end, 10);
      if (end == rest) break;
      rest = end;
      if (pid == observer) continue;
      if (count < max_processes && left < max_processes) {
        found[count++] = static_cast<pid_t>(pid);
        pending[left++] = static_cast<pid_t>(pid);
      }
    }
  }
  return count;
}

/// Signals the command's process group and everything below us (a kernel may not list children).
void signal_all(pid_t command, int signal_number, pid_t observer) {
  static pid_t found[max_processes];
  kill(-command, signal_number);
  const int count = descendants(found, observer);
  for (int i = 0; i < count; ++i)
    if (getpgid(found[i]) != command) kill(found[i], signal_number);
}

/// Whether we are signalled to end a moment after a command that failed. A batch system that ends a job
/// signals all of its processes, one after the other: the command may be gone before our turn, and did not
/// fail by itself.
bool asked_to_end() {
  sigset_t requests;
  sigemptyset(&requests);
  constexpr int signals[] = {SIGTERM, SIGINT, SIGQUIT};
  for (const int number : signals) sigaddset(&requests, number);
  const timespec moment = {0, 300'000'000};
  return sigtimedwait(&requests, nullptr, &moment) > 0;
}

struct Forked {
  pid_t pid = -1;
  bool entered = false;  ///< the child began in the control group
};

/// As fork. The child begins in the control group (empty: none) where the kernel can do that: a process that
/// moves into one waits for a lock that excludes all forks and ends of processes.
Forked fork_into(const char* cgroup) {
#if defined(SYS_clone3) && defined(CLONE_INTO_CGROUP)
  const int group = cgroup[0] == '\0' ? -1 : open(cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (group >= 0) {
    clone_args arguments = {};
    arguments.flags = CLONE_INTO_CGROUP;
    arguments.exit_signal = SIGCHLD;
    arguments.cgroup = static_cast<__u64>(group);
    const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    close(group);
    if (pid >= 0) return {pid, true};
  }
#endif
  return {fork(), false};
}

}  // namespace

pid_t start(char** command, const char* cgroup, const sigset_t& old_mask, int& reason) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    reason = errno;
    return 0;
  }
  const int out = open("stdout.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  const int err = open("stderr.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t wrapper = getpid();
  const Forked forked = out < 0 || err < 0 || null < 0 ? Forked{} : fork_into(cgroup);
  const pid_t pid = forked.pid;
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no job without its wrapper
    if (getppid() != wrapper) _exit(127);
    if (cgroup[0] != '\0' && !forked.entered) enter_cgroup(cgroup);
    sigprocmask(SIG_SETMASK, &old_mask, nullptr);
    for (const int number : ignored_signals) signal(number, SIG_DFL);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    execvp(command[0], command);
    const int code = errno;
    [[maybe_unused]] const ssize_t n = write(report[1], &code, sizeof code);
    _exit(127);
  }
  reason = pid < 0 ? errno : 0;
  if (out >= 0) close(out);
  if (err >= 0) close(err);
  if (null >= 0) close(null);
  close(report[1]);
  if (pid > 0) {
    int code = 0;
    if (read(report[0], &code, sizeof code) == static_cast<ssize_t>(sizeof code)) reason = code;
  }
  close(report[0]);
  if (pid < 0) return 0;
  if (reason != 0) {
    waitpid(pid, nullptr, 0);
    return 0;
  }
  return pid;
}

Ending watch(pid_t pid, const Limits& limits, const sigset_t& waited, pid_t observer) {
  Ending ending;
  const double begin = clock_s(CLOCK_MONOTONIC);
  double kill_at = 0;  // 0: nobody was asked to end yet
  while (true) {
    int status = 0;
    pid_t ended = 0;
    bool done = false;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != pid) continue;
      ending.status = status;
      done = true;
    }
    if (done || (ended < 0 && errno == ECHILD)) break;

    const double now = clock_s(CLOCK_MONOTONIC);
    if (kill_at == 0 && limits.limit_s > 0 && now - begin >= limits.limit_s) {
      ending.timed_out = true;
      signal_all(pid, SIGTERM, observer);
      kill_at = now + limits.grace_s;
    }
    if (kill_at > 0 && now >= kill_at) {
      signal_all(pid, SIGKILL, observer);
      kill_at = now + 1;
    }
    double next = 3600;
    if (kill_at > 0)
      next = kill_at - now;
    else if (limits.limit_s > 0)
      next = begin + limits.limit_s - now;
    next = next < 0.001 ? 0.001 : next > 3600 ? 3600 : next;
    const timespec timeout = {
        static_cast<time_t>(next),
        static_cast<long>(1e9 * (next - static_cast<double>(static_cast<time_t>(next))))};
    const int signal_number = sigtimedwait(&waited, nullptr, &timeout);
    if (signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGQUIT) {
      const bool at_once = ending.interrupted || signal_number == SIGQUIT;
      ending.interrupted = true;
      signal_all(pid, at_once ? SIGKILL : SIGTERM, observer);
      kill_at = clock_s(CLOCK_MONOTONIC) + (at_once ? 1 : limits.grace_s);
    }
  }
  ending.ended = clock_s(CLOCK_MONOTONIC);
  if (!ending.timed_out && !ending.interrupted && ending.status != 0) ending.interrupted = asked_to_end();
  // Ranks that outlived mpirun: none may go on computing beside the next case.
  static pid_t found[max_processes];
  const double deadline = clock_s(CLOCK_MONOTONIC) + 10;
  for (int round = 0; clock_s(CLOCK_MONOTONIC) < deadline; ++round) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    const int count = descendants(found, observer);
    if (count == 0) break;
    if (round == 0) ending.leftovers = count;
    for (int i = 0; i < count; ++i) kill(found[i], round < 5 ? SIGTERM : SIGKILL);
    const timespec pause = {0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
  return ending;
}

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

int (*Around::known)(int count, const char* const* words) = nullptr;
int Around::served = -1;

bool Around::add(const char* word) {
  if (count >= most_words) return false;
  words[count++] = word;
  return true;
}

namespace {

constexpr int observer_descriptor = 3;

/// Starts the command with `phase` as its last word, in a process group of its own. `socket` becomes its
/// descriptor 3; -1: none.
pid_t start_looking(const Around& around, const char* phase, int socket, const sigset_t& old_mask) {
  Around with_phase = around;
  with_phase.words[with_phase.count] = phase;
  const pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &old_mask, nullptr);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3 && null >= 0; ++fd) dup2(null, fd);
    if (socket == observer_descriptor)
      fcntl(socket, F_SETFD, 0);
    else if (socket >= 0)
      dup2(socket, observer_descriptor);
    if (Around::known != nullptr) {
      const int code = Around::known(with_phase.count + 1, with_phase.words);
      if (code >= 0) _exit(code);
    }
    execvp(with_phase.words[0], const_cast<char**>(with_phase.words));
    _exit(127);
  }
  if (pid > 0) setpgid(pid, pid);
  return pid;
}

void wait_or_end(pid_t pid, double seconds) {
  if (ends_within(pid, seconds)) return;
  kill(-pid, SIGTERM);
  if (ends_within(pid, mercy_s)) return;
  kill(-pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

/// Whether a byte comes before the observer ends, closes its end or has taken until `until_s`.
bool has_looked(const Observer& observer, double until_s) {
  do {
    pollfd answer = {observer.socket, POLLIN, 0};
    char byte = 0;
    if (poll(&answer, 1, 100) > 0) return read(observer.socket, &byte, 1) == 1;
    siginfo_t ended = {};
    if (observer.pid > 0 &&
        (waitid(P_PID, static_cast<id_t>(observer.pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         ended.si_pid == observer.pid))
      return false;
  } while (clock_s(CLOCK_MONOTONIC) < until_s);
  return false;
}

}  // namespace

bool let_look(const Observer& observer) {
  return observer.socket >= 0 && send(observer.socket, "", 1, MSG_NOSIGNAL) == 1;
}

Observer begin_look(const Around& around, const sigset_t& old_mask) {
  if (around.count == 0) return {};
  const double begun_s = clock_s(CLOCK_MONOTONIC);
  if (const Observer server = {0, Around::served, begun_s}; let_look(server)) return server;
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return {};
  const pid_t pid = start_looking(around, "around", ends[1], old_mask);
  close(ends[1]);
  if (pid > 0) return {pid, ends[0], begun_s};
  close(ends[0]);
  return {};
}

Observer looked_before(const Around& around, const Observer& observer, const sigset_t& old_mask) {
  if (observer.socket < 0) return {};
  const double until_s = observer.begun_s + patience_s;
  if (has_looked(observer, until_s)) return observer;
  close(observer.socket);
  const double left_s = until_s - clock_s(CLOCK_MONOTONIC);
  if (observer.pid > 0) {
    wait_or_end(observer.pid, left_s);
    return {};
  }
  Around::served = -1;
  return left_s > 0 ? looked_before(around, begin_look(around, old_mask), old_mask) : Observer{};
}

Observer looked_after(const Around& around, const Observer& observer, bool begun, const sigset_t& old_mask) {
  if (around.count == 0) return {};
  const double until_s = clock_s(CLOCK_MONOTONIC) + patience_s;
  if (begun && has_looked(observer, until_s)) return observer;
  const bool anew = !begun || observer.pid == 0;
  if (anew) dismiss(observer);
  const pid_t pid = anew ? start_looking(around, "after", -1, old_mask) : observer.pid;
  if (pid > 0) wait_or_end(pid, until_s - clock_s(CLOCK_MONOTONIC));
  if (!anew) close(observer.socket);
  return {};
}

void reap(const Observer& observer) {
  if (observer.pid <= 0) return;
  wait_or_end(observer.pid, mercy_s);
  close(observer.socket);
}

void dismiss(const Observer& observer) {
  if (observer.socket >= 0) close(observer.socket);
  if (observer.pid <= 0) return;
  kill(-observer.pid, SIGKILL);
  waitpid(observer.pid, nullptr, 0);
}

}  // namespace attempt
