// The reference HPL-MxP: an ordinary MPI program, `mpirun -np 2 hpl-mxp --n 8000`.

#include <mpi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "suites/hpl_mxp/reference/gmres.hpp"
#include "suites/hpl_mxp/reference/lu.hpp"
#include "suites/hpl_mxp/reference/options.hpp"
#include "suites/hpl_mxp/reference/report.hpp"
#include "suites/hpl_mxp/reference/system.hpp"
#include "suites/kernel/blas.hpp"
#include "suites/kernel/buffer.hpp"
#include "suites/kernel/grid.hpp"

namespace hpl_mxp {
namespace {

enum Exit { passed = 0, not_passed = 1, wrong_input = 2 };

constexpr double kGB = 1e9;

/// Bytes that this rank needs: the matrix in FP32, panels, and vectors of N in FP64 (the system's three, and
/// two for each iteration of a usual run).
double bytes_needed(const Matrix& matrix, const LU& lu) {
  constexpr double vectors = 3 + 2 * 5;
  return sizeof(float) * static_cast<double>(matrix.floats() + lu.floats()) +
         sizeof(double) * vectors * matrix.N;
}

/// Allocates on all ranks, or on none.
bool allocate(const Grid& grid, Matrix& matrix, LU& lu, const Report& report) {
  // A kernel that overcommits grants memory that isn't there and kills the run later, so the
  // node's sum is checked first.
  const double mine = bytes_needed(matrix, lu);
  double of_node = mine;
  double most = mine;
  int ranks_of_node = 1;
  MPI_Comm_size(grid.node, &ranks_of_node);
  MPI_Allreduce(MPI_IN_PLACE, &of_node, 1, MPI_DOUBLE, MPI_SUM, grid.node);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, grid.all);
  const auto memory = static_cast<double>(kernel::physical_memory());
  double available = memory / ranks_of_node;
  MPI_Allreduce(MPI_IN_PLACE, &available, 1, MPI_DOUBLE, MPI_MIN, grid.all);
  if (grid.first()) report.memory(most / kGB, available / kGB);
  int fits = of_node < memory ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, grid.all);
  if (fits == 1) fits = matrix.allocate() && lu.allocate() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, grid.all);
  return fits == 1;
}

/// Times `part` from one barrier to the next.
template <class Part>
Seconds timed(const Grid& grid, Part part) {
  MPI_Barrier(grid.all);
  const double begin = MPI_Wtime();
  part();
  MPI_Barrier(grid.all);
  const double mine = MPI_Wtime() - begin;
  Seconds seconds{.average = mine, .most = mine, .least = mine};
  MPI_Allreduce(MPI_IN_PLACE, &seconds.average, 1, MPI_DOUBLE, MPI_SUM, grid.all);
  MPI_Allreduce(MPI_IN_PLACE, &seconds.most, 1, MPI_DOUBLE, MPI_MAX, grid.all);
  MPI_Allreduce(MPI_IN_PLACE, &seconds.least, 1, MPI_DOUBLE, MPI_MIN, grid.all);
  seconds.average /= grid.P * grid.Q;
  return seconds;
}

Check checked(const LinearSystem& system, const std::vector<double>& x) {
  const std::vector<double> residual = system.residual(x);
  return {.Ax_b_oo = norm_oo(residual),
          .A_oo = system.norm(),
          .x_oo = norm_oo(x),
          .b_oo = norm_oo(system.b),
          .scaled = scaled_residual(system, x, residual)};
}

int run(const Grid& grid, const Options& options, const Report& report) {
  const Entries entries(grid, options.n, options.nb);
  Matrix matrix(entries);
  LU lu(grid, matrix);
  if (grid.first()) report.banner();
  if (!allocate(grid, matrix, lu, report)) {
    if (grid.first())
      std::fprintf(
          stderr,
          "hpl-mxp: a system of order %d doesn't fit in memory\nhint: choose a smaller --n, or more nodes\n",
          options.n);
    return wrong_input;
  }
  if (grid.first()) report.matrix();
  const LinearSystem system(grid, options.n, options.nb);
  const Seconds factorisation = timed(grid, [&] {
    system.round_into(matrix.at(0, 0), matrix.ld);
    lu.factor();
  });
  Refined refined;
  const Seconds refinement = timed(grid, [&] {
    Preconditioner factors(grid, matrix);
    refined = refine(system, factors);
  });
  if (grid.first()) {
    report.times(factorisation, refinement);
    report.iterations(refined.residuals, refined.iterations);
  }
  const Check check = checked(system, refined.x);
  int good = grid.first() && report.result(check, factorisation, refinement) ? 1 : 0;
  MPI_Bcast(&good, 1, MPI_INT, 0, grid.all);
  return good == 1 ? passed : not_passed;
}

/// Everything between MPI_Init and MPI_Finalize. Returns the exit code.
int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  auto options = parse_options(argc, argv);
  if (options && options->help) {
    if (rank == 0) std::fputs(kUsage, stdout);
    return passed;
  }
  if (options) options = check(*options, ranks);
  if (!options) {
    if (rank == 0) std::fprintf(stderr, "hpl-mxp: %s\nhint: hpl-mxp --help\n", options.error().c_str());
    return wrong_input;
  }
  const Grid grid(options->nprow, options->npcol, options->nporder);
  int code = grid.contains_me() ? run(grid, *options, Report(*options, grid.P * grid.Q)) : passed;
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return code;
}

}  // namespace
}  // namespace hpl_mxp

int main(int argc, char** argv) {
  kernel::use_routines_of_processor(argv);
  MPI_Init(&argc, &argv);
  const int code = hpl_mxp::main(argc, argv);
  MPI_Finalize();
  return code;
}
