#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/planning/plan_options.hpp"

namespace shakedown {

/// A plan with its grounds: the configuration (site, settings and criteria) and the inventory.
struct GroundedPlan {
  Plan plan;
  Acceptance acceptance;      ///< one without text where neither options nor plan have a configuration
  std::string configuration;  ///< its file; empty: none
  Inventory inventory;
  KindRates measured;  ///< that a derived plan begins from
  std::string
      note;  ///< where site, settings and criteria come from, when a given plan brings them; else empty
};

/// The configuration `text` of `file` as a plan carries it; nothing where there is none.
std::optional<PlanConfiguration> carried_configuration(const std::string& text,
                                                       const std::filesystem::path& file);

/// The plan in `file` with its cases' command lines composed for the site, or where that is empty the one
/// that the options derive, from what the store of their workspace says was measured on these nodes. Site,
/// settings and criteria come from --config, else from the configuration in the plan. Fails where both have
/// one and state system, baseline, site, settings or criteria differently; criteria only where
/// `judged_by_it`.
Result<GroundedPlan> grounded_plan(const PlanOptions& options, const std::string& file, bool judged_by_it,
                                   const Layout& layout);

}  // namespace shakedown
