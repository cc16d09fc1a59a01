#include "suites/hpcg/reference/matrix.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "tests/kernels/hpcg/cut.hpp"
#include "tests/kernels/hpcg/operator.hpp"
#include "tests/mpi_session.hpp"

using namespace hpcg;

namespace {

/// Checks each entry of a rank's rows, in order, against the definition.
void check_rows(const System& system) {
  const Geometry& g = system.geometry;
  const SparseMatrix& A = system.matrix;
  std::vector<Point> columns = own_points(g);
  RC_ASSERT(A.rows == static_cast<int>(columns.size()));
  const std::vector<Point> halo = halo_points(g);
  columns.insert(columns.end(), halo.begin(), halo.end());
  RC_ASSERT(system.columns() == static_cast<int>(columns.size()));
  RC_ASSERT(A.start[0] == 0);
  for (int row = 0; row < A.rows; ++row) {
    const Point& at = columns[static_cast<std::size_t>(row)];
    const std::vector<Point> expected = neighbours(g.global, at);
    RC_ASSERT(A.start[row + 1] - A.start[row] == static_cast<int>(expected.size()));
    for (int i = 0; i < static_cast<int>(expected.size()); ++i) {
      const Point& other = expected[static_cast<std::size_t>(i)];
      RC_ASSERT(columns.at(static_cast<std::size_t>(A.column[A.start[row] + i])) == other);
      RC_ASSERT(A.value[A.start[row] + i] == entry(at, other));
    }
    RC_ASSERT(A.column[A.diagonal[row]] == row);
  }
}

}  // namespace

TEST_CASE("each rank's rows are those of the 27-point operator, however the grid is cut") {
  start_mpi();
  const bool holds = rc::check([] {
    for (const Geometry& g : any_cut().ranks()) check_rows(generate(g));
  });
  CHECK(holds);
}

TEST_CASE("all ranks' entries are (3 nx - 2)(3 ny - 2)(3 nz - 2), and what they send is what they receive") {
  start_mpi();
  const bool holds = rc::check([] {
    std::int64_t entries = 0;
    std::int64_t rows = 0;
    int sent = 0;
    int received = 0;
    Sides n{};
    for (const Geometry& g : any_cut().ranks()) {
      const System system = generate(g);
      n = g.global;
      entries += system.matrix.nonzeros();
      rows += system.rows();
      sent += system.halo.sent();
      received += system.halo.size();
      std::set<int> owners;
      for (const Point& at : halo_points(g)) owners.insert(g.owner(at[0], at[1], at[2]));
      RC_ASSERT(system.halo.neighbours() == static_cast<int>(owners.size()));
      RC_ASSERT(system.matrix.all_rows == n[0] * n[1] * n[2]);
    }
    RC_ASSERT(entries == (3 * n[0] - 2) * (3 * n[1] - 2) * (3 * n[2] - 2));
    RC_ASSERT(rows == n[0] * n[1] * n[2]);
    RC_ASSERT(sent == received);
  });
  CHECK(holds);
}

TEST_CASE("the right-hand side is the sum of each row: 0 inside, 19 at a corner") {
  start_mpi();
  const Geometry g = geometry(1, {2, 1, 2}, {3, 4, 2}, {});
  const Vector b = right_hand_side(generate(g).matrix);
  const std::vector<Point> points = own_points(g);
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double others = static_cast<double>(neighbours(g.global, points[row]).size()) - 1;
    CHECK(b[row] == 26 - others);
  }
  CHECK(b[2] == 19);  // a corner has 7 neighbours
  CHECK(right_hand_side(generate(geometry(0, {1, 1, 1}, {3, 3, 3}, {})).matrix)[13] == 0);
}
