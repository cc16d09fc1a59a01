#include "orchestrator/plan/free_parameters.hpp"

#include <fmt/core.h>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {

std::vector<Parameter> free_parameters(TomlTable table) {
  std::vector<Parameter> parameters;
  for (const std::string& key : table.keys()) {
    const auto scalar = table.scalar(key);
    if (!scalar) {
      table.reject(key, fmt::format("'{}' must be a number or a string", key));
    } else if (scalar->type == "integer") {
      parameters.push_back({key, parsed_integer(scalar->text).value_or(0)});
    } else if (scalar->type == "float") {
      parameters.push_back({key, parsed_number(scalar->text).value_or(0)});
    } else {
      parameters.push_back({key, scalar->text});
    }
  }
  return parameters;
}

}  // namespace shakedown
