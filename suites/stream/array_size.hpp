#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::stream {

/// The length of STREAM's three arrays.
struct ArraySize {
  std::int64_t elements_per_rank = 0;  ///< of one array, 8 bytes each
  std::vector<Reason> why;
  std::vector<std::string> warnings;
};

/// The shortest arrays that measure the memory and not the caches: on each node at least four times as large
/// as its last-level caches together, and no shorter than STREAM's own 10 million elements; the ranks of a
/// node share them evenly. If the inventory has no cache, the largest per core of any server processor is
/// assumed, and what memory allows.
///
/// Fails with rule STREAM-06 where memory does not hold them.
///
/// Source: STREAM 5.10, stream.c, instructions (1) and (a).
Result<ArraySize> array_size(const PlanRequest& request, const RankLayout& layout);

}  // namespace shakedown::stream
