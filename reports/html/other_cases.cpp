#include "reports/html/other_cases.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/run_state.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr std::size_t fewest_alike = 3;
constexpr std::size_t most_sections = 100;  // of some 20 kB each: this many still open at once and print

bool is_ordinary(const MeasuredCase& record) {
  if (!record.not_run.empty() || record.attempts.size() != 1) return false;
  const AttemptRecord& only = record.attempts.front();
  return only.state == AttemptState::finished && only.failure.empty() && !only.results.empty() &&
         std::ranges::all_of(only.results, [](const ResultRecord& result) {
           return result.parsed.complete && usable(result);
         });
}

/// A case's id without its node: what like cases have in common.
std::string stem_of(const Case& planned) {
  std::string stem = planned.id;
  if (const std::size_t at = stem.rfind(planned.hosts); at != std::string::npos)
    stem.replace(at, planned.hosts.size(), "*");
  return stem;
}

std::optional<double> rate_of(const MeasuredCase& record) {
  std::vector<double> points;
  for (const CountedResult& counted : record.own)
    if (const Metric* rate = counted.result->parsed.metric(rate_metric(record.planned.suite)))
      points.push_back(rate->value);
  if (points.empty()) return std::nullopt;
  return median(points);
}

using Alike = std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::size_t>>;

