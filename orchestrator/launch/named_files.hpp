#pragma once
#include <string>
#include <vector>

#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// The regular files that a case's command line and variables name by an absolute path, also behind the '='
/// of an option; its executable first. At most 16; none of a case that runs in a container.
std::vector<std::string> named_files(const Case& planned);

}  // namespace shakedown
