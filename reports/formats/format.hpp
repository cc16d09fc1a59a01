#pragma once
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// A report format: one constant per reports/formats/*.cpp. The same campaign gives the same bytes.
struct ReportFormat {
  std::string_view id;         ///< "html", "json"
  std::string_view file_name;  ///< "report.html", "results.json"
  Result<std::string> (*render)(const MeasuredCampaign&, const Judgement&, const Baseline*) = nullptr;
};

/// All formats, from reports/formats/*.cpp.
std::span<const ReportFormat* const> report_formats();

/// A format by its id. Fails with the nearest name and all of them.
Result<const ReportFormat*> report_format_named(std::string_view id);

}  // namespace shakedown
