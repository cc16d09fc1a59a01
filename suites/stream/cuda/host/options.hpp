#pragma once

#include <string>
#include <tl/expected.hpp>

namespace stream_cuda {

struct Options {
  bool help = false;
  int gpus = 0;                ///< that must be there; 0: any number
  int elements = 536'870'912;  ///< of each of the three arrays, on each GPU
  int times = 10;              ///< that each kernel runs; the first doesn't count
};

extern const char* const usage;

/// Fails with a sentence on an unknown option, a missing value, or one that is out of range.
tl::expected<Options, std::string> parse_options(int argc, const char* const* argv);

}  // namespace stream_cuda
