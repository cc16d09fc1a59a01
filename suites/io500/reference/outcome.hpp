#pragma once

#include <string>
#include <utility>
#include <vector>

namespace io500 {

/// What a phase did; the same on all ranks.
struct Outcome {
  double score = 0;                                          ///< GiB/s, or thousands of operations per second
  std::vector<std::pair<std::string, std::string>> figures;  ///< keys of result.txt
  std::vector<std::string> invalid;                          ///< sentences
  bool wrong = false;  ///< contents or counts are not what was written: not merely too short
};

}  // namespace io500
