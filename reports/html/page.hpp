#pragma once
#include <filesystem>
#include <future>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/plan/acceptance.hpp"
#include "reports/formats/format.hpp"
#include "reports/html/template.hpp"
#include "reports/judge/next_step.hpp"

namespace shakedown {

/// What the sections of report.html are made from.
struct ReportInput {
  const MeasuredCampaign& measured;
  const Judgement& judgement;
  const Baseline* baseline = nullptr;
  std::shared_future<std::string> results_sha256;  ///< of results.json, which is rendered meanwhile
  std::filesystem::path workspace;                 ///< where commands find the campaign
  const CampaignRecord& campaign = measured.record;
};

/// A line of the report's contents.
struct ContentsLine {
  std::string anchor;
  std::string title;
};

/// A section of report.html: one constant per file of reports/html that holds one.
struct ReportSection {
  int rank = 0;  ///< its place in the page, the least first
  /// Its lines in the contents; null: it has none.
  std::vector<ContentsLine> (*contents)(const ReportInput&) = nullptr;
  /// Empty if the section has no content for the campaign.
  Result<std::string> (*html)(const ReportInput&) = nullptr;
};

/// All sections in the order of their ranks.
std::vector<const ReportSection*> sections_in_order();

/// "Screening report", "Acceptance report", "Report on logs made elsewhere".
std::string document_title(const CampaignRecord& campaign);

/// What comes next, as the terminal states it.
NextStep next_step(const ReportInput& input);

/// The beginning of results.json's SHA-256: what a signature refers to.
std::string report_id(const ReportInput& input);

/// `text` with a capital first letter (ASCII), unless it begins with a path or an id.
std::string capitalised(std::string_view text);

/// An anchor of a case: its id with everything but letters, digits, '-', '_' and '.' replaced.
std::string case_anchor(std::string_view id);

/// The file whose hash is shown for the criteria that judge a campaign: "criteria.toml, from
/// acceptance.toml".
std::string criteria_file_text(const CriteriaRevision& criteria);

/// "16 nodes, each 2 × Intel Xeon ..., 112 cores usable, 2.0 TiB, 8 × NVIDIA H100".
std::string machine_text(const Inventory& inventory);
/// "; the logs name 128xNVIDIA DGX H100, ...": what logs that were made elsewhere call their machine and its
/// GPUs. Empty: nothing.
std::string named_in_logs(const CampaignRecord& campaign);

/// Who and what the report is about, as the campaign's configuration states it; empty where it does not.
ReportParties stated_parties(const CampaignRecord& campaign);

/// A name and a value of a definition list, with a hash below where `hash` is not empty.
Fields fact(std::string_view name, std::string_view value, std::string_view hash = {});

}  // namespace shakedown
