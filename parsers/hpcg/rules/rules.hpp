#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// The range of real numbers that are printed as a given one.
struct PrintedRange {
  double low = 0;
  double high = 0;
};

/// Those of a number that C++ printed with its default of six significant digits, of which it drops trailing
/// zeros; if more digits are printed, of those.
std::optional<PrintedRange> six_digit_range(std::string_view printed);

/// The same of a fact of the result; nothing where it is absent or no number.
std::optional<PrintedRange> six_digit_range(const ParsedResult& result, std::string_view fact);

/// Sums, products and quotients of numbers above zero.
PrintedRange operator+(PrintedRange a, PrintedRange b);
PrintedRange operator*(PrintedRange a, PrintedRange b);
PrintedRange operator/(PrintedRange a, PrintedRange b);
PrintedRange operator*(double factor, PrintedRange range);

/// Passes if the printed value and the expected one can be equal: "97.9312; <how> gives 97.9311 to 97.9314".
Finding follows(const Fact& printed, PrintedRange expected, std::string_view how, std::string_view broken);

/// A whole number among the facts, above zero.
std::optional<std::int64_t> whole_fact(const ParsedResult& result, std::string_view fact);

std::span<const Rule> hpcg_verdict_rules();   ///< HPCG-01, 02, 07
std::span<const Rule> hpcg_shape_rules();     ///< HPCG-04, 05
std::span<const Rule> hpcg_identity_rules();  ///< HPCG-06
std::span<const Rule> hpcg_advice_rules();    ///< HPCG-03, 08, 09, 10

}  // namespace shakedown
