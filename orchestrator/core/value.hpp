#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace shakedown {

/// Which way a metric is better.
enum class Better { higher, lower };

/// A whole number, a real or a text: what a benchmark's parameter can be.
using Value = std::variant<std::int64_t, double, std::string>;

/// A named value; order is the benchmark's own.
struct Parameter {
  std::string name;  ///< as the benchmark spells it: N, NB, P, Q, nx
  Value value;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// The value as text: 2706432, 0.88, "row".
std::string value_text(const Value& value);

/// The value as a number; NaN for a text.
double value_number(const Value& value);

/// The parameter called `name`, or null.
const Value* find_parameter(std::span<const Parameter> parameters, std::string_view name);

}  // namespace shakedown
