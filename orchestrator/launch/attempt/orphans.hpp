#pragma once
#include <csignal>

#include "orchestrator/launch/attempt/machine.hpp"

namespace attempt {

/// A process of an attempt whose wrapper is gone: nothing applies its time limit, and nothing waits for its
/// end.
struct Orphan {
  pid_t pid = 0;
  unsigned long long start_ticks = 0;
  uid_t user = 0;
  char command[32] = {};
  char attempt[256] = {};  // "<case>/attempt-<k>"; empty: not known
  bool asked = false;      // to end
};

/// What became of those on this host.
struct Orphans {
  static constexpr int most = 512;
  Orphan alive[most];
  int count = 0;  // of `alive`
  int ended = 0;  // of those that were there at first
};

/// How long they are given.
struct OrphanLimits {
  double grace_s = 2;  // between SIGTERM and SIGKILL
  double wait_s =
      20;  // for all: those that can't be ended (another user's, or in the kernel) may end meanwhile
};

/// What one attempt saw of this host's processes, for the next that the same server starts a moment later: a
/// process that came from no attempt never does.
struct SeenProcesses {
  static constexpr int most = 64;
  double all_seen_s = 0;  // when all were looked at; 0: never
  pid_t last = 0;         // the newest that was looked at
  pid_t marked[most];     // those of attempts
  int count = 0;
};

/// In memory that the server shares with its attempts, of which one looks at a time. Null: there is no
/// server.
extern SeenProcesses* seen_processes;

/// Ends the processes of all attempts on this host whose wrapper is gone, and waits for their end. Only
/// proven ones are ended: by their environment, or by a control group of an attempt. On other nodes of a
/// Slurm job those are processes of an earlier attempt of the job. A signal to this process cuts the wait
/// short. `cgroup`: one more to look into; null: none.
void end_orphans(const OrphanLimits& limits, const Origin& self, const char* cgroup, Orphans& orphans);

}  // namespace attempt
