#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"

namespace shakedown {
namespace {

constexpr size_t most_parts = 200;

std::string identity_outcome(const IdentityCheck& check) {
  if (check.holds) return "holds";
  if (!check.explanation.empty()) return "does not hold, no error: " + check.explanation;
  return check.contradicts() ? "does not hold"
                             : fmt::format("does not hold; the row is marked {}", to_string(check.status));
}

Fields identity(const IdentityCheck& check) {
  const Verdict drawn = check.holds           ? Verdict::pass
                        : check.contradicts() ? Verdict::fail
                                              : Verdict::undecided;
  return Fields()
      .text("id", check.value_id)
      .text("identity", check.identity)
      .text("stated", grouped(check.published, 8))
      .text("recomputed", grouped(check.recomputed, 8))
      .text("class", verdict_class(drawn))
      .markup("icon", verdict_icon(drawn))
      .text("word", identity_outcome(check));
}

Fields published_value(const BaselineValue& value) {
  return Fields()
      .text("id", value.id)
      .text("printed", value.printed)
      .text("source", value.source)
      .text_if("note", value.note)
      .text("status", to_string(value.status));
}

/// Those of `all` that belong to a suite of the campaign.
template <class T>
std::vector<T> of_the_campaign(std::vector<T> all, const CampaignRecord& campaign) {
  std::erase_if(all, [&](const T& each) {
    return std::none_of(campaign.cases.begin(), campaign.cases.end(),
                        [&](const CaseRecord& record) { return record.planned.suite == each.suite; });
  });
  return all;
}

void put_baseline(Fields& section, const ReportInput& input) {
  const Baseline* baseline = input.baseline;
  // Values that are for orientation are in their own section alone.
  const bool shown = baseline != nullptr && !input.judgement.orientation;
  section.flag("has_baseline", shown);
  if (!shown) return;
  section.text("baseline_title", baseline->title)
      .text("baseline_source", baseline->source)
      .list("values", rows_of(of_the_campaign(baseline->values, input.campaign), published_value))
      .list("identities", rows_of(of_the_campaign(checked_identities(*baseline), input.campaign), identity));
}

/// What the campaign was bound to, and where it no longer is that.
void put_commitment(Fields& section, const CampaignRecord& campaign) {
  section.flag("has_commitment", campaign.commitment.has_value());
  if (!campaign.commitment) return;
  const Commitment& bound = *campaign.commitment;
  std::vector<Fields> parts = rows_of(bound.parts, [](const CommittedPart& part) {
    return Fields().text("name", part.name).text("sha256", part.sha256);
  });
  for (const std::string& name : bound.unread)
    parts.push_back(
        Fields().text("name", name).text("sha256", "could not be read where the campaign was started"));
  const size_t more = parts.size() > most_parts ? parts.size() - most_parts : 0;
  parts.resize(parts.size() - more);
  section.text("root", in_groups(bound.root))
      .list("parts", std::move(parts))
      .text_if("more_parts", more > 0 ? fmt::format("{} more in results.json.", more) : "")
      .flag("has_breaches", !campaign.breaches.empty())
      .list("breaches", rows_of(campaign.breaches, [](const std::string& breach) {
              return Fields().text("text", capitalised(breach) + ".");
            }));
}

/// "; those set beside results here are of Table 5, row ...": where the published values stand; of several
/// places two. Empty: none is set beside a result.
std::string compared_sources(const Judgement& judgement) {
  if (judgement.orientation) return "";  // beside no result
  constexpr std::size_t most = 2;
  std::vector<std::string> places;  // without the row of each value
  for (const Comparison& each : judgement.comparisons) {
    const std::string place = each.source.substr(0, each.source.find(", row "));
    if ((each.comparable || each.information) && !place.empty() &&
        std::ranges::find(places, place) == places.end())
      places.push_back(place);
  }
  const std::size_t more = places.size() - std::min(places.size(), most);
  places.resize(places.size() - more);
  return places.empty() ? ""
                        : fmt::format("; those set beside results here are of: {}{}", joined(places, "; "),
                                      more > 0 ? fmt::format("; and {} more", more) : "");
}

std::vector<Fields> provenance_facts(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  std::vector<Fields> facts;
  facts.push_back(fact("Program", "shakedown " + campaign.tool_version));
  facts.push_back(fact("Campaign", fmt::format("{}, {}", campaign.id, to_string(campaign.state))));
  const bool external = is_external(campaign);
  facts.push_back(fact(external ? "Imported" : "Planned", utc_text(campaign.created_s)));
  if (external)
    facts.push_back(fact("Plan and environment", made_elsewhere));
  else
    facts.push_back(
        fact("Last attempt ended", campaign.finished_s > 0 ? utc_text(campaign.finished_s) : "not finished"));
  facts.push_back(fact("Inventory", campaign.inventory.source));
  if (campaign.compared) {
    const std::string lacking = not_compared(campaign);
    facts.push_back(fact("Run directories", lacking.empty()
                                                ? "every attempt’s log and values are as they were collected"
                                                : capitalised(lacking)));
  }
  if (campaign.journal && !campaign.journal->last_root.empty()) {
    const JournalRecord& journal = *campaign.journal;
    if (!journal.first_root.empty())
      facts.push_back(
          fact("First root", "the commitment, the journal’s first line", in_groups(journal.first_root)));
    facts.push_back(
        fact("Last root",
             fmt::format("SHA-256 of the journal’s last line, number {}; each line names the one before{}",
                         journal.lines, journal.faults.empty() ? "" : ", but not here"),
             in_groups(journal.last_root)));
  }
  if (const CriteriaRevision judging = judging_criteria(campaign); !judging.text.empty())
    facts.push_back(fact("Criteria", criteria_file_text(judging), criteria_sha256(judging)));
  if (input.baseline != nullptr)
    facts.push_back(fact("Published values", input.baseline->name + compared_sources(input.judgement),
                         input.baseline->sha256));
  std::string results = "results, rules, criteria and comparisons for programs";
  if (!input.judgement.redaction)  // else the id is a replacement
    results += fmt::format("; where it is not beside this report, it is written by: {}",
                           command_for(fmt::format("report {} --format json", campaign.id), input.workspace));
  facts.push_back(fact("results.json", results, input.results_sha256.get()));
  return facts;
}

std::vector<ContentsLine> provenance_contents(const ReportInput& /*input*/) {
  return {{"provenance", "Provenance"}};
}

/// With the foot of the page.
Result<std::string> provenance_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  Fields section;
  put_baseline(section, input);
  put_commitment(section, campaign);
  section.list("provenance", provenance_facts(input))
      .flag("external", is_external(campaign))
      .text("document", document_title(campaign))
      .text("system", campaign.system)
      .text("id", campaign.id)
      .text("report_id", report_id(input))
      .text("tool_version", campaign.tool_version);
  return filled("provenance.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection provenance;
const ReportSection provenance = {.rank = 1000, .contents = provenance_contents, .html = provenance_section};
}  // namespace report_section

}  // namespace shakedown
