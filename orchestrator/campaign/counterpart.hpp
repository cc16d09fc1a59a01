#pragma once
#include <cstddef>
#include <span>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// The case of a new plan that corresponds to `cases[place]` of the campaign: the same suite, implementation,
/// benchmark, stage and repetition, and as the first, second, ... of those, each as they were planned at
/// first. Null: there is none.
const Case* counterpart(std::span<const CaseRecord> cases, std::size_t place, std::span<const Case> fresh);

}  // namespace shakedown
