#include "reports/html/page.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include "reports/measure/measurement.hpp"

namespace shakedown {

/// The table that is generated from reports/html/*.cpp, in the order of their names.
std::span<const ReportSection* const> report_sections();

std::vector<const ReportSection*> sections_in_order() {
  std::vector<const ReportSection*> all(report_sections().begin(), report_sections().end());
  std::ranges::stable_sort(all, {}, &ReportSection::rank);
  return all;
}

std::string document_title(const CampaignRecord& campaign) {
  if (is_external(campaign)) return "Report on logs made elsewhere";
  return capitalised(campaign.kind) + " report";
}

std::string report_id(const ReportInput& input) {
  return input.results_sha256.substr(0, 16);
}

std::string capitalised(std::string_view text) {
  std::string copy(text);
  if (!copy.empty()) copy[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(copy[0])));
  return copy;
}

std::string case_anchor(std::string_view id) {
  std::string anchor = "case-";
  for (const char c : id) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    anchor += plain ? c : '_';
  }
  return anchor;
}

std::string criteria_file_text(const CriteriaRevision& criteria) {
  const bool copied = criteria.number == 1 && criteria.name != "criteria.toml";
  return copied ? "criteria.toml, from " + criteria.name : criteria.name;
}

Fields fact(std::string_view name, std::string_view value, std::string_view hash) {
  return Fields().text("name", name).text("value", value).text_if("hash", hash);
}

}  // namespace shakedown
