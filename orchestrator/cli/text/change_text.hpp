#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/change.hpp"
#include "orchestrator/campaign/change_configuration.hpp"
#include "orchestrator/campaign/reference.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// What changed since a reference, and what would cover it.
struct ProposedChange {
  std::vector<AcceptedCampaign> accepted;  ///< what holds; never empty
  ChangeProposal proposal;
  ChangeConfiguration configuration;
  Plan plan;                     ///< of the configuration, for its cost
  std::string today;             ///< the inventory that it was set against, by name
  std::string inventory_option;  ///< as the user gave it; empty: not given
  std::string system_option;     ///< likewise
  std::string scheduler;         ///< the --scheduler option of the reference; empty: its site names it
  std::string workspace;         ///< its folder
  std::string written;           ///< where the configuration lies; empty: nowhere
};

/// For people: what changed, the runs with their reasons and their cost, what they don't cover, the next
/// command.
std::string change_text(const ProposedChange& change);

/// As `shakedown.change/1`.
std::string change_json(const ProposedChange& change);

/// What the two sides of a comparison are called.
struct Sides {
  std::string before;
  std::string after;
};

/// The changes as a table for people, with the suites that they make worth running again; "no differences"
/// for none.
std::string differences_text(const std::vector<Change>& changes, const Sides& sides);

/// As one `shakedown.inventory-diff/1` document. `silent`: hosts that gave no answer.
std::string differences_json(const std::vector<Change>& changes, const Sides& sides,
                             const std::vector<std::string>& silent = {});

}  // namespace shakedown
