// The gemm screen: what the floating-point units of all ranks deliver at the same time, in FP64 and FP32.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "suites/gemm/reference/options.hpp"
#include "suites/gemm/reference/product.hpp"

// OpenBLAS's own; weak, so that any other CBLAS links.
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace gemm {
namespace {

enum Exit { passed = 0, wrong_product = 1, wrong_input = 2 };

double largest_of_all(double value) {
  // A plain maximum may drop nan, which must win.
  double nan = std::isnan(value) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &nan, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return nan > 0 ? std::nan("") : value;
}

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
  const double once = timed(product, 1);
  const int products = std::max(1, static_cast<int>(std::ceil(precision.seconds / std::max(once, 1e-7))));
  const double n = options.n;
  std::vector<double> rates;
  for (int trial = 1; trial <= options.trials; ++trial) {
    const double seconds = timed(product, products);
    rates.push_back(2 * n * n * n * products * ranks / seconds * 1e-9);
    if (!talk) continue;
    std::printf("Trial %d: %s GFLOP/s = %.3f time = %.3f s\n", trial, precision.name, rates.back(), seconds);
    std::fflush(stdout);
  }
  return rates;
}

/// Whether the matrices of all ranks on this node fit its memory: a kernel that overcommits would
/// grant them and kill the run later.
bool fits_on_node(int n) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return 24.0 * n * n * ranks < memory;
}

void banner(const Options& options, int ranks) {
  const std::string threads =
      openblas_get_num_threads != nullptr ? std::to_string(openblas_get_num_threads()) : "unknown";
  std::printf("shakedown gemm reference 0.1.0  --  FP64 and FP32 matrix products on all ranks at once\n");
  std::printf("Ranks: %d  Threads per rank: %s\nN: %d\n", ranks, threads.c_str(), options.n);
}

/// The trials of one precision, their best, their spread and the check.
template <class Number>
Exit measure(Product<Number>& product, const Options& options, Precision precision, int ranks, bool talk) {
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
  return good ? passed : wrong_product;
}

template <class Number>
bool allocated_everywhere(const Product<Number>& product) {
  int fits = product.allocated() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return fits == 1;
}

int no_memory(const Options& options, bool talk) {
  if (talk)
    std::fprintf(stderr, "gemm: three matrices of order %d don't fit in memory\nhint: choose a smaller --n\n",
                 options.n);
  return wrong_input;
}

int measure(const Options& options, int rank, int ranks) {
  const bool talk = rank == 0;
  const auto seed = static_cast<unsigned>(rank) + 1;
  int fits = fits_on_node(options.n) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (fits == 0) return no_memory(options, talk);
  Exit fp64 = passed;
  {
    Product<double> product(options.n, seed);
    if (!allocated_everywhere(product)) return no_memory(options, talk);
    if (talk) banner(options, ranks);
    fp64 = measure(product, options, {"FP64", options.seconds}, ranks, talk);
  }
  Product<float> product(options.n, seed);
  if (!allocated_everywhere(product)) return no_memory(options, talk);
  const Exit fp32 = measure(product, options, {"FP32", options.seconds / 2}, ranks, talk);
  if (talk) std::printf("End of gemm.\n");
  return fp64 == passed ? fp32 : fp64;
}

int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto options = parse_options(argc, argv);
  if (!options) {
    if (rank == 0) std::fprintf(stderr, "gemm: %s\nhint: gemm --help\n", options.error().c_str());
    return wrong_input;
  }
  if (options->help) {
    if (rank == 0) std::fputs(kUsage, stdout);
    return passed;
  }
  return measure(*options, rank, ranks);
}

}  // namespace
}  // namespace gemm

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = gemm::main(argc, argv);
  MPI_Finalize();
  return code;
}
