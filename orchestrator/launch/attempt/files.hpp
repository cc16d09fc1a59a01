#pragma once
#include "orchestrator/launch/attempt/json_text.hpp"

namespace attempt {

/// Creates started.json in the working directory, whole or not at all. 1: ours, 0: it was there, -1: I/O
/// failure.
int claim();

/// Writes finished.json so that it is there whole or not at all, also after a power loss.
bool publish(const Text& text);

}  // namespace attempt
