#include "orchestrator/core/version.hpp"

namespace shakedown {

extern const char* const tool_version;
const char* const tool_version = SHAKEDOWN_VERSION;

}  // namespace shakedown
