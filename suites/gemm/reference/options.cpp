#include "suites/gemm/reference/options.hpp"

#include <string_view>

#include "suites/kernel/program.hpp"

namespace gemm {
namespace {

constexpr int kMostOrder = 100000;
constexpr int kMostTrials = 1000;
constexpr double kMostSeconds = 3600;

}  // namespace

const char* const kUsage =
    "usage: mpirun -np RANKS gemm [--n N] [--trials T] [--seconds S]\n"
    "\n"
    "Times FP64, then FP32 matrix products on all ranks at once, each on its own matrices, and\n"
    "checks one of each.\n"
    "\n"
    "  --n N        order of the matrices (2048); a rank needs 24 N^2 bytes\n"
    "  --trials T   timed trials (3); the best one is what this machine can do\n"
    "  --seconds S  length of a trial in FP64 (1.0), and twice that of one in FP32\n"
    "\n"
    "Set OPENBLAS_NUM_THREADS to cores per rank. Exit code: 0 the product is right; 1 it is wrong;\n"
    "2 the command line is wrong or the matrices don't fit.\n";

tl::expected<Options, std::string> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--help" || option == "-h") {
      options.help = true;
      return options;
    }
    if (option == "--n" || option == "--trials") {
      const bool order = option == "--n";
      const auto parsed = kernel::option_value<int>(option, value, 1, order ? kMostOrder : kMostTrials);
      if (!parsed) return tl::unexpected(parsed.error());
      (order ? options.n : options.trials) = *parsed;
    } else if (option == "--seconds") {
      const auto parsed = kernel::option_value<double>(option, value, 0.001, kMostSeconds);
      if (!parsed) return tl::unexpected(parsed.error());
      options.seconds = *parsed;
    } else {
      return tl::unexpected("unknown option '" + std::string(option) + "'");
    }
  }
  return options;
}

}  // namespace gemm
