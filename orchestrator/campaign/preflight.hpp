#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/launch/requirement_check.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// A requirement, and the cases that can't run without it.
struct NeededBy {
  Requirement requirement;
  std::vector<std::string> cases;  ///< ids
};

/// What the cases need of a compute node, each thing once.
std::vector<NeededBy> needed_by(std::span<const CaseRecord> cases,
                                std::span<const Implementation> implementations, const Site& site);

/// What a compute node has of it.
struct Preflight {
  std::string node;                       ///< that was looked at; empty: none was
  std::vector<CheckedRequirement> found;  ///< in the order of what was asked
  std::string inconclusive;  ///< why nothing is known: the check itself failed; proves nothing about nodes
  int signal = 0;            ///< the user stopped it by this one; 0: not
};

/// Where and how a node is looked at.
struct PreflightPlace {
  std::filesystem::path folder;  ///< to be made, on a file system that the nodes see
  std::string scheduler;         ///< "local", "slurm"
  Site site;
  Layout layout;
  std::vector<std::string> hosts;  ///< that it may be; one is enough
  double patience_s = 600;         ///< in the queue
};

/// Checks one node by a job of its own. If that fails for whatever reason, the result is inconclusive.
Preflight preflight(const std::vector<NeededBy>& needed, const PreflightPlace& place);

/// The begin of a case's reason if its node does not meet a requirement.
inline constexpr std::string_view prerequisite_mark = "prerequisite: ";

/// Why cases can't run, by their ids: "prerequisite: tokenizer /data/spm.model is not there; put it there".
std::map<std::string, std::string> lacking(const std::vector<NeededBy>& needed, const Preflight& seen);

/// What the cases of a campaign need, and what a compute node has of it.
struct Prerequisites {
  std::vector<NeededBy> needed;  ///< empty: nothing that could be looked at
  Preflight seen;
};

/// Looks at one of the campaign's nodes, where its cases need anything: `begins` gets how many things
/// before that, since a job may wait for its node. Fails only where the implementations can't be read.
Result<Prerequisites> looked_for(const CampaignRecord& campaign, const Workspace& workspace,
                                 const Layout& layout, const std::function<void(std::size_t)>& begins);

}  // namespace shakedown
