#include "orchestrator/plan/settings.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

std::string_view wanted(ReadingKind kind) {
  return kind == ReadingKind::on_off ? "true or false" : kind == ReadingKind::number ? "a number" : "a text";
}

/// Whether TOML's type can be a reading of that kind.
bool fits(ReadingKind kind, std::string_view type) {
  return kind == ReadingKind::on_off   ? type == "boolean"
         : kind == ReadingKind::number ? type == "integer" || type == "float"
                                       : type == "string";
}

}  // namespace

std::vector<ExpectedSetting> settings_from_toml(TomlTable table) {
  std::vector<std::string> known;
  for (const ReadingName& each : reading_names())
    if (each.is_setting) known.emplace_back(each.name);
  std::vector<ExpectedSetting> settings;
  for (const std::string& key : table.keys()) {
    const auto value = table.scalar(key);
    if (std::ranges::find(known, key) == known.end()) {
      table.reject(key, fmt::format("no setting '{}'{}", key, did_you_mean(key, known)),
                   fmt::format("settings: {}", joined(known, ", ")));
      continue;
    }
    const ReadingKind kind = reading_name(key)->kind;
    if (!value || !fits(kind, value->type)) {
      table.reject(key, fmt::format("'{}' takes {}", key, wanted(kind)));
      continue;
    }
    settings.push_back(
        {key, kind == ReadingKind::on_off ? value->text == "true" ? "on" : "off" : value->text});
  }
  return settings;
}

bool as_expected(const ExpectedSetting& expected, std::string_view reading) {
  if (reading == expected.value) return true;
  const ReadingName* name = reading_name(expected.name);
  if (name == nullptr || name->kind != ReadingKind::number) return false;
  const auto one = parsed_number(reading);
  const auto other = parsed_number(expected.value);
  return one && other && std::abs(*one - *other) <= 0.001 * std::abs(*other);
}

}  // namespace shakedown
