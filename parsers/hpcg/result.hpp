#pragma once
#include <string>
#include <vector>

#include "parsers/hpcg/run.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// The results of a run: one, or two where a vendor's console and the report below it tell of different
/// runs. A run without figures gives one incomplete result that says why.
std::vector<ParsedResult> hpcg_results(const HpcgRun& run);

/// Whether two ratings are one, within the digits printed.
bool same_hpcg_rating(std::string_view one, std::string_view other);

/// The first line that every report of HPCG has and this one lacks, "Benchmark Time Summary::MG"; of a report
/// that is not declared INVALID also one whose value is no figure. Empty: none.
///
/// Not asked for: what builds leave out (the heights of local domains, NVIDIA; times in MPI_Allreduce,
/// HPCG_for_Arm) and what version 2 does not print (setup, memory, bandwidth).
std::string missing_in_report(const HpcgRun& run);

}  // namespace shakedown
