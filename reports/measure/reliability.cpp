#include "reports/measure/reliability.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

/// The row with its rate; `started` above 0.
ReliabilityRow with_rate(ReliabilityRow row) {
  if (const auto rate =
          exact_interval(static_cast<std::size_t>(row.succeeded), static_cast<std::size_t>(row.started)))
    row.rate = *rate;
  return row;
}

/// Whether a result of an attempt breaks a rule; else they prove nothing.
bool left_invalid(const MeasuredCase& record, const AttemptRecord& attempt) {
  return std::ranges::any_of(record.counted, [&](const CountedResult& each) {
    return each.attempt == &attempt && each.result->validity == Validity::invalid;
  });
}

/// Whether an attempt ended by itself and without an error, whatever its result.
bool is_clean(const AttemptRecord& attempt) {
  return ended_by_itself(attempt) && attempt.exit_code.value_or(0) == 0 && !attempt.signal;
}

}  // namespace

void ReliabilityRow::count(const CampaignRecord& campaign, const MeasuredCase& record) {
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || never_began(attempt)) continue;
    ++started;
    confirming += record.planned.confirms ? 1 : 0;
    if (shakedown::succeeded(campaign, record, attempt)) {
      ++succeeded;
      continue;
    }
    const bool by_hand = stopped_by_hand(attempt);
    const bool ran = is_clean(attempt) && std::ranges::find(record.counted, &attempt,
                                                            &CountedResult::attempt) != record.counted.end();
    ++(by_hand ? stopped : ran ? not_valid : failed);
    const bool is_unknown = ran && !left_invalid(record, attempt);
    unknown += !by_hand && is_unknown ? 1 : 0;
    unsuccessful.push_back({record.planned.id, attempt.index, by_hand, ran,
                            !ran         ? ending(attempt)
                            : is_unknown ? "left a result of unknown validity"
                                         : "left an invalid result"});
  }
}

std::string_view not_valid_word(int not_valid, int unknown) {
  if (unknown == 0) return "invalid";
  return unknown == not_valid ? "of unknown validity" : "invalid or of unknown validity";
}

std::string counted_text(const ReliabilityRow& row) {
  static constexpr std::size_t most = 4;
  std::string text =
      fmt::format("{} of {} attempt{} succeeded", row.succeeded, row.started, row.started == 1 ? "" : "s");
  if (row.confirming > 0)
    text += fmt::format("; {} of the attempts {} on {}", row.confirming,
                        row.confirming == 1 ? "was a repeat" : "were repeats",
                        row.confirming == 1 ? "a suspect node" : "suspect nodes");
  struct Kind {
    int count;
    std::string_view word;
    bool by_hand;
    bool not_valid;
  };
  for (const auto& [there, word, by_hand, not_valid] :
       {Kind{row.failed, "failed", false, false},
        Kind{row.not_valid, not_valid_word(row.not_valid, row.unknown), false, true},
        Kind{row.stopped, "stopped", true, false}}) {
    if (there == 0) continue;
    text += fmt::format("; {} {}: ", there, word);
    std::size_t listed = 0;
    for (const UnsuccessfulAttempt& each : row.unsuccessful) {
      if (each.by_hand != by_hand || each.not_valid != not_valid || listed == most) continue;
      text +=
          fmt::format("{}{}, attempt {} {}", listed == 0 ? "" : ", ", each.case_id, each.index, each.ending);
      ++listed;
    }
    if (static_cast<std::size_t>(there) > listed)
      text += fmt::format(" and {} more", there - static_cast<int>(listed));
  }
  return text;
}

std::string reliability_text(const ReliabilityRow& row) {
  std::string counted = counted_text(row);
  const std::size_t end = std::min(counted.find(';'), counted.size());
  if (row.started < fewest_for_interval) return counted;
  return fmt::format("{} ({}, 95 % interval {} to {}){}", counted.substr(0, end), percent_text(row.rate.rate),
                     percent_text(row.rate.low), percent_text(row.rate.high), counted.substr(end));
}

bool succeeded(const CampaignRecord& campaign, const MeasuredCase& record, const AttemptRecord& attempt) {
  if (!is_clean(attempt)) return false;
  if (record.planned.parser.empty()) return true;
  bool any = false;
  for (const CountedResult& counted : record.counted) {
    if (counted.attempt != &attempt) continue;
    if (!usable(*counted.result) && !valid_but_for_length(campaign, *counted.result)) return false;
    // Of another benchmark: the pretraining that a fine-tuning starts from.
    any = any || !attempt.set_aside.empty() ||
          std::ranges::find(record.own, counted.result, &CountedResult::result) != record.own.end();
  }
  return any;
}

