#pragma once
#include <sys/types.h>

#include <csignal>

namespace attempt {

/// What the wrapper ignores, and its command does not: a batch system may send them to all of a job.
inline constexpr int ignored_signals[] = {SIGHUP, SIGUSR1, SIGUSR2};

/// How long a command may take, and how long it has to end when it is asked to.
struct Limits {
  double limit_s = 0;  ///< 0: none
  double grace_s = 10;
};

/// Starts the command in a process group of its own, and in a control group (empty: in ours). Returns its
/// pid, or 0 with `reason` = errno of exec.
pid_t start(char** command, const char* cgroup, const sigset_t& old_mask, int& reason);

/// How the command ended, and what we did to it.
struct Ending {
  int status = 0;  // of waitpid
  bool timed_out = false;
  bool interrupted = false;
  int leftovers = 0;  // processes that outlived the command
  double ended = 0;   // monotonic clock
};

/// Waits for the command under its limit, then ends whatever it left behind.
Ending watch(pid_t pid, const Limits& limits, const sigset_t& waited);

}  // namespace attempt
