#pragma once

#include <string>
#include <tl/expected.hpp>

namespace stream {

struct Options {
  bool help = false;
  int elements = 10'000'000;  ///< of each of the three arrays, on each rank
  int times = 10;             ///< that each kernel runs; the first doesn't count
};

extern const char* const kUsage;

/// Fails with a sentence on an unknown option, a missing value, or one that is out of range.
tl::expected<Options, std::string> parse_options(int argc, const char* const* argv);

}  // namespace stream
