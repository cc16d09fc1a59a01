#include "suites/hpl_mxp/reference/report.hpp"

#include <cstdio>
#include <string>

// OpenBLAS's own; weak, so that any other CBLAS links.
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace hpl_mxp {
namespace {

constexpr auto kResult = "****** HPL MxP Result    ******\n";

void print(const char* part, const Seconds& seconds) {
  std::printf("%s seconds: AVG = %.6f, MAX = %.6f, MIN = %.6f\n", part, seconds.average, seconds.most,
              seconds.least);
}

}  // namespace

double operations(double N) {
  return 2.0 / 3.0 * N * N * N + 3.0 / 2.0 * N * N;
}

void Report::banner() const {
  const std::string threads =
      openblas_get_num_threads != nullptr ? std::to_string(openblas_get_num_threads()) : "unknown";
  const bool by_rows = options_.nporder == kernel::Mapping::row_major;
  std::printf(
      "shakedown HPL-MxP reference 0.1.0  --  mixed-precision Linpack on processors, not NVIDIA's program\n");
  std::printf(
      "LU without pivoting in FP32, GMRES with these factors in FP64. Matrix: HPL's, made diagonally "
      "dominant;\n"
      "it is generated again for each product in FP64, and not stored. Timed: rounding it to FP32, LU, "
      "refinement.\n");
  std::printf("Ranks: %d  Threads per rank: %s\n", ranks_, threads.c_str());
  std::printf("****** HPL MxP Settings ******\n");
  std::printf(
      "--nprow       = %d\n--npcol       = %d\n--order       = %s\n--n           = %d\n--nb          = %d\n",
      options_.nprow, options_.npcol, by_rows ? "row" : "column", options_.n, options_.nb);
  std::printf("--sloppy-type = FP32\n--threshold   = %.6E\n", options_.threshold);
  std::fflush(stdout);
}

void Report::memory(double needed_gb, double available_gb) const {
  std::printf("Per process host memory consumption MAX = %.3f GB, available MIN = %.3f GB\n", needed_gb,
              available_gb);
  std::fflush(stdout);
}

void Report::matrix() const {
  std::printf("****** Matrix Generation ******\n");
  std::fflush(stdout);
}

void Report::times(const Seconds& factorisation, const Seconds& refinement) const {
  print("LU", factorisation);
  print("Iterative Solver", refinement);
  std::fflush(stdout);
}

void Report::iterations(const std::vector<double>& residuals, int iterations) const {
  std::printf("Solver iteration  0, L-infinite residual = %.8e\n", residuals.front());
  if (iterations > 0)
    std::printf("Solver iteration %2d, L-infinite residual = %.8e\n", iterations, residuals.back());
  std::fflush(stdout);
}

bool Report::result(const Check& check, const Seconds& factorisation, const Seconds& refinement) const {
  const bool passed = check.scaled < options_.threshold;
  const double work = operations(options_.n) * 1e-9;
  std::printf("%s", kResult);
  const auto quantity = [](const char* name, double value) {
    std::printf("  %-12s . . . . . . . . . . . . . . . . . = %15.6E\n", name, value);
  };
  quantity("EPS", 0x1p-53);
  quantity("Threshold", options_.threshold);
  quantity("||Ax-b||_oo", check.Ax_b_oo);
  quantity("||A||_oo", check.A_oo);
  quantity("||x||_oo", check.x_oo);
  quantity("||b||_oo", check.b_oo);
  std::printf("  ||Ax-b||_oo / (EPS * (||A||_oo * ||x||_oo + ||b||_oo) * N) = %15.6E ...... %s\n",
              check.scaled, passed ? "PASSED" : "FAILED");
  std::printf("  N = %d, NB = %d, NPROW = %d, NPCOL = %d, SLOPPY-TYPE = FP32\n", options_.n, options_.nb,
              options_.nprow, options_.npcol);
  std::printf("     GFLOPS = %.4e ------ The HPL-MxP performance to report\n",
              work / (factorisation.average + refinement.average));
  std::printf("  LU GFLOPS = %.4e ------ The performance excluding the iterative solver part\n",
              work / factorisation.average);
  std::printf("%s", kResult);
  std::fflush(stdout);
  return passed;
}

}  // namespace hpl_mxp
