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

/// Ends the processes of all attempts on this host whose wrapper is gone, and waits for their end. Only
/// proven ones are ended: by their environment, or by a control group of an attempt. On other nodes of a
/// Slurm job those are processes of an earlier attempt of the job. A signal to this process cuts the wait
/// short. `cgroup`: one more to look into; null: none.
void end_orphans(const OrphanLimits& limits, const Origin& self, const char* cgroup, Orphans& orphans);

}  // namespace attempt
