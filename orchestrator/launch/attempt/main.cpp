// The wrapper that job.sh runs its command under: claims the attempt, applies the time limit, ends every
// process of the job, and records how it ended. It needs libc only, so that it starts in a fraction of a
// millisecond and runs wherever the job runs.
//
//   attempt --folder DIR [--program FILE] [--limit SECONDS] [--grace SECONDS] [--around WORD]... -- COMMAND
//           [ARGUMENT...]
//
//   attempt --end-orphans [--cgroup DIR]
//
// The words of --around are a command that looks at the node before and after the program. It is run with one
// more word, "around"; once it has looked it may stay, see `looked_before`. If it ended, it is run again with
// "after".
// In DIR it writes started.json (created only if absent: whoever creates it owns the attempt), stdout.log,
// stderr.log and finished.json (with the SHA-256 of FILE as this node has it: the executable that the command
// starts here or by way of a launcher) (synced to disk: it survives a power loss). SIGTERM or SIGINT end the
// job politely, a second one or SIGQUIT at once. Exit code: 0 when finished.json was written, 75 when the
// attempt belongs to another, 74 on an I/O failure.
//
// Before its command it ends processes of this host's attempts whose wrapper was killed: SIGTERM, after a
// fifth of the grace SIGKILL. It waits for those that don't end, twice the grace in all; finished.json lists
// the rest. --end-orphans does that alone, prints how many as a JSON object, and exits with 1 where some live
// on.
#include "orchestrator/launch/attempt/run.hpp"

int main(int argc, char** argv) {
  return attempt::run(argc, argv);
}
