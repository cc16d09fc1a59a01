#pragma once
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// Prints on standard error, before anything of a campaign runs, which criteria no result could decide (no
/// log of their suite gives their metric), and which do something else than they seem (`criteria_doubts`).
/// `name`: of the criteria's file; `cases`: of the plan, none where it is not known. Prints nothing about
/// criteria that can't be read.
void note_criteria(const std::string& criteria, std::string_view name, std::span<const Case> cases,
                   const CommonOptions& common);

}  // namespace shakedown
