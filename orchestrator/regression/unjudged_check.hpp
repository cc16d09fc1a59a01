#pragma once
#include <string>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/regression/check.hpp"

namespace shakedown {

/// Notes, says and tells that there is no check now. The result is the exit code. `because`: a sentence.
Result<int> skipped_check(const Check& check, const std::string& because);

/// Notes and tells that a check ended in an error, which is its end. Where it can't be noted the textfile
/// stays as it was: what the workspace knows of its series can't be read, either.
void failed_check(const Check& check, const Error& error);

/// The same before there was a lock, and it may be before anything was known of the system: it is then the
/// one whose checks alone the workspace has, or what the configuration calls it.
tl::unexpected<Error> failed_early(Check& check, Error error);

}  // namespace shakedown
