#pragma once
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

/// A campaign's scheduler, which knows what it allows jobs of this site; null where this machine runs them
/// itself or no scheduler is here. `file` holds the site, empty: none does.
///
/// Fails if the scheduler does not answer or would accept no job, for example of an unknown partition.
Result<std::unique_ptr<Scheduler>> informed_scheduler(const NewCampaign& campaign, const std::string& file);

/// What it allows, as comments below a dry run: its limits, the nodes that get no jobs, and the cases that no
/// job could ever run.
std::string scheduler_limits_text(Scheduler& scheduler, const NewCampaign& campaign);

/// The cases that no job could ever run, a line for those of one reason: "hpl-1n-cn[1-4] will not run: ...".
std::vector<std::string> never_run(const Scheduler& scheduler, const Plan& plan);

}  // namespace shakedown
