#include "orchestrator/campaign/suspect_repeats.hpp"

#include <algorithm>

namespace shakedown {
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
