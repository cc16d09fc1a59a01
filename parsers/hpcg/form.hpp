#pragma once
#include <string>

#include "parsers/hpcg/run.hpp"

namespace shakedown {

/// The first line that every report of HPCG has and this one lacks, "Benchmark Time Summary::MG"; of a report
/// that is not declared INVALID also one whose value is no figure. Empty: none.
///
/// Not asked for: what builds leave out (the heights of local domains, NVIDIA; times in MPI_Allreduce,
/// HPCG_for_Arm) and what version 2 does not print (setup, memory, bandwidth).
std::string missing_in_report(const HpcgRun& run);

}  // namespace shakedown
