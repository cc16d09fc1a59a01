#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The content of started.json: who runs the attempt.
struct Started {
  std::string host;
  int pid = 0;
  unsigned long long start_ticks = 0;  ///< of the pid, since boot: detects a reused pid
  std::string boot_id;
  std::string space;   ///< its PID and time namespaces, as in `ProcessIdentity`; empty: not reported
  std::string cgroup;  ///< folder of the attempt's own control group; empty: it has none
  double started_s = 0;
  double load_before = 0;
  bool abandoned = false;  ///< claimed by an orchestrator that found the attempt never started
};

/// A process of another attempt that could not be ended and ran beside this one.
struct Orphan {
  int pid = 0;
  int user = 0;         ///< uid
  std::string command;  ///< its name, as the kernel has it
  std::string attempt;  ///< "hpl/attempt-1"; empty: not known
  friend bool operator==(const Orphan&, const Orphan&) = default;
};

/// The content of finished.json: how the attempt ended.
struct Finished {
  std::string state;   ///< "finished", "timed-out", "interrupted", "not-started"
  std::string reason;  ///< of not-started
  std::optional<int> exit_code;
  std::optional<int> signal;
  double started_s = 0;
  double finished_s = 0;
  double wall_s = 0;
  int cpus = 0;
  double job_cpu_s = 0;    ///< CPU time of the job's processes
  double busy_cpu_s = 0;   ///< CPU time of the whole machine meanwhile, without steal
  double steal_cpu_s = 0;  ///< taken by the hypervisor
  double all_cpu_s = 0;    ///< CPUs x time
  int leftover_processes = 0;
  int orphans_alive = 0;        ///< processes of attempts whose wrapper was killed, that ran beside this one
  std::vector<Orphan> orphans;  ///< the first of them
  bool disk_full = false;       ///< nothing more could be written to its folder when it had ended
  std::string unsynced;         ///< why its files may not be whole on disk; empty: they are
  std::string program;          ///< path of the executable that the node found; empty: not known
  std::string program_sha256;   ///< of its content, read before it was started; empty: it was not
};

/// From the start to the end of an attempt, s; at least 0.
double wall_s(const Finished& finished);
/// CPU seconds that the first node was not idle meanwhile, what the hypervisor took included; nothing: not
/// recorded.
std::optional<double> busy_seconds(const Finished& finished);

/// Empty where the file is not there (or cut: `write and rename` excludes that, a full disk doesn't).
std::optional<Started> read_started(const std::filesystem::path& folder);
std::optional<Finished> read_finished(const std::filesystem::path& folder);

/// Marks an attempt that has no started.json as never to be started: a job of it that wakes up late finds the
/// claim and goes away. False when the job was faster and has started.
Result<bool> abandon_unstarted(const std::filesystem::path& folder);

/// Whether the process that started.json names is alive on this host.
bool is_alive(const Started& started);

/// Where an attempt was started, as far as this host can see.
enum class StartedWhere {
  here,  ///< on this kernel and in this PID namespace, whatever the host was called then: `is_alive` is sure
  rebooted,  ///< on this host before it booted: it is gone
  elsewhere  ///< on another host, or in another container: only there it is known whether it runs
};
StartedWhere started_where(const Started& started);

/// What became of the processes of this host's lost attempts.
struct OrphansEnd {
  int ended = 0;
  int alive = 0;              ///< those that could not be ended: another user's, or in the kernel
  std::vector<Orphan> named;  ///< the first of them
};

/// Ends processes of this host's attempts whose wrapper is gone, with the `attempt` program at `wrapper`;
/// `started`: one of them, whose control group is looked into too. Takes some seconds if they don't end when
/// they are asked. Fails (environment) where the program can't be run.
Result<OrphansEnd> end_orphans(const std::filesystem::path& wrapper, const Started& started);

/// What job.sh is made of beside the case.
struct JobContext {
  std::string campaign;
  int attempt = 1;
  std::filesystem::path wrapper;   ///< libexec/shakedown/attempt
  double grace_s = 10;             ///< between SIGTERM and SIGKILL
  std::vector<std::string> notes;  ///< comments for the reader of the script
  /// Command that looks at the nodes before and after; the wrapper adds which.
  std::vector<std::string> around{};  // NOLINT(readability-redundant-member-init)
};

/// The text of job.sh. `{run}` in an argument becomes the folder the run happens in.
std::string job_script(const Case& planned, const JobContext& context);

/// What job.sh starts with --attempt in `folder`, an absolute path without links. Empty where that needs a
/// shell: for secrets, which come from a file, and for variables that only a shell's `export` judges.
DirectStart direct_start(const Case& planned, const JobContext& context, const std::filesystem::path& folder);

/// Writes the inputs and job.sh of an attempt into `folder`, which it makes. The whole is in place when it
/// returns; it survives the death of this process.
Result<void> prepare_run_directory(const std::filesystem::path& folder, const Case& planned,
                                   const JobContext& context);

/// A command as job.sh has it: each word quoted for sh, `{run}` in it as the folder that the shell is in.
std::string script_line(std::span<const std::string> words);

}  // namespace shakedown
