#pragma once
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/verify.hpp"

namespace shakedown {

/// Judges a scheduled check of a bundle again: its runs by its logs, and its series by the statistics, with
/// the values of earlier checks and of other nodes as its verdict states them, since their logs are not
/// there: those are counted in `open`. `bundle`: the unpacked bundle, with its store. Fails where its
/// configuration can't be read.
Result<RejudgedCheck> rejudged_check(const Workspace& bundle, const Outcome& outcome, const Layout& layout);

}  // namespace shakedown
