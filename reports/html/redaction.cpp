#include "reports/html/page.hpp"

namespace shakedown {
namespace {

Result<std::string> redaction_section(const ReportInput& input) {
  const auto& redaction = input.judgement.redaction;
  if (!redaction) return std::string();
  Fields section;
  section.text("what", redaction->what).text("results_sha256", redaction->results_sha256);
  return filled("redaction.mustache", section);
}

std::vector<ContentsLine> redaction_contents(const ReportInput& input) {
  if (!input.judgement.redaction) return {};
  return {{"redaction", "What was redacted"}};
}

}  // namespace

namespace report_section {
extern const ReportSection redaction;
const ReportSection redaction = {.rank = 1, .contents = redaction_contents, .html = redaction_section};
}  // namespace report_section

}  // namespace shakedown
