#include <catch2/catch.hpp>

#include "suites/hpcg/reference/cg.hpp"
#include "suites/hpcg/reference/geometry.hpp"
#include "tests/kernels/hpcg/problem.hpp"
#include "tests/kernels/hpcg/textbook.hpp"
#include "tests/kernels/hpcg/vectors.hpp"

using namespace hpcg;

namespace {

/// This rank's box of a problem that all ranks share.
Geometry own_geometry(const Box& local) {
  return geometry(own_rank(), process_grid(all_ranks()), local, {});
}

/// A number of its own for each point of the grid.
double number_of(const Geometry& g, const Point& at) {
  return static_cast<double>(place(g.global, at) % 17 - 8);
}

std::vector<double> numbers_of(const Geometry& g, const std::vector<Point>& points) {
  std::vector<double> numbers(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) numbers[i] = number_of(g, points[i]);
  return numbers;
}

const std::vector<Box> ranks_boxes = {{8, 8, 8}, {8, 16, 8}};

}  // namespace

TEST_CASE("an exchange brings each rank its neighbours' numbers, in the order of its halo", "[ranks]") {
  for (const Box& local : {Box{1, 1, 1}, Box{2, 3, 4}, Box{8, 8, 8}}) {
    const Geometry g = own_geometry(local);
    System system = generate(g);
    Vector x(system.columns());
    fill(x, -99);
    const std::vector<double> own = numbers_of(g, own_points(g));
    std::copy(own.begin(), own.end(), x.data());
    for (int time = 0; time < 2; ++time) system.halo.exchange(x.data());
    std::vector<double> expected = own;
    const std::vector<double> halo = numbers_of(g, halo_points(g));
    expected.insert(expected.end(), halo.begin(), halo.end());
    CHECK(first(x, x.size()) == expected);
    CHECK(system.matrix.all_nonzeros ==
          (3 * g.global[0] - 2) * (3 * g.global[1] - 2) * (3 * g.global[2] - 2));
  }
}

TEMPLATE_TEST_CASE("a product and its sum are those of the whole grid, however it is cut", "[ranks]",
                   PlainKernels, OptimisedKernels) {
  for (const Box& local : ranks_boxes) {
    Problem<TestType> problem(own_geometry(local));
    const Geometry g = problem.levels.front().system.geometry;
    const std::vector<double> whole = numbers_of(g, box({0, 0, 0}, g.global));
    const std::vector<double> product_of_all = product(g.global, whole);
    std::vector<double> expected;
    for (const Point& at : own_points(g))
      expected.push_back(product_of_all[static_cast<std::size_t>(place(g.global, at))]);
    const std::vector<double> own = numbers_of(g, own_points(g));
    Vector x = zeroes(problem.kernels.columns());
    std::copy(own.begin(), own.end(), x.data());
    Vector y(problem.kernels.rows());
    Times times;
    const double sum = problem.kernels.product_dot(x, y, times);
    CHECK(first(y, y.size()) == expected);
    CHECK(sum == dot(whole, product_of_all));
  }
}

TEMPLATE_TEST_CASE("conjugate gradients go the textbook's way, however the grid is cut", "[ranks]",
                   PlainKernels, OptimisedKernels) {
  Problem<TestType> problem(own_geometry({8, 8, 8}));
  std::vector<double> history;
  Vector x = zeroes(problem.kernels.rows());
  Workspace space(problem.kernels);
  Times times;
  solve(problem.kernels, space, problem.b, x,
        {.most_iterations = 10,
         .tolerance = 0,
         .preconditioned = false,
         .watch = [&](int, double residual) { history.push_back(residual); }},
        times);
  const std::vector<double> expected =
      textbook_history(problem.levels.front().system.geometry.global, 10, false);
  CHECK(difference(history, expected) < 1e-9);
}

TEST_CASE("the optimised V-cycle is the plain one on any number of ranks", "[ranks]") {
  for (const Box& local : ranks_boxes) {
    Problem<PlainKernels> plain(own_geometry(local));
    Problem<OptimisedKernels> optimised(own_geometry(local));
    const auto rows = static_cast<std::size_t>(plain.kernels.rows());
    const Vector r = noise(rows, 30 + static_cast<unsigned>(own_rank()));
    Vector z = noise(plain.kernels.columns(), 31);
    Vector y = noise(plain.kernels.columns(), 32);
    Times times;
    plain.kernels.precondition(r, z, times);
    optimised.kernels.precondition(r, y, times);
    CHECK(difference(first(y, rows), first(z, rows)) < 1e-13);
  }
}

TEMPLATE_TEST_CASE("the verification passes and the solve ends at 1 everywhere on any number of ranks",
                   "[ranks]", PlainKernels, OptimisedKernels) {
  Problem<TestType> problem(own_geometry({16, 8, 8}));
  Workspace space(problem.kernels);
  const SymmetryTest symmetry = test_symmetry(problem.kernels, nullptr);
  CHECK(symmetry.product < 0.01);
  CHECK(symmetry.multigrid < 0.01);
  CHECK(test_spectrum(problem.kernels, space, problem.b, nullptr).passed());
  Vector x = zeroes(problem.kernels.rows());
  Times times;
  const Convergence reached =
      solve(problem.kernels, space, problem.b, x, {.most_iterations = 60, .tolerance = 1e-12}, times);
  CHECK(reached.residual <= 1e-12);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::fabs(x[i] - 1));
  CHECK(worst < 1e-10);
  CHECK(times.allreduce > 0);
  CHECK(times.allreduce <= times.dot);
}
