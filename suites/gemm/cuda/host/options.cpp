#include "suites/gemm/cuda/host/options.hpp"

#include <string_view>

#include "suites/kernel/option.hpp"

namespace gemm_cuda {
namespace {

constexpr int most_gpus = 64;
constexpr int tile = 16;  // FP8 wants rows of 16 bytes
constexpr int most_order = 65536;
constexpr int most_trials = 1000;
constexpr double least_seconds = 0.001;
constexpr double most_seconds = 3600;

}  // namespace

const char* const usage =
    "usage: gemm-cuda [--gpus G] [--n N] [--trials T] [--seconds S]\n"
    "\n"
    "Times matrix products in FP64, TF32, BF16, FP16 and FP8 with cuBLASLt: on each GPU of this node alone,\n"
    "one after the other, then on all at once, and checks the product of each.\n"
    "\n"
    "  --gpus G     GPUs that must be there (any number)\n"
    "  --n N        order of the matrices, a multiple of 16 (8192); FP64 needs 24 N^2 bytes of each GPU\n"
    "  --trials T   trials of all GPUs at once (3); the best one is what this node can do\n"
    "  --seconds S  length of a trial (1.0), and of the one on each GPU alone\n"
    "\n"
    "Exit code: 0 all products are right; 1 one is wrong; 2 the command line is wrong; 3 no GPU, driver or\n"
    "cuBLASLt can be used.\n";

tl::expected<Options, std::string> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--help" || option == "-h") {
      options.help = true;
      return options;
    }
    if (option == "--seconds") {
      const auto parsed = kernel::option_value<double>(option, value, least_seconds, most_seconds);
      if (!parsed) return tl::unexpected(parsed.error());
      options.seconds = *parsed;
      continue;
    }
    int* place = option == "--gpus" ? &options.gpus : option == "--n" ? &options.n : &options.trials;
    if (place == &options.trials && option != "--trials")
      return tl::unexpected("unknown option '" + std::string(option) + "'");
    const int most = option == "--gpus" ? most_gpus : option == "--n" ? most_order : most_trials;
    const auto parsed = kernel::option_value<int>(option, value, 1, most);
    if (!parsed) return tl::unexpected(parsed.error());
    *place = *parsed;
  }
  if (options.n % tile != 0)
    return tl::unexpected("--n must be a multiple of 16, but is '" + std::to_string(options.n) + "'");
  return options;
}

}  // namespace gemm_cuda
