#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
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

/// The last lines of what a browser wrote: the ones before are about the machine, not about the page.
std::string last_lines(std::string_view text) {
  constexpr std::size_t most = 600;
  text = text.substr(0, text.find_last_not_of(" \n\r\t") + 1);
  if (text.empty()) return "it wrote nothing";
  return std::string(text.size() > most ? text.substr(text.size() - most) : text);
}

/// The HTML report as Chromium prints it. A PDF states when it was made: no two are the same bytes.
Result<std::string> render_pdf(const ReportSource& source) {
  auto page = report_format::html.render(source);
  if (!page) return page;
  const PrivateFolder folder;
  const fs::path html = folder.path() / "report.html";
  const fs::path pdf = folder.path() / "report.pdf";
  if (auto written = write_file(html, *page); !written) return failure_of(written);
  for (const std::string_view browser : browsers) {
    if (program_in_path(browser).empty()) continue;
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
    constexpr std::string_view by_hand = "write the report as html and print it in a browser";
    if (!printed) return failure_of(printed, by_hand);
    auto content = file_content(pdf);
    if (content && content->starts_with("%PDF-")) return content;
    return fail_environment(std::string(browser),
                            fmt::format("printed no PDF, and ended with exit code {}: {}", printed->exit_code,
                                        printable(last_lines(printed->text))),
                            std::string(by_hand));
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
