#include "suites/hpl_mxp/reference/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "suites/hpl_mxp/reference/system.hpp"

namespace hpl_mxp {
namespace {

constexpr int kMostOrder = 100'000'000;
constexpr int kMostBlock = 65536;
constexpr int kMostProcesses = 1'000'000;

struct IntegerOption {
  std::string_view name;
  int Options::*value;
  int least;
  int most;
};
constexpr std::array integers = {IntegerOption{"--n", &Options::n, LinearSystem::least_order, kMostOrder},
                                 IntegerOption{"--nb", &Options::nb, 1, kMostBlock},
                                 IntegerOption{"--nprow", &Options::nprow, 1, kMostProcesses},
                                 IntegerOption{"--npcol", &Options::npcol, 1, kMostProcesses}};

template <class Number>
bool read(std::string_view word, Number& value) {
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc{} && end == word.data() + word.size();
}

/// Sets one option from its value; gives what the value must be where it isn't that, else nothing.
std::string set(Options& options, std::string_view name, std::string_view value) {
  for (const IntegerOption& each : integers) {
    if (name != each.name) continue;
    int& number = options.*each.value;
    return read(value, number) && number >= each.least && number <= each.most
               ? ""
               : "an integer from " + std::to_string(each.least) + " to " + std::to_string(each.most);
  }
  if (name == "--nporder") {
    options.nporder = value == "column" ? kernel::Mapping::column_major : kernel::Mapping::row_major;
    return value == "row" || value == "column" ? "" : "row or column";
  }
  const bool positive =
      read(value, options.threshold) && std::isfinite(options.threshold) && options.threshold > 0;
  return positive ? "" : "a number above 0";
}

bool is_known(std::string_view name) {
  return name == "--nporder" || name == "--threshold" ||
         std::any_of(integers.begin(), integers.end(), [&](const auto& each) { return each.name == name; });
}

}  // namespace

const char* const kUsage =
    "usage: mpirun -np RANKS hpl-mxp --n N [--nb NB] [--nprow P] [--npcol Q] [--nporder row|column]\n"
    "                                [--threshold R]\n"
    "\n"
    "Solves a dense system to FP64 accuracy by an LU factorisation in FP32 and GMRES in FP64, and\n"
    "reports rates, residual and times in the grammar of NVIDIA's HPL-MxP.\n"
    "\n"
    "  --n N          order of the system, at least 16; all ranks together need 4 N^2 bytes\n"
    "  --nb NB        block size (192)\n"
    "  --nprow P      rows of the process grid (1)\n"
    "  --npcol Q      columns of the process grid (ranks / P)\n"
    "  --nporder O    consecutive ranks are in a row or in a column of the grid (row)\n"
    "  --threshold R  the scaled residual must be below R (16, as the rules say)\n"
    "\n"
    "Set OPENBLAS_NUM_THREADS to cores per rank; one rank per core with one thread is fastest.\n"
    "Exit code: 0 the residual check passed; 1 it failed; 2 the command line is wrong, or the\n"
    "system doesn't fit in memory.\n";

tl::expected<Options, std::string> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    if (!is_known(name)) return tl::unexpected("unknown option '" + name + "'");
    if (i + 1 == argc) return tl::unexpected(name + " needs a value");
    if (const std::string wanted = set(options, name, argv[i + 1]); !wanted.empty())
      return tl::unexpected(std::string(name)
                                .append(" must be ")
                                .append(wanted)
                                .append(", but is '")
                                .append(argv[i + 1])
                                .append("'"));
  }
  return options;
}

tl::expected<Options, std::string> check(Options options, int ranks) {
  if (options.n == 0) return tl::unexpected(std::string("--n, the order of the system, is missing"));
  if (options.npcol == 0) options.npcol = std::max(1, ranks / options.nprow);
  const long long needed = static_cast<long long>(options.nprow) * options.npcol;
  if (needed > ranks)
    return tl::unexpected("the grid of " + std::to_string(options.nprow) + " x " +
                          std::to_string(options.npcol) + " needs " + std::to_string(needed) +
                          " ranks, but " + std::to_string(ranks) + (ranks == 1 ? " was" : " were") +
                          " started");
  const long long width = std::min(options.n, options.nb);
  constexpr long long padding = 32;
  if (width * (options.n / options.nprow + 2 * width + padding) > std::numeric_limits<int>::max())
    return tl::unexpected("--nb " + std::to_string(options.nb) + " with --n " + std::to_string(options.n) +
                          " and --nprow " + std::to_string(options.nprow) +
                          " makes panels larger than one MPI message, 2^31 - 1 numbers");
  return options;
}

}  // namespace hpl_mxp
