#pragma once
#include <span>

namespace shakedown {

/// Starts attempts for the process at the other end of descriptor 3 (`AttemptServer`) until that end closes;
/// attempts that run then go on. Each is a copy of this process, as is what looks at its node: on a short
/// case's path no program is executed but the case's own. `words`: of this process's command line, the first
/// its program's path, by which attempts name what looks. Returns the exit code.
int serve(std::span<char*> words);

}  // namespace shakedown
