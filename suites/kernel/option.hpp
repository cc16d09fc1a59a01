#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace kernel {

/// Exit codes of the screens: the result passed its own check, failed it, or there is none, since the command
/// line is wrong or no GPU can be used.
enum Exit { passed = 0, failed_check = 1, wrong_input = 2, no_gpu = 3 };

/// The number that follows `option`; null text: nothing does. Fails with one sentence where it is no number
/// of that kind from `least` to `most`. For int and double.
template <class Number>
tl::expected<Number, std::string> option_value(std::string_view option, const char* text, Number least,
                                               Number most);

}  // namespace kernel
