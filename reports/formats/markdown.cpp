#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/other_cases.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/each_node.hpp"
#include "reports/judge/next_step.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/run_state.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

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

std::string value_text(const CriterionResult& result, const MeasuredCampaign& measured) {
  if (result.withheld || !result.measured) {
    if (result.verdict == Verdict::invalid) return "invalid";
    if (result.verdict != Verdict::pass || result.limit) return std::string(dash);
    return result.is_short ? "complete" : "valid";
  }
  return (result.limit ? shown_beside(result.metric, *result.measured, *result.limit).value
                       : metric_text(result.metric, *result.measured)) +
         with_comma(unreviewed_mark(measured.record, result.suite, result.case_id));
}

std::string limit_text(const CriterionResult& result) {
  if (!result.limit) return std::string(dash);
  return fmt::format("{} {}", relation(result.direction, true),
                     result.measured ? shown_beside(result.metric, *result.measured, *result.limit).limit
                                     : metric_text(result.metric, *result.limit));
}

void add_criteria(std::string& text, const Judgement& judgement, const MeasuredCampaign& measured) {
  if (judgement.criteria.empty()) return;
  text += "\n| criterion | | measured | limit | verdict | because |\n|---|---|---|---|---|---|\n";
  for (const CriterionResult& each : judgement.criteria) {
    std::string because = each.because + (each.covers.empty() ? "" : " (" + each.covers + ")");
    for (const std::string& reason : node_reasons(each)) because += "; " + reason;
    const std::string_view bold = each.verdict == Verdict::pass ? "" : "**";
    text += fmt::format("| {} | {} | {} | {} | {}{}{} | {} |\n", markdown_text(each.id),
                        each.severity == CriterionSeverity::mandatory ? "mandatory" : "advisory",
                        markdown_text(value_text(each, measured)), markdown_text(limit_text(each)), bold,
                        verdict_text(each), bold, markdown_text(because));
  }
}

/// "30.94 GFLOP/s": of several nodes "30.94 GFLOP/s (median; 5.914 GFLOP/s to 31.20 GFLOP/s); without cn063".
std::string result_text(const LikeResults& like, const MeasuredCampaign& measured) {
  const SuiteResult& first = *like.results.front();
  std::vector<double> values;
  for (const SuiteResult* each : like.results)
    if (each->measured) values.push_back(*each->measured);
  if (values.empty()) return first.absent;
  const auto [least, most] = std::ranges::minmax(values);
  std::string text = metric_text(first.metric, median(values));
  if (values.size() > 1)
    text +=
        fmt::format(" (median; {} to {})", metric_text(first.metric, least), metric_text(first.metric, most));
  if (values.size() < like.results.size())
    text += like.repeated ? fmt::format("; {} without a result", like.results.size() - values.size())
                          : fmt::format("; without {}", nodes_without_value(like, measured));
  return text;
}

void add_results(std::string& text, const Judgement& judgement, const MeasuredCampaign& measured) {
  if (judgement.suite_results.empty()) return;
  text += "\n| benchmark | case | measured | results |\n|---|---|---|---|\n";
  for (const LikeResults& like : like_results(judgement.suite_results, measured)) {
    const SuiteResult& first = *like.results.front();
    const bool any =
        std::ranges::any_of(like.results, [](const SuiteResult* each) { return each->measured.has_value(); });
    int results = 0;
    for (const SuiteResult* each : like.results) results += each->n;
    text += fmt::format(
        "| {} {} | {} | {} | {} |\n", markdown_text(benchmark_title(measured, first.case_id, first.suite)),
        markdown_text(metric_title(first.metric)),
        markdown_text(first.case_id + (like.results.size() > 1
                                           ? fmt::format(" and {} like it", like.results.size() - 1)
                                           : "")),
        markdown_text(result_text(like, measured) +
                      (any ? with_comma(unreviewed_mark(measured.record, first.suite, first.case_id)) : "")),
        results);
  }
}

std::string set_title(const MeasuredCampaign& measured, const SetScore& set) {
  const MeasuredCase* of = case_of_set(measured, set);
  return of == nullptr ? suite_title(set.suite) : benchmark_title(of->planned);
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
        markdown_text(set_title(measured, set)), markdown_text(set.benchmark),
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
  const NextStep next =
      next_step(measured, judgement, source.workspace, source.workspace / "campaigns" / campaign.id);
  if (const std::string words = next_step_words(next); !words.empty())
    text += fmt::format("\nNext: {}\n", markdown_text(words));
  add_list(text, "Alarms", judgement.alarms);
  add_criteria(text, judgement, measured);
  add_results(text, judgement, measured);
  add_sets(text, measured);
  std::vector<std::string> disturbances;
  disturbances.reserve(judgement.disturbances.size());
  for (const Disturbance& each : judgement.disturbances) disturbances.push_back(each.sentence);
  add_list(text, "Disturbances", disturbances);
  add_list(text, "Exceptions", exceptions(campaign, judgement));
  if (const std::string notice = reference_notice(judgement); !notice.empty())
    text += fmt::format("\n{}.\n", markdown_text(notice));
  if (judgement.redaction) text += fmt::format("\n{}\n", markdown_text(judgement.redaction->what));
  const std::string sha256 = source.results_sha256();
  text += judgement.redaction  // the id is a replacement
              ? fmt::format("\nresults.json has SHA-256 `{}`.\n", sha256)
              : fmt::format("\n`{}` writes results.json, SHA-256 `{}`.\n",
                            printable_line(command_for(fmt::format("report {} --format json", campaign.id),
                                                       source.workspace)),
                            sha256);
  return text;
}

}  // namespace

namespace report_format {
extern const ReportFormat markdown;
const ReportFormat markdown = {.id = "markdown", .file_name = "report.md", .render = render_markdown};
}  // namespace report_format

}  // namespace shakedown
