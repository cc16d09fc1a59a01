#include "suites/stream/cuda/host/options.hpp"

#include <string_view>

#include "suites/kernel/option.hpp"

namespace stream_cuda {
namespace {

constexpr int most_gpus = 64;
constexpr int least_elements = 2;
constexpr int most_elements = 2'000'000'000;
constexpr int least_times = 2;
constexpr int most_times = 100;  // beyond 260 the values of the arrays overflow

}  // namespace

const char* const usage =
    "usage: stream-cuda [--gpus G] [--elements N] [--times T]\n"
    "\n"
    "Measures the memory of each GPU of this node alone and of all at once with STREAM's four kernels, the\n"
    "way between host and GPUs, and between each two GPUs, and checks what was written and copied.\n"
    "\n"
    "  --gpus G      GPUs that must be there (any number)\n"
    "  --elements N  of each array of a GPU, an even number (536870912); each array must be at least four "
    "times\n"
    "                as large as the L2 cache; a GPU needs 24 N bytes and 512 MiB\n"
    "  --times T     that each kernel runs (10); the best but the first counts\n"
    "\n"
    "Exit code: 0 all checks passed; 1 one failed; 2 the command line is wrong or the arrays are too short;\n"
    "3 no GPU or driver can be used.\n";

tl::expected<Options, std::string> parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--help" || option == "-h") {
      options.help = true;
      return options;
    }
    int* place = option == "--gpus"       ? &options.gpus
                 : option == "--elements" ? &options.elements
                                          : &options.times;
    if (place == &options.times && option != "--times")
      return tl::unexpected("unknown option '" + std::string(option) + "'");
    const auto parsed = option == "--gpus" ? kernel::option_value<int>(option, value, 1, most_gpus)
                        : option == "--elements"
                            ? kernel::option_value<int>(option, value, least_elements, most_elements)
                            : kernel::option_value<int>(option, value, least_times, most_times);
    if (!parsed) return tl::unexpected(parsed.error());
    *place = *parsed;
  }
  if (options.elements % 2 != 0)
    return tl::unexpected("--elements must be even, but is '" + std::to_string(options.elements) + "'");
  return options;
}

}  // namespace stream_cuda
