#pragma once
#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// The case that every suite starts from: id `<suite>-<implementation>-<nodes>n`, nodes and ranks of
/// `layout`, the implementation's program, arguments and environment with their placeholders filled ({run}
/// stays), its container around them, and warnings for what is not exercised or not installed here.
///
/// A program without a slash is looked up in this machine's PATH; where it is missing its bare name stays,
/// with a warning, since the plan may be for other nodes.
///
/// Fails with rule "requirements" where the implementation needs GPUs of a make that the nodes don't have.
Result<Case> planned_case(const PlanRequest& request, const RankLayout& layout);

}  // namespace shakedown
