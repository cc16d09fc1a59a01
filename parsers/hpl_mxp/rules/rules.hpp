#pragma once
#include <span>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// MXP-01 to MXP-03 and MXP-05: the benchmark's own check, precision, and what was solved.
std::span<const Rule> hpl_mxp_numerics_rules();

/// MXP-04: rates, times and products recomputed from what else the log prints.
std::span<const Rule> hpl_mxp_identity_rules();

/// MXP-06: refinement, sizes and memory, and what was planned.
std::span<const Rule> hpl_mxp_conduct_rules();

}  // namespace shakedown
