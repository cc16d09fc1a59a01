#pragma once
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// What readers object to in one file as one error: by line, each once, a line of the sentence for each,
/// twenty at most. Objections that are such errors themselves are taken apart. Fails if there is any.
Result<void> all_objections(const std::vector<Error>& objections);

}  // namespace shakedown
