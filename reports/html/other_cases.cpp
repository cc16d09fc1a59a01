#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/html/like_nodes.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

Fields row(const CaseRecord& record) {
  std::string ended = "not started";
  std::string wall = "–";
  std::string result = "not run";
  if (!record.attempts.empty()) {
    const AttemptRecord& last = record.attempts.back();
    ended = to_string(last.state);
    if (last.exit_code) ended += fmt::format(", exit {}", *last.exit_code);
    if (last.finished_s > 0) wall = duration_text(last.wall_s);
    result = last.failure;
    if (result.empty()) result = record.planned.parser.empty() ? "output is not parsed" : "no result";
  }
  if (!record.not_run.empty())
    result = fmt::format("not run: {}{}{}", record.not_run, record.attempts.empty() ? "" : "; ",
                         record.attempts.empty() ? "" : result);
  if (const auto counted = counted_results(record); !counted.empty()) {
    const std::string_view metric = rate_metric(record.planned.suite);
    const Metric* rate = counted.back().result->parsed.metric(metric);
    result = fmt::format("{}{}", rate == nullptr ? "" : metric_text(metric, rate->value) + ", ",
                         to_string(counted.back().result->validity));
  }
  return Fields()
      .text("id", record.planned.id)
      .text("suite", suite_title(record.planned.suite))
      .text("attempts", fmt::format("{}", record.attempts.size()))
      .text("ended", ended)
      .text("wall", wall)
      .text("result", result);
}

std::vector<ContentsLine> other_cases_contents(const ReportInput& input) {
  const std::vector<bool> sections = sections_of(input.campaign);
  if (std::ranges::find(sections, false) == sections.end()) return {};
  return {{"other-cases", "Other cases"}};
}

Result<std::string> other_cases_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  static constexpr size_t most_rows = 2000;
  std::vector<Fields> rows;
  size_t others = 0;
  const std::vector<bool> sections = sections_of(campaign);
  for (size_t i = 0; i < campaign.cases.size(); ++i) {
    if (sections[i]) continue;
    ++others;
    if (rows.size() < most_rows) rows.push_back(row(campaign.cases[i]));
  }
  if (others == 0) return std::string();
  Fields section;
  section.text("title", "Other cases")
      .text("about",
            "Cases that left no result, nodes and repetitions that measured like the others, and cases "
            "beyond the number "
            "that is shown in "
            "full. All evidence of them is in results.json.")
      .list("cases", std::move(rows))
      .text_if("more", others > most_rows ? fmt::format("{} more in results.json.", others - most_rows) : "");
  return filled("cases.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection other_cases;
const ReportSection other_cases = {.rank = 50, .contents = other_cases_contents, .html = other_cases_section};
}  // namespace report_section

}  // namespace shakedown
