#pragma once

#include <istream>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "suites/kernel/grid.hpp"

namespace hpl {

using kernel::Grid;
using kernel::Mapping;

struct GridShape {
  int P = 1;
  int Q = 1;
};

/// What is used of HPL.dat: every combination of grid, N and NB is a test.
struct HplDat {
  std::string output_file;  ///< line 3
  int device = 6;           ///< 6 stdout, 7 stderr, else `output_file`
  std::vector<int> N;
  std::vector<int> NB;
  Mapping mapping = Mapping::row_major;
  std::vector<GridShape> grids;
  double threshold = 16.0;  ///< not above 0: no residual check
};

/// A line of HPL.dat that can't be used, and the way out.
struct InputError {
  int line = 0;
  std::string what;
  std::string hint;
};

/// Reads HPL.dat: 31 lines by position, of each the leading values, the rest being comment; further lines are
/// ignored. Lines 14 to 31 tune parts that this program has in one form only: they must be
/// there and be numbers, and change nothing.
///
/// Fails on a missing line, on what isn't a number, on N < 0, on NB, P or Q < 1, and on more than 20
/// values in a list. Source: HPL 2.3, testing/ptest/HPL_pdinfo.c.
tl::expected<HplDat, InputError> read_hpl_dat(std::istream& text);

/// Fails, with the line, where a grid needs more ranks than there are, or a panel is larger than an MPI
/// message.
tl::expected<void, InputError> check(const HplDat& dat, int ranks);

}  // namespace hpl
