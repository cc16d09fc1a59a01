#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// How a reading of a node is written.
enum class ReadingKind {
  text,    ///< "performance", "550.90.07"
  number,  ///< "700", in the unit that its name ends in
  on_off,  ///< "on" or "off"
};

/// Something about a node that can be read.
struct ReadingName {
  std::string_view name;
  ReadingKind kind = ReadingKind::text;
  bool is_setting =
      true;  ///< stays until somebody changes it; a clock or a temperature of the moment does not
  std::string_view about;
  bool is_version = false;  ///< of these settings: what the node is, not how it is set
};

/// All that is read, in the order in which it is shown.
std::span<const ReadingName> reading_names();
/// The row of `name`; null where there is none.
const ReadingName* reading_name(std::string_view name);

/// A reading of a node or of one of its devices, before and after something was measured there. Nothing: it
/// could not be read, or nobody read it then.
struct NodeReading {
  std::string device;  ///< "gpu0", "mlx5_0"; empty: the node itself
  std::string name;    ///< of `reading_names`
  std::optional<std::string> before = std::nullopt;
  std::optional<std::string> after = std::nullopt;
  friend bool operator==(const NodeReading&, const NodeReading&) = default;
};

/// "gpu0 vbios", "node's kernel": a reading's name with what it is of.
std::string reading_title(const NodeReading& reading);

/// A process of somebody else that used a node while something was measured there.
struct OtherProcess {
  int pid = 0;
  int user = 0;         ///< uid
  std::string command;  ///< its name, as the kernel has it
  std::string job;      ///< the batch system's id; empty: of no job
  double cores = 0;     ///< mean number of CPUs in use by it
  friend bool operator==(const OtherProcess&, const OtherProcess&) = default;
};

/// CPU time of a process at a moment; with `start_ticks` it is the same process later.
struct ProcessTime {
  int pid = 0;
  unsigned long long start_ticks = 0;
  double cpu_s = 0;
  bool ours = false;  ///< who looks descends from it
  friend bool operator==(const ProcessTime&, const ProcessTime&) = default;
};

/// What a node was like while something was measured there. Read, never changed.
struct NodeState {
  std::string node;
  double before_s = 0;  ///< when it was read, seconds since 1970; 0: not read
  double after_s = 0;
  std::vector<NodeReading> readings;
  std::vector<ProcessTime> processes;  ///< of others, before; cleared once other_processes are known
  /// Nothing: not known (no second look, or the kernel hides the processes of others).
  std::optional<std::vector<OtherProcess>> other_processes = std::nullopt;
  friend bool operator==(const NodeState&, const NodeState&) = default;
};

/// Who else computes on a node's GPUs before a run or after it, one entry per GPU, "2 other processes,
/// python3 (pid 4711), smi (pid 4712)"; none: nobody, or it could not be read.
struct GpuUse {
  std::string device;  ///< "gpu0"
  std::string users;   ///< "1 other process, python3 (pid 4711)"
};
std::vector<GpuUse> foreign_gpu_use(const NodeState& state);

/// node-<host>.json: `shakedown.node/1`, and back.
std::string node_state_json(const NodeState& state);
Result<NodeState> node_state_from_json(std::string_view text, std::string_view name);

/// The node as it is now, below `root` ("/" for this machine) and by the management library: names and
/// values, as `before` of each reading.
std::vector<NodeReading> read_node(const std::filesystem::path& root,
                                   const std::string& library = "libnvidia-ml.so.1");

/// The same later: `now` becomes what the state's readings were after.
void put_after(NodeState& state, std::vector<NodeReading> now);

/// Begins the `job` of an orphan, a process that a lost attempt of ours started: "orphan of hpl/attempt-1".
inline constexpr std::string_view orphan_mark = "orphan of ";

/// CPU time of all processes but the kernel's own. `self` and what it descends from (the job that asks, and
/// whoever started it) are ours: when one of them ends, those above it become others, and only what they use
/// from then on counts. Nothing where the kernel hides the processes of others (hidepid, a PID namespace of a
/// container), so that their absence proves nothing.
std::optional<std::vector<ProcessTime>> process_times(const std::filesystem::path& root, int self);

/// The CPU time in seconds that a process must have used to be named: what a clock of 10 ms can distinguish
/// from 0.
inline constexpr double least_cpu_s = 0.1;

/// The others of `now` that used a CPU since `before`, `seconds` ago, busiest first. Daemons that wake up now
/// and then don't count.
std::vector<OtherProcess> other_processes(const std::filesystem::path& root,
                                          const std::vector<ProcessTime>& before,
                                          const std::vector<ProcessTime>& now, double seconds);

}  // namespace shakedown
