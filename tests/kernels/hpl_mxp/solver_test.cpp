#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "suites/hpl_mxp/reference/gmres.hpp"
#include "suites/hpl_mxp/reference/lu.hpp"
#include "suites/hpl_mxp/reference/options.hpp"
#include "suites/hpl_mxp/reference/report.hpp"
#include "tests/kernels/hpl_mxp/lone_grid.hpp"

using namespace hpl_mxp;

namespace {

/// A system with its factors, on this process alone.
struct Factored {
  Factored(int N, int NB) : system(grid, N, NB), matrix(system.entries), lu(grid, matrix) {
    REQUIRE(matrix.allocate());
    REQUIRE(lu.allocate());
    system.round_into(matrix.at(0, 0), matrix.ld);
    lu.factor();
  }

  LoneGrid grid;
  LinearSystem system;
  Matrix matrix;
  LU lu;
};

}  // namespace

TEST_CASE("the matrix is dominated by its diagonal, row by row, and isn't symmetric") {
  const LoneGrid grid;
  const LinearSystem system(grid, 50, 16);
  double largest = 0;
  for (int i = 0; i < 50; ++i) {
    double others = 0;
    for (int j = 0; j < 50; ++j)
      if (j != i) others += std::fabs(system.entries.at(i, j));
    CHECK(system.diagonal[static_cast<std::size_t>(i)] == Approx(others));
    largest = std::max(largest, 2 * others);
  }
  CHECK(system.norm() == Approx(largest));
  CHECK(system.entries.at(1, 0) != system.entries.at(0, 1));
  std::vector<double> x(50);
  x[7] = 1;
  const auto column = system.times(x);
  CHECK(column[7] == Approx(system.diagonal[7]));
  CHECK(column[3] == Approx(system.entries.at(3, 7)));
}

TEST_CASE("L times U is the matrix, to FP32") {
  for (const auto& [N, NB] : {std::pair(16, 5), std::pair(60, 60), std::pair(97, 32), std::pair(130, 200)}) {
    const Factored made(N, NB);
    double worst = 0;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        double sum = 0;
        for (int k = 0; k <= std::min(i, j); ++k)
          sum += (k == i ? 1.0 : static_cast<double>(*made.matrix.at(i, k))) *
                 static_cast<double>(*made.matrix.at(k, j));
        const double entry =
            i == j ? made.system.diagonal[static_cast<std::size_t>(i)] : made.system.entries.at(i, j);
        worst = std::max(worst, std::fabs(sum - entry));
      }
    CHECK(worst < 1e-6 * made.system.norm());
  }
}

TEST_CASE("the factors alone solve to FP32, the refinement to FP64") {
  for (const auto& [N, NB] : {std::pair(16, 5), std::pair(97, 32), std::pair(400, 64)}) {
    Factored made(N, NB);
    Preconditioner factors(made.grid, made.matrix);
    const auto z = factors.solve(made.system.b);
    const double single = norm_oo(made.system.residual(z)) / norm_oo(made.system.b);
    CHECK(single < 1e-5);
    CHECK(single > 1e-10);
    const Refined refined = refine(made.system, factors);
    CHECK(scaled_residual(made.system, refined.x, made.system.residual(refined.x)) <= target(N));
    CHECK(refined.iterations >= 1);
    CHECK(refined.iterations <= 3);
    CHECK(refined.residuals.front() == Approx(norm_oo(made.system.residual(z))));
  }
}

TEST_CASE("factors that are wrong cost iterations, not the answer; a nan in them costs the answer") {
  Factored made(200, 32);
  for (int i = 0; i < 200; ++i) *made.matrix.at(i, i) *= i % 2 == 0 ? 1.5F : 0.7F;
  Preconditioner wrong(made.grid, made.matrix);
  const Refined slow = refine(made.system, wrong);
  CHECK(slow.iterations > 3);
  CHECK(slow.iterations <= 50);
  CHECK(scaled_residual(made.system, slow.x, made.system.residual(slow.x)) < 16);

  *made.matrix.at(150, 20) = std::numeric_limits<float>::quiet_NaN();
  Preconditioner broken(made.grid, made.matrix);
  const Refined lost = refine(made.system, broken);
  CHECK_FALSE(scaled_residual(made.system, lost.x, made.system.residual(lost.x)) < 16);
}

TEST_CASE("the operations counted are the rules', and a nan is no small norm") {
  CHECK(operations(1000) == Approx(2e9 / 3 + 1.5e6));
  CHECK(std::isnan(norm_oo({1, std::nan(""), 3})));
  CHECK(norm_oo({1, -4, 3}) == 4);
}
