#include "orchestrator/campaign/criteria_revision.hpp"

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {
namespace {

/// What the clauses of a text say, without its comments and its layout.
std::string said(const CriteriaRevision& criteria) {
  const auto frozen = frozen_criteria(criteria.text, criteria.name, {});
  return frozen ? *frozen : criteria.text;
}

std::string file_of(int number) {
  return fmt::format("criteria-{}.toml", number);
}

/// The first number whose file is not there: one that a crash left without its journal line is passed over.
int free_number(const fs::path& folder, int number) {
  std::error_code code;
  while (fs::exists(folder / file_of(number), code)) ++number;
  return number;
}

}  // namespace

Result<std::optional<CriteriaRevision>> revised_criteria(const Workspace& workspace, const std::string& id,
                                                         CriteriaRevision criteria) {
  const fs::path folder = workspace.campaign(id);
  const auto lock = CampaignLock::take(folder);
  if (!lock) return failure_of(lock);
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  const CriteriaRevision judging = judging_criteria(*campaign);
  if (said(judging) == said(criteria)) return std::optional<CriteriaRevision>();
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);

  criteria.number = free_number(folder, judging.number + 1);
  criteria.at_s = now_s();
  const std::string file = file_of(criteria.number);
  if (auto written = write_file(folder / file, criteria.text, Durability::power_loss); !written)
    return failure_of(written);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  if (auto noted = journal->revise(
          {criteria.number, criteria.name, file, sha256(criteria.text), criteria.reason, criteria.at_s});
      !noted)
    return failure_of(noted);
  campaign->criteria_revisions.push_back(criteria);
  if (auto added = database->add_criteria_revisions(id, campaign->criteria_revisions); !added)
    return failure_of(added);
  return std::optional(std::move(criteria));
}

std::vector<CriteriaRevision> criteria_revisions(const fs::path& campaign_folder,
                                                 const std::vector<JournaledCriteria>& journaled) {
  std::vector<CriteriaRevision> revisions;
  for (const JournaledCriteria& each : journaled)
    if (auto text = file_content(campaign_folder / each.file))
      revisions.push_back({each.revision, each.name, *std::move(text), each.reason, each.at_s});
  return revisions;
}

std::vector<std::string> revision_breaches(const CampaignRecord& campaign, const fs::path& campaign_folder) {
  std::vector<std::string> found;
  std::error_code code;
  if (!fs::exists(campaign_folder, code)) return found;
  const auto journal = read_journal(campaign_folder);
  if (!journal) return {fmt::format("the journal can't be read: {}", journal.error().what)};
  const auto& journaled = journal->criteria;
  for (const JournaledCriteria& each : journaled) {
    const auto text = file_content(campaign_folder / each.file);
    if (!text || sha256(*text) != each.sha256)
      found.push_back(fmt::format("{} in the campaign's folder {}", each.file,
                                  text ? "differs from the journal's line"
                                  : fs::exists(campaign_folder / each.file, code) ? text.error().what
                                                                                  : "is gone"));
  }
  for (const CriteriaRevision& revision : campaign.criteria_revisions) {
    const auto line = std::ranges::find(journaled, revision.number, &JournaledCriteria::revision);
    if (line == journaled.end() || line->sha256 != sha256(revision.text))
      found.push_back(
          fmt::format("revision {} of the criteria in the store is not in the journal", revision.number));
  }
  return found;
}

}  // namespace shakedown
