#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/judge/judgement.hpp"

namespace shakedown {

/// What a report is rendered from. results.json, whose hash several formats state, is rendered once.
class ReportSource {
 public:
  ReportSource(const MeasuredCampaign& measured, const Judgement& judged, const Baseline* published = nullptr,
               std::filesystem::path folder = default_workspace)
      : campaign(measured), judgement(judged), baseline(published), workspace(std::move(folder)) {}

  const MeasuredCampaign& campaign;
  const Judgement& judgement;
  const Baseline* baseline;
  const std::filesystem::path workspace;  ///< where the commands of the report find the campaign

  /// The text of results.json.
  [[nodiscard]] const std::string& results() const;
  /// Its SHA-256.
  [[nodiscard]] const std::string& results_sha256() const;

 private:
  mutable std::string results_;
  mutable std::string results_sha256_;
};

/// A report format: one constant per reports/formats/*.cpp. The same campaign gives the same bytes.
struct ReportFormat {
  std::string_view id;         ///< "html", "json"
  std::string_view file_name;  ///< "report.html", "results.json"
  Result<std::string> (*render)(const ReportSource&) = nullptr;
};

/// All formats, from reports/formats/*.cpp.
std::span<const ReportFormat* const> report_formats();

/// A format by its id. Fails with the nearest name and all of them.
Result<const ReportFormat*> report_format_named(std::string_view id);

}  // namespace shakedown
