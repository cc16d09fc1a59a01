#pragma once
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// A table whose keys are free: numbers stay numbers, the rest is text. What is neither is an objection.
std::vector<Parameter> free_parameters(TomlTable table);

}  // namespace shakedown
