// The gemm screen: what the floating-point units of all ranks deliver at the same time, in FP64 and FP32.
#include "suites/gemm/reference/main.hpp"

#include <mpi.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "suites/gemm/reference/product.hpp"
#include "suites/kernel/blas.hpp"
#include "suites/kernel/program.hpp"

// OpenBLAS's own; weak, so that any other CBLAS links.
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace gemm {
namespace {

using kernel::failed_check;
using kernel::largest_of_all;
using kernel::on_all_ranks;
using kernel::passed;

/// Seconds that the slowest rank needs for `products`, all ranks starting together.
template <class Number>
double timed(Product<Number>& product, int products) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < products; ++i) product.multiply();
  return largest_of_all(MPI_Wtime() - begin);
}

/// What is measured in one precision.
struct Precision {
  const char* name;
  double seconds;  ///< of a trial
};

/// Every rank does the same number of products, so a slow core slows the total, as it slows HPL.
template <class Number>
std::vector<double> run_trials(Product<Number>& product, const Options& options, Precision precision,
                               int ranks, bool talk) {
  product.multiply();  // wakes clocks, threads and pages
  constexpr double most = 1e9;
  const auto products_in = [&](double once) {
    return static_cast<int>(std::clamp(std::ceil(precision.seconds / std::max(once, 1e-9)), 1.0, most));
  };
  int products = products_in(timed(product, 1));
  const double n = options.n;
  std::vector<double> rates;
  for (int trial = 1; trial <= options.trials; ++trial) {
    double seconds = timed(product, products);
    // The one product was slow by chance, beside other programs say: of so short a trial the rate means
    // little.
    while (seconds < precision.seconds / 2 && products < most) {
      products = std::max(static_cast<int>(std::min(2.0 * products, most)), products_in(seconds / products));
      seconds = timed(product, products);
    }
    rates.push_back(2 * n * n * n * products * ranks / seconds * 1e-9);
    if (!talk) continue;
    std::printf("Trial %d: %s GFLOP/s = %.3f time = %.3f s\n", trial, precision.name, rates.back(), seconds);
    std::fflush(stdout);
  }
  return rates;
}

void banner(const Options& options, int ranks) {
  const std::string threads =
      openblas_get_num_threads != nullptr ? std::to_string(openblas_get_num_threads()) : "unknown";
  std::printf("shakedown gemm reference 0.1.0  --  FP64 and FP32 matrix products on all ranks at once\n");
  std::printf("Ranks: %d  Threads per rank: %s\nN: %d\n", ranks, threads.c_str(), options.n);
}

/// The trials of one precision, their best, their spread and the check.
template <class Number>
kernel::Exit measured(Product<Number>& product, const Options& options, Precision precision, int ranks,
                      bool talk) {
  const std::vector<double> rates = run_trials(product, options, precision, ranks, talk);
  const double error = largest_of_all(product.error());
  const bool good = error <= product.bound();
  if (talk) {
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    std::printf("%s best GFLOP/s = %.3f\n%s spread %% = %.2f\n", precision.name, *most, precision.name,
                (*most - *least) / *most * 100);
    std::printf("%s: %s error = %.3e bound = %.3e\n",
                std::is_same_v<Number, double> ? "Verification" : "FP32 verification",
                good ? "PASSED" : "FAILED", error, product.bound());
    std::fflush(stdout);
  }
  return good ? passed : failed_check;
}

int no_memory(const Options& options, bool talk) {
  if (talk)
    std::fprintf(stderr, "gemm: three matrices of order %d don't fit in memory\nhint: choose a smaller --n\n",
                 options.n);
  return kernel::wrong_input;
}

int measure(const Options& options, int rank, int ranks) {
  const bool talk = rank == 0;
  const auto seed = static_cast<unsigned>(rank) + 1;
  if (!kernel::fits_on_all_nodes(24.0 * options.n * options.n)) return no_memory(options, talk);
  kernel::Exit fp64 = passed;
  {
    Product<double> product(options.n, seed);
    if (!on_all_ranks(product.allocated())) return no_memory(options, talk);
    if (talk) banner(options, ranks);
    fp64 = measured(product, options, {"FP64", options.seconds}, ranks, talk);
  }
  Product<float> product(options.n, seed);
  if (!on_all_ranks(product.allocated())) return no_memory(options, talk);
  const kernel::Exit fp32 = measured(product, options, {"FP32", options.seconds / 2}, ranks, talk);
  if (talk) std::printf("End of gemm.\n");
  return fp64 == passed ? fp32 : fp64;
}

}  // namespace
}  // namespace gemm

int main(int argc, char** argv) {
  kernel::use_routines_of_processor(argv);
  MPI_Init(&argc, &argv);
  const int code = kernel::run({"gemm", gemm::kUsage}, gemm::parse_options(argc, argv), gemm::measure);
  MPI_Finalize();
  return code;
}

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
