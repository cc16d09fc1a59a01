#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The configuration that a plan comes from, as it was then: a plan that is carried elsewhere brings its
/// site, its settings and its criteria along.
struct PlanConfiguration {
  std::string name;  ///< the file, absolute
  std::string text;  ///< TOML
  friend bool operator==(const PlanConfiguration&, const PlanConfiguration&) = default;
};

/// The plan as `shakedown.plan/1` with its configuration under `configuration`; without one as `plan_json`
/// has it.
std::string plan_json(const Plan& plan, const std::optional<PlanConfiguration>& configuration);

/// The configuration in a plan's document; nothing where it has none. What else stands there is
/// `plan_from_json`'s. `name` stands in errors.
Result<std::optional<PlanConfiguration>> plan_configuration_from_json(std::string_view text,
                                                                      std::string_view name);

}  // namespace shakedown
