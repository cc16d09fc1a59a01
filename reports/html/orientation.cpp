#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/comparison_table.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::string count(const std::optional<int>& number) {
  return number ? fmt::format("{}", *number) : std::string(dash);
}

Fields value_row(const PublishedValue& published) {
  const std::string name = published.benchmark.empty()
                               ? suite_title(published.suite)
                               : fmt::format("{} {}", suite_title(published.suite), published.benchmark);
  const SuiteFacts* facts = suite_facts(published.suite);
  const bool no_arithmetic = facts != nullptr && !facts->counts_arithmetic;
  return Fields()
      .text("metric", fmt::format("{} {}", name, metric_title(published.metric)))
      .text("value", metric_text(published.metric, published.value))
      .text("precision", !published.precision.empty() ? published.precision
                         : no_arithmetic              ? std::string(dash)
                                                      : "not stated")
      .text("nodes", count(published.nodes))
      .text("gpus", count(published.gpus))
      .text("bound_by", published.bound_by.empty() ? "not stated" : published.bound_by)
      .text("source", published.status == BaselineStatus::ok
                          ? published.source
                          : fmt::format("{}; {}", published.source, to_string(published.status)));
}

Fields ratio_row(const OrientationRatio& ratio) {
  const auto shown = [&](const std::optional<double>& value) {
    if (!value) return std::string(dash);
    return ratio.share ? percent_text(*value) : number(*value, 3);
  };
  return Fields()
      .text("name", ratio.name)
      .text("here", shown(ratio.here))
      .text("here_on", ratio.here_on)
      .text("there", shown(ratio.there))
      .text("there_on", ratio.there_on)
      .text("says", capitalised(ratio.says));
}

/// "MLPerf values: result not verified by MLCommons Association."; empty: no suite demands such a sentence.
std::string unreviewed(const std::vector<PublishedValue>& values) {
  for (const PublishedValue& published : values)
    if (const SuiteFacts* facts = suite_facts(published.suite); facts != nullptr && facts->unreviewed) {
      const std::string_view text = facts->unreviewed->footnote;
      return fmt::format("{} values: {}{}", facts->title, lower(text.substr(0, 1)), text.substr(1));
    }
  return "";
}

std::vector<ContentsLine> orientation_contents(const ReportInput& input) {
  if (!input.judgement.orientation) return {};
  return {{"orientation", "Orientation, not comparison"}};
}

Result<std::string> orientation_section(const ReportInput& input) {
  const auto& orientation = input.judgement.orientation;
  if (!orientation || input.baseline == nullptr) return std::string();
  Fields section;
  section.text("baseline", input.baseline->title)
      .text("why", orientation->why)
      .text("source", input.baseline->source)
      .text_if("folded", input.campaign.kind == "screening" ? "Its published values" : "")
      .list("values", rows_of(orientation->values, value_row))
      .text_if("unreviewed", unreviewed(orientation->values))
      .flag("has_conditions", !orientation->conditions.empty())
      .text("published_name", input.baseline->name == "sakuraone" ? "SAKURAONE" : input.baseline->name)
      .list("conditions", rows_of(orientation->conditions,
                                  [](const OrientationCondition& each) {
                                    return Fields()
                                        .text("condition", fmt::format("{}{}{}: {}", suite_title(each.suite),
                                                                       each.of.empty() ? "" : ", ", each.of,
                                                                       condition_name(each.condition)))
                                        .text("there", each.there)
                                        .text("here", each.here)
                                        .text("comparable", each.is_known ? "no" : "not known");
                                  }))
      .flag("has_ratios", !orientation->ratios.empty())
      .list("ratios", rows_of(orientation->ratios, ratio_row));
  return filled("orientation.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection orientation;
const ReportSection orientation = {.rank = 30, .contents = orientation_contents, .html = orientation_section};
}  // namespace report_section

}  // namespace shakedown
