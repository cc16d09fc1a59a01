#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Where a value of a JSON document is another in a second one.
struct JsonDifference {
  std::string path;  ///< "cases[0 hpl-1n].metrics.rmax_gflops"; elements by number and name
  std::string was;   ///< in the first document, on one line; empty: it is not there
  std::string is;    ///< in the second
  friend bool operator==(const JsonDifference&, const JsonDifference&) = default;
};

/// The differences between two documents, member by member, at most `most`. The order of members does not
/// count, that of elements does. Fails where one of the documents is no JSON.
Result<std::vector<JsonDifference>> json_differences(std::string_view first, std::string_view second,
                                                     std::size_t most = 1000);

}  // namespace shakedown
