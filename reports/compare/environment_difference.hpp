#pragma once
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Something about two campaigns' machines or software that is not the same, and may explain why their
/// figures aren't.
struct EnvironmentDifference {
  std::string what;    ///< "kernel", "GPU driver", "program /usr/bin/xhpl", "nodes"
  std::string before;  ///< empty: not there, or not said
  std::string after;
  std::string hosts;  ///< hostlist of the nodes that differ; empty: the campaign as a whole
  friend bool operator==(const EnvironmentDifference&, const EnvironmentDifference&) = default;
};

/// What differs between two campaigns beside their figures, as far as both tell: the nodes that they ran on,
/// their inventories field by field (hardware, firmware, drivers, kernels), what was noted on their nodes
/// (versions, kernel command line, hashes of libraries, variables; not those of a batch job), what attempts
/// read of them that stays until somebody changes it (firmware, drivers, power limits, clocks, governor, ECC,
/// MIG; what one side could not read is no difference), executables' hashes, containers and their digests,
/// the versions that the logs print, shakedown's own, and what others had of the CPUs meanwhile (medians of
/// the attempts: to a tenth of a CPU, to a per cent of the time).
std::vector<EnvironmentDifference> environment_differences(const CampaignRecord& before,
                                                           const CampaignRecord& after);

/// What the differences are of, so that "none" says no more than was looked at.
struct EnvironmentKnown {
  std::vector<std::string> on_both_sides;  ///< "inventory", "firmware, drivers and settings of 4 nodes"
  std::vector<std::string> unknown;        ///< that one campaign at least does not tell
};
EnvironmentKnown environment_known(const CampaignRecord& before, const CampaignRecord& after);

}  // namespace shakedown
