#pragma once

#include <cstdint>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/world.hpp"

namespace io500 {

/// What find must come to.
struct FindExpectation {
  std::int64_t files = 0;
  std::int64_t matches = 0;
};

/// How many of the first `items` files of each of `ranks` have "01" in their names.
std::int64_t names_with_01(int ranks, std::int64_t items);

/// Walks the data directory on `ranks` ranks and counts all files, and those newer than `newer` (seconds
/// since the epoch), of `bytes` bytes, with "01" in their names. Directories of one depth go to whichever
/// rank is free; what must be looked at is dealt out evenly, however unevenly it lies.
///
/// The outcome is wrong where it differs from `expected`. Fails, on all ranks, where a directory can't be
/// read.
///
/// Source: IO500, src/phase_find.c: -newer timestampfile -size 3901c -name *01*; pfind takes a change in the
/// same second for newer.
Result<Outcome> find_files(const Claim& claim, const World& world, std::int64_t ranks, std::int64_t newer,
                           std::int64_t bytes, const FindExpectation& expected);

}  // namespace io500
