#pragma once
#include <string>
#include <vector>

#include "parsers/hpcg/run.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// The results of a run: one, or two if a vendor's console and the report below it are of different runs. A
/// run without values gives one incomplete result with the reason.
std::vector<ParsedResult> hpcg_results(const HpcgRun& run);

/// Whether two ratings are one, within the digits printed.
bool same_hpcg_rating(std::string_view one, std::string_view other);

/// The first line that every report of HPCG has and this one does not, "Benchmark Time Summary::MG"; of a
/// report that is not declared INVALID also one whose value is no number. Empty: none.
///
/// Not checked: what builds omit (the heights of local domains, NVIDIA; times in MPI_Allreduce, HPCG_for_Arm)
/// and what version 2 does not print (setup, memory, bandwidth).
std::string missing_in_report(const HpcgRun& run);

}  // namespace shakedown
