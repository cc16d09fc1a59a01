#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// Nodes as few groups of equal hardware and software, the largest first, hostlists folded. Nothing is
/// averaged: whatever differs makes a group of its own. Sizes of memory and filesystems and clocks count as
/// equal within 1 %, and the group has the smallest; values that nodes can't share (uuids, free space) are
/// the smallest too, or omitted.
///
/// Groups are called `name`, `name-2`, ...
std::vector<NodeGroup> merged_groups(const std::vector<NodeGroup>& nodes, const std::string& name);

/// One inventory of many answers, each from one node. Notes that all have in common are unchanged, others get
/// the hosts they are from.
Inventory merged(const std::vector<Inventory>& answers, const std::string& system);

/// One node's answer when it was asked for its inventory.
struct NodeAnswer {
  std::string host;          ///< as it was asked
  std::string calls_itself;  ///< the node's own name for itself
  Inventory inventory;       ///< of the one node, under the name as it was asked
  friend bool operator==(const NodeAnswer&, const NodeAnswer&) = default;
};

/// Finds the JSON inventory in what a launcher printed, which may talk before and after it. Fails with the
/// first line of what came instead.
Result<NodeAnswer> node_answer(std::string_view printed, const std::string& host);

/// A node that gave no answer, and why.
struct SilentNode {
  std::string host;
  std::string why;
  friend bool operator==(const SilentNode&, const SilentNode&) = default;
};

/// One inventory of all answers. The notes name the silent nodes, names behind which the same machine
/// answered, and, where `expected` (Slurm's view) has a node with other cores or GPUs, that contradiction.
Inventory merged_answers(const std::vector<NodeAnswer>& answers, const std::vector<SilentNode>& silent,
                         const std::string& system, const Inventory* expected = nullptr);

/// The note of an inventory that Slurm's configuration alone was read for.
inline constexpr std::string_view no_node_answered =
    "no node answered: values are from Slurm's configuration";

/// Whether an inventory has that note.
bool is_unanswered(const Inventory& inventory);

/// Silent nodes with the same reason as one sentence each: "cn[003-004]: no answer (...)".
std::vector<std::string> silence_notes(const std::vector<SilentNode>& silent);

}  // namespace shakedown
