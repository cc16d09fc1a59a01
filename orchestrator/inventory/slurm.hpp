#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Graphics processors as Slurm counts them: "gpu:h100:8(S:0-1)" is 8 of "h100".
struct SlurmGpus {
  std::string type;  ///< empty: not stated
  int count = 0;
  friend bool operator==(const SlurmGpus&, const SlurmGpus&) = default;
};

/// The kinds of GPU in a Gres list: "gpu:a100:4,gpu:v100:2,nvme:1", "gpu:8", "(null)". Fails on a count that
/// is none.
Result<std::vector<SlurmGpus>> gpus_of_gres(std::string_view gres);

/// The same from a TRES list, "cpu=240,mem=1500G,gres/gpu=8,gres/gpu:h100=8", which has the total beside the
/// types.
Result<std::vector<SlurmGpus>> gpus_of_tres(std::string_view tres);

/// Why a node in this state takes no jobs, as Slurm spells it ("DOWN", "DRAIN", "not responding"), or nothing
/// where it does. State is a base state, flags after '+' ("IDLE+DRAIN", "ALLOCATED+RESERVED") or one-letter
/// suffixes ("IDLE*": not responding; "~#!%$@^-": power, reservation and reboot, which are accepted).
std::optional<std::string> why_no_jobs(std::string_view state);

/// Whether a node in this state takes no jobs because it is broken, drained or does not answer. One that
/// Slurm switched off to save power is not down: it is switched on when a job wants it.
bool is_down(std::string_view state);

/// The nodes that take jobs, from what `scontrol show node -o` prints: hosts, cores, memory, GPUs, kernel, in
/// groups of equal nodes. What Slurm reserves (CoreSpecCount, CPUSpecList, MemSpecLimit) is not usable. Nodes
/// that take none are named in the notes with state and reason. `only`: the hosts to take; empty: all.
///
/// Fails with the line of the first node that can't be read, and where no node remains.
Result<Inventory> inventory_from_slurm(std::string_view text, std::span<const std::string> only = {});

/// The leaf switches with those of `hosts` behind them, from what `scontrol show topology` prints: lines of
/// "SwitchName=leaf1 Level=0 ... Nodes=cn[1-8]", or of "BlockName=b1 ... Nodes=cn[1-8]". Lines that can't be
/// read, and hosts that an earlier line had, are left out; one switch for all of them makes no pod.
std::vector<Pod> pods_from_slurm(std::string_view text, std::span<const std::string> hosts);

/// The fields of one line that `scontrol show node -o` prints, or the same of another kind. Values may hold
/// blanks and '=' themselves ("OS=Linux 6.1 #1 SMP", "Reason=bad GPU State=DOWN"), so a word begins a field
/// only where it is a key that scontrol has, and the first of two equal keys counts: free texts are last.
/// Source: Slurm, src/api/node_info.c, partition_info.c, reservation_info.c.
class SlurmRecord {
 public:
  explicit SlurmRecord(std::string_view line);  ///< of a node
  /// `keys`: those that scontrol prints of this kind of record.
  SlurmRecord(std::string_view line, std::span<const std::string_view> keys);

  /// The value, empty where the field is absent, "(null)", "n/a" or "N/A".
  [[nodiscard]] std::string_view value(std::string_view key) const;

 private:
  [[nodiscard]] bool has(std::string_view key) const;
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

}  // namespace shakedown
