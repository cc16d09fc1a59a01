#pragma once
#include "orchestrator/campaign/pass_log.hpp"
#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/cli/support/pass_metrics.hpp"

namespace shakedown {

/// Writes the textfile that the user asked for: `metrics`, with the counts of now. Complains where it can't
/// be written.
void put_textfile(const PassFrame& frame, PassMetrics metrics);

/// Keeps in the workspace what the next passes start from, and writes the textfile.
void keep_and_put_textfile(const PassFrame& frame, PassMetrics metrics);

/// Makes up for the metrics of a pass that was cut short behind its verdict.
void make_up_for_textfile(const PassFrame& frame, const PassLog& log);

}  // namespace shakedown
