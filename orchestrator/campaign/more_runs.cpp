#include "orchestrator/campaign/more_runs.hpp"

#include <algorithm>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

/// The case without the ending that its repetition has.
/// Whether repeats that confirm a node wait already: somebody else asked for them a moment ago.
bool are_waiting(const CampaignRecord& campaign, const Journal& journal, const std::string& base,
                 const std::string& node) {
  return std::ranges::any_of(campaign.cases, [&](const CaseRecord& record) {
    const Case& planned = record.planned;
    return planned.confirms && planned.hosts == node && first_repetition_id(planned) == base &&
           journal.last_intended(planned.id) == 0;
  });
}

}  // namespace

Result<void> add_runs(const Workspace& workspace, const std::string& id, const std::vector<MoreRuns>& more,
                      const LockOptions& options) {
  const fs::path folder = workspace.campaign(id);
  auto lock = CampaignLock::take(folder, options);
  if (!lock) return failure_of(lock);
  auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  auto database = Database::open(workspace.database(), options);
  if (!database) return failure_of(database);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  for (const MoreRuns& wanted : more) {
    const auto of = std::ranges::find(campaign->cases, wanted.case_id,
                                      [](const CaseRecord& record) { return record.planned.id; });
    if (of == campaign->cases.end()) return fail(id, fmt::format("has no case '{}'", wanted.case_id));
    Case next = of->planned;
    const std::string base = first_repetition_id(next);
    if (!wanted.confirms.empty()) {
      if (are_waiting(*campaign, *journal, base, wanted.confirms)) continue;
      next.hosts = wanted.confirms;
      next.among.clear();
      next.bound = true;
      next.confirms = true;
    }
    for (const CaseRecord& record : campaign->cases)
      if (first_repetition_id(record.planned) == base)
        next.repetition = std::max(next.repetition, record.planned.repetition);
    for (int i = 0; i < wanted.count; ++i) {
      ++next.repetition;
      next.id = fmt::format("{}-r{}", base, next.repetition);
      if (auto noted = journal->add(next); !noted) return noted;
      if (auto put = database->add_case(id, {next}); !put) return put;
      campaign->cases.push_back({next});
    }
  }
  return database->set_state(id, CampaignState::planned, 0);
}

namespace {

bool waits(const CampaignRecord& campaign, const NodeScreen& screen, const std::string& node) {
  return std::ranges::any_of(campaign.cases, [&](const CaseRecord& record) {
    const Case& planned = record.planned;
    return planned.confirms && planned.hosts == node && planned.suite == screen.suite &&
           planned.implementation == screen.implementation && record.attempts.empty() &&
           record.not_run.empty();
  });
}

}  // namespace

std::vector<MoreRuns> suspect_repeats(const CampaignRecord& campaign,
                                      const std::vector<NodeScreen>& screens) {
  std::vector<MoreRuns> more;
  for (const NodeScreen& screen : screens)
    for (const ScreenedNode* node : screen.of(NodeFinding::suspect)) {
      const bool wanted = std::ranges::find(more, node->case_id, &MoreRuns::case_id) != more.end();
      if (wanted || waits(campaign, screen, node->node)) continue;
      more.push_back({node->case_id, repeats_of_suspects, node->node});
    }
  return more;
}

}  // namespace shakedown
