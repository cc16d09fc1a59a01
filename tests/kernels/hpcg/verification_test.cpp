#include "suites/hpcg/reference/cg.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/kernels/hpcg/problem.hpp"
#include "tests/kernels/hpcg/vectors.hpp"

using namespace hpcg;

namespace {

/// Operators with `skew` times the next row's number added to each row: no longer symmetric.
class Skewed : public PlainKernels {
 public:
  using PlainKernels::PlainKernels;
  double of_product = 0;
  double of_cycle = 0;

  void product(Vector& x, Vector& y, Times& times) override {
    PlainKernels::product(x, y, times);
    add(of_product, x, y);
  }
  void precondition(const Vector& r, Vector& z, Times& times) override {
    PlainKernels::precondition(r, z, times);
    add(of_cycle, r, z);
  }

 private:
  void add(double skew, const Vector& x, Vector& y) const {
    for (int row = 0; row + 1 < rows(); ++row) y[row] += skew * x[row + 1];
  }
};

/// Stores the diagonals that it is given.
class Watched : public OptimisedKernels {
 public:
  explicit Watched(std::vector<Level>& levels) : OptimisedKernels(levels, 1) {}
  std::vector<std::vector<double>> diagonals;
  void replace_diagonal(const Vector& diagonal) override {
    diagonals.push_back(first(diagonal, diagonal.size()));
    OptimisedKernels::replace_diagonal(diagonal);
  }
};

/// A preconditioner that loses a number.
class Broken : public PlainKernels {
 public:
  using PlainKernels::PlainKernels;
  void precondition(const Vector& r, Vector& z, Times& times) override {
    PlainKernels::precondition(r, z, times);
    z[7] = std::nan("");
  }
};

SpectralTest spectrum_of(Kernels& kernels, const Vector& b) {
  Workspace space(kernels);
  return test_spectrum(kernels, space, b, nullptr);
}

}  // namespace

TEMPLATE_TEST_CASE(
    "the operators are symmetric to rounding, and few iterations do where the diagonal dominates", "",
    PlainKernels, OptimisedKernels) {
  for (const Box& local : {Box{8, 8, 8}, Box{16, 16, 16}}) {
    Problem<TestType> problem(local);
    const SymmetryTest symmetry = test_symmetry(problem.kernels, nullptr);
    CHECK(symmetry.product < 0.01);
    CHECK(symmetry.multigrid < 0.01);
    CHECK(symmetry.passed());
    Vector x = integers(problem.kernels.columns(), 20);
    Vector before(problem.kernels.rows());
    Vector after(problem.kernels.rows());
    Times times;
    problem.kernels.product(x, before, times);
    const SpectralTest spectral = spectrum_of(problem.kernels, problem.b);
    CHECK(spectral.unpreconditioned >= 9);  // as many sizes of diagonal entries
    CHECK(spectral.unpreconditioned <= 12);
    CHECK(spectral.preconditioned >= 1);
    CHECK(spectral.preconditioned <= 2);
    CHECK(spectral.passed());
    problem.kernels.product(x, after, times);
    CHECK(first(before, before.size()) == first(after, after.size()));  // the matrix is as it was
  }
}

TEST_CASE("the departure from symmetry is |x'Cy - y'Cx| over 2 x'x |A| y'y and the rounding unit") {
  Problem<Skewed> problem(Box{8, 8, 8});
  Skewed& kernels = problem.kernels;
  const Vector x = random_vector(512, 1);
  const Vector y = random_vector(512, 2);
  double skew = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    if (i + 1 < 512) skew += x[i] * y[i + 1] - y[i] * x[i + 1];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  const double unit = 2 * xx * 52 * yy * std::numeric_limits<double>::epsilon();
  kernels.of_product = 1e-3;
  kernels.of_cycle = 3e-3;
  const SymmetryTest test = test_symmetry(kernels, nullptr);
  CHECK(test.product == Approx(1e-3 * std::fabs(skew) / unit).epsilon(1e-6));
  CHECK(test.multigrid == Approx(3e-3 * std::fabs(skew) / unit).epsilon(1e-6));
  CHECK_FALSE(test.passed());
  // Each operator alone fails the test, as soon as its value is above 1.
  kernels.of_product = 0;
  kernels.of_cycle = 0.9 * unit / std::fabs(skew);
  CHECK(test_symmetry(kernels, nullptr).passed());
  kernels.of_cycle = 1.1 * unit / std::fabs(skew);
  CHECK_FALSE(test_symmetry(kernels, nullptr).passed());
  kernels.of_cycle = std::nan("");
  CHECK_FALSE(test_symmetry(kernels, nullptr).passed());
}

TEST_CASE(
    "the spectral test takes a million times the diagonal, and two to ten times that in the first nine "
    "rows") {
  Problem<Watched> problem(Box{8, 8, 8});
  spectrum_of(problem.kernels, problem.b);
  REQUIRE(problem.kernels.diagonals.size() == 2);
  for (std::size_t row = 0; row < 512; ++row) {
    const double factor = row < 9 ? 1e6 * static_cast<double>(row + 2) : 1e6;
    CHECK(problem.kernels.diagonals[0][row] == 26 * factor);
    CHECK(problem.kernels.diagonals[1][row] == 26);
  }
}

TEST_CASE("a preconditioner that loses a number fails the spectral test") {
  Problem<Broken> problem(Box{8, 8, 8});
  const SpectralTest test = spectrum_of(problem.kernels, problem.b);
  CHECK(test.preconditioned == 50);
  CHECK(test.unpreconditioned <= 12);
  CHECK_FALSE(test.passed());
}

TEST_CASE("the norms' mean and variance are those of the residuals, and sets that differ fail") {
  const bool holds = rc::check([] {
    const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000)));
    const std::vector<double> residuals(numbers.begin(), numbers.end());
    double mean = 0;
    for (const double residual : residuals) mean += residual / static_cast<double>(residuals.size());
    double variance = 0;
    for (const double residual : residuals)
      variance += (residual - mean) * (residual - mean) / static_cast<double>(residuals.size());
    const NormTest test = test_norms(residuals);
    RC_ASSERT(std::fabs(test.mean - mean) < 1e-9 * mean);
    RC_ASSERT(std::fabs(test.variance - variance) <= 1e-9 * (1 + variance));
    RC_ASSERT(test.passed() == (variance < 1e-6));
  });
  CHECK(holds);
  CHECK(test_norms({4.5e-8, 4.5e-8, 4.5e-8}).variance == 0);
  CHECK(test_norms({4.5e-8, 4.5e-8, 4.5e-8}).mean == 4.5e-8);
  CHECK_FALSE(test_norms({1, 1, std::nan("")}).passed());
}

TEST_CASE("random vectors lie from 1 to 2, the same for a seed and others for another") {
  const Vector a = random_vector(1000, 1);
  for (std::size_t i = 0; i < a.size(); ++i) CHECK((a[i] >= 1 && a[i] < 2));
  CHECK(first(a, 1000) == first(random_vector(1000, 1), 1000));
  CHECK(first(a, 1000) != first(random_vector(1000, 2), 1000));
}
