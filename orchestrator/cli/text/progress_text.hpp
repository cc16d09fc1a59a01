#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Seconds as a clock that ticks in place: "0:42", "17:24", "2:05:00", "3d 04:00:00".
std::string clock_text(double seconds);

/// Node-hours with as many digits as they deserve: "0.012", "3.82", "1204".
std::string node_hours_number(double node_hours);

/// "about 2.60 left", "at most 2.60 left", "2.60 and 3 cases of unknown length left", "none to come".
std::string hours_left_text(const NodeHours& hours);

/// "about 41:00 left", "at most about 41:00 left", "more than 41:00 left"; empty: nobody knows.
std::string time_left_text(const TimeLeft& left);

/// "12 of 60 cases done, 1 failed, 20 running, 28 waiting".
std::string counts_text(const CampaignProgress& progress);

/// What cases wait for, in one sentence: "12 cases in 3 jobs: Resources", "hpl-98n (job 1234): Priority".
std::string waiting_text(const WaitingCases& group);

/// "past its prediction of 7:10 by 1:22"; empty: it is not.
std::string past_text(const RunningCase& running);

/// The campaign in one line of a log, without its time: counts, times, node-hours, the longest case, and what
/// the waiting wait for.
std::string heartbeat_text(const CampaignProgress& progress);

/// An event as `--json-events` writes it, one object a line: `"v":1`, `t`, `event`, and what there is to
/// report.
nlohmann::ordered_json event_json(const Event& event);

/// A campaign at one instant: the members of a heartbeat, and `standing` of `status --json`.
nlohmann::ordered_json campaign_progress_json(const CampaignProgress& progress);

/// A result in a few words: "HPL Rmax 92.1 GFLOP/s  valid", or why there is none. What is invalid is so by a
/// rule, which is named; where a list asks for no more than a longer run: "complete, short of the official
/// rules (IO5-02)", after "invalid" unless `campaign` is a screening, whose runs are short by design.
std::string attempt_text(const AttemptRecord& attempt, const CampaignRecord& campaign);

}  // namespace shakedown
