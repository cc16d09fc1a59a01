#pragma once

namespace shakedown {

/// This program's version, as "0.1.0".
extern const char* const tool_version;

}  // namespace shakedown
