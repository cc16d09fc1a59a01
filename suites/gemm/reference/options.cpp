#include "suites/gemm/reference/options.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace gemm {
namespace {

constexpr int kMostOrder = 100000;
constexpr int kMostTrials = 1000;
constexpr double kMostSeconds = 3600;

template <class Number>
tl::expected<Number, std::string> number(std::string_view option, const char* text, Number least,
                                         Number most) {
  if (text == nullptr) return tl::unexpected(std::string(option) + " needs a value");
  const std::string_view word = text;
  Number value{};
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = status == std::errc{} && end == word.data() + word.size();
  if (whole && value >= least && value <= most) return value;
  const auto format = [](Number limit) {
    std::array<char, 32> digits{};
    const auto end_of_digits = std::to_chars(digits.data(), digits.data() + digits.size(), limit).ptr;
    return std::string(digits.data(), end_of_digits);
  };
  return tl::unexpected(std::string(option) + " must be a number from " + format(least) + " to " +
                        format(most) + ", but is '" + text + "'");
}

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
      const auto parsed = number<int>(option, value, 1, order ? kMostOrder : kMostTrials);
      if (!parsed) return tl::unexpected(parsed.error());
      (order ? options.n : options.trials) = *parsed;
    } else if (option == "--seconds") {
      const auto parsed = number<double>(option, value, 0.001, kMostSeconds);
      if (!parsed) return tl::unexpected(parsed.error());
      options.seconds = *parsed;
    } else {
      return tl::unexpected("unknown option '" + std::string(option) + "'");
    }
  }
  return options;
}

}  // namespace gemm
