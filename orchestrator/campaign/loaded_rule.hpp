#pragma once
#include <optional>
#include <span>

#include "orchestrator/launch/loaded_files.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Rule IMPL-02: what the program loads beside its inputs (files that the command line or a script names, an
/// interpreter, shared libraries) is what the campaign was bound to, and what its attempts before found on
/// that node. `unknown` where the node reported nothing, or a file changed while the program ran: it may
/// write it.
RuleResult loaded_rule(std::span<const LoadedFile> loaded, const Commitment& commitment);

/// Adds the rule to all results of an attempt; one that breaks it is invalid. Nothing without a commitment,
/// and nothing for an attempt that reported nothing.
void judge_loaded(AttemptRecord& attempt, std::span<const LoadedFile> loaded,
                  const std::optional<Commitment>& commitment);

}  // namespace shakedown
