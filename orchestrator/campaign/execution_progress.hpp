#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/campaign_progress.hpp"
#include "orchestrator/campaign/submit_queue.hpp"

namespace shakedown {

/// The parts of an execution that know the states of its cases.
struct ExecutionView {
  const ExecutionContext& context;
  const NodeWatch& nodes;
  const AttemptLedger& ledger;
  const SubmitQueue& queue;
  std::string
      calm{};  ///< what the next case waits for on this machine; NOLINT(readability-redundant-member-init)
};

/// Each case of an execution at this instant: what runs, what waits, and for what.
std::vector<CaseProgress> live_case_progress(const ExecutionView& view);

}  // namespace shakedown
