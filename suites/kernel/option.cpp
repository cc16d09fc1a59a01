#include "suites/kernel/option.hpp"

#include <array>
#include <charconv>
#include <type_traits>

namespace kernel {
namespace {

template <class Number>
std::string text_of(Number number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

}  // namespace

template <class Number>
tl::expected<Number, std::string> option_value(std::string_view option, const char* text, Number least,
                                               Number most) {
  if (text == nullptr) return tl::unexpected(std::string(option) + " needs a value");
  const std::string_view word = text;
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = status == std::errc{} && end == word.data() + word.size();
  if (whole && value >= least && value <= most) return value;
  return tl::unexpected(std::string(option) + " must be " +
                        (std::is_integral_v<Number> ? "an integer" : "a number") + " from " + text_of(least) +
                        " to " + text_of(most) + ", but is '" + text + "'");
}

template tl::expected<int, std::string> option_value(std::string_view, const char*, int, int);
template tl::expected<double, std::string> option_value(std::string_view, const char*, double, double);

}  // namespace kernel
