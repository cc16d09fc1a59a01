#pragma once
#include <optional>
#include <span>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// On how many nodes HPL ran: as planned; of a log that was made elsewhere as many as it names, if the stated
/// inventory has nodes of one kind. Nothing: not known.
std::optional<int> hpl_nodes(const Evidence& evidence);

/// HPL-01 to HPL-03: arithmetic and the benchmark's own check.
std::span<const Rule> hpl_numerics_rules();

/// HPL-03b and HPL-04: residual, rate and time recomputed from what else the log prints.
std::span<const Rule> hpl_identity_rules();

/// HPL-05 and HPL-06: grid, ranks, problem size, and what was planned.
std::span<const Rule> hpl_layout_rules();

/// HPL-07 to HPL-09: the machine, the lists, and settings that change what is measured.
std::span<const Rule> hpl_machine_rules();

}  // namespace shakedown
