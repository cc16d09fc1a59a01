#include "orchestrator/plan/free_parameters.hpp"

#include <fmt/core.h>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {

std::optional<Parameter> free_parameter(TomlTable& table, const std::string& key) {
  const auto scalar = table.scalar(key);
  if (!scalar) {
    table.reject(key, fmt::format("'{}' must be a number or a string", key));
    return std::nullopt;
  }
  if (scalar->type == "integer") return Parameter{key, parsed_integer(scalar->text).value_or(0)};
  if (scalar->type == "float") return Parameter{key, parsed_number(scalar->text).value_or(0)};
  return Parameter{key, scalar->text};
}

std::vector<Parameter> free_parameters(TomlTable table) {
  std::vector<Parameter> parameters;
  for (const std::string& key : table.keys())
    if (auto parameter = free_parameter(table, key)) parameters.push_back(*std::move(parameter));
  return parameters;
}

}  // namespace shakedown
