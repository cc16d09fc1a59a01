// The reference HPCG: an ordinary MPI program, `mpirun -np 4 hpcg` in a folder with an hpcg.dat.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>

#include "suites/hpcg/reference/benchmark.hpp"
#include "suites/hpcg/reference/options.hpp"
#include "suites/hpcg/reference/report.hpp"

namespace hpcg {
namespace {

enum Exit { passed = 0, invalid = 1, wrong_input = 2 };

void print(const InputError& error) {
  std::fprintf(stderr, "HPCG ERROR: %s\nhint: %s\n", error.what.c_str(), error.hint.c_str());
}

/// Reads the command line and, where that has no size, hpcg.dat.
tl::expected<Options, InputError> read_input(int argc, char** argv, int ranks) {
  auto options = parse_options(argc, argv);
  if (!options || options->help) return options;
  const Box& local = options->local;
  if (local.x == 0 && local.y == 0 && local.z == 0) {
    std::ifstream file("hpcg.dat");
    if (!file)
      return tl::unexpected(InputError{
          .what = "there is no hpcg.dat in the working directory, or it can't be read, and no size is given",
          .hint = "start hpcg in the folder that holds hpcg.dat, or give --nx=, --ny=, --nz= and --rt="});
    options = with_hpcg_dat(*options, file);
    if (!options) return options;
  }
  return completed(*options, ranks);
}

/// Sends what the other ranks need; they read nothing.
void share(Options& options) {
  std::array<int, 11> numbers = {options.plain ? 1 : 0,
                                 options.local.x,
                                 options.local.y,
                                 options.local.z,
                                 options.seconds.value_or(0),
                                 options.layers.pz,
                                 options.layers.lower,
                                 options.layers.upper,
                                 options.grid.x,
                                 options.grid.y,
                                 options.grid.z};
  MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, 0, MPI_COMM_WORLD);
  options.plain = numbers[0] == 1;
  options.local = {numbers[1], numbers[2], numbers[3]};
  options.seconds = numbers[4];
  options.layers = {.pz = numbers[5], .lower = numbers[6], .upper = numbers[7]};
  options.grid = {numbers[8], numbers[9], numbers[10]};
}

/// Whether the data of all ranks on this node fit its memory: a kernel that overcommits would grant them and
/// kill the run later.
bool fits(const Options& options) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  double bytes = memory_needed(options);
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, node);
  MPI_Comm_free(&node);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  int all = bytes < memory ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all == 1;
}

void print_start(const Options& options, int ranks) {
  std::printf("%s\n", kBanner);
  std::printf("Ranks: %d = %d x %d x %d, of %d x %d x %d points each, %s kernels\n", ranks, options.grid.x,
              options.grid.y, options.grid.z, options.local.x, options.local.y, options.local.z,
              options.plain ? "plain" : "optimised");
  if (options.layers.pz > 0)
    std::printf("Layers: %d points high below rank layer %d, %d from there on\n", options.layers.lower,
                options.layers.pz, options.layers.upper);
  for (const std::string& note : options.notes) std::printf("Note: %s\n", note.c_str());
  std::fflush(stdout);
}

bool write(const Outcome& outcome) {
  const DatedFile report = open_report();
  bool good = report.file != nullptr;
  if (good) {
    write_report(outcome, report.file);
    good = std::ferror(report.file) == 0;
    good = std::fclose(report.file) == 0 && good;
  }
  if (!good) {
    print({.what = "can't write " + report.name + ": " + std::strerror(errno),
           .hint = "run in a folder that can be written and has space"});
    return false;
  }
  std::printf("Report: %s\n", report.name.c_str());
  return true;
}

/// All ranks have the same options.
int benchmark(const Options& options, int rank, std::FILE* log) {
  const Outcome outcome = run(options, rank, log);
  int code = outcome.valid() ? passed : invalid;
  if (rank == 0) {
    if (!write(outcome)) code = wrong_input;
    std::printf("End of hpcg: %s\n", outcome.valid() ? "valid" : "INVALID");
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return code;
}

/// Everything between MPI_Init and MPI_Finalize. Returns the exit code.
int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Options options;
  DatedFile log;
  int code = -1;  // none yet
  if (rank == 0) {
    const auto input = read_input(argc, argv, ranks);
    if (!input) {
      print(input.error());
      code = wrong_input;
    } else if (input->help) {
      std::fputs(kUsage, stdout);
      code = passed;
    } else {
      options = *input;
      log = open_log();
      if (log.file == nullptr) {
        print({.what = "can't write " + log.name + ": " + std::strerror(errno),
               .hint = "run in a folder that can be written"});
        code = wrong_input;
      }
    }
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (code >= 0) return code;
  share(options);
  if (!fits(options)) {
    if (rank == 0)
      print({.what = "the domain doesn't fit into the memory of the nodes",
             .hint = "choose smaller --nx, --ny, --nz, or fewer ranks on a node"});
    code = wrong_input;
  } else {
    if (rank == 0) print_start(options, ranks);
    code = benchmark(options, rank, log.file);
  }
  if (log.file != nullptr) std::fclose(log.file);
  return code;
}

}  // namespace
}  // namespace hpcg

int main(int argc, char** argv) {
  // The first thread alone calls MPI.
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    const int code = hpcg::main(argc, argv);
    MPI_Finalize();
    return code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "HPCG ERROR: a rank has not enough memory\nhint: choose smaller --nx, --ny, --nz\n");
    MPI_Abort(MPI_COMM_WORLD, hpcg::wrong_input);
  }
  return hpcg::wrong_input;
}
