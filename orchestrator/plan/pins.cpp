#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

Result<std::optional<std::int64_t>> PlanRequest::pinned(std::string_view name) const {
  const Value* value = find_parameter(pins, name);
  if (value == nullptr) return std::optional<std::int64_t>();
  const auto* whole = std::get_if<std::int64_t>(value);
  if (whole == nullptr || *whole < 1)
    return fail(fmt::format("pin {}", name),
                fmt::format("'{}' is no whole number above 0", value_text(*value)));
  return std::optional<std::int64_t>(*whole);
}

std::string PlanRequest::pinned_text(std::string_view name) const {
  const Value* value = find_parameter(pins, name);
  return value == nullptr ? std::string() : value_text(*value);
}

}  // namespace shakedown
