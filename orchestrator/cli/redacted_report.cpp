#include "orchestrator/cli/redacted_report.hpp"

#include <optional>
#include <set>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/formats/format.hpp"
#include "reports/redact/redacted.hpp"

namespace shakedown {
Result<RedactedReport> redacted_report(const Workspace& workspace, const std::string& id,
                                       const std::filesystem::path& folder,
                                       const std::vector<std::string>& formats) {
  auto outcome = judged_campaign(workspace, id, installed_layout());
  if (!outcome) return failure_of(outcome);
  const auto json = report_format_named("json");
  if (!json) return failure_of(json);
  const std::optional<Baseline>& published = outcome->baseline;
  const Baseline* baseline = published ? &*published : nullptr;
  const auto results = (*json)->render({outcome->campaign, outcome->judgement, baseline});
  if (!results) return failure_of(results);
  RedactedCampaign made = redacted(outcome->campaign, outcome->judgement, baseline, sha256(*results));
  std::set<std::string> doubtful;
  std::vector<std::pair<std::filesystem::path, std::string>> files;
  for (const std::string& name : formats) {
    const auto format = report_format_named(name);
    if (!format) return failure_of(format);
    // A PDF's text is compressed: the page that it is printed from is looked at.
    if (name == "pdf")
      if (const auto page = report_format_named("html"))
        if (const auto looked_at = rendered_redacted(**page, made, doubtful); !looked_at)
          return failure_of(looked_at);
    auto text = rendered_redacted(**format, made, doubtful);
    if (!text) return failure_of(text);
    files.emplace_back(folder / (*format)->file_name, *std::move(text));
  }
  const std::string elsewhere = "choose another folder: -o DIR";
  if (auto there = make_folder(folder); !there) return failure_of(there, elsewhere);
  Reported reported{
      Outcome{std::move(made.campaign), std::move(made.judgement), std::move(made.baseline)}, {}, true, ""};
  for (const auto& [path, text] : files) {
    if (auto written = write_file(path, text); !written) return failure_of(written, elsewhere);
    reported.written.push_back(path);
  }
  return RedactedReport{std::move(reported), {doubtful.begin(), doubtful.end()}};
}

}  // namespace shakedown
