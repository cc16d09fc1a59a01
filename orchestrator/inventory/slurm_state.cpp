#include <algorithm>
#include <span>

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

/// Whether any of the state's flags, without the mark behind it, is one of these.
bool has_flag(std::string_view state, std::span<const std::string_view> flags) {
  return std::ranges::any_of(split(state, '+'), [&](std::string_view flagged) {
    const std::string_view flag = flagged.substr(0, flagged.find_first_of("*~#!%$@^-"));
    return std::ranges::find(flags, flag) != flags.end();
  });
}

}  // namespace

std::optional<std::string> why_no_jobs(std::string_view state) {
  const std::string_view shown = state;
  const size_t end = state.find_last_not_of("*~#!%$@^-");
  const std::string_view suffix = end == state.npos ? state : state.substr(end + 1);
  if (has_flag(state, barred)) return std::string(shown);
  // The base state can have the mark before its flags: "DOWN*+DRAIN".
  if (suffix.find('*') != suffix.npos || state.find("*+") != state.npos) return std::string(shown);
  if (trimmed(state).empty()) return "no state";
  return std::nullopt;
}

bool is_down(std::string_view state) {
  constexpr std::string_view saves_power[] = {"POWERED_DOWN", "POWERING_DOWN", "POWER_DOWN"};
  return why_no_jobs(state).has_value() && !has_flag(state, saves_power);
}

}  // namespace shakedown
