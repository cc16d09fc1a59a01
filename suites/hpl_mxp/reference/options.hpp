#pragma once

#include <string>
#include <tl/expected.hpp>

#include "suites/kernel/grid.hpp"

namespace hpl_mxp {

/// The command line, with the names of NVIDIA's hpl-mxp.sh.
struct Options {
  int n = 0;      ///< order of the system; 0: not given
  int nb = 192;   ///< block size of the distribution and width of a panel
  int nprow = 1;  ///< P
  int npcol = 0;  ///< Q; 0: as many as there are ranks for
  kernel::Mapping nporder = kernel::Mapping::row_major;
  double threshold = 16;  ///< the scaled residual must be below it
  bool help = false;
};

/// Fails with one sentence on an unknown option and on a value out of range.
tl::expected<Options, std::string> parse_options(int argc, char** argv);

/// The same for `ranks` ranks, npcol given. Fails with one sentence where N is missing, the grid needs more
/// ranks, or a panel is larger than one MPI message.
tl::expected<Options, std::string> check(Options options, int ranks);

extern const char* const kUsage;

}  // namespace hpl_mxp
