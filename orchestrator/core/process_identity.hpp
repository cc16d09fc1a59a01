#pragma once
#include <string>

namespace shakedown {

/// A process as others can recognise it later, wherever they run.
struct ProcessIdentity {
  std::string host;
  std::string boot;                    ///< boot_id of its kernel
  std::string pid_space;               ///< its PID and time namespaces: a container's pids are its own
  int pid = 0;                         ///< 0: nobody
  unsigned long long start_ticks = 0;  ///< since boot: detects a reused pid

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

/// That of the kernel as it runs; empty: unknown.
std::string boot_id();

/// This process.
ProcessIdentity this_process();

enum class Life { runs, gone, unknown };

/// Whether a process still runs. Certain for those of this host, boot and PID namespace: the kernel reports
/// their pid and start time. Unknown for all others, and where /proc hides those of other users.
///
/// Source: proc(5), /proc/PID/stat, field 22.
Life life_of(const ProcessIdentity& process);

}  // namespace shakedown
