#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "suites/hpcg/rank_grid.hpp"

namespace shakedown::hpcg {

/// hpcg.dat: two lines of comment, the local domain, the run time in seconds; and the process grid in a fifth
/// line, where it is not the one that HPCG chooses itself.
///
/// Source: HPCG 3.1, ReadHpcgDat.cpp.
std::string hpcg_dat(const Box& local, std::int64_t run_time_s, const std::optional<Box>& grid);

}  // namespace shakedown::hpcg
