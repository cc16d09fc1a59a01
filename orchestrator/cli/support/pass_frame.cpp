#include "orchestrator/cli/support/pass_frame.hpp"

#include <iostream>
#include <utility>

#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/node_turns.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

void complain(std::string_view what, const Error& error) {
  std::cerr << what << ": " << shown_error(error) << "\n";
}

void tell_of(const PassFrame& frame, const PassTelling& telling) {
  if (auto told = tell(frame.workspace, frame.regression.notice, telling); !told)
    complain("not notified", told.error());
}

Result<std::string> scheduler_of(const PassFrame& frame) {
  const auto kind = largest_kind(frame.inventory);
  if (!kind) return pass_on(kind);
  NewCampaign imagined;
  imagined.inventory = frame.inventory;
  imagined.site = frame.regression.facts.site;
  for (const std::string& host : kind->hosts) {
    Case planned;
    planned.id = frame.options.config;
    planned.hosts = host;
    imagined.plan.cases.push_back(std::move(planned));
  }
  return chosen_scheduler(imagined);
}

std::vector<std::string> reachable_now(const PassFrame& frame) {
  const auto kind = largest_kind(frame.inventory);
  if (!kind) return {};
  const auto name = scheduler_of(frame);
  if (!name) return kind->hosts;
  const auto scheduler = make_scheduler(*name, {frame.regression.facts.site, frame.layout});
  if (!scheduler || !(*scheduler)->learn_limits()) return kind->hosts;
  return reachable_hosts(**scheduler, kind->hosts);
}

Result<PassHistory> read_history(const PassFrame& frame) {
  const auto database = Database::open(frame.workspace.database());
  if (!database) return pass_on(database);
  return pass_history(frame.workspace, *database, frame.inventory.system);
}

}  // namespace shakedown
