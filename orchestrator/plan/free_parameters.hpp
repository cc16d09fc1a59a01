#pragma once
#include <optional>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// The value at a key: a number stays one, the rest is text. What is neither is an objection, and nothing.
std::optional<Parameter> free_parameter(TomlTable& table, const std::string& key);

/// A table whose keys are free: numbers stay numbers, the rest is text. What is neither is an objection.
std::vector<Parameter> free_parameters(TomlTable table);

}  // namespace shakedown
