#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/preflight.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

/// What was found, a line each, with the remedy and the cases that can't run without it.
std::string prerequisites_text(const Prerequisites& prerequisites);

/// How many cases did not run because a requirement is missing, and the command that runs them once it is
/// there. With a line's end.
std::string lacking_text(std::size_t cases, const std::string& resume);

/// The same as `shakedown.preflight/1`.
std::string prerequisites_json(const Prerequisites& prerequisites);

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

/// Prints on standard error, before anything of a campaign runs, that there are no criteria, which cases none
/// of them judges, and which criteria do something else than they seem (`criteria_doubts`).
/// `name`: of the criteria's file; `cases`: of the plan, none where it is not known. Prints nothing about
/// criteria that can't be read.
void note_criteria(const std::string& criteria, std::string_view name, std::span<const Case> cases,
                   const CommonOptions& common);

/// Prints on standard error which parts of a configuration are a draft (`draft_text`): lines still to be
/// edited, mandatory limits that no contract states. `criteria`: those that judge.
void note_draft(std::string_view configuration, const std::string& criteria, std::string_view name,
                const CommonOptions& common);

}  // namespace shakedown
