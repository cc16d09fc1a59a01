#include "orchestrator/store/record.hpp"

#include <array>
#include <utility>

namespace shakedown {
namespace {

constexpr std::array<std::pair<AttemptState, std::string_view>, 7> attempt_states = {{
    {AttemptState::running, "running"},
    {AttemptState::finished, "finished"},
    {AttemptState::timed_out, "timed-out"},
    {AttemptState::interrupted, "interrupted"},
    {AttemptState::lost, "lost"},
    {AttemptState::not_started, "not-started"},
    {AttemptState::imported, "imported"},
}};

}  // namespace

std::string_view to_string(AttemptState state) {
  for (const auto& [value, text] : attempt_states)
    if (value == state) return text;
  return "running";
}

std::optional<AttemptState> attempt_state(std::string_view text) {
  for (const auto& [value, name] : attempt_states)
    if (name == text) return value;
  return std::nullopt;
}

bool is_done(AttemptState state) {
  return state == AttemptState::finished || state == AttemptState::timed_out;
}

std::string_view to_string(CampaignState state) {
  switch (state) {
    case CampaignState::planned:
      return "planned";
    case CampaignState::running:
      return "running";
    case CampaignState::interrupted:
      return "interrupted";
    case CampaignState::finished:
      return "finished";
  }
  return "planned";
}

}  // namespace shakedown
