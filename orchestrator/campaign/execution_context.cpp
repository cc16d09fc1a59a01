#include "orchestrator/campaign/execution_context.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/campaign/works.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {

ExecutionContext::ExecutionContext(OpenCampaign open, const EngineOptions& engine_options,
                                   std::unique_ptr<Scheduler> its_scheduler)
    : campaign(std::move(open.record)),
      folder(std::move(open.folder)),
      lock(std::move(open.lock)),
      database(std::move(open.database)),
      journal(std::move(open.journal)),
      options(engine_options),
      scheduler(std::move(its_scheduler)),
      traits(scheduler->traits()),
      pool(node_pool(campaign, traits)),
      dispatcher(works_of(campaign, pool, traits), static_cast<int>(pool.size())) {}

bool ExecutionContext::stopping() const {
  return cancelled || Interrupts::count() > 0;
}

Result<void> ExecutionContext::renew_lock() {
  if (auto renewed = lock.renew(); !renewed) return renewed;
  if (options.renew_lock)
    if (auto renewed = options.renew_lock(); !renewed) return renewed;
  return database.renew_lock();
}

std::vector<int> ExecutionContext::pool_places(const std::vector<std::string>& hosts) const {
  std::vector<int> places;
  for (const std::string& host : hosts)
    if (const auto it = std::ranges::find(pool, host); it != pool.end())
      places.push_back(static_cast<int>(it - pool.begin()));
  return places;
}

std::size_t ExecutionContext::work_of(std::string_view case_id) const {
  const auto it =
      std::ranges::find(campaign.cases, case_id,
                        [](const CaseRecord& record) -> const std::string& { return record.planned.id; });
  return static_cast<std::size_t>(it - campaign.cases.begin());
}

}  // namespace shakedown
