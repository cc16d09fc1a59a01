#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The hosts of a hostlist in Slurm's notation: "cn[001-098,100],login1" -> 100 names, order kept. Widths of
/// zero-padded numbers are kept; several brackets in one name multiply. Fails with the position of the first
/// wrong character, on a range that runs backwards, on doubled hosts and on more than 1,000,000 hosts.
Result<std::vector<std::string>> expanded_hostlist(std::string_view text);

/// The shortest hostlist of `hosts` in the same notation; order of first appearance by prefix, numbers
/// ascending.
std::string folded_hostlist(std::span<const std::string> hosts);

}  // namespace shakedown
