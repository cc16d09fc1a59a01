#include "orchestrator/regression/check.hpp"

#include <utility>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

void notify_of(const Check& check, const CheckNotification& notification) {
  if (auto sent = notify(check.workspace, check.regression.notice, notification); !sent)
    check.output.warn("not notified", sent.error());
}

Result<std::string> scheduler_of(const Check& check) {
  const auto kind = largest_kind(check.inventory);
  if (!kind) return failure_of(kind);
  NewCampaign imagined;
  imagined.inventory = check.inventory;
  imagined.site = check.regression.facts.site;
  for (const std::string& host : kind->hosts) {
    Case planned;
    planned.id = check.options.config;
    planned.hosts = host;
    imagined.plan.cases.push_back(std::move(planned));
  }
  return chosen_scheduler(imagined);
}

std::vector<std::string> reachable_now(const Check& check) {
  const auto kind = largest_kind(check.inventory);
  if (!kind) return {};
  const auto name = scheduler_of(check);
  if (!name) return kind->hosts;
  const auto scheduler = make_scheduler(*name, {check.regression.facts.site, check.layout});
  if (!scheduler || !(*scheduler)->query_limits()) return kind->hosts;
  return reachable_hosts(**scheduler, kind->hosts);
}

Result<CheckHistory> read_check_history(const Check& check) {
  const auto database = Database::open(check.workspace.database());
  if (!database) return failure_of(database);
  return check_history(check.workspace, *database, check.inventory.system);
}

}  // namespace shakedown
