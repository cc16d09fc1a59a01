#pragma once
#include <span>

#include "parsers/rules/finding.hpp"

namespace shakedown {

/// HPL-01 to HPL-04: arithmetic, the benchmark's own check, and the identity of rate, time and N.
std::span<const Rule> hpl_numerics_rules();

/// HPL-05 and HPL-06: grid, ranks, problem size, and what was planned.
std::span<const Rule> hpl_layout_rules();

/// HPL-07 to HPL-09: the machine, the lists, and settings that change what is measured.
std::span<const Rule> hpl_machine_rules();

/// The floating-point operations that HPL counts for order N: 2/3 N^3 + 3/2 N^2 (netlib HPL 2.3,
/// HPL_pdtest.c).
double hpl_operations(double N);

}  // namespace shakedown
