#include "suites/hpcg/reference/cg.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "tests/kernels/hpcg/problem.hpp"
#include "tests/kernels/hpcg/textbook.hpp"
#include "tests/kernels/hpcg/vectors.hpp"

using namespace hpcg;

namespace {

Convergence solved(Kernels& kernels, const Vector& b, Vector& x, const Solve& how) {
  Workspace space(kernels);
  Times times;
  return solve(kernels, space, b, x, how, times);
}

double largest_error(const Vector& x, double solution) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::fabs(x[i] - solution));
  return most;
}

}  // namespace

TEMPLATE_TEST_CASE("conjugate gradients go the textbook's way, with the V-cycle and without", "",
                   PlainKernels, OptimisedKernels) {
  for (const Box& local : {Box{8, 8, 8}, Box{16, 8, 8}})
    for (const bool preconditioned : {true, false}) {
      Problem<TestType> problem(local);
      constexpr int iterations = 8;
      std::vector<double> history;
      Vector x = zeroes(problem.kernels.rows());
      const auto reached = solved(problem.kernels, problem.b, x,
                                  {.most_iterations = iterations,
                                   .tolerance = 0,
                                   .preconditioned = preconditioned,
                                   .watch = [&](int k, double residual) {
                                     history.push_back(residual);
                                     CHECK(k == static_cast<int>(history.size()));
                                   }});
      const auto expected = textbook_history(sides_of(local), iterations, preconditioned);
      REQUIRE(history.size() == expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k)
        CHECK(history[k] == Approx(expected[k]).epsilon(1e-8));
      CHECK(reached.iterations == iterations);
      CHECK(reached.residual == history.back());
    }
}

TEMPLATE_TEST_CASE("on 8^3 points 1 everywhere is found, and the residual told is that of the solution", "",
                   PlainKernels, OptimisedKernels) {
  Problem<TestType> problem(Box{8, 8, 8});
  Vector x = zeroes(512);
  const auto early = solved(problem.kernels, problem.b, x, {.most_iterations = 5});
  const std::vector<double> Ax = product({8, 8, 8}, first(x, 512));
  std::vector<double> r(512);
  for (std::size_t i = 0; i < 512; ++i) r[i] = problem.b[i] - Ax[i];
  const std::vector<double> b = first(problem.b, 512);
  CHECK(early.residual == Approx(std::sqrt(dot(r, r) / dot(b, b))).epsilon(1e-6));

  fill(x, 0);
  const auto with = solved(problem.kernels, problem.b, x, {.most_iterations = 50, .tolerance = 1e-12});
  CHECK(with.residual <= 1e-12);
  CHECK(largest_error(x, 1) < 1e-11);
  fill(x, 0);
  const auto without = solved(problem.kernels, problem.b, x,
                              {.most_iterations = 500, .tolerance = 1e-12, .preconditioned = false});
  CHECK(largest_error(x, 1) < 1e-10);
  CHECK(with.iterations < without.iterations);
}

TEST_CASE("the solution doesn't depend on where the solve begins") {
  Problem<OptimisedKernels> problem(Box{8, 8, 8});
  const bool holds = rc::check([&] {
    Vector x = noise(512, *rc::gen::arbitrary<unsigned>());
    const double scale = *rc::gen::inRange(1, 1000);
    for (std::size_t i = 0; i < 512; ++i) x[i] *= scale;
    const auto reached = solved(problem.kernels, problem.b, x, {.most_iterations = 60, .tolerance = 1e-13});
    RC_ASSERT(reached.residual <= 1e-13);
    RC_ASSERT(largest_error(x, 1) < 1e-10 * scale);
  });
  CHECK(holds);
}

TEST_CASE("a solve ends with the first residual that is small enough, or after its iterations") {
  Problem<PlainKernels> problem(Box{8, 8, 8});
  std::vector<double> history;
  const auto watch = [&](int, double residual) { history.push_back(residual); };
  Vector x = zeroes(512);
  const auto reached =
      solved(problem.kernels, problem.b, x,
             {.most_iterations = 50, .tolerance = 1e-4, .preconditioned = true, .watch = watch});
  REQUIRE(history.size() >= 2);
  CHECK(reached.iterations == static_cast<int>(history.size()));
  CHECK(history.back() <= 1e-4);
  CHECK(history[history.size() - 2] > 1e-4);
  fill(x, 0);
  CHECK(solved(problem.kernels, problem.b, x, {.most_iterations = 2, .tolerance = 1e-4}).iterations == 2);
}
