#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/measured_campaign.hpp"
#include "reports/statistics/proportion.hpp"

namespace shakedown {

/// An attempt that was started and did not succeed.
struct UnsuccessfulAttempt {
  std::string case_id;
  int index = 1;
  bool by_hand = false;    ///< a person stopped it
  bool not_valid = false;  ///< it ended without an error, and its result breaks a rule or proves nothing
  std::string ending;      ///< "stopped by alice on login1 at ... (Ctrl-C)"
};

/// From so many attempts on an interval of their success rate is shown.
inline constexpr int fewest_for_interval = 5;

/// How many of the started attempts succeeded. Every one that began counts, failed, retried, invalid and
/// stopped ones too.
struct ReliabilityRow {
  std::string suite;  ///< "campaign": of all
  int started = 0;
  int succeeded = 0;   ///< ended without an error, with a result that counts and may be used
  int failed = 0;      ///< ended in an error, or without a result that counts
  int not_valid = 0;   ///< ended without an error, with a result that may not be used
  int unknown = 0;     ///< of `not_valid`, those whose results prove neither that they are valid nor invalid
  int stopped = 0;     ///< by hand
  int confirming = 0;  ///< of `started`, the repeats that confirm suspect nodes or clear them
  Proportion rate;     ///< with its exact 95 % interval
  std::vector<UnsuccessfulAttempt> unsuccessful;  ///< in the order of the cases

  /// Counts the attempts of a case that have ended.
  void count(const CampaignRecord& campaign, const MeasuredCase& record);
};

/// Over all attempts, then over those of each suite. Attempts that still run are none yet; where none began
/// there is no row.
std::vector<ReliabilityRow> reliability(const MeasuredCampaign& campaign);

/// What attempts that `ReliabilityRow::not_valid` counts left: "invalid", "of unknown validity", or both.
std::string_view not_valid_word(int not_valid, int unknown);

/// "11 of 12 attempts succeeded; 3 of the attempts were repeats on suspect nodes; 1 stopped: hpl-98n, attempt
/// 2 ...".
std::string counted_text(const ReliabilityRow& row);

/// "11 of 12 succeeded (91.7 %, 95 % interval 64.6 % to 98.5 %); 1 stopped: hpl-98n, attempt 2 ...".
std::string reliability_text(const ReliabilityRow& row);

/// Whether an attempt ended by itself, without an error, and gave what it was made for: a result that may be
/// used as a number, where there is one to be read. A program that dies behind its result did not succeed;
/// its result counts all the same.
bool succeeded(const CampaignRecord& campaign, const MeasuredCase& record, const AttemptRecord& attempt);

/// Whether an attempt's program ended by itself, with whatever exit code.
bool ended_by_itself(const AttemptRecord& attempt);

/// Whether an attempt ended before it began: its job, for example, was taken out of a queue.
bool never_began(const AttemptRecord& attempt);

/// Whether a person ended it. An attempt that a batch system ended has that cause, and is a failure.
bool stopped_by_hand(const AttemptRecord& attempt);

/// How: "stopped by Ctrl-C", "stopped by SIGTERM"; "stopped by hand" where no signal is known.
std::string_view how_stopped_by_hand(const AttemptRecord& attempt);

/// The attempts of a case that failed: begun, and without a result that counts, or cut by what is nobody's
/// wish. What a person stopped, and what never began, is none of them.
std::vector<const AttemptRecord*> failed_attempts(const MeasuredCase& record);

/// As many as a case needed: those that failed, and the one that did not, if any.
int attempts_needed(const MeasuredCase& record);

/// "finished", "timed out by signal 15", "failed with exit code 3".
std::string ending_without_reason(const AttemptRecord& attempt);
/// "timed out", "lost", "failed with exit code 3"; where the reason has
/// code or signal, "failed: rank 0 ended with exit code 3".
std::string ending(const AttemptRecord& attempt);

}  // namespace shakedown
