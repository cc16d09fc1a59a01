#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What of a node's hardware and software is another in a campaign than in an earlier one, as far as both
/// tell: "kernel: Linux 6.1.0-25 -> Linux 6.1.0-26", by inventory, versions, libraries and hashes of
/// programs. A case's program is known by its suite and implementation, wherever it lies; fabric and storage
/// are of every node. Settings, such as a power limit, and a job's variables are none: that they moved is
/// what a loss is looked into for, and no new machine.
std::vector<std::string> node_changes(const CampaignRecord& before, const CampaignRecord& after,
                                      const std::string& node);

}  // namespace shakedown
