// The reference HPL: an ordinary MPI program, `mpirun -np 4 hpl` in a folder with an HPL.dat.

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "suites/hpl/reference/hpl_dat.hpp"
#include "suites/hpl/reference/lu.hpp"
#include "suites/hpl/reference/matrix.hpp"
#include "suites/hpl/reference/report.hpp"
#include "suites/hpl/reference/solve.hpp"
#include "suites/kernel/blas.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl {
namespace {

enum Exit { passed = 0, not_passed = 1, wrong_input = 2 };

constexpr auto kUsage =
    "usage: mpirun -np RANKS hpl\n"
    "\n"
    "Solves random dense systems in FP64 as HPL.dat in the working directory asks (netlib's\n"
    "31 lines) and reports time, rate and residual in HPL's grammar.\n"
    "\n"
    "Set OPENBLAS_NUM_THREADS to cores per rank; one rank per core with one thread is fastest.\n"
    "Exit code: 0 every test passed (or ran, where the threshold asks for no check); 1 a test\n"
    "failed its residual check or was skipped for lack of memory (netlib's HPL exits 0 there);\n"
    "2 HPL.dat, the command line or the number of ranks is wrong.\n";

struct OutputFile {
  void operator()(std::FILE* file) const {
    if (file != stdout && file != stderr) std::fclose(file);
  }
};
using Output = std::unique_ptr<std::FILE, OutputFile>;

bool input_error(const InputError& error) {
  std::string where = "HPL.dat";
  if (error.line > 0) where.append(":").append(std::to_string(error.line));
  std::fprintf(stderr, "HPL ERROR: %s: %s\nhint: %s\n", where.c_str(), error.what.c_str(),
               error.hint.c_str());
  return false;
}

/// Reads HPL.dat and opens the output that it names. On failure the error is printed.
bool open(HplDat& dat, Output& output, int ranks) {
  std::ifstream file("HPL.dat");
  if (!file)
    return input_error({.what = "there is no such file in the working directory, or it can't be read",
                        .hint = "start hpl in the folder that holds HPL.dat"});
  auto read = read_hpl_dat(file);
  if (!read) return input_error(read.error());
  if (const auto possible = check(*read, ranks); !possible) return input_error(possible.error());
  dat = *read;
  output.reset(dat.device == 6   ? stdout
               : dat.device == 7 ? stderr
                                 : std::fopen(dat.output_file.c_str(), "w"));
  if (output) return true;
  return input_error(
      {.line = 3,
       .what = "can't write the output file '" + dat.output_file + "': " + std::strerror(errno),
       .hint = "name a file that can be written, or set device out (line 4) to 6 for stdout"});
}

/// Sends what the other ranks need; they read no file.
void share(HplDat& dat) {
  const auto share_list = [](std::vector<int>& list) {
    int size = static_cast<int>(list.size());
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    list.resize(size);
    MPI_Bcast(list.data(), size, MPI_INT, 0, MPI_COMM_WORLD);
  };
  std::vector<int> shapes;
  for (const auto& [P, Q] : dat.grids) shapes.insert(shapes.end(), {P, Q});
  std::vector<int> mapping{dat.mapping == Mapping::column_major ? 1 : 0};
  for (auto* list : {&dat.N, &dat.NB, &shapes, &mapping}) share_list(*list);
  MPI_Bcast(&dat.threshold, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  dat.mapping = mapping[0] == 1 ? Mapping::column_major : Mapping::row_major;
  dat.grids.clear();
  for (std::size_t i = 0; i < shapes.size(); i += 2) dat.grids.push_back({shapes[i], shapes[i + 1]});
}

/// Allocates on all ranks. Returns the rank, as its number in the grid, that could not; -1: all could.
int allocate(const Grid& grid, Matrix& matrix, LU& lu) {
  // A kernel that overcommits grants memory that isn't there and kills the run later, so the
  // node's sum is checked first.
  auto bytes = static_cast<double>(matrix.doubles() + lu.doubles()) * sizeof(double);
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, grid.node);
  int rank = 0;
  MPI_Comm_rank(grid.all, &rank);
  const bool fits =
      bytes < static_cast<double>(kernel::physical_memory()) && matrix.allocate() && lu.allocate();
  int failed = fits ? std::numeric_limits<int>::max() : rank;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MIN, grid.all);
  return failed == std::numeric_limits<int>::max() ? -1 : failed;
}

Solve solve(const Grid& grid, const Matrix& matrix, LU& lu, std::vector<double>& x) {
  Solve result{.N = matrix.N, .NB = matrix.NB};
  MPI_Barrier(grid.all);
  result.start = std::time(nullptr);
  const double begin = MPI_Wtime();
  lu.factor();
  x = back_substitute(grid, matrix);
  result.seconds = MPI_Wtime() - begin;
  result.end = std::time(nullptr);
  MPI_Allreduce(MPI_IN_PLACE, &result.seconds, 1, MPI_DOUBLE, MPI_MAX, grid.all);
  return result;
}

void test(const Grid& grid, int N, int NB, double threshold, const Report& report, Counts& counts) {
  Matrix matrix(grid, N, NB);
  LU lu(grid, matrix);
  if (const int failed = allocate(grid, matrix, lu); failed >= 0) {
    const bool by_rows = grid.mapping == Mapping::row_major;
    if (grid.first())
      report.skipped(by_rows ? failed / grid.Q : failed % grid.P,
                     by_rows ? failed % grid.Q : failed / grid.P);
    ++counts.skipped;
    return;
  }
  matrix.generate();
  std::vector<double> x;
  const Solve solved = solve(grid, matrix, lu, x);
  if (grid.first()) report.row(grid, solved);
  if (!(threshold > 0)) {
    ++counts.passed;
    return;
  }
  const Residual found = residual(grid, matrix, x);
  const bool good = grid.first() ? report.check(found) : found.scaled < threshold;
  ++(good ? counts.passed : counts.failed);
}

int run(HplDat& dat, Output output) {
  share(dat);
  const Report report(output.get(), dat);
  if (output) report.banner();
  Counts counts;
  for (const auto& [P, Q] : dat.grids) {
    const Grid grid(P, Q, dat.mapping);
    if (!grid.contains_me()) continue;
    for (const int N : dat.N)
      for (const int NB : dat.NB) test(grid, N, NB, dat.threshold, report, counts);
  }
  if (output) report.footer(counts);
  return counts.failed + counts.skipped == 0 ? passed : not_passed;
}

/// Everything between MPI_Init and MPI_Finalize. Returns the exit code.
int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1) {
    const bool help = argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
    if (rank == 0 && help) std::fputs(kUsage, stdout);
    if (rank == 0 && !help) std::fprintf(stderr, "hpl: unknown argument '%s'\nhint: hpl --help\n", argv[1]);
    return help ? passed : wrong_input;
  }
  HplDat dat;
  Output output;
  int good = rank == 0 ? static_cast<int>(open(dat, output, ranks)) : 1;
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (good == 0) return wrong_input;
  return run(dat, std::move(output));
}

}  // namespace
}  // namespace hpl

int main(int argc, char** argv) {
  kernel::use_routines_of_processor(argv);
  MPI_Init(&argc, &argv);
  const int code = hpl::main(argc, argv);
  MPI_Finalize();
  return code;
}
