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

/// Waits for the command under its limit, then ends whatever processes remain of it, but for `observer` (0:
/// none).
Ending watch(pid_t pid, const Limits& limits, const sigset_t& waited, pid_t observer);

/// A command that looks at the node just before and just after the attempt's own. It must not spoil the
/// attempt: it has a few seconds each time, its output goes nowhere, and how it ends counts for nothing.
struct Around {
  static constexpr int most_words = 256;
  const char* words[most_words + 2] = {};  // and the phase, and the end
  int count = 0;                           // of words; 0: no such command
  /// Where this process knows the command's work: does it for the words, the phase the last, and returns its
  /// exit code; -1: it is none of its. Null, and -1: the command is executed.
  static int (*known)(int count, const char* const* words);
  /// The socket of one who looks for this process's one attempt instead of a process of its own, asked as an
  /// observer is; -1: there is none.
  static int served;
  bool add(const char* word);  // false: too many
};

/// One that has looked, and waits to look again. Its descriptor 3 is the other end of `socket`.
struct Observer {
  pid_t pid = 0;       // 0: no process of its own
  int socket = -1;     // -1: there is none
  double begun_s = 0;  // by the monotonic clock
};

/// Runs the command with "around" as its last word; the caller goes on beside it.
Observer begin_look(const Around& around, const sigset_t& old_mask);

/// Waits for the first look. One that writes a byte to its descriptor 3 stays, and is returned; any other is
/// waited for, or ended. In place of one that serves and is gone, the command is run.
Observer looked_before(const Around& around, const Observer& observer, const sigset_t& old_mask);

/// Lets an observer look, by a byte; the caller goes on beside it. False: there is none.
bool let_look(const Observer& observer);

/// Waits until an observer that was let look again writes a byte or ends. Where none was (`begun`), the
/// command is run again, with "after" as its last word. Returns the observer that has but to end.
Observer looked_after(const Around& around, const Observer& observer, bool begun, const sigset_t& old_mask);

/// Waits for the end of an observer that has looked, or ends it.
void reap(const Observer& observer);

/// Ends an observer that is to look at nothing more.
void dismiss(const Observer& observer);

}  // namespace attempt
