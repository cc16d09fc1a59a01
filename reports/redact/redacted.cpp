#include "reports/redact/redacted.hpp"

#include <fmt/format.h>

#include "orchestrator/core/text.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/redact/texts.hpp"

namespace shakedown {
namespace {

/// "4 nodes, 1 user, 12 paths".
std::string counted(const std::map<std::string, int>& replaced) {
  std::vector<std::string> parts;
  parts.reserve(replaced.size());
  for (const auto& [kind, count] : replaced)
    parts.push_back(kind == "address" && count > 1  ? fmt::format("{} addresses", count)
                    : kind == "party" && count > 1  ? fmt::format("{} parties", count)
                    : kind == "person" && count > 1 ? fmt::format("{} people", count)
                    : kind == "serial" ? plural(count, "serial number or UUID", "serial numbers or UUIDs")
                                       : plural(count, kind));
  return parts.empty() ? "no name was found" : joined(parts, ", ");
}

}  // namespace

RedactedCampaign redacted(const MeasuredCampaign& campaign, const Judgement& judgement,
                          const Baseline* baseline, std::string results_sha256) {
  Redactor names = names_of(campaign.record);
  const TextChange change = [&](std::string& text) { text = names(text); };
  CampaignRecord record = campaign.record;
  CriteriaRevision first{1,  record.criteria_name, record.criteria_text,
                         "", record.created_s,     record.criteria_given_sha256};
  each_text(first, [](std::string&) {});
  each_text(record, change);
  record.criteria_given_sha256 = first.given_sha256;
  Judgement judged = judgement;
  each_text(judged, change);
  std::optional<Baseline> values;
  if (baseline != nullptr) {
    values = *baseline;
    if (is_baseline_file(campaign.record.baseline_name)) each_text(*values, change);
  }
  Redaction redaction{
      .what = fmt::format("Names of the site are replaced: {}. A name has the same replacement throughout. "
                          "Hashes are those of the files as they were, not of this redacted content.",
                          counted(names.replaced())),
      .replaced = names.replaced(),
      .results_sha256 = std::move(results_sha256)};
  judged.redaction = std::move(redaction);
  return {MeasuredCampaign(std::move(record)), std::move(judged), std::move(values), std::move(names)};
}

Result<std::string> rendered_redacted(const ReportFormat& format, const RedactedCampaign& redacted,
                                      std::set<std::string>& doubtful) {
  const Baseline* baseline = redacted.baseline ? &*redacted.baseline : nullptr;
  auto text = format.render({redacted.campaign, redacted.judgement, baseline});
  if (!text) return text;
  std::vector<std::string> left;
  for (std::string& name : redacted.redactor.left_in(*text)) {
    if (is_plain_word(name))
      doubtful.insert(std::move(name));
    else
      left.push_back(std::move(name));
  }
  if (left.empty()) return text;
  return fail("--redact",
              fmt::format("{} would still hold {}: {}", format.file_name,
                          left.size() == 1 ? "a name" : "names", joined(left, ", ")),
              "nothing was written; please report this as a defect of shakedown");
}

}  // namespace shakedown
