#include <future>
#include <vector>

#include "orchestrator/core/parallel.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/page.hpp"

namespace shakedown {

namespace {

Result<std::string> render_html(const ReportSource& source) {
  // results.json, whose hash some sections state, and sections, which know nothing of each other, are made at
  // once.
  const ReportInput input{source.campaign, source.judgement, source.baseline,
                          std::async(std::launch::async, [&] { return source.results_sha256(); }),
                          source.workspace};
  const std::vector<const ReportSection*> sections = sections_in_order();
  std::vector<Result<std::string>> made(sections.size());
  for_each_index(sections.size(), usable_cpus(), [&](std::size_t i) { made[i] = sections[i]->html(input); });
  std::string page;
  for (const Result<std::string>& section : made) {
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
