#include "orchestrator/core/hash.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/page.hpp"

namespace shakedown {

namespace report_format {
extern const ReportFormat json;
}  // namespace report_format

namespace {

Result<std::string> render_html(const MeasuredCampaign& campaign, const Judgement& judgement,
                                const Baseline* baseline) {
  const auto results = report_format::json.render(campaign, judgement, baseline);
  if (!results) return failure_of(results);
  const ReportInput input{campaign, judgement, baseline, sha256(*results)};
  std::string page;
  // Sections are filled one by one, so that memory is bounded by the page and its largest section.
  for (const ReportSection* each : sections_in_order()) {
    const auto section = each->html(input);
    if (!section) return section;
    page += *section;
  }
  return page;
}

}  // namespace

namespace report_format {
extern const ReportFormat html;
const ReportFormat html = {.id = "html", .file_name = "report.html", .render = render_html};
}  // namespace report_format

}  // namespace shakedown
