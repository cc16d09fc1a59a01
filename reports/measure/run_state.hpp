#pragma once
#include <string>
#include <string_view>

#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// What became of a run: every table and format takes its word from here, so that one run has one state.
enum class RunState {
  not_run,   ///< it was never started
  replaced,  ///< so, and another case took its place
  running,
  stopped,   ///< a person ended it before its result
  failed,    ///< it ended without a result, for whatever reason
  invalid,   ///< its result breaks a rule
  unproven,  ///< its result is complete, and whether it is valid is not known
  complete,  ///< it left what it was made for: a result that no rule concerns, or that only breaks rules on
             ///< the length of a run
  valid
};

/// "failed", "valid".
std::string_view to_string(RunState state);

/// Of an attempt, by one of the results in its log; null: it has none. A result that does not count is none.
RunState run_state(const CampaignRecord& campaign, const MeasuredCase& record, const AttemptRecord& attempt,
                   const ResultRecord* result);

/// The same in words: "valid, then failed" of a program that ended in error behind its result.
std::string run_state_text(const CampaignRecord& campaign, const MeasuredCase& record,
                           const AttemptRecord& attempt, const ResultRecord* result);

/// Of a case: by its last result that counts, else by its last attempt.
RunState run_state(const CampaignRecord& campaign, const MeasuredCase& record);

}  // namespace shakedown
