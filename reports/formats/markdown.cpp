#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {

namespace {

/// A text on one line in which nothing is markup: CommonMark takes any ASCII punctuation behind a backslash
/// as itself.
std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : printable_line(text)) {
    if (std::string_view("\\`*_[]<>|#&~!").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// ", unverified"; empty: nothing must stand beside the value.
std::string with_comma(std::string_view mark) {
  return mark.empty() ? "" : fmt::format(", {}", mark);
}

std::string value_text(const CriterionResult& result, const CampaignRecord& campaign) {
  if (result.withheld || !result.measured)
    return result.verdict == Verdict::pass && !result.limit ? "valid" : std::string(dash);
  return (result.limit ? shown_beside(result.metric, *result.measured, *result.limit).value
                       : metric_text(result.metric, *result.measured)) +
         with_comma(unreviewed_mark(campaign, result.suite, result.case_id));
}

std::string limit_text(const CriterionResult& result) {
  if (!result.limit) return std::string(dash);
  return fmt::format("{} {}", relation(result.direction, true),
                     result.measured ? shown_beside(result.metric, *result.measured, *result.limit).limit
                                     : metric_text(result.metric, *result.limit));
}

void add_criteria(std::string& text, const Judgement& judgement, const CampaignRecord& campaign) {
  if (judgement.criteria.empty()) return;
  text += "\n| criterion | | measured | limit | verdict | because |\n|---|---|---|---|---|---|\n";
  for (const CriterionResult& each : judgement.criteria) {
    std::string because = each.because + (each.covers.empty() ? "" : " (" + each.covers + ")");
    for (const std::string& reason : node_reasons(each)) because += "; " + reason;
    const std::string_view bold = each.verdict == Verdict::pass ? "" : "**";
    text += fmt::format("| {} | {} | {} | {} | {}{}{} | {} |\n", markdown_text(each.id),
                        each.severity == CriterionSeverity::mandatory ? "mandatory" : "advisory",
                        markdown_text(value_text(each, campaign)), markdown_text(limit_text(each)), bold,
                        verdict_text(each), bold, markdown_text(because));
  }
}

void add_results(std::string& text, const Judgement& judgement, const CampaignRecord& campaign) {
  if (judgement.suite_results.empty()) return;
  text += "\n| benchmark | case | measured | results |\n|---|---|---|---|\n";
  for (const SuiteResult& each : judgement.suite_results)
    text += fmt::format(
        "| {} {} | {} | {} | {} |\n", markdown_text(suite_title(each.suite)),
        markdown_text(metric_title(each.metric)), markdown_text(each.case_id),
        markdown_text(each.measured ? metric_text(each.metric, *each.measured) +
                                          with_comma(unreviewed_mark(campaign, each.suite, each.case_id))
                                    : each.absent),
        each.n);
}

void add_sets(std::string& text, const MeasuredCampaign& measured) {
  const auto& sets = measured.record.set_scores;
  if (sets.empty()) return;
  text +=
      "\n| set of runs | benchmark | score | what it is | runs | converged | validity "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const SetScore& set : sets)
    text += fmt::format(
        "| {} | {} {} | {} | {} | {} | {} | {} |\n", markdown_text(short_set_name(measured.record, set)),
        markdown_text(suite_title(set.suite)), markdown_text(set.benchmark),
        set.score_min ? metric_text("score_min", *set.score_min, 2) : std::string(dash),
        markdown_text(set_words(measured, set)), set.runs, set.converged, to_string(set.validity));
}

void add_list(std::string& text, std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  text += fmt::format("\n{}:\n\n", title);
  for (const std::string& item : items) text += "- " + markdown_text(item) + "\n";
}

Result<std::string> render_markdown(const ReportSource& source) {
  const MeasuredCampaign& measured = source.campaign;
  const Judgement& judgement = source.judgement;
  const CampaignRecord& campaign = measured.record;
  std::string text = fmt::format("### {}: {}\n\nCampaign {}, {}, {}{}.\n", markdown_text(campaign.system),
                                 markdown_text(judgement.sentence), markdown_text(campaign.id), campaign.kind,
                                 utc_text(campaign.created_s),
                                 campaign.finished_s > 0 ? " to " + utc_text(campaign.finished_s) : "");
  for (const std::string& counts : {criteria_counts(judgement), run_counts(judgement.tally)})
    if (!counts.empty()) text += fmt::format("\n{}\n", markdown_text(counts));
  add_list(text, "Alarms", judgement.alarms);
  add_criteria(text, judgement, campaign);
  add_results(text, judgement, campaign);
  add_sets(text, measured);
  std::vector<std::string> disturbances;
  disturbances.reserve(judgement.disturbances.size());
  for (const Disturbance& each : judgement.disturbances) disturbances.push_back(each.sentence);
  add_list(text, "Disturbances", disturbances);
  add_list(text, "Exceptions", exceptions(campaign, judgement));
  if (const std::string notice = reference_notice(judgement); !notice.empty())
    text += fmt::format("\n{}.\n", markdown_text(notice));
  if (judgement.redaction) text += fmt::format("\n{}\n", markdown_text(judgement.redaction->what));
  text += fmt::format("\nresults.json has SHA-256 `{}`.\n", source.results_sha256());
  return text;
}

}  // namespace

namespace report_format {
extern const ReportFormat markdown;
const ReportFormat markdown = {.id = "markdown", .file_name = "report.md", .render = render_markdown};
}  // namespace report_format

}  // namespace shakedown
