#include "reports/formats/format.hpp"
#include "reports/html/page.hpp"

namespace shakedown {

namespace {

Result<std::string> render_html(const ReportSource& source) {
  const ReportInput input{source.campaign, source.judgement, source.baseline, source.results_sha256()};
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
