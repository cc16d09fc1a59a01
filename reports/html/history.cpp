#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_accepted = 12;
constexpr std::size_t most_values = 6;

Fields accepted_row(const AcceptedBefore& before) {
  std::vector<std::string> values;
  for (const AcceptedMeasurement& each : before.measured)
    if (values.size() < most_values)
      values.push_back(fmt::format("{} {}", each.criterion, metric_text(each.metric, each.value)));
  if (before.measured.size() > most_values)
    values.push_back(fmt::format("{} more", before.measured.size() - most_values));
  return Fields()
      .text("when", utc_text(before.acceptance.at_s))
      .text("campaign", before.acceptance.campaign)
      .text("by", before.acceptance.by)
      .text("why", before.acceptance.why)
      .text_if("part", before.acceptance.part ? "a part: it measured again what changed" : "")
      .text("values", joined(values, "; "))
      .text("verdict", before.verdict.empty()
                           ? "not in this store"
                           : capitalised(before.verdict.substr(0, before.verdict.find(": "))));
}

std::vector<ContentsLine> history_contents(const ReportInput& input) {
  if (input.judgement.history.empty()) return {};
  return {{"history", "Accepted campaigns"}};
}

Result<std::string> history_section(const ReportInput& input) {
  const auto& all = input.judgement.history;
  if (all.empty()) return std::string();
  const std::size_t more = all.size() - std::min(most_accepted, all.size());
  Fields section;
  section.text("system", input.campaign.system)
      .list("accepted", rows_of(std::span(all).subspan(more), accepted_row))
      .text_if("more",
               more > 0 ? fmt::format("{} earlier ones in accepted.jsonl of the workspace.", more) : "");
  return filled("history.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection history;
const ReportSection history = {.rank = 25, .contents = history_contents, .html = history_section};
}  // namespace report_section

}  // namespace shakedown
