#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// The `{name}`s in `text`, in order: a brace, letters, digits and '_', a brace. Other braces and `${name}`
/// are plain text.
std::vector<std::string> placeholders(std::string_view text);

/// `text` with each `{name}` replaced by the value of that name; those without a value stay as they are, so
/// that planning fills `{N}` and launching `{run}`.
std::string filled(std::string_view text, std::span<const Parameter> values);

/// The value at a key: a number stays one, the rest is text. What is neither is an objection, and nothing.
std::optional<Parameter> free_parameter(TomlTable& table, const std::string& key);

/// A table whose keys are free: numbers stay numbers, the rest is text. What is neither is an objection.
std::vector<Parameter> free_parameters(TomlTable table);

}  // namespace shakedown
