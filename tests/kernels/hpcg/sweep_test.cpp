#ifdef _OPENMP
#include <omp.h>
#endif

#include <catch2/catch.hpp>

#include "suites/hpcg/reference/kernels.hpp"
#include "suites/hpcg/reference/split_matrix.hpp"
#include "tests/kernels/hpcg/operator.hpp"
#include "tests/kernels/hpcg/vectors.hpp"
#include "tests/mpi_session.hpp"

using namespace hpcg;

namespace {

/// A rank's rows by the definition, with the halo's values as they are in x.
struct Rows {
  explicit Rows(const Geometry& g) : own(own_points(g)), all(own), diagonal(own.size(), 26) {
    const std::vector<Point> halo = halo_points(g);
    all.insert(all.end(), halo.begin(), halo.end());
  }

  [[nodiscard]] double others(std::size_t row, const Vector& x) const {
    double sum = 0;
    for (std::size_t column = 0; column < all.size(); ++column)
      if (column != row) sum += entry(all[row], all[column]) * x[column];
    return sum;
  }
  /// U x: of the own columns behind each row.
  [[nodiscard]] Vector upper(const Vector& x) const {
    Vector y(own.size());
    for (std::size_t row = 0; row < own.size(); ++row) {
      y[row] = 0;
      for (std::size_t column = row + 1; column < own.size(); ++column)
        y[row] += entry(all[row], all[column]) * x[column];
    }
    return y;
  }
  [[nodiscard]] std::vector<double> times(const Vector& x) const {
    std::vector<double> y(own.size());
    for (std::size_t row = 0; row < own.size(); ++row) y[row] = others(row, x) + diagonal[row] * x[row];
    return y;
  }
  void forward(const Vector& r, Vector& x) const {
    for (std::size_t row = 0; row < own.size(); ++row) x[row] = (r[row] - others(row, x)) / diagonal[row];
  }
  void backward(const Vector& r, Vector& x) const {
    for (std::size_t row = own.size(); row-- > 0;) x[row] = (r[row] - others(row, x)) / diagonal[row];
  }

  std::vector<Point> own;
  std::vector<Point> all;
  std::vector<double> diagonal;
};

/// Every third row.
Array<int> some_rows(std::size_t rows) {
  Array<int> points((rows + 2) / 3);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<int>(3 * i);
  return points;
}

/// Ranks with and without neighbours below and above.
std::vector<Geometry> places() {
  return {geometry(0, {1, 1, 1}, {8, 8, 8}, {}), geometry(0, {1, 1, 1}, {1, 1, 1}, {}),
          geometry(0, {2, 2, 1}, {4, 6, 5}, {}), geometry(13, {3, 3, 3}, {4, 2, 6}, {}),
          geometry(5, {1, 2, 3}, {5, 5, 3}, {})};
}

}  // namespace

TEST_CASE("the sweeps from zero, each over one triangle, are a symmetric Gauss-Seidel step") {
  start_mpi();
  for (const Geometry& g : places()) {
    const System system = generate(g);
    const Rows rows(g);
    const SplitMatrix split(system.matrix, {}, 1);
    const Vector r = noise(rows.own.size(), 1);
    Vector x = noise(rows.all.size(), 2);  // what it held counts for nothing
    system.halo.zero(x.data());
    Vector expected = zeroes(rows.all.size());
    split.forward_from_zero(r.data(), x.data());
    split.backward_from_zero(x.data());
    rows.forward(r, expected);
    rows.backward(r, expected);
    CHECK(difference(first(x, rows.all.size()), first(expected, rows.all.size())) < 1e-14);
  }
}

TEST_CASE("the sweeps from a corrected vector, with what the halo holds, are a symmetric Gauss-Seidel step") {
  start_mpi();
  for (const Geometry& g : places()) {
    const System system = generate(g);
    Rows rows(g);
    const Array<int> injected = some_rows(rows.own.size());
    SplitMatrix split(system.matrix, injected, 1);
    for (const bool other_diagonal : {false, true}) {
      if (other_diagonal) {
        Vector diagonal = noise(rows.own.size(), 5);
        for (std::size_t row = 0; row < rows.own.size(); ++row) rows.diagonal[row] = diagonal[row] += 30;
        split.replace_diagonal(diagonal);
      }
      const Vector r = noise(rows.own.size(), 3);
      Vector x = noise(rows.all.size(), 4);
      system.halo.zero(x.data());
      Vector kept(rows.own.size());
      split.forward_from_zero(r.data(), x.data());
      split.backward_from_zero(x.data(), kept.data());
      CHECK(difference(first(kept, kept.size()), first(rows.upper(x), kept.size())) < 1e-14);

      const Vector halo = noise(rows.all.size(), 11);
      for (std::size_t i = rows.own.size(); i < rows.all.size(); ++i) x[i] = halo[i];
      const Vector correction = noise(injected.size(), 12);
      for (std::size_t i = 0; i < injected.size(); ++i) x[injected[i]] += correction[i];
      Vector expected = copy_of(x);
      split.forward(r.data(), correction.data(), x.data(), kept.data());
      split.backward(kept.data(), x.data());
      rows.forward(r, expected);
      rows.backward(r, expected);
      CHECK(difference(first(x, rows.all.size()), first(expected, rows.all.size())) < 1e-14);
    }
  }
}

