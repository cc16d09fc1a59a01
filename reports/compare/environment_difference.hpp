#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Something about two campaigns' machines or software that is not the same, and may explain why their
/// results aren't.
struct EnvironmentDifference {
  std::string what;    ///< "kernel", "GPU driver", "program /usr/bin/xhpl", "nodes"
  std::string before;  ///< empty: not there, or not stated
  std::string after;
  std::string hosts;  ///< hostlist of the nodes that differ; empty: the campaign as a whole
  friend bool operator==(const EnvironmentDifference&, const EnvironmentDifference&) = default;
};

/// What differs between two campaigns beside their results, as far as both state it: the nodes that they ran
/// on, their inventories field by field (hardware, firmware, drivers, kernels), what was noted on their nodes
/// (versions, kernel command line, hashes of libraries, variables; not those of a batch job), what attempts
/// read of them that stays until somebody changes it (firmware, drivers, power limits, clocks, governor, ECC,
/// MIG; what one side could not read is no difference), executables' hashes, containers and their digests,
/// the versions that the logs print, shakedown's own, and what others had of the CPUs meanwhile (medians of
/// the attempts: to a tenth of a CPU, to a per cent of the time).
std::vector<EnvironmentDifference> environment_differences(const CampaignRecord& before,
                                                           const CampaignRecord& after);

/// What the differences are of, so that "none" covers only what was looked at.
struct EnvironmentKnown {
  std::vector<std::string> on_both_sides;  ///< "inventory", "firmware, drivers and settings of 4 nodes"
  std::vector<std::string> unknown;        ///< that one campaign at least does not state
};
EnvironmentKnown environment_known(const CampaignRecord& before, const CampaignRecord& after);

/// Facts about nodes: by name, then by node.
using NodeFacts = std::map<std::string, std::map<std::string, std::string>>;

/// Facts that were noted on a campaign's nodes once, but for those that are another job's with each job.
NodeFacts noted_facts(const CampaignRecord& campaign);

/// The readings that stay until somebody changes them (firmware, driver, power limit, governor, ...), as
/// attempts found them; "400, 700" where a campaign saw several.
NodeFacts setting_facts(const CampaignRecord& campaign);

/// What each case ran, by "executable of hpl/nvidia", "container of ..." and "version of ...".
std::map<std::string, std::set<std::string>> software_facts(const CampaignRecord& campaign);

/// The nodes that a campaign's attempts ran on.
std::set<std::string> nodes_of(const CampaignRecord& campaign);

}  // namespace shakedown
