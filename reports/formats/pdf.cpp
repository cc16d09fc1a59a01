#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "orchestrator/core/file.hpp"
#include "orchestrator/launch/process.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {

namespace report_format {
extern const ReportFormat html;
}  // namespace report_format

namespace {

constexpr double print_limit_s = 120;

/// The browsers that print without a window, by their names in Debian, Fedora and Google's packages.
constexpr std::array<std::string_view, 4> browsers = {"chromium", "chromium-browser", "google-chrome",
                                                      "google-chrome-stable"};

/// The HTML report as Chromium prints it. A PDF states when it was made: no two are the same bytes.
Result<std::string> render_pdf(const MeasuredCampaign& campaign, const Judgement& judgement,
                               const Baseline* baseline) {
  auto page = report_format::html.render(campaign, judgement, baseline);
  if (!page) return page;
  const PrivateFolder folder;
  const fs::path html = folder.path() / "report.html";
  const fs::path pdf = folder.path() / "report.pdf";
  if (auto written = write_file(html, *page); !written) return failure_of(written);
  for (const std::string_view browser : browsers) {
    std::vector<std::string> argv = {std::string(browser),
                                     "--headless",
                                     "--disable-gpu",
                                     "--no-first-run",
                                     "--no-pdf-header-footer",
                                     "--print-to-pdf-no-header",
                                     "--user-data-dir=" + (folder.path() / "profile").string(),
                                     "--print-to-pdf=" + pdf.string()};
    if (geteuid() == 0) argv.emplace_back("--no-sandbox");  // it refuses to start for root otherwise
    argv.push_back("file://" + html.string());
    const auto printed = command_output(argv, print_limit_s);
    if (!printed) continue;
    auto content = file_content(pdf);
    if (content && content->starts_with("%PDF-")) return content;
    return fail(std::string(browser), fmt::format("printed no PDF: {}", printed->text),
                "write the report as html and print it in a browser");
  }
  return fail_environment(
      "--format pdf", fmt::format("no Chromium was found here ({})", fmt::join(browsers, ", ")),
      "install one (Debian: apt-get install chromium), or write html and print it in a browser");
}

}  // namespace

namespace report_format {
extern const ReportFormat pdf;
const ReportFormat pdf = {.id = "pdf", .file_name = "report.pdf", .render = render_pdf};
}  // namespace report_format

}  // namespace shakedown
