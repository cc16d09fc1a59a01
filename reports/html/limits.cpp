#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/compare/line_diff.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

constexpr size_t most_limits = 200;

/// "on 100 nodes, at most 2 excluded, at most 2 attempts": what a criterion asks for beside its limit; empty:
/// nothing.
std::string conditions_text(const CriterionResult& result) {
  std::string text;
  const auto add = [&](const std::string& condition) { text += (text.empty() ? "" : ", ") + condition; };
  if (result.runs_min > 1) add(fmt::format("{} runs at least", result.runs_min));
  if (result.nodes_required) add(fmt::format("on {} nodes", *result.nodes_required));
  if (result.exclusions_max) add(fmt::format("at most {} excluded", *result.exclusions_max));
  if (result.attempts_max)
    add(fmt::format("at most {} attempt{}", *result.attempts_max, *result.attempts_max == 1 ? "" : "s"));
  return text;
}

/// "contract 34.00 PFLOP/s (contract 4.2), 0.998 of it; published ...": the references of a criterion.
std::string beside(const CriterionResult& result) {
  std::string text;
  for (const ReferenceResult& each : result.references) {
    text += fmt::format("{}{} {} ({}{}{})", text.empty() ? "" : "; ", to_string(each.kind),
                        metric_text(result.metric, each.value, 1), each.id, each.id.empty() ? "" : ", ",
                        each.source);
    if (each.status.value_or(BaselineStatus::ok) != BaselineStatus::ok)
      text += fmt::format(", its status is {}", to_string(*each.status));
    if (each.ratio) text += fmt::format(": {} of it", number(*each.ratio, 4));
    if (!each.unlike.empty()) text += ": not comparable, " + each.unlike;
  }
  return text;
}

/// "waived by the board until 2027-03-31: the switch is on order"; also of a waiver that lifts nothing.
std::string waiver_text(const CriterionResult& result) {
  if (!result.waiver) return "";
  return fmt::format("{} by {}, until {}: {}", result.waived ? "waived" : "a waiver without effect,",
                     result.waiver->approver, result.waiver->expires, result.waiver->reason);
}

/// How many attempts of a row ran, and were short of the official rules alone.
int short_attempts(const ReliabilityRow& row, const CampaignRecord& campaign) {
  int count = 0;
  for (const CaseRecord& record : campaign.cases) {
    if (row.suite != whole_campaign && row.suite != record.planned.suite) continue;
    for (const AttemptRecord& attempt : record.attempts)
      count += std::ranges::any_of(
                   attempt.results,
                   [&](const ResultRecord& result) { return valid_but_for_length(campaign, result); })
                   ? 1
                   : 0;
  }
  return count;
}

Fields reliability_row(const ReliabilityRow& row, const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  std::vector<Fields> endings = rows_of(row.unsuccessful, [](const UnsuccessfulAttempt& each) {
    return Fields().text("text", fmt::format("{}, attempt {} {}", each.case_id, each.index, each.ending));
  });
  if (row.suite == whole_campaign) endings.clear();  // its suites list them
  if (const int few = short_attempts(row, campaign); few > 0 && row.suite != whole_campaign)
    endings.push_back(Fields().text("text", fmt::format("{} {}", few, correct_but_short(row.suite))));
  return Fields()
      .text("suite", benchmark_title(input.measured, "", row.suite))
      .text("started", fmt::format("{}", row.started))
      .text("succeeded", fmt::format("{}", row.succeeded))
      .text("failed", fmt::format("{}", row.failed))
      .text("not_valid", fmt::format("{}", row.not_valid))
      .text("stopped", fmt::format("{}", row.stopped))
      .text("rate", percent_text(row.rate.rate))
      .text("interval",
            row.started < fewest_for_interval
                ? std::string(dash)
                : fmt::format("{} to {}", percent_text(row.rate.low), percent_text(row.rate.high)))
      .list("endings", std::move(endings));
}

/// Whether a row adds to that of the whole campaign: an attempt was no success, or there are enough
/// for an interval.
bool is_informative(const ReliabilityRow& row) {
  return row.suite == whole_campaign || row.succeeded < row.started || row.started >= fewest_for_interval;
}

