#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/screen_rules.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

using Cause = Disturbance::Cause;
using AttemptKey = std::pair<std::string, int>;  // case, number

/// "gemm-1n, attempt 1: refuted by hpl-1n: HPL is faster than the matrix multiplication it consists
/// of: one is wrong".
Disturbance refutation(const RefutedScreen& screen, const std::string& suite) {
  Disturbance found;
  found.case_id = screen.case_id;
  found.suite = suite;
  found.run = fmt::format("the {} run {}", suite_title(suite), screen.case_id);
  found.attempt = screen.attempt;
  found.cause = Cause::refuted;
  found.sentence =
      fmt::format("{}, attempt {}: refuted by {}: {}", screen.case_id, screen.attempt, screen.by, screen.why);
  return found;
}

/// What repeats of a suspect share: its node and what it ran there. Other cases share nothing with any.
std::string repeated_of(const CaseRecord& record) {
  const Case& planned = record.planned;
  return planned.confirms ? fmt::format("{} {}", first_repetition_id(planned), planned.hosts) : planned.id;
}

/// Sets aside the values of disturbed attempts at cases that have others, `why` by case and number. The
/// repeats of one suspect count as one case: what confirms or clears it is to be measured undisturbed.
void set_aside_where_others_count(CampaignRecord& campaign, const std::map<AttemptKey, std::string>& why) {
  const auto counts = [&](const CaseRecord& record, const AttemptRecord& attempt) {
    return ended_by_itself(attempt) && attempt.set_aside.empty() &&
           !why.contains({record.planned.id, attempt.index}) &&
           std::ranges::any_of(attempt.results, [&](const ResultRecord& each) {
             // A repeat that is of no use clears or confirms nothing; an invalid result of another case
             // counts.
             return each.parsed.complete &&
                    (!record.planned.confirms || usable(each) || valid_but_for_length(campaign, each));
           });
  };
  std::set<std::string> undisturbed;
  for (const CaseRecord& record : campaign.cases)
    if (std::ranges::any_of(record.attempts, [&](const auto& attempt) { return counts(record, attempt); }))
      undisturbed.insert(repeated_of(record));
  for (const auto& [key, sentence] : why) {
    if (sentence.empty()) continue;
    const auto record =
        std::ranges::find(campaign.cases, key.first, [](const CaseRecord& each) { return each.planned.id; });
    if (record == campaign.cases.end() || !undisturbed.contains(repeated_of(*record))) continue;
    for (AttemptRecord& attempt : record->attempts)
      if (attempt.index == key.second) attempt.set_aside = sentence;
  }
}

/// Whether the values of the attempt that it disturbed are set aside.
bool is_set_aside(const MeasuredCampaign& campaign, const Disturbance& disturbance) {
  for (const MeasuredCase& record : campaign.cases)
    if (record.planned.id == disturbance.case_id)
      for (const AttemptRecord& attempt : record.attempts)
        if (attempt.index == disturbance.attempt) return !attempt.set_aside.empty();
  return false;
}

}  // namespace

MeasuredCampaign without_disturbed(CampaignRecord stored, const Criteria& criteria,
                                   const Comparability& comparability) {
  for (CaseRecord& record : stored.cases)
    for (AttemptRecord& attempt : record.attempts) attempt.set_aside.clear();
  const bool retried = std::ranges::any_of(stored.cases, [](const CaseRecord& record) {
    return record.attempts.size() > 1 || record.planned.confirms;
  });
  if (!retried) {
    judge_by_screens(stored);
    return MeasuredCampaign(std::move(stored));
  }
  MeasuredCampaign all(std::move(stored));
  std::map<AttemptKey, std::string> why;  // empty: it may not have been disturbed
  for (const Disturbance& each : disturbances(all, criteria)) {
    std::string& known = why[{each.case_id, each.attempt}];
    if (each.cause != Cause::not_recorded && known.empty()) known = each.sentence;
  }
  set_aside_where_others_count(all.record, why);
  MeasuredCampaign undisturbed(std::move(all.record));
  std::map<AttemptKey, std::string> refuted;
  for (const RefutedScreen& each : refuted_screens(undisturbed, comparability))
    refuted[{each.case_id, each.attempt}] = refutation(each, "").sentence;
  set_aside_where_others_count(undisturbed.record, refuted);
  judge_by_screens(undisturbed.record);
  return MeasuredCampaign(std::move(undisturbed.record));
}

Result<MeasuredCampaign> without_disturbed(CampaignRecord stored, const Comparability& comparability) {
  const CriteriaRevision judging = judging_criteria(stored);
  Criteria criteria;
  if (!judging.text.empty()) {
    auto read = read_criteria(judging.text, judging.name.empty() ? "criteria" : judging.name);
    if (!read) return failure_of(read);
    criteria = *std::move(read);
  }
  return without_disturbed(std::move(stored), criteria, comparability);
}

std::vector<Disturbance> set_aside(const MeasuredCampaign& campaign, const Criteria& criteria) {
  std::vector<Disturbance> found = disturbances(campaign, criteria);
  std::erase_if(found, [&](const Disturbance& each) { return !is_set_aside(campaign, each); });
  for (const MeasuredCase& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const auto is_of = [&](const Disturbance& each) {
        return each.case_id == record.planned.id && each.attempt == attempt.index;
      };
      if (attempt.set_aside.empty() || std::ranges::any_of(found, is_of)) continue;
      Disturbance refuted = refutation({record.planned.id, attempt.index, "", ""}, record.planned.suite);
      refuted.sentence = attempt.set_aside;
      found.push_back(std::move(refuted));
    }
  return found;
}

std::vector<std::string> set_aside_sentences(const std::vector<Disturbance>& set_aside) {
  std::vector<std::pair<AttemptKey, std::vector<std::string>>> attempts;  // in their order, causes of each
  for (const Disturbance& each : set_aside) {
    const AttemptKey key{each.case_id, each.attempt};
    auto known = std::ranges::find(attempts, key, [](const auto& attempt) { return attempt.first; });
    if (known == attempts.end()) known = attempts.insert(attempts.end(), {key, {}});
    const std::string name = fmt::format("{}, attempt {}: ", each.case_id, each.attempt);
    std::string cause = each.sentence.starts_with(name) ? each.sentence.substr(name.size()) : each.sentence;
    if (std::ranges::find(known->second, cause) == known->second.end())
      known->second.push_back(std::move(cause));
  }
  std::vector<std::string> sentences;
  sentences.reserve(attempts.size());
  for (const auto& [key, causes] : attempts)
    sentences.push_back(
        fmt::format("{}, attempt {}: {}; its speed does not count, that of an undisturbed repeat does",
                    key.first, key.second, joined(causes, "; ")));
  return sentences;
}

std::vector<Disturbance> to_measure_again(const MeasuredCampaign& campaign, const Criteria& criteria,
                                          const Comparability& comparability) {
  std::vector<Disturbance> found = disturbances(campaign, criteria);
  std::erase_if(found, [&](const Disturbance& each) {
    return each.cause == Cause::not_recorded || is_set_aside(campaign, each);
  });
  const auto suite_of = [&](const std::string& id) {
    const MeasuredCase* found = campaign.case_with(id);
    return found == nullptr ? std::string() : found->planned.suite;
  };
  for (const RefutedScreen& each : refuted_screens(campaign, comparability))
    found.push_back(refutation(each, suite_of(each.case_id)));
  return found;
}

}  // namespace shakedown
