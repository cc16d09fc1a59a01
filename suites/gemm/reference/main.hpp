#pragma once
#include <string>
#include <tl/expected.hpp>

namespace gemm {

struct Options {
  int n = 2048;          ///< order of the square matrices, of which each rank has three
  int trials = 3;        ///< timed trials, after one untimed product
  double seconds = 1.0;  ///< at least this long per FP64 trial on the slowest rank; half for FP32
  bool help = false;
};

/// The command line. Fails with one sentence on an unknown option and on a value out of range.
tl::expected<Options, std::string> parse_options(int argc, char** argv);

extern const char* const kUsage;

}  // namespace gemm
