#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// What a node of an attempt found to be loaded.
struct LoadedOnNode {
  std::string node;
  std::vector<LoadedFile> files;  ///< none: it reported nothing
};

/// What the nodes of an attempt found to be loaded, the first node's before the others'. `hosts`: its nodes;
/// of a case on one node, or where nobody knows them, the first alone.
std::vector<LoadedOnNode> loaded_on_nodes(const std::filesystem::path& folder, const AttemptRecord& attempt,
                                          std::span<const std::string> hosts);

/// Rule IMPL-02: what the program loads beside its inputs (files that the command line or a script names, an
/// interpreter, shared libraries), and the program itself on nodes that are not the first, is what the
/// campaign was bound to (`program`: the SHA-256 of that), and what attempts before found on that node.
/// `unknown` where the first node reported nothing, or a file changed while the program ran: it may write it.
RuleResult loaded_rule(std::span<const LoadedOnNode> loaded, const Commitment& commitment,
                       const std::string& program);

/// Rule IMPL-03, a warning: all nodes found the same files as the first. `unknown` where a node reported
/// nothing. `program`: the SHA-256 of what the first node executed.
RuleResult alike_rule(std::span<const LoadedOnNode> loaded, const std::string& program);

/// Adds both rules to all results of an attempt, the second to those of several nodes; one that breaks the
/// first is invalid. Nothing without a commitment, and nothing for an attempt that reported nothing.
void judge_loaded(AttemptRecord& attempt, std::span<const LoadedOnNode> loaded, const Case& planned,
                  const std::optional<Commitment>& commitment);

}  // namespace shakedown
