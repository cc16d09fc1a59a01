// The STREAM screen: what the memory of all ranks delivers at the same time.

#include <mpi.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "suites/kernel/program.hpp"
#include "suites/stream/reference/arrays.hpp"

namespace stream {
namespace {

struct Options {
  bool help = false;
  int elements = 10'000'000;  ///< of each of the three arrays, on each rank
  int times = 10;             ///< that each kernel runs; the first doesn't count
};

constexpr int kMostElements = 2'000'000'000;
constexpr int kLeastTimes = 2;
constexpr int kMostTimes = 100'000;

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

/// Fails with a sentence on an unknown option, a missing value, or one that is out of range.
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

using kernel::largest_of_all;

constexpr double kMostError = 1e-13;  // as STREAM's for 8 bytes an element
constexpr auto kLine = "-------------------------------------------------------------\n";

/// One if the user doesn't set it: ranks that all take every core wait for each other.
int thread_count() {
#ifdef _OPENMP
  if (std::getenv("OMP_NUM_THREADS") == nullptr) omp_set_num_threads(1);
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// Seconds that the slowest rank needs, all starting together.
double timed(Arrays& arrays, std::size_t kernel) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  arrays.run(kernel);
  return largest_of_all(MPI_Wtime() - begin);
}

void print_head(const Options& options, int ranks, int threads) {
  std::printf("shakedown STREAM reference 0.1.0  --  copy, scale, add and triad on all ranks at once\n%s",
              kLine);
  std::printf("This system uses %zu bytes per array element.\n", sizeof(double));
  std::printf("Ranks: %d\nNumber of Threads counted = %d\n", ranks, threads);
  std::printf("Total Aggregate Array size = %lld (elements)\n",
              static_cast<long long>(options.elements) * ranks);
  std::printf("Each kernel will be executed %d times.\n", options.times);
  std::printf(" The *best* time for each kernel (excluding the first iteration)\n");
  std::printf(" will be used to compute the reported bandwidth.\n");
  std::fflush(stdout);
}

using Seconds = std::array<std::vector<double>, kKernels.size()>;

void print_table(const Options& options, int ranks, const Seconds& seconds) {
  const double shortest = *std::min_element(seconds[0].begin() + 1, seconds[0].end());
  // STREAM counts ticks of a microsecond at the least.
  std::printf("   (= %d clock ticks)\n%s", static_cast<int>(shortest / std::max(MPI_Wtick(), 1e-6)), kLine);
  std::printf("Function    Best Rate MB/s  Avg time     Min time     Max time\n");
  for (std::size_t kernel = 0; kernel < kKernels.size(); ++kernel) {
    const auto first = seconds[kernel].begin() + 1;
    const auto end = seconds[kernel].end();
    const auto [least, most] = std::minmax_element(first, end);
    const double average = std::accumulate(first, end, 0.0) / static_cast<double>(end - first);
    const double bytes = 8.0 * kKernels[kernel].arrays * options.elements * ranks;
    std::printf("%-12s%11.1f  %11.6f  %11.6f  %11.6f\n", (std::string(kKernels[kernel].name) + ":").c_str(),
                bytes / *least * 1e-6, average, *least, *most);
  }
  std::printf("%s", kLine);
}

/// Whether all arrays of all ranks are right; the first rank prints it.
bool validate(const Arrays& arrays, int times, bool talk) {
  constexpr std::array names = {"a", "b", "c"};
  const std::array<double, 3> errors = arrays.errors(times);
  bool good = true;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double error = largest_of_all(errors[i]);
    if (error <= kMostError) continue;
    good = false;
    if (talk)
      std::printf("Failed Validation on array %s[], largest relative error %e > %e\n", names[i], error,
                  kMostError);
  }
  if (talk && good)
    std::printf("Solution Validates: largest error less than %e on all three arrays\n", kMostError);
  return good;
}

int measure(const Options& options, int rank, int ranks) {
  const int threads = thread_count();
  const bool talk = rank == 0;
  const bool fits = kernel::fits_on_all_nodes(24.0 * options.elements);
  Arrays arrays(fits ? static_cast<std::size_t>(options.elements) : 0);
  if (!fits || !kernel::on_all_ranks(arrays.allocated())) {
    if (talk)
      std::fprintf(stderr,
                   "stream: three arrays of %d elements for each rank don't fit in memory\n"
                   "hint: choose a smaller --elements\n",
                   options.elements);
    return kernel::wrong_input;
  }
  arrays.fill();
  if (talk) print_head(options, ranks, threads);
  Seconds seconds;
  for (int time = 0; time < options.times; ++time)
    for (std::size_t kernel = 0; kernel < kKernels.size(); ++kernel)
      seconds[kernel].push_back(timed(arrays, kernel));
  if (talk) print_table(options, ranks, seconds);
  const bool good = validate(arrays, options.times, talk);
  if (talk) std::printf("%sEnd of stream.\n", kLine);
  return good ? kernel::passed : kernel::failed_check;
}

}  // namespace
}  // namespace stream

int main(int argc, char** argv) {
  // The first thread alone calls MPI.
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const int code =
      kernel::run({"stream", stream::kUsage}, stream::parse_options(argc, argv), stream::measure);
  MPI_Finalize();
  return code;
}
