#pragma once
#include <vector>

#include "parsers/hpcg/run.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// The results of a run: one, or two where a vendor's console and the report below it tell of different
/// runs. A run without figures gives one incomplete result that says why.
std::vector<ParsedResult> hpcg_results(const HpcgRun& run);

/// Whether two ratings are one, within the digits printed.
bool same_hpcg_rating(std::string_view one, std::string_view other);

}  // namespace shakedown