TEST_CASE("columns far from their rows are as good as near ones") {
  start_mpi();
  // A plane of 200 x 200 points: those of the next are farther than 16 bits reach. Of 100 x 100 in four
  // planes the halo alone is, which L has and U has not.
  for (const Geometry& g :
       {geometry(0, {1, 1, 1}, {200, 200, 2}, {}), geometry(13, {3, 3, 3}, {100, 100, 4}, {}),
        geometry(13, {3, 3, 3}, {40, 40, 40}, {})}) {
    const System system = generate(g);
    const SplitMatrix split(system.matrix, {}, 1);
    const Vector x = integers(system.columns(), 13);
    Vector y(system.rows());
    split.multiply_dot(x.data(), y.data());
    std::size_t wrong = 0;
    const SparseMatrix& A = system.matrix;
    for (int row = 0; row < A.rows; ++row) {
      double sum = 0;
      for (int entry = A.start[row]; entry < A.start[row + 1]; ++entry)
        sum += A.value[entry] * x[A.column[entry]];
      wrong += sum == y[row] ? 0 : 1;
    }
    CHECK(wrong == 0);

    // The sweeps over the same rows, beside plain ones.
    const Vector r = noise(system.rows(), 15);
    Vector z = zeroes(system.columns());
    Vector plain = zeroes(system.columns());
    Vector upper(system.rows());
    split.forward_from_zero(r.data(), z.data());
    split.backward_from_zero(z.data(), upper.data());
    const auto relax = [&](int row) {
      double sum = r[row];
      for (int entry = A.start[row]; entry < A.start[row + 1]; ++entry)
        if (A.column[entry] != row) sum -= A.value[entry] * plain[A.column[entry]];
      plain[row] = sum / A.value[A.diagonal[row]];
    };
    for (int row = 0; row < A.rows; ++row) relax(row);
    for (int row = A.rows - 1; row >= 0; --row) relax(row);
    CHECK(difference(first(z, system.rows()), first(plain, system.rows())) < 1e-14);
  }
}

TEST_CASE("a product of whole numbers is exact, and so is x'A x of these rows") {
  start_mpi();
  for (const Geometry& g : places()) {
    const System system = generate(g);
    const Rows rows(g);
    const SplitMatrix split(system.matrix, {}, 1);
    const Vector x = integers(rows.all.size(), 6);
    Vector y(rows.own.size());
    const double dot = split.multiply_dot(x.data(), y.data());
    const std::vector<double> expected = rows.times(x);
    CHECK(first(y, rows.own.size()) == expected);
    double sum = 0;
    for (std::size_t row = 0; row < expected.size(); ++row) sum += x[row] * expected[row];
    CHECK(dot == sum);
  }
}

TEST_CASE("the residual is restricted to every second point, as it is there") {
  start_mpi();
  const Geometry g = geometry(0, {1, 1, 1}, {8, 16, 8}, {});
  const std::vector<Level> levels = generate_levels(g);
  const Rows rows(g);
  const SplitMatrix split(levels[0].system.matrix, levels[0].injected, 1);
  const Vector r = integers(rows.own.size(), 7);
  const Vector x = integers(rows.own.size(), 8);
  Vector coarse(levels[1].system.matrix.rows);
  split.restrict_residual(r.data(), x.data(), rows.upper(x).data(), coarse.data());
  const std::vector<double> product = rows.times(x);
  std::size_t at = 0;
  for (const Point& point : own_points(coarser(g))) {
    const auto fine = static_cast<std::size_t>(place(g.global, {2 * point[0], 2 * point[1], 2 * point[2]}));
    CHECK(coarse[at++] == r[fine] - product[fine]);
  }
}

#ifdef _OPENMP
TEST_CASE("rows that two threads relax by stages come out as in order, bit for bit") {
  start_mpi();
  const Geometry g = geometry(0, {2, 1, 1}, {32, 32, 32}, {});
  const System system = generate(g);
  const Array<int> injected = [] {
    Array<int> points(3);
    points[0] = 0;
    points[1] = 77;
    points[2] = 32767;
    return points;
  }();
  const SplitMatrix one(system.matrix, injected, 1);
  const SplitMatrix two(system.matrix, injected, 2);
  REQUIRE(two.bytes() > one.bytes());  // its rows are in another order
  const int threads = omp_get_max_threads();
  omp_set_num_threads(2);
  const Vector r = noise(system.rows(), 9);
  const Vector start = noise(system.columns(), 10);
  const auto swept = [&](const SplitMatrix& split) {
    Vector x = copy_of(start);
    Vector kept(system.rows());
    Vector coarse(injected.size());
    Vector y(system.rows());
    const Vector correction = noise(injected.size(), 14);
    Vector z = zeroes(system.columns());
    split.forward_from_zero(r.data(), z.data());
    split.backward_from_zero(z.data(), kept.data());
    split.restrict_residual(r.data(), z.data(), kept.data(), coarse.data());
    split.forward(r.data(), correction.data(), x.data(), kept.data());
    split.backward(kept.data(), x.data());
    split.multiply_dot(x.data(), y.data());
    split.backward_from_zero(z.data());
    std::vector<double> all = first(x, x.size());
    for (const Vector* more : {&kept, &coarse, &y, &z})
      all.insert(all.end(), more->data(), more->data() + more->size());
    return all;
  };
  CHECK(swept(one) == swept(two));
  omp_set_num_threads(threads);
}
#endif
