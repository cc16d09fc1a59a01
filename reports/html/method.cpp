#include "reports/html/glossary.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

std::vector<ContentsLine> method_contents(const ReportInput& /*input*/) {
  return {{"method", "Method and limits of this report"}, {"glossary", "Glossary"}};
}

Result<std::string> method_section(const ReportInput& input) {
  Fields section;
  section.flag("screening", is_screening(input.campaign)).flag("external", is_external(input.campaign));
  section.list("terms", rows_of(glossary_of(input), [](const GlossaryTerm* term) {
                 return Fields().text("id", term->id).text("term", term->term).text("means", term->means);
               }));
  return filled("method.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection method;
const ReportSection method = {.rank = 90, .contents = method_contents, .html = method_section};
}  // namespace report_section

}  // namespace shakedown
