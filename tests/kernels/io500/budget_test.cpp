#include "suites/io500/reference/run.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>

using namespace io500;

TEST_CASE("whatever phases take in turn, all ranks together stay within a tenth of what was free") {
  const bool holds = rc::check([] {
    const auto bytes = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
    const auto inodes =
        *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 1 << 30), rc::gen::inRange<std::int64_t>(0, 100));
    const int ranks = *rc::gen::inRange(1, 1000);
    Budget budget({bytes, inodes});
    std::int64_t taken = 0;
    std::int64_t made = 0;
    for (int phase = 0; phase < 4; ++phase) {
      const auto each = *rc::gen::element<std::int64_t>(47008, 1 << 20, hard_file_space, easy_file_space);
      const bool files = *rc::gen::arbitrary<bool>();
      const double share = *rc::gen::element(0.7, 0.9);
      const std::int64_t items = budget.items(each, files ? 1 : 0, share, ranks) * ranks;
      taken += items * each;
      made += files ? items : 0;
      budget.take(items * each, files ? items : 0);
    }
    RC_ASSERT(taken <= bytes / 10);
    RC_ASSERT(inodes == 0 || made <= inodes / 10);
  });
  CHECK(holds);
}

TEST_CASE("a part is a share of what is left; file systems that count no inodes limit none") {
  Budget budget({1000, 0});
  CHECK(budget.bytes() == 100);
  CHECK(budget.items(5, 1, 0.5, 2) == 5);
  budget.take(60, 9);
  CHECK(budget.items(5, 1, 0.5, 2) == 2);
  budget.take(1000, 9);
  CHECK(budget.items(5, 1, 1, 1) == 0);
  Budget few({1'000'000, 100});
  CHECK(few.items(1, 1, 1, 2) == 5);
  CHECK(few.items(1, 0, 1, 2) == 50'000);
}
