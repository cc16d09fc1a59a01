#pragma once
#include <string>

#include "orchestrator/cli/support/pass_frame.hpp"
#include "orchestrator/core/file_lock.hpp"

namespace shakedown {

/// Notes, says and tells that there is no pass now. The result is the exit code. `because`: a sentence.
Result<int> skipped_pass(const PassFrame& frame, const std::string& because);

/// Notes and tells that a pass ended in an error, which is its end. Where it can't be noted the textfile
/// stays as it was: what the workspace knows of its series can't be read, either.
void failed_pass(const PassFrame& frame, const Error& error);

/// The same before there was a lock, and it may be before anything was known of the system: it is then the
/// one whose passes alone the workspace has, or what the configuration calls it.
tl::unexpected<Error> failed_early(PassFrame& frame, Error error);

}  // namespace shakedown
