#include "orchestrator/campaign/works.hpp"

#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

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

using NodeSet = std::shared_ptr<const std::vector<bool>>;

/// Nodes by their places in the pool.
class Places {
 public:
  explicit Places(const std::vector<std::string>& pool) {
    for (std::size_t i = 0; i < pool.size(); ++i) places_.emplace(pool[i], static_cast<int>(i));
  }

  [[nodiscard]] std::vector<int> of(std::string_view hostlist) const {
    std::vector<int> found;
    if (const auto hosts = expanded_hostlist(hostlist))
      for (const std::string& host : *hosts)
        if (const auto it = places_.find(host); it != places_.end()) found.push_back(it->second);
    return found;
  }

  /// One set for all cases of the same hostlist.
  [[nodiscard]] NodeSet set(const std::string& hostlist) const {
    NodeSet& known = sets_[hostlist];
    if (known) return known;
    std::vector<bool> members(places_.size(), false);
    for (const int place : of(hostlist)) members[static_cast<std::size_t>(place)] = true;
    known = std::make_shared<const std::vector<bool>>(std::move(members));
    return known;
  }

 private:
  std::unordered_map<std::string, int> places_;
  mutable std::map<std::string, NodeSet> sets_;
};

Work work_of(const Case& planned, const Places& places, const SchedulerTraits& traits) {
  Work work;
  if (!traits.outlives_us) {
    work.hosts = {0};
    return work;
  }
  work.nodes = planned.nodes;
  work.time_s = expected_s(planned);
  if (const double limit_s = limit_with_grace(planned); limit_s > 0)
    work.limit_s = limit_s + traits.step_margin_s;
  work.stage = stage_order(planned);
  work.repetition = planned.repetition;
  work.alone = find_prediction(planned, "bytes_written") != nullptr;
  const std::string& among = planned.among.empty() ? planned.hosts : planned.among;
  if (planned.bound)
    work.hosts = places.of(planned.hosts);
  else if (!among.empty())
    work.among = places.set(among);
  return work;
}

}  // namespace

double limit_with_grace(const Case& planned) {
  return planned.time_limit_s > 0 ? planned.time_limit_s + grace_s : 0;
}

std::vector<std::string> node_pool(const CampaignRecord& campaign, const SchedulerTraits& traits) {
  if (!traits.outlives_us) return {host_name()};
  std::vector<std::string> pool;
  for (const NodeGroup& group : campaign.inventory.groups)
    if (const auto hosts = expanded_hostlist(group.hosts))
      pool.insert(pool.end(), hosts->begin(), hosts->end());
  std::unordered_set<std::string> known(pool.begin(), pool.end());
  std::string_view last;
  for (const CaseRecord& record : campaign.cases) {
    if (record.planned.hosts == last) continue;  // most cases run on the same
    last = record.planned.hosts;
    if (const auto hosts = expanded_hostlist(last))
      for (const std::string& host : *hosts)
        if (known.insert(host).second) pool.push_back(host);
  }
  return pool;
}

std::vector<Work> works_of(const CampaignRecord& campaign, const std::vector<std::string>& pool,
                           const SchedulerTraits& traits) {
  const Places places(pool);
  std::vector<Work> works;
  works.reserve(campaign.cases.size());
  for (const CaseRecord& record : campaign.cases) works.push_back(work_of(record.planned, places, traits));
  return works;
}

}  // namespace shakedown
