#include <algorithm>

#include "orchestrator/core/hash.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/like_nodes.hpp"
#include "reports/html/page.hpp"

namespace shakedown {

namespace report_format {
extern const ReportFormat json;
}  // namespace report_format

namespace {

Result<std::string> render_html(const CampaignRecord& campaign, const Judgement& judgement,
                                const Baseline* baseline) {
  const auto results = report_format::json.render(campaign, judgement, baseline);
  if (!results) return failure_of(results);
  const ReportInput input{campaign, judgement, baseline, sha256(*results)};
  auto page = summary_section(input);
  if (!page) return page;
  for (const auto& section : {regression_section(input), nodes_section(input), orientation_section(input)}) {
    if (!section) return section;
    *page += *section;
  }
  const std::vector<bool> sections = sections_of(campaign);
  // Sections are filled one by one, so that memory is bounded by the page and its largest section.
  for (size_t i = 0; i < campaign.cases.size(); ++i) {
    if (!sections[i]) continue;
    const auto section = case_section(campaign, campaign.cases[i]);
    if (!section) return section;
    *page += *section;
  }
  for (const auto& section :
       {other_cases_section(campaign), set_scores_section(campaign), closing_section(input)}) {
    if (!section) return section;
    *page += *section;
  }
  return page;
}

}  // namespace

namespace report_format {
extern const ReportFormat html;
const ReportFormat html = {.id = "html", .file_name = "report.html", .render = render_html};
}  // namespace report_format

}  // namespace shakedown
