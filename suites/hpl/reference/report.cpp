#include "suites/hpl/reference/report.hpp"

#include <array>
#include <string>

namespace hpl {
namespace {

const std::string kDouble(80, '=');
const std::string kSingle(80, '-');

/// A labelled list, eight values to a line as HPL breaks them.
template <class Values, class Value>
void list(std::FILE* out, const char* label, const Values& values, Value value) {
  std::fprintf(out, "%-7s:", label);
  int column = 0;
  for (const auto& entry : values) {
    if (column > 0 && column % 8 == 0) std::fprintf(out, "\n        ");
    std::fprintf(out, "%8d ", value(entry));
    ++column;
  }
  std::fprintf(out, "\n");
}

/// As ctime, which includes a newline.
std::string clock_time(std::time_t time) {
  std::array<char, 64> text{};
  std::tm local{};
  localtime_r(&time, &local);
  std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Y\n", &local);
  return text.data();
}

}  // namespace

double gflops(const Solve& solve) {
  const double n = solve.N;
  return ((n / 1.0e9) * (n / solve.seconds)) * ((2.0 / 3.0) * n + (3.0 / 2.0));
}

void Report::banner() const {
  std::fprintf(out_, "%s\n", kDouble.c_str());
  std::fprintf(out_, "shakedown HPL reference 0.1.0  --  High-Performance Linpack, not netlib's program\n");
  std::fprintf(out_, "Operation count, residual check and output grammar follow HPL 2.3 of netlib.\n");
  std::fprintf(out_, "%s\n\n", kDouble.c_str());
  std::fprintf(out_,
               "An explanation of the input/output parameters follows:\n"
               "T/V    : Wall time / encoded variant.\n"
               "N      : The order of the coefficient matrix A.\n"
               "NB     : The partitioning blocking factor.\n"
               "P      : The number of process rows.\n"
               "Q      : The number of process columns.\n"
               "Time   : Time in seconds to solve the linear system.\n"
               "Gflops : Rate of execution for solving the linear system.\n\n"
               "The following parameter values will be used:\n\n");
  const auto same = [](int value) { return value; };
  list(out_, "N", dat_.N, same);
  list(out_, "NB", dat_.NB, same);
  std::fprintf(out_, "PMAP   : %s process mapping\n",
               dat_.mapping == Mapping::row_major ? "Row-major" : "Column-major");
  list(out_, "P", dat_.grids, [](const GridShape& grid) { return grid.P; });
  list(out_, "Q", dat_.grids, [](const GridShape& grid) { return grid.Q; });
  std::fprintf(out_,
               "\nFixed in this program: look-ahead depth 1, ring broadcast, right-looking panels by\n"
               "recursive halves down to 8 columns (T/V = W, R or C, 10R2R8). Read from HPL.dat and\n"
               "not used: PFACT NBMIN NDIV RFACT BCAST DEPTH SWAP L1 U EQUIL ALIGN (lines 14-31).\n\n");
  if (dat_.threshold > 0) {
    std::fprintf(out_, "%s\n\n", kSingle.c_str());
    std::fprintf(out_,
                 "- The matrix A is randomly generated for each test.\n"
                 "- The following scaled residual check will be computed:\n"
                 "      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )\n");
    std::fprintf(out_, "- The relative machine precision (eps) is taken to be      %21.6e\n", Residual::eps);
    std::fprintf(out_, "- Computational tests pass if scaled residuals are less than         %11.1f\n\n",
                 dat_.threshold);
  }
  std::fflush(out_);
}

void Report::row(const Grid& grid, const Solve& solve) const {
  std::fprintf(out_, "%s\n", kDouble.c_str());
  std::fprintf(out_, "T/V                N    NB     P     Q               Time                 Gflops\n");
  std::fprintf(out_, "%s\n", kSingle.c_str());
  std::fprintf(out_, "W%c10R2R8%12d %5d %5d %5d %18.2f    %19.4e\n",
               grid.mapping == Mapping::row_major ? 'R' : 'C', solve.N, solve.NB, grid.P, grid.Q,
               solve.seconds, gflops(solve));
  std::fprintf(out_, "HPL_pdgesv() start time %s\n", clock_time(solve.start).c_str());
  std::fprintf(out_, "HPL_pdgesv() end time   %s\n", clock_time(solve.end).c_str());
  std::fflush(out_);
}

bool Report::check(const Residual& residual) const {
  const bool passed = residual.scaled < dat_.threshold;
  std::fprintf(out_, "%s\n", kSingle.c_str());
  std::fprintf(out_, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= %16.8e ...... %s\n", residual.scaled,
               passed ? "PASSED" : "FAILED");
  if (!passed) {
    std::fprintf(out_, "||Ax-b||_oo  . . . . . . . . . . . . . . . . . = %18.6f\n", residual.Ax_b_oo);
    std::fprintf(out_, "||A||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", residual.A_oo);
    std::fprintf(out_, "||A||_1  . . . . . . . . . . . . . . . . . . . = %18.6f\n", residual.A_1);
    std::fprintf(out_, "||x||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", residual.x_oo);
    std::fprintf(out_, "||x||_1  . . . . . . . . . . . . . . . . . . . = %18.6f\n", residual.x_1);
    std::fprintf(out_, "||b||_oo . . . . . . . . . . . . . . . . . . . = %18.6f\n", residual.b_oo);
  }
  std::fflush(out_);
  return passed;
}

void Report::skipped(int p, int q) const {
  std::fprintf(out_, "HPL ERROR from process # 0, in shakedown HPL reference:\n");
  std::fprintf(out_, ">>> [%d,%d] Memory allocation failed for A, x and b. Skip. <<<\n\n", p, q);
  std::fflush(out_);
}

void Report::footer(const Counts& counts) const {
  std::fprintf(out_, "%s\n", kDouble.c_str());
  std::fprintf(out_, "\nFinished %6d tests with the following results:\n",
               counts.passed + counts.failed + counts.skipped);
  if (dat_.threshold > 0) {
    std::fprintf(out_, "         %6d tests completed and passed residual checks,\n", counts.passed);
    std::fprintf(out_, "         %6d tests completed and failed residual checks,\n", counts.failed);
  } else {
    std::fprintf(out_, "         %6d tests completed without checking,\n", counts.passed);
  }
  std::fprintf(out_, "         %6d tests skipped because of illegal input values.\n", counts.skipped);
  std::fprintf(out_, "%s\n\nEnd of Tests.\n%s\n", kSingle.c_str(), kDouble.c_str());
  std::fflush(out_);
}

}  // namespace hpl
