#include "orchestrator/schedulers/slurm_queue.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

using Phase = JobStanding::Phase;

struct State {
  std::string_view name;
  Phase phase;
  JobEnd end = JobEnd::unknown;
};

constexpr std::array states = {
    State{"PENDING", Phase::pending},
    State{"CONFIGURING", Phase::pending},
    State{"REQUEUED", Phase::pending, JobEnd::requeued},
    State{"REQUEUE_HOLD", Phase::pending, JobEnd::requeued},
    State{"REQUEUE_FED", Phase::pending, JobEnd::requeued},
    State{"SPECIAL_EXIT", Phase::pending, JobEnd::requeued},
    State{"RESV_DEL_HOLD", Phase::pending},
    State{"COMPLETED", Phase::gone, JobEnd::completed},
    State{"FAILED", Phase::gone, JobEnd::failed},
    State{"BOOT_FAIL", Phase::gone, JobEnd::node_failed},
    State{"NODE_FAIL", Phase::gone, JobEnd::node_failed},
    State{"LAUNCH_FAILED", Phase::gone, JobEnd::failed},
    State{"RECONFIG_FAIL", Phase::gone, JobEnd::node_failed},
    State{"TIMEOUT", Phase::gone, JobEnd::timed_out},
    State{"DEADLINE", Phase::gone, JobEnd::timed_out},
    State{"OUT_OF_MEMORY", Phase::gone, JobEnd::out_of_memory},
    State{"PREEMPTED", Phase::gone, JobEnd::preempted},
    State{"CANCELLED", Phase::gone, JobEnd::cancelled},
    State{"REVOKED", Phase::gone, JobEnd::cancelled},
};

constexpr std::array<std::string_view, 10> passing = {
    "AssocMaxSubmitJobLimit",      "QOSMaxSubmitJobPerUserLimit",
    "MaxSubmitJobsPerAccount",     "submit limit",
    "Unable to contact slurm",     "Socket timed out",
    "temporarily unable",          "Connection refused",
    "Zero Bytes were transmitted", "Slurm controller not responding"};

/// The first field of that name in what scontrol prints on one line.
std::string_view field(std::string_view line, std::string_view name) {
  const size_t at = line.find(fmt::format(" {}=", name));
  if (at == std::string_view::npos) return {};
  const std::string_view value = line.substr(at + name.size() + 2);
  return value.substr(0, value.find(' '));
}

}  // namespace

JobStanding standing_of(std::string_view state) {
  JobStanding standing;
  standing.phase = Phase::running;
  const std::string_view word = state.substr(0, state.find_first_of(" +"));
  for (const State& known : states)
    if (known.name == word) {
      standing.phase = known.phase;
      standing.end = known.end;
    }
  standing.reason = state;
  constexpr std::string_view by = " by ";
  if (const size_t at = state.find(by); at != std::string_view::npos)
    standing.by = "user " + std::string(state.substr(at + by.size()));
  return standing;
}

std::map<std::string, SlurmQueued> slurm_queue(std::string_view text) {
  std::map<std::string, SlurmQueued> queue;
  for (const std::string_view line : split(text, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() < 5 || fields[0].empty() ||
        fields[0].find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    SlurmQueued& queued = queue[std::string(fields[0])];
    queued.standing = standing_of(fields[1]);
    if (queued.standing.phase == Phase::pending && fields[2] != "None" && !fields[2].empty())
      queued.standing.reason = fields[2];
    if (queued.standing.phase == Phase::pending) queued.standing.start_s = utc_seconds(fields[3]);
    queued.name = fields[4];
  }
  return queue;
}

JobStanding standing_of_record(std::string_view line) {
  JobStanding standing = standing_of(field(line, "JobState"));
  const std::string_view reason = field(line, "Reason");
  if (!reason.empty() && reason != "None") standing.reason += fmt::format(" ({})", reason);
  return standing;
}

bool is_for_later(std::string_view sbatch_error) {
  return std::ranges::any_of(
      passing, [&](std::string_view words) { return sbatch_error.find(words) != std::string_view::npos; });
}

}  // namespace shakedown
