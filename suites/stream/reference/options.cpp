#include "suites/stream/reference/options.hpp"

#include <string_view>

#include "suites/kernel/program.hpp"

namespace stream {
namespace {

constexpr int kMostElements = 2'000'000'000;
constexpr int kLeastTimes = 2;
constexpr int kMostTimes = 100'000;

}  // namespace

const char* const kUsage =
    "usage: mpirun -np RANKS stream [--elements N] [--times T]\n"
    "\n"
    "Measures the memory bandwidth of all ranks at once with STREAM's four kernels, and checks the arrays.\n"
    "\n"
    "  --elements N  of each array of a rank (10000000); all arrays must be at least four times as large as\n"
    "                the caches; a rank needs 24 N bytes\n"
    "  --times T     that each kernel runs (10); the best but the first counts\n"
    "\n"
    "OMP_NUM_THREADS is threads per rank (1). Exit code: 0 the result check passed; 1 it failed;\n"
    "2 the command line is wrong or the arrays don't fit.\n";

tl::expected<Options, std::string> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--help" || option == "-h") {
      options.help = true;
      return options;
    }
    const bool elements = option == "--elements";
    if (!elements && option != "--times")
      return tl::unexpected("unknown option '" + std::string(option) + "'");
    const auto parsed = elements ? kernel::option_value<int>(option, value, 1, kMostElements)
                                 : kernel::option_value<int>(option, value, kLeastTimes, kMostTimes);
    if (!parsed) return tl::unexpected(parsed.error());
    (elements ? options.elements : options.times) = *parsed;
  }
  return options;
}

}  // namespace stream
