#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "orchestrator/core/time.hpp"
#include "reports/formats/format.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/run_state.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

/// A cell as RFC 4180 quotes it. A spreadsheet must not take a text for a formula: an apostrophe stands
/// before one that begins like it (OWASP, "CSV Injection").
std::string cell(std::string_view text) {
  std::string out;
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) out = "'";
  out += text;
  if (out.find_first_of(",\"\r\n") == std::string::npos) return out;
  std::string quoted = "\"";
  for (const char c : out) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void add_row(std::string& text, std::initializer_list<std::string> cells) {
  std::string_view before;
  for (const std::string& each : cells) {
    text.append(before).append(each);
    before = ",";
  }
  text += '\n';
}

std::string count_text(int count) {
  return count > 0 ? std::to_string(count) : "";
}

/// A row for each set of runs that a suite's rules score together: its score, or none.
void add_set(std::string& text, const MeasuredCampaign& measured, const SetScore& set) {
  const CampaignRecord& campaign = measured.record;
  const MeasuredCase* of = case_of_set(measured, set);
  const Case planned = of == nullptr ? Case() : of->planned;
  add_row(text, {cell(campaign.id),
                 cell(campaign.system),
                 cell(short_set_name(campaign, set)),
                 cell(set.suite),
                 cell(planned.implementation),
                 count_text(planned.nodes),
                 count_text(planned.ranks),
                 "",
                 "",
                 "",
                 "",
                 "",
                 std::string(to_string(set.validity)),
                 "",
                 has_score(set) ? "yes" : "no",
                 "score_min",
                 set.score_min ? fmt::format("{}", *set.score_min) : "",
                 cell(metric_unit("score_min")),
                 "",
                 "",
                 cell(set_words(measured, set))});
}

/// A row for each metric of a result. `number`: of the result in its attempt, from 1.
void add_result(std::string& text, const CampaignRecord& campaign, const MeasuredCase& measured,
                const AttemptRecord& attempt, const ResultRecord& result, size_t number) {
  const Case& planned = measured.planned;
  const bool counts = usable(result) && std::ranges::any_of(measured.own, [&](const CountedResult& each) {
                        return each.result == &result;
                      });
  const std::string remark = valid_but_for_length(campaign, result) ? correct_but_short(result.parsed.suite)
                                                                    : std::string(unreviewed_mark(planned));
  for (const Metric& metric : result.parsed.metrics) {
    if (!std::isfinite(metric.value)) continue;
    add_row(text, {cell(campaign.id),
                   cell(campaign.system),
                   cell(planned.id),
                   cell(result.parsed.suite),
                   cell(result.parsed.implementation),
                   count_text(planned.nodes),
                   count_text(planned.ranks),
                   std::to_string(attempt.index),
                   std::string(to_string(attempt.state)),
                   attempt.started_s > 0 ? utc_text(attempt.started_s) : "",
                   cell(attempt.hosts),
                   std::to_string(number),
                   std::string(to_string(result.validity)),
                   run_state_text(campaign, measured, attempt, &result),
                   counts ? "yes" : "no",
                   cell(metric.name),
                   fmt::format("{}", metric.value),
                   cell(metric_unit(metric.name)),
                   cell(result.file),
                   count_text(metric.line),
                   cell(remark)});
  }
}

Result<std::string> render_csv(const ReportSource& source) {
  const MeasuredCampaign& measured = source.campaign;
  std::string text =
      "campaign,system,case,suite,implementation,nodes,ranks,attempt,state,started,hosts,result,validity,"
      "result_state,counts,metric,"
      "value,unit,file,line,remark\n";
  for (const MeasuredCase& each : measured.cases)
    for (const AttemptRecord& attempt : each.attempts)
      for (size_t i = 0; i < attempt.results.size(); ++i)
        add_result(text, measured.record, each, attempt, attempt.results[i], i + 1);
  for (const SetScore& set : measured.record.set_scores) add_set(text, measured, set);
  return text;
}

}  // namespace

namespace report_format {
extern const ReportFormat csv;
const ReportFormat csv = {.id = "csv", .file_name = "results.csv", .render = render_csv};
}  // namespace report_format

}  // namespace shakedown
