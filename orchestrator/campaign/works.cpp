#include "orchestrator/campaign/works.hpp"

#include <algorithm>
#include <unordered_map>

#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

/// How long a case may take: as predicted, else its limit; 0: not known.
double expected_s(const Case& planned) {
  const Prediction* predicted = predicted_wall_time(planned);
  return predicted != nullptr ? predicted->value : planned.time_limit_s;
}

}  // namespace

std::vector<std::string> node_pool(const CampaignRecord& campaign, const SchedulerTraits& traits) {
  if (!traits.outlives_us) return {host_name()};
  std::vector<std::string> pool;
  for (const NodeGroup& group : campaign.inventory.groups)
    if (const auto hosts = expanded_hostlist(group.hosts))
      pool.insert(pool.end(), hosts->begin(), hosts->end());
  return pool;
}

std::vector<Work> works_of(const CampaignRecord& campaign, const std::vector<std::string>& pool,
                           const SchedulerTraits& traits) {
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < pool.size(); ++i) places.emplace(pool[i], static_cast<int>(i));
  std::vector<Work> works;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    Work work;
    if (!traits.outlives_us) {
      work.hosts = {0};
      works.push_back(work);
      continue;
    }
    work.nodes = planned.nodes;
    work.time_s = expected_s(planned);
    work.stage = 2 * planned.stage + (is_screen(planned) ? 0 : 1);
    work.repetition = planned.repetition;
    work.alone = find_prediction(planned, "bytes_written") != nullptr;
    if (const auto hosts = expanded_hostlist(planned.bound ? planned.hosts : ""); hosts)
      for (const std::string& host : *hosts)
        if (const auto it = places.find(host); it != places.end()) work.hosts.push_back(it->second);
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace shakedown
