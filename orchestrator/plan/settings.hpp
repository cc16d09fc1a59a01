#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {

/// A setting that the nodes are to have, as they were delivered: one line of a configuration's `[settings]`.
struct ExpectedSetting {
  std::string name;   ///< of `reading_names`
  std::string value;  ///< as a reading of it is written: "performance", "700", "on"
  friend bool operator==(const ExpectedSetting&, const ExpectedSetting&) = default;
};

/// Reads the `[settings]` table: texts, numbers, and true and false, by the names of settings. Unknown names
/// and values of the wrong kind are objections of the table's document.
std::vector<ExpectedSetting> settings_from_toml(TomlTable table);

/// Whether a reading is as expected: numbers to a thousandth, which is less than a step of any setting.
bool as_expected(const ExpectedSetting& expected, std::string_view reading);

}  // namespace shakedown
