#include "orchestrator/regression/repeats.hpp"

#include <algorithm>

namespace shakedown {
namespace {

/// A case of this check that measures the series.
const Case* case_of(const CampaignRecord& campaign, const CheckHistory& history, const SeriesName& name) {
  for (const MetricSeries& shape : history.series.series) {
    if (shape.suite != name.suite || shape.implementation != name.implementation ||
        shape.metric != name.metric || shape.parameters != name.parameters ||
        shape.node_kind != name.node_kind)
      continue;
    for (const SeriesPoint& point : shape.points) {
      const SeriesRun& run = history.series.runs[point.run];
      if (run.campaign != campaign.id || (shape.nodes == 1 && run.hosts != name.nodes)) continue;
      for (const CaseRecord& record : campaign.cases)
        if (record.planned.id == run.case_id) return &record.planned;
    }
  }
  return nullptr;
}

const CaseRecord* record_of(const CampaignRecord& campaign, const std::string& case_id) {
  const auto at =
      std::ranges::find(campaign.cases, case_id, [](const CaseRecord& record) { return record.planned.id; });
  return at == campaign.cases.end() ? nullptr : &*at;
}

}  // namespace

bool same_case(const Case& a, const Case& b) {
  return a.suite == b.suite && a.implementation == b.implementation && a.benchmark == b.benchmark &&
         a.hosts == b.hosts && a.nodes == b.nodes && a.parameters == b.parameters;
}

std::string why_missing(const CaseRecord& record) {
  if (!record.not_run.empty()) return "not run: " + record.not_run;
  if (record.attempts.empty()) return "not run";
  const AttemptRecord& last = record.attempts.back();
  if (!last.failure.empty()) return last.failure;
  for (const ResultRecord& result : last.results)
    for (const RuleResult& rule : result.rules)
      if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
        return fmt::format("its result is invalid by {}: {}", rule.id, rule.title);
  return "left no result";
}

std::vector<WantedRepeats> wanted_repeats(const CheckVerdict& verdict, const CampaignRecord& campaign,
                                          const CheckHistory& history) {
  std::vector<WantedRepeats> wanted;
  for (const JudgedSeries& each : verdict.series) {
    if (each.watched.repeats_wanted == 0) continue;
    const Case* of = case_of(campaign, history, each.series.name);
    if (of == nullptr) continue;
    wanted.push_back({each.series.name, of->id, static_cast<int>(each.watched.repeats_wanted),
                      each.series.checks.back().runs.size()});
  }
  return wanted;
}

std::vector<MissingSeries> given_up_repeats(std::vector<WantedRepeats>& wanted,
                                            const std::vector<WantedRepeats>& asked,
                                            const CampaignRecord& campaign, const RegressionAlarm& alarm) {
  std::vector<MissingSeries> given_up;
  std::erase_if(wanted, [&](const WantedRepeats& each) {
    const CaseRecord* of = record_of(campaign, each.case_id);
    if (of == nullptr) return true;
    int made = 0;
    const CaseRecord* last = of;
    for (const CaseRecord& record : campaign.cases)
      if (same_case(record.planned, of->planned)) {
        ++made;
        last = &record;
      }
    const auto before = std::ranges::find(asked, each.series, &WantedRepeats::series);
    const bool in_vain = before != asked.end() && each.runs <= before->runs;
    if (!in_vain && made - alarm.runs < alarm.repeats) return false;
    given_up.push_back(
        {series_text(each.series), fmt::format("its repeats failed, and the suspicion stays open: {}: {}",
                                               last->planned.id, why_missing(*last))});
    return true;
  });
  return given_up;
}

}  // namespace shakedown