std::vector<ReliabilityRow> reliability(const MeasuredCampaign& campaign) {
  std::vector<ReliabilityRow> rows(1);
  rows.front().suite = whole_campaign;
  for (const MeasuredCase& record : campaign.cases) {
    rows.front().count(campaign.record, record);
    auto own = std::ranges::find(rows, record.planned.suite, &ReliabilityRow::suite);
    if (own == rows.end()) {
      rows.emplace_back().suite = record.planned.suite;
      own = std::prev(rows.end());
    }
    own->count(campaign.record, record);
  }
  std::erase_if(rows, [](const ReliabilityRow& row) { return row.started == 0; });
  std::ranges::transform(rows, rows.begin(), with_rate);
  return rows;
}

namespace {

/// The attempts with a result that counts.
std::set<const AttemptRecord*> counted_attempts(const MeasuredCase& record) {
  std::set<const AttemptRecord*> counted;
  for (const CountedResult& each : record.counted) counted.insert(each.attempt);
  return counted;
}

}  // namespace

bool ended_by_itself(const AttemptRecord& attempt) {
  return attempt.state == AttemptState::finished || attempt.state == AttemptState::imported;
}

bool never_began(const AttemptRecord& attempt) {
  return is_without_end(attempt.state) && attempt.started_s <= 0;
}

bool stopped_by_hand(const AttemptRecord& attempt) {
  if (is_without_end(attempt.state)) return attempt.failure_kind == FailureKind::cancelled;
  return attempt.state == AttemptState::interrupted &&
         attempt.failure_kind.value_or(FailureKind::cancelled) == FailureKind::cancelled;
}

std::string_view how_stopped_by_hand(const AttemptRecord& attempt) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known = {{
      {" (Ctrl-C)", "stopped by Ctrl-C"},
      {" (SIGTERM)", "stopped by SIGTERM"},
      {" (hangup: its terminal was closed)", "stopped as its terminal was closed"},
      {" (shakedown cancel)", "stopped by shakedown cancel"},
  }};
  std::string_view rest = attempt.failure;
  while (!rest.empty()) {
    const std::string_view sentence = rest.substr(0, rest.find("; "));
    rest.remove_prefix(std::min(rest.size(), sentence.size() + 2));
    if (!sentence.starts_with("stopped by ")) continue;
    for (const auto& [end, words] : known)
      if (sentence.ends_with(end)) return words;
    break;
  }
  return "stopped by hand";
}

std::vector<const AttemptRecord*> failed_attempts(const MeasuredCase& record) {
  const auto counted = counted_attempts(record);
  const bool parsed = !record.planned.parser.empty();
  std::vector<const AttemptRecord*> failed;
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state == AttemptState::running || never_began(attempt) || stopped_by_hand(attempt)) continue;
    if (ended_by_itself(attempt) && (counted.contains(&attempt) || !parsed)) continue;
    failed.push_back(&attempt);
  }
  return failed;
}

int attempts_needed(const MeasuredCase& record) {
  const auto failed = failed_attempts(record);
  const auto counted = counted_attempts(record);
  const bool any_good = std::ranges::any_of(counted, [&](const AttemptRecord* attempt) {
    return std::ranges::find(failed, attempt) == failed.end();
  });
  return static_cast<int>(failed.size()) + (any_good ? 1 : 0);
}

std::string ending_without_reason(const AttemptRecord& attempt) {
  const bool in_error = attempt.exit_code.value_or(0) != 0 || attempt.signal || !attempt.failure.empty();
  std::string text(ended_by_itself(attempt) && in_error ? "failed"
                   : stopped_by_hand(attempt)           ? "stopped"
                                                        : to_string(attempt.state));
  std::replace(text.begin(), text.end(), '-', ' ');
  if (attempt.signal)
    text += fmt::format(" by signal {}", *attempt.signal);
  else if (attempt.exit_code && *attempt.exit_code != 0)
    text += fmt::format(" with exit code {}", *attempt.exit_code);
  return text;
}

std::string ending(const AttemptRecord& attempt) {
  if (attempt.failure.empty()) return ending_without_reason(attempt);
  if (stopped_by_hand(attempt))
    return attempt.failure.starts_with("stopped ") ||
                   attempt.failure.starts_with("cancelled: ")  // a scheduler's
               ? attempt.failure
               : "stopped: " + attempt.failure;
  const auto names = [&](std::string_view what) { return attempt.failure.find(what) != std::string::npos; };
  if (!ended_by_itself(attempt) || !(names("exit code") || names("signal")))
    return fmt::format("{}: {}", ending_without_reason(attempt), attempt.failure);
  constexpr std::string_view subject = "it ";
  return names("it failed after") ? attempt.failure.substr(subject.size()) : "failed: " + attempt.failure;
}

}  // namespace shakedown
