#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// Puts the launcher's argv, environment and notes into a case that has a program and a launcher, for the
/// hosts in it; `first_host_variable`, if its environment has that, becomes the first of them.
/// `usable_cores`: of a node; 0: not known. Fails on a launcher that does not exist, or can't do the case.
Result<void> compose_argv(Case& planned, int usable_cores, const Site* site = nullptr);

/// The command lines that go before a composed case: its preparation, and that of its nodes, which the
/// launcher starts once on each of them. A case on one node that its launcher must be started on needs no
/// launcher for it.
std::vector<std::vector<std::string>> preparation_lines(const Case& planned);

/// The command line of `program` (libexec/shakedown/node-state) that looks at the nodes of a composed case,
/// but for its last word, "before" or "after". Empty where the program is not there.
std::vector<std::string> node_state_command(const Case& planned, const std::filesystem::path& program,
                                            const Site* site);

}  // namespace shakedown
