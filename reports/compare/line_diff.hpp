#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// What changed between two texts, line by line: "- " before lines that went, "+ " before those that came,
/// "  " before up to two unchanged ones around them, "..." where more were left out. Empty where nothing did.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace shakedown
