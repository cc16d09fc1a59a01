#pragma once
#include <optional>
#include <string_view>

namespace shakedown {

/// The word behind the first `label` in `text`, up to a blank; nothing where the label is absent or nothing
/// follows: value_after("nThread 1 nGpus 8", "nGpus") is "8".
std::string_view value_after(std::string_view text, std::string_view label);

/// Takes the next word off `text`: up to a blank, empty at the end.
std::string_view take_word(std::string_view& text);

/// A whole number of zero or more, or nothing.
std::optional<long long> count_of(std::string_view text);

}  // namespace shakedown
