#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/slurm.hpp"

namespace shakedown {
namespace {

/// States and flags in which Slurm starts no job. Source: sinfo(1), "NODE STATE CODES".
constexpr std::string_view barred[] = {
    "DOWN",         "DRAIN",         "DRAINED",    "DRAINING",    "ERROR",      "FAIL",
    "FAILING",      "FUTURE",        "INVALID",    "INVALID_REG", "NO_RESPOND", "NOT_RESPONDING",
    "POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN", "UNKNOWN",     "PERFCTRS",
};

}  // namespace

std::optional<std::string> why_no_jobs(std::string_view state) {
  const std::string_view shown = state;
  const size_t end = state.find_last_not_of("*~#!%$@^-");
  const std::string_view suffix = end == state.npos ? state : state.substr(end + 1);
  for (const std::string_view flagged : split(state, '+')) {
    const std::string_view flag = flagged.substr(0, flagged.find_first_of("*~#!%$@^-"));
    for (const std::string_view bad : barred)
      if (flag == bad) return std::string(shown);
  }
  // The base state can have the mark before its flags: "DOWN*+DRAIN".
  if (suffix.find('*') != suffix.npos || state.find("*+") != state.npos) return std::string(shown);
  if (trimmed(state).empty()) return "no state";
  return std::nullopt;
}

}  // namespace shakedown
