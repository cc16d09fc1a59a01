#include "suites/hpcg/reference/kernels.hpp"

#include <catch2/catch.hpp>

#include "tests/kernels/hpcg/problem.hpp"
#include "tests/kernels/hpcg/textbook.hpp"
#include "tests/kernels/hpcg/vectors.hpp"

using namespace hpcg;

namespace {

const std::vector<Box> multigrid_boxes = {{8, 8, 8}, {16, 8, 24}, {8, 32, 16}};

}  // namespace

TEST_CASE("a coarse point's row on the finer grid is that of the point at twice its place") {
  start_mpi();
  const std::vector<Level> levels = generate_levels(geometry(3, {2, 1, 2}, {16, 8, 24}, {}));
  REQUIRE(levels.size() == 4);
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const std::vector<Point> fine = own_points(levels[i].system.geometry);
    const std::vector<Point> coarse = own_points(levels[i + 1].system.geometry);
    REQUIRE(levels[i].injected.size() == coarse.size());
    for (std::size_t row = 0; row < coarse.size(); ++row) {
      const Point& at = coarse[row];
      CHECK(fine[static_cast<std::size_t>(levels[i].injected[row])] ==
            Point{2 * at[0], 2 * at[1], 2 * at[2]});
    }
  }
  CHECK(levels.back().injected.size() == 0);
}

TEMPLATE_TEST_CASE("a V-cycle is that of the definition, for the plain kernels and the optimised", "",
                   PlainKernels, OptimisedKernels) {
  for (const Box& local : multigrid_boxes) {
    Problem<TestType> problem(local);
    const Vector r = noise(problem.kernels.rows(), 11);
    Vector z = noise(problem.kernels.columns(), 12);
    Times times;
    problem.kernels.precondition(r, z, times);
    CHECK(difference(first(z, z.size()), cycle(sides_of(local), first(r, r.size()))) < 1e-13);
    CHECK(times.multigrid > 0);
  }
}

TEMPLATE_TEST_CASE("a product, with or without its sum, and a descent are those of the definition", "",
                   PlainKernels, OptimisedKernels) {
  for (const Box& local : multigrid_boxes) {
    Problem<TestType> problem(local);
    Kernels& kernels = problem.kernels;
    const auto rows = static_cast<std::size_t>(kernels.rows());
    Vector p = integers(rows, 13);
    Vector Ap(rows);
    Times times;
    kernels.product(p, Ap, times);
    const std::vector<double> expected = product(sides_of(local), first(p, rows));
    CHECK(first(Ap, rows) == expected);
    fill(Ap, 0);
    const double pAp = kernels.product_dot(p, Ap, times);
    CHECK(first(Ap, rows) == expected);
    CHECK(pAp == kernels.dot(p, Ap, times));

    Vector x = integers(rows, 14);
    Vector r = integers(rows, 15);
    const Vector x0 = copy_of(x);
    const Vector r0 = copy_of(r);
    const double rr = kernels.descend(0.5, p, Ap, x, r, times);
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      CHECK(x[row] == x0[row] + 0.5 * p[row]);
      CHECK(r[row] == r0[row] - 0.5 * expected[row]);
      sum += r[row] * r[row];
    }
    CHECK(rr == sum);
    // Exactly symmetric, where nothing is rounded.
    Vector q = integers(rows, 16);
    Vector Aq(rows);
    kernels.product(q, Aq, times);
    CHECK(kernels.dot(q, Ap, times) == kernels.dot(p, Aq, times));
  }
}
