#pragma once
#include <string>
#include <string_view>

#include "orchestrator/cli/command.hpp"

namespace shakedown {

/// Prints on standard error which criteria no result of a campaign could decide, before anything of it runs:
/// no log of their suite gives their metric. `name`: of the criteria's file. Prints nothing about criteria
/// that can't be read.
void report_unmeasurable(const std::string& criteria, std::string_view name, const CommonOptions& common);

}  // namespace shakedown
