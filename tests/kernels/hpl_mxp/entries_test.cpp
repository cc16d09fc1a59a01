#include "suites/hpl_mxp/reference/system.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "tests/kernels/hpl_mxp/lone_grid.hpp"

using namespace hpl_mxp;

namespace {

/// HPL's sequence step by step, without jumps: entry i + j N.
std::vector<double> sequence(int N) {
  std::vector<double> entries;
  std::uint64_t state = 100;
  for (int k = 0; k < N * (N + 1); ++k) {
    state = state * 6364136223846793005U + 1;
    entries.push_back(0.5 - static_cast<double>(state) * 0x1p-64);
  }
  return entries;
}

struct Place {
  int P, Q, p, q, N, NB;
};

/// The part of one place of a grid, seen without the other ranks.
Entries part(Place place) {
  LoneGrid grid;
  grid.P = place.P;
  grid.Q = place.Q;
  grid.p = place.p;
  grid.q = place.q;
  return {grid, place.N, place.NB};
}

const std::vector<Place> places = {{1, 1, 0, 0, 40, 8},  {1, 1, 0, 0, 100, 100}, {2, 3, 1, 2, 100, 7},
                                   {2, 3, 0, 1, 77, 33}, {3, 1, 2, 0, 97, 32},   {1, 2, 0, 1, 130, 64},
                                   {4, 4, 3, 3, 16, 64}};

}  // namespace

TEST_CASE("the entries are HPL's sequence wherever they lie") {
  for (const Place& place : places) {
    const Entries entries = part(place);
    const auto all = sequence(place.N);
    const std::size_t ld = static_cast<std::size_t>(entries.rows) + 3;
    std::vector<float> a(ld * static_cast<std::size_t>(std::max(1, entries.columns)), 7.0F);
    entries.round_into(a.data(), ld);
    int wrong = 0;
    for (int j = 0; j < entries.columns; ++j) {
      for (int i = 0; i < entries.rows; ++i) {
        const int row = entries.row.global(i, place.p);
        const int column = entries.column.global(j, place.q);
        const double expected = all[static_cast<std::size_t>(row) +
                                    static_cast<std::size_t>(column) * static_cast<std::size_t>(place.N)];
        if (std::fabs(static_cast<double>(a[static_cast<std::size_t>(j) * ld + static_cast<std::size_t>(i)]) -
                      expected) > 0x1p-25)
          ++wrong;
        if (std::fabs(entries.at(row, column) - expected) > 0x1p-52) ++wrong;
      }
      for (std::size_t i = static_cast<std::size_t>(entries.rows); i < ld; ++i)
        if (a[static_cast<std::size_t>(j) * ld + i] != 7.0F) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("products and sums of magnitudes are those of the entries") {
  for (const Place& place : places) {
    const Entries entries = part(place);
    std::vector<double> x(static_cast<std::size_t>(entries.columns));
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::sin(j + 1);
    const auto y = entries.times(x);
    const auto sums = entries.magnitudes();
    REQUIRE(y.size() == static_cast<std::size_t>(entries.rows));
    for (int i = 0; i < entries.rows; ++i) {
      double product = 0;
      double sum = 0;
      for (int j = 0; j < entries.columns; ++j) {
        const double entry = entries.at(entries.row.global(i, place.p), entries.column.global(j, place.q));
        product += entry * x[static_cast<std::size_t>(j)];
        sum += std::fabs(entry);
      }
      CHECK(y[static_cast<std::size_t>(i)] == Approx(product).margin(1e-13));
      CHECK(sums[static_cast<std::size_t>(i)] == Approx(sum).margin(1e-13));
    }
  }
}
