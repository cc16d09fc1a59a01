#pragma once
#include <string>

#include "reports/judge/judgement.hpp"

namespace shakedown {

/// What a criterion that does not pass broke, for whoever holds a waiver's reason against it: "4.619 GFLOP/s
/// < 6.000 GFLOP/s", "IO5-02: 1 s instead of 300 s"; of a criterion on every node with the nodes.
std::string breach_text(const CriterionResult& result);

/// Why a waiver that states nodes or how far it goes does not cover what a criterion broke: "it covers cn042,
/// not cn043", "it goes down to 5.000 GFLOP/s, and cn042 has 4.619 GFLOP/s". Empty: it does, or states
/// neither.
std::string beyond_waiver(const Waiver& waiver, const CriterionResult& result);

}  // namespace shakedown
