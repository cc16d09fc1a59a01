#pragma once

#include <string>
#include <tl/expected.hpp>

namespace gemm_cuda {

struct Options {
  int gpus = 0;          ///< that must be there; 0: any number
  int n = 8192;          ///< order of the square matrices
  int trials = 3;        ///< of all GPUs at once
  double seconds = 1.0;  ///< at least this long for a trial
  bool help = false;
};

/// The command line. Fails with one sentence on an unknown option and on a value out of range.
tl::expected<Options, std::string> parse_options(int argc, const char* const* argv);

extern const char* const usage;

}  // namespace gemm_cuda
