#include "orchestrator/core/value.hpp"

#include <fmt/core.h>

#include <limits>

namespace shakedown {

std::string value_text(const Value& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>)
          return held;
        else
          return fmt::format("{}", held);
      },
      value);
}

double value_number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::numeric_limits<double>::quiet_NaN();
}

const Value* find_parameter(std::span<const Parameter> parameters, std::string_view name) {
  for (const Parameter& parameter : parameters)
    if (parameter.name == name) return &parameter.value;
  return nullptr;
}

}  // namespace shakedown
