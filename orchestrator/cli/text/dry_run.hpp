#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What a run would do, stage by stage: the argv, the environment and the input files of each case; of cases
/// that differ in their nodes alone, those of the first. `every_case`: of all.
std::string dry_run_text(const Plan& plan, bool every_case);

/// How the batch system would get the first job of each kind, as comments: its script and the command that
/// submits it. `campaigns`: the folder that the campaign's would be made in.
std::string submissions_text(const Plan& plan, const Scheduler& scheduler,
                             const std::filesystem::path& campaigns);

}  // namespace shakedown
