#include "reports/formats/format.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "orchestrator/core/text.hpp"

namespace shakedown {

Result<const ReportFormat*> report_format_named(std::string_view id) {
  const auto known = report_formats();
  const auto found = std::ranges::find(known, id, &ReportFormat::id);
  if (found != known.end()) return *found;
  std::vector<std::string> names;
  for (const ReportFormat* each : known) names.emplace_back(each->id);
  return fail("--format", fmt::format("no report format '{}'{}", id, did_you_mean(id, names)),
              fmt::format("formats: {}", joined(names, ", ")));
}

}  // namespace shakedown
