#pragma once
#include <string>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The executable file of a case's program, as a path or a name in PATH: not the launcher's. Empty where no
/// file outside the job tells what runs: in a container, found by modules that the job loads, or in the run
/// directory.
std::string executable_of(const Case& planned);

}  // namespace shakedown
