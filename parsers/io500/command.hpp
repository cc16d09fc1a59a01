#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// Whether a command line of IOR, mdtest or find has `option` as a word of its own: "-F".
bool io500_has_option(std::string_view command, std::string_view option);

/// Whether `option` has that value somewhere in a command line, which may repeat it: "-O" of IOR.
bool io500_has_option(std::string_view command, std::string_view option, std::string_view value);

/// What follows `option` in a command line: "47008" for "-t 47008" and "-t=47008"; nothing where it is absent
/// or the last word.
std::optional<std::string_view> io500_option_value(std::string_view command, std::string_view option);

}  // namespace shakedown
