#include "orchestrator/campaign/redacted_bundle.hpp"

#include <algorithm>
#include <set>

#include "orchestrator/campaign/bundle.hpp"
#include "orchestrator/core/hash.hpp"
#include "reports/evidence/archive_path.hpp"
#include "reports/formats/format.hpp"
#include "reports/redact/redacted.hpp"

namespace shakedown {
namespace {

bool is_timestamp(std::string_view path) {
  return path.starts_with(fmt::format("{}/", bundled_timestamps));
}

/// A path without names of the site; where that is not certain, a number.
class RedactedPaths {
 public:
  explicit RedactedPaths(Redactor& names) : names_(names) {}
  std::string operator()(const std::string& path) {
    ++number_;
    std::string shown = names_(path);
    const bool sure = wrong_archive_path(shown).empty() && names_.left_in(shown).empty();
    return sure ? shown : fmt::format("withheld-{}", number_);
  }

 private:
  Redactor& names_;
  int number_ = 0;
};

}  // namespace

Result<std::vector<std::string>> redact_bundle(std::vector<BundledFile>& files, Manifest& header,
                                               const Outcome& outcome) {
  Manifest whole = header;
  whole.files.reserve(files.size());
  std::string results_sha256;
  for (const BundledFile& file : files) {
    auto listed = listed_file(file);
    if (!listed) return failure_of(listed);
    if (file.path == bundled_results) results_sha256 = listed->sha256;
    whole.files.push_back(*std::move(listed));
  }
  RedactedCampaign made = redacted(outcome.campaign, outcome.judgement,
                                   outcome.baseline ? &*outcome.baseline : nullptr, results_sha256);
  header.redacted_of = manifest_root(whole);
  header.campaign = made.campaign.record.id;
  header.folders.clear();
  RedactedPaths redacted_path(made.redactor);
  for (const ManifestFile& file : whole.files)
    if (!is_timestamp(file.path))
      header.withheld.push_back({redacted_path(file.path), file.bytes, file.sha256});
  std::ranges::sort(header.withheld, {}, &ManifestFile::path);
  for (OmittedFile& each : header.left_out) each.path = redacted_path(each.path);

  std::erase_if(files, [](const BundledFile& file) { return !is_timestamp(file.path); });
  std::set<std::string> doubtful;
  for (const auto& [path, id] : {std::pair(bundled_results, "json"), std::pair(bundled_report, "html")}) {
    const auto format = report_format_named(id);
    if (!format) return failure_of(format);
    auto text = rendered_redacted(**format, made, doubtful);
    if (!text) return failure_of(text);
    files.push_back({std::string(path), *std::move(text)});
  }
  return std::vector<std::string>(doubtful.begin(), doubtful.end());
}

}  // namespace shakedown