Fields criterion(const CriterionResult& result) {
  static constexpr size_t most_points = 20;
  std::string points;
  // As many digits as the point needs that lies nearest to it, so that none reads as on its other side.
  std::string limit = result.limit ? metric_text(result.metric, *result.limit, 1) : "";
  std::vector<double> worst = result.points;
  const bool cut = worst.size() > most_points;
  if (cut && result.direction == Direction::at_most) std::ranges::sort(worst, std::ranges::greater());
  if (cut && result.direction == Direction::at_least) std::ranges::sort(worst);
  for (size_t i = 0; i < std::min(most_points, worst.size()); ++i) {
    const ShownPair shown = result.limit ? shown_beside(result.metric, worst[i], *result.limit)
                                         : ShownPair{metric_text(result.metric, worst[i], 1), ""};
    points += (i == 0 ? "" : ", ") + shown.value;
    if (shown.limit.size() > limit.size()) limit = shown.limit;
  }
  const std::string_view each = result.nodes.empty() ? "result" : "node";
  if (cut)
    points = fmt::format("the {} worst of {} {}s: {}", most_points, worst.size(), each, points);
  else if (!points.empty())
    points = fmt::format("every {}: {}", each, points);
  if (result.withheld && result.nodes.empty())
    points = "no ratio is printed, as said under Results and criteria";
  Fields row;
  row.text("id", result.id)
      .text("severity", to_string(result.severity))
      .text("n", result.verdict == Verdict::undecided && result.n < result.runs_min
                     ? fmt::format("{} of the needed {}", result.n, result.runs_min)
                     : fmt::format("{}", result.withheld ? 0 : result.n))
      .text_if("aggregate", result.n > 1 ? result.aggregate : "")
      .text_if("beside", beside(result))
      .text_if("waiver", waiver_text(result))
      .text("metric", capitalised(metric_title(result.metric)))
      .text("limit", result.limit      ? fmt::format("{} {}", relation(result.direction, true), limit)
                     : result.is_short ? "every result correct"
                                       : "every result valid")
      .text_if("asks_for", conditions_text(result))
      .text("source", result.limit_source)
      .text_if("points", points)
      .text_if("path", result.evidence_path)
      .text("sha256", result.evidence_sha256);
  return row;
}

/// The criteria of a text without comments and layout, so that a diff shows their content.
std::string criteria_of(const CriteriaRevision& criteria) {
  const auto frozen = frozen_criteria(criteria.text, criteria.name, {});
  return frozen ? *frozen : criteria.text;
}

/// What each revision of the criteria changed.
std::vector<Fields> revision_diffs(const std::vector<RevisionVerdict>& all) {
  std::vector<Fields> rows;
  for (size_t i = 1; i < all.size(); ++i) {
    const CriteriaRevision& now = all[i].criteria;
    const CriteriaRevision& before = all[i - 1].criteria;
    rows.push_back(Fields()
                       .text("number", fmt::format("{}", now.number))
                       .text("before", fmt::format("{}", before.number))
                       .text("when", utc_text(now.at_s))
                       .text("reason", now.reason)
                       .text("sha256", criteria_sha256(now))
                       .text("before_sha256", criteria_sha256(before))
                       .text("diff", line_diff(criteria_of(before), criteria_of(now))));
  }
  return rows;
}

void put_criteria(Fields& section, const ReportInput& input) {
  const CriteriaRevision judging = judging_criteria(input.campaign);
  std::vector<Fields> rows;
  for (const CriterionResult& result : input.judgement.criteria)
    if (rows.size() < most_limits) rows.push_back(criterion(result));
  std::vector<Fields> reliability;
  for (const ReliabilityRow& row : input.judgement.reliability)
    if (is_informative(row)) reliability.push_back(reliability_row(row, input));
  section.flag("has_reliability", !input.judgement.reliability.empty() && !is_external(input.campaign))
      .flag("screening", is_screening(input.campaign))
      .text("not_valid_title",
            input.judgement.reliability.empty()
                ? ""
                : fmt::format("Result {}", not_valid_word(input.judgement.reliability.front().not_valid,
                                                          input.judgement.reliability.front().unknown)))
      .list("reliability", std::move(reliability));
  section.flag("has_criteria", !rows.empty())
      .flag("has_nodes", !input.judgement.node_screens.empty())
      .list("criteria", std::move(rows))
      .text("criteria_name", criteria_file_text(judging))
      .text("criteria_when", judging.number == 1
                                 ? std::string("as it was when the run was planned")
                                 : fmt::format("revision {} of {}", judging.number, utc_text(judging.at_s)))
      .text("criteria_sha256", criteria_sha256(judging))
      .text_if("criteria_text", judging.text)
      .list("revisions", revision_diffs(input.judgement.revisions));
}

std::vector<ContentsLine> limits_contents(const ReportInput& /*input*/) {
  return {{"limits", "Criteria and limits"}};
}

Result<std::string> limits_section(const ReportInput& input) {
  Fields section;
  put_criteria(section, input);
  return filled("limits.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection limits;
const ReportSection limits = {.rank = 70, .contents = limits_contents, .html = limits_section};
}  // namespace report_section

}  // namespace shakedown
