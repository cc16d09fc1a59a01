#pragma once
#include <map>
#include <set>
#include <string>

#include "orchestrator/store/record.hpp"

namespace shakedown {

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
