#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "parsers/hpcg/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {

std::optional<PrintedRange> six_digit_range(std::string_view printed) {
  const auto value = finite_number(printed);
  if (!value || *value < 0) return std::nullopt;
  if (*value == 0) return PrintedRange{0, 0};
  const double sixth_digit = std::pow(10.0, std::floor(std::log10(*value)) - 5);
  // The sums are made in double precision, in whatever order.
  const double error = std::min(half_unit(printed), 0.5 * sixth_digit) * (1 + 1e-9) + 1e-12 * *value;
  return PrintedRange{*value - error, *value + error};
}

std::optional<PrintedRange> six_digit_range(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  return found == nullptr ? std::nullopt : six_digit_range(found->value);
}

PrintedRange operator+(PrintedRange a, PrintedRange b) {
  return {a.low + b.low, a.high + b.high};
}
PrintedRange operator*(PrintedRange a, PrintedRange b) {
  return {a.low * b.low, a.high * b.high};
}
PrintedRange operator/(PrintedRange a, PrintedRange b) {
  return {a.low / b.high, a.high / b.low};
}
PrintedRange operator*(double factor, PrintedRange range) {
  return {factor * range.low, factor * range.high};
}

Finding follows(const Fact& printed, PrintedRange expected, std::string_view how, std::string_view broken) {
  const auto range = six_digit_range(printed.value);
  const std::string gives = fmt::format("{} to {}", number(expected.low, 7), number(expected.high, 7));
  const std::string value = fmt::format("{}; {} gives {}", printed.value, how, gives);
  if (!range) return unknown("this is no number", printed.value, printed.line);
  if (!std::isfinite(expected.high))
    return unknown("the values that it follows from are too small to decide", printed.value, printed.line);
  return checked(range->high >= expected.low && range->low <= expected.high, value, printed.line,
                 std::string(broken));
}

std::optional<std::int64_t> whole_fact(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  return found == nullptr ? std::nullopt : positive_integer(found->value);
}

}  // namespace shakedown
