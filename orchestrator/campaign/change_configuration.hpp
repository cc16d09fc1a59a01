#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/change.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/declaration.hpp"

namespace shakedown {

/// A configuration of the proposed campaign, which `plan --config` and `run --config` take whole.
struct ChangeConfiguration {
  std::string text;                    ///< TOML
  std::vector<std::string> not_asked;  ///< criteria that it omits: "hpl-total: ..."
};

/// Writes the configuration: site and settings of the reference as they were, the proposed runs with their
/// reasons, and the criteria that judged the reference, letter for letter, as far as these runs can decide
/// them. Omitted, and listed, are criteria of suites that are not run, criteria on all nodes or on a number
/// of nodes that no run has, and totals (which belong to the size that they were stated for) where not every
/// size of the reference is run again. `system`: the inventory's file or a shipped system's name; empty: this
/// machine.
///
/// Fails where the reference's own configuration or criteria can't be read back.
Result<ChangeConfiguration> change_configuration(const CampaignRecord& reference,
                                                 const AcceptedCampaign& accepted,
                                                 const ChangeProposal& proposal, const std::string& system);

}  // namespace shakedown
