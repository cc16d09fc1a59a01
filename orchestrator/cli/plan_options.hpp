#pragma once
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace shakedown {

/// A check for options that must be numbers above 0; its message is a sentence.
std::string positive_number(const std::string& text);

void add_plan_options(CLI::App& app, PlanOptions& options);

/// The options that define what is planned, which a given plan has decided: all of `add_plan_options` but
/// --config and --inventory.
std::vector<const CLI::Option*> options_of_cases(CLI::App& app);

/// Fails where one of those is given beside the plan `file`: it would do nothing. An empty `file`: no plan is
/// given.
Result<void> plan_stands_alone(const std::string& file, std::span<const CLI::Option* const> options);

}  // namespace shakedown
