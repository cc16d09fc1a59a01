#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// As `shell_quoted`, for the first word of a command: neither "A=b" nor "if" may stand there without quotes.
std::string shell_command(std::string_view word);

}  // namespace shakedown
