#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "orchestrator/campaign/pass_log.hpp"
#include "orchestrator/cli/support/node_turns.hpp"
#include "orchestrator/cli/support/pass_frame.hpp"

namespace shakedown {

/// "skipped: 3 passes of this system so far, 1 since the last one made".
std::string skipped_text(const PassLog::Skipped& skipped);

/// Prints a document of `--json`.
void say_document(const nlohmann::ordered_json& document);

/// Says how a pass ended, on standard output: the verdict with a line a series, or as JSON.
void say_pass(const PassFrame& frame, const PassTelling& telling, const Coverage& seen,
              const PassLog::Skipped& skipped);

}  // namespace shakedown
