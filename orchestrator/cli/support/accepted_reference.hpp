#pragma once
#include <string>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/layout.hpp"
#include "reports/criteria.hpp"

namespace shakedown {

/// What clauses relative to the last accepted campaign of a system are frozen with; empty where none of it
/// was accepted in this workspace. Where that campaign can't be read, only clauses that ask for it fail.
LastAccepted accepted_reference(const Workspace& workspace, const std::string& system, const Layout& layout);

}  // namespace shakedown
