#pragma once
#include <string>
#include <string_view>

#include "orchestrator/core/toml.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown {

/// A published or accepted value as written in a frozen criterion: with its conditions, so that neither can
/// change with a file, and unlike things are still distinguished.
BaselineValue frozen_value_from(TomlTable table, std::string_view suite, std::string_view metric);

/// The reverse: an inline table under `key`, with the end of its line.
std::string frozen_value_toml(std::string_view key, const BaselineValue& value);

}  // namespace shakedown
