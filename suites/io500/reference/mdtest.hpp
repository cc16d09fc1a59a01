#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/pattern.hpp"
#include "suites/io500/reference/world.hpp"

namespace io500 {

/// Many small files, made, looked at, read and removed one by one as mdtest does it. A rank stats, reads and
/// removes those that the rank one, two and three shifts further on has made.
struct Mdtest {
  std::string folder;      ///< "mdtest-easy"
  bool shared = false;     ///< all files in one directory, else each rank's in another
  std::int64_t bytes = 0;  ///< of each file
  std::int64_t n = 0;      ///< at most, files of a rank
  Packet packet = Packet::timestamp;
  std::uint32_t seed = 0;
  std::int64_t items = 0;  ///< files of each rank; known once written
};

/// Makes files until the stonewall or `most`; then all ranks go on to the largest number that one has made,
/// and all is written back. Fails, on all ranks, where one cannot.
///
/// Source: mdtest, src/mdtest.c, file_test(), with -C -Y -W.
Result<Outcome> mdtest_write(Mdtest& mdtest, const Claim& claim, const World& world, double stonewall_s,
                             std::int64_t most);

/// A stat of each file, which must have its size.
Result<Outcome> mdtest_stat(const Mdtest& mdtest, const Claim& claim, const World& world);

/// Opens, reads and closes each file and compares every byte.
Result<Outcome> mdtest_read(const Mdtest& mdtest, const Claim& claim, const World& world);

/// Removes each file.
Result<Outcome> mdtest_delete(const Mdtest& mdtest, const Claim& claim, const World& world);

}  // namespace io500
