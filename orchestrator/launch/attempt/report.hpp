#pragma once
#include "orchestrator/launch/attempt/json_text.hpp"
#include "orchestrator/launch/attempt/orphans.hpp"

namespace attempt {

/// Adds "orphans_ended" and, where some live on, "orphans_alive": how many, and "orphans": the first of them.
void add_orphans(Text& text, const Orphans& orphans);

}  // namespace attempt
