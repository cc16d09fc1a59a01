#pragma once
#include <string>
#include <string_view>

#include "reports/formats/format.hpp"
#include "reports/html/template.hpp"

namespace shakedown {

/// What the sections of report.html are made from.
struct ReportInput {
  const CampaignRecord& campaign;
  const Judgement& judgement;
  const Baseline* baseline = nullptr;
  std::string results_sha256;  ///< of results.json
};

/// The document's head and its first page: verdict, criteria, comparisons, exceptions, sign-off.
Result<std::string> summary_section(const ReportInput& input);

/// A baseline's figures that are compared with nothing; empty where there are none.
Result<std::string> orientation_section(const ReportInput& input);

/// What a scheduled check says of its series; empty where the campaign is none.
Result<std::string> regression_section(const ReportInput& input);

/// Like nodes beside each other, with those that are slow; empty where there are none.
Result<std::string> nodes_section(const ReportInput& input);

/// One case with all its evidence.
Result<std::string> case_section(const CampaignRecord& campaign, const CaseRecord& record);

/// The cases that have no section of their own, a row each; empty where there are none.
Result<std::string> other_cases_section(const CampaignRecord& campaign);

/// What sets of results prove together, with their rules; empty where there are none.
Result<std::string> set_scores_section(const CampaignRecord& campaign);

/// Machine, criteria with their sources, method, provenance, and the document's end.
Result<std::string> closing_section(const ReportInput& input);

/// "Screening report", "Acceptance report", "Report on logs made elsewhere".
std::string document_title(const CampaignRecord& campaign);

/// The beginning of results.json's SHA-256: what a signature refers to.
std::string report_id(const ReportInput& input);

/// `text` with a capital first letter (ASCII).
std::string capitalised(std::string_view text);

/// An anchor of a case: its id with everything but letters, digits, '-', '_' and '.' replaced.
std::string case_anchor(std::string_view id);

/// A name and a value of a definition list, with a hash below where `hash` is not empty.
Fields fact(std::string_view name, std::string_view value, std::string_view hash = {});

}  // namespace shakedown