/// Takes those of the cases that make a group.
std::vector<LikeNodes> groups_of(const MeasuredCampaign& campaign, Alike alike, bool repeated) {
  std::vector<LikeNodes> groups;
  for (auto& [key, cases] : alike) {
    if (cases.size() < fewest_alike) continue;
    LikeNodes group{.repeated = repeated, .cases = {}, .ordinary = {}, .slowest = {}};
    std::optional<double> least;
    for (const std::size_t i : cases) {
      if (!is_ordinary(campaign.cases[i])) continue;
      group.ordinary.push_back(i);
      const auto rate = rate_of(campaign.cases[i]);
      if (!rate || (least && *rate >= *least)) continue;
      least = rate;
      group.slowest = i;
    }
    group.cases = std::move(cases);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::vector<LikeNodes> like_nodes(const MeasuredCampaign& campaign) {
  Alike repetitions;
  for (std::size_t i = 0; i < campaign.cases.size() && campaign.record.kind == regression_kind; ++i) {
    const Case& planned = campaign.cases[i].planned;
    repetitions[{planned.suite, planned.implementation, first_repetition_id(planned)}].push_back(i);
  }
  std::vector<LikeNodes> groups = groups_of(campaign, std::move(repetitions), true);
  std::set<std::size_t> taken;
  for (const LikeNodes& group : groups) taken.insert(group.cases.begin(), group.cases.end());
  Alike nodes;
  for (std::size_t i = 0; i < campaign.cases.size(); ++i)
    if (const Case& planned = campaign.cases[i].planned;
        planned.bound && planned.nodes == 1 && !taken.contains(i))
      nodes[{planned.suite, planned.implementation, stem_of(planned)}].push_back(i);
  for (LikeNodes& group : groups_of(campaign, std::move(nodes), false)) groups.push_back(std::move(group));
  std::ranges::sort(groups, {}, [](const LikeNodes& group) { return group.cases.front(); });
  return groups;
}

std::vector<bool> sections_of(const MeasuredCampaign& campaign) {
  std::vector<bool> shown(campaign.cases.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = !campaign.cases[i].counted.empty();
  for (const LikeNodes& group : like_nodes(campaign))
    for (const std::size_t i : group.ordinary)
      if (i != group.ordinary.front() && i != group.slowest) shown[i] = false;
  std::size_t sections = 0;
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (shown[i] && ++sections > most_sections) shown[i] = false;
  return shown;
}

namespace {

Fields row(const CampaignRecord& campaign, const MeasuredCase& record) {
  std::string ended = "not started";
  std::string wall = "–";
  std::string result(to_string(run_state(campaign, record)));
  std::vector<std::string> reasons;
  if (!record.not_run.empty())
    reasons.push_back((record.attempts.empty() ? "" : "not run again: ") + record.not_run);
  if (!record.attempts.empty()) {
    const AttemptRecord& last = record.attempts.back();
    ended = ending_without_reason(last);
    if (last.finished_s > 0) wall = duration_text(last.wall_s);
    if (record.planned.parser.empty() && last.results.empty()) reasons.emplace_back("output is not parsed");
    if (record.own.empty() && !last.failure.empty()) reasons.push_back(last.failure);
  }
  if (!record.own.empty()) {
    const std::string_view metric = rate_metric(record.planned.suite);
    const Metric* rate = record.own.back().result->parsed.metric(metric);
    if (rate != nullptr) result = fmt::format("{}, {}", metric_text(metric, rate->value), result);
  }
  if (!reasons.empty()) result += ": " + joined(reasons, "; ");
  return Fields()
      .text("id", record.planned.id)
      .text("suite", suite_title(record.planned.suite))
      .text("attempts", fmt::format("{}", record.attempts.size()))
      .text("ended", ended)
      .text("wall", wall)
      .text("result", result);
}

std::vector<ContentsLine> other_cases_contents(const ReportInput& input) {
  const std::vector<bool> sections = sections_of(input.measured);
  if (std::ranges::find(sections, false) == sections.end()) return {};
  return {{"other-cases", "Other cases"}};
}

Result<std::string> other_cases_section(const ReportInput& input) {
  const MeasuredCampaign& campaign = input.measured;
  static constexpr size_t most_rows = 2000;
  std::vector<Fields> rows;
  size_t others = 0;
  const std::vector<bool> sections = sections_of(campaign);
  for (size_t i = 0; i < campaign.cases.size(); ++i) {
    if (sections[i]) continue;
    ++others;
    if (rows.size() < most_rows) rows.push_back(row(campaign.record, campaign.cases[i]));
  }
  if (others == 0) return std::string();
  Fields section;
  section.text("title", "Other cases")
      .text("about",
            "Cases that left no result, nodes and repetitions that measured like the others, and cases "
            "beyond the number "
            "that is shown in "
            "full. All evidence of them is in results.json.")
      .text("count", fmt::format("{} or repeats", plural(static_cast<std::int64_t>(others), "case")))
      .list("cases", std::move(rows))
      .text_if("more", others > most_rows ? fmt::format("{} more in results.json.", others - most_rows) : "");
  return filled("other_cases.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection other_cases;
const ReportSection other_cases = {
    .rank = 110, .contents = other_cases_contents, .html = other_cases_section};
}  // namespace report_section

std::vector<LikeResults> like_results(std::span<const SuiteResult> results,
                                      const MeasuredCampaign& campaign) {
  const std::vector<LikeNodes> groups = like_nodes(campaign);
  std::map<std::string_view, std::size_t> group_of;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t i : groups[g].cases) group_of[campaign.cases[i].planned.id] = g;
  std::vector<LikeResults> rows;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> row_of;  // by group and metric
  for (const SuiteResult& each : results) {
    const auto group = group_of.find(each.case_id);
    if (group == group_of.end()) {
      rows.push_back({false, {&each}});
      continue;
    }
    const auto [place, is_new] = row_of.try_emplace({group->second, each.metric}, rows.size());
    if (is_new) rows.push_back({groups[group->second].repeated, {}});
    rows[place->second].results.push_back(&each);
  }
  return rows;
}

std::string nodes_without_value(const LikeResults& like, const MeasuredCampaign& campaign) {
  std::vector<std::string> without;
  for (const SuiteResult* result : like.results) {
    if (result->measured) continue;
    const MeasuredCase* record = campaign.case_with(result->case_id);
    without.push_back(record == nullptr ? result->case_id : record->planned.hosts);
  }
  return folded_hostlist(without);
}

}  // namespace shakedown
