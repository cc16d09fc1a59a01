#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// What changed between two texts, line by line: "- " before removed lines, "+ " before added ones, "  "
/// before up to two unchanged ones around them, "..." where more were omitted. Empty if nothing changed.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace shakedown
