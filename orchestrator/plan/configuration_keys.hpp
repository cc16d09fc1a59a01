#pragma once
#include <array>
#include <string_view>

namespace shakedown {

/// The top-level keys of a configuration beside its title, by who reads them. Planning and judging read one
/// file, and each leaves the other's keys alone: a key that is new stands here, or the other refuses it.
inline constexpr std::array<std::string_view, 6> keys_of_the_plan = {"system", "baseline", "site",
                                                                     "runs",   "settings", "calibration"};
inline constexpr std::array<std::string_view, 3> keys_of_the_criteria = {"criteria", "idle", "waivers"};

}  // namespace shakedown
