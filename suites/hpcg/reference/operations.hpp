#pragma once

#include <array>
#include <cstdint>

#include "suites/hpcg/reference/multigrid.hpp"

namespace hpcg {

/// Sizes of a level over all ranks.
struct LevelSize {
  std::int64_t rows = 0;
  std::int64_t nonzeros = 0;
  std::int64_t columns = 0;  ///< rows and halo of the first rank, times the ranks
  int sent = 0;              ///< values that the first rank sends in an exchange
  int neighbours = 0;        ///< of the first rank
};
using LevelSizes = std::array<LevelSize, kLevels>;

/// What HPCG counts for the timed part, whatever was really executed: operations, or bytes.
struct Count {
  double dot = 0;
  double combine = 0;
  double product = 0;
  double multigrid = 0;
  [[nodiscard]] double total() const { return dot + combine + product + multigrid; }
};

/// Floating-point operations of `sets` sets of `iterations`. Source: HPCG 3.1, ReportResults.cpp.
Count operations(const LevelSizes& levels, double sets, double iterations);

/// Bytes read and written by HPCG's model, with its own terms for the residual and the second smoother.
/// Source: HPCG 3.1, ReportResults.cpp.
Count bytes_read(const LevelSizes& levels, double sets, double iterations);
Count bytes_written(const LevelSizes& levels, double sets, double iterations);

/// Bytes that HPCG 3.1's data structures take by its own model, by level: what makes problems comparable
/// between programs. Source: HPCG 3.1, ReportResults.cpp.
std::array<double, kLevels> problem_bytes(const LevelSizes& levels, double sets);

}  // namespace hpcg
