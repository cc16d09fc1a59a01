#include "orchestrator/plan/printed_interval.hpp"

#include <cmath>
#include <string>

#include "orchestrator/core/units.hpp"

namespace shakedown {

Interval exactly(double value) {
  return {value, value};
}

Interval within(double value, double tolerance) {
  return {value * (1 - tolerance), value * (1 + tolerance)};
}

Interval operator*(const Interval& a, const Interval& b) {
  return {a.low * b.low, a.high * b.high};
}

Interval operator/(const Interval& a, const Interval& b) {
  return {a.low / b.high, a.high / b.low};
}

Interval operator+(const Interval& a, const Interval& b) {
  return {a.low + b.low, a.high + b.high};
}

Interval square_root(const Interval& a) {
  return {std::sqrt(a.low), std::sqrt(a.high)};
}

Interval geometric_mean(std::span<const Interval> figures) {
  Interval logarithms;
  for (const Interval& figure : figures)
    logarithms = logarithms + Interval{std::log(figure.low), std::log(figure.high)};
  const auto n = static_cast<double>(figures.size());
  return {std::exp(logarithms.low / n), std::exp(logarithms.high / n)};
}

Interval printed_interval(const BaselineValue& value) {
  std::string digits = value.printed.substr(0, value.printed.find_first_not_of("0123456789.,-+"));
  std::erase(digits, ',');
  const auto figure = parsed_number(digits);
  if (!figure || *figure == 0) return exactly(value.value);
  const size_t point = digits.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  const double half = std::abs(0.5 * std::pow(10.0, -decimals) * value.value / *figure);
  return {value.value - half, value.value + half};
}

}  // namespace shakedown
