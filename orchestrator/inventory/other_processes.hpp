#pragma once
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

/// Begins the `job` of an orphan, a process that a lost attempt of ours started: "orphan of hpl/attempt-1".
inline constexpr std::string_view orphan_mark = "orphan of ";

/// CPU time of all processes but the kernel's own, `self` and what it descends from (the job that asks, and
/// whoever started it). Nothing where the kernel hides the processes of others (hidepid, a PID namespace of
/// a container), so that their absence proves nothing.
std::optional<std::vector<ProcessTime>> others(const std::filesystem::path& root, int self);

/// Those of `now` that used a CPU since `before`, `seconds` ago, busiest first. Daemons that wake up now and
/// then don't count.
std::vector<OtherProcess> other_processes(const std::filesystem::path& root,
                                          const std::vector<ProcessTime>& before,
                                          const std::vector<ProcessTime>& now, double seconds);

}  // namespace shakedown
