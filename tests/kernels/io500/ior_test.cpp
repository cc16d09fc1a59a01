#include "suites/io500/reference/ior.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "suites/io500/reference/settings.hpp"
#include "tests/kernels/io500/bytes.hpp"
#include "tests/kernels/io500/data_folder.hpp"

using namespace io500;

namespace {

constexpr double ior_no_stonewall_s = 1e9;

Ior ior_hard(std::int64_t segments) {
  return {.folder = "ior-hard",
          .file = "file",
          .transfer = hard_transfer,
          .block = hard_transfer,
          .segments = segments,
          .seed = 11};
}

Ior ior_easy(bool unique_dir, std::int64_t transfers) {
  return {.folder = "ior-easy",
          .unique_dir = unique_dir,
          .transfer = 4096,
          .block = 4096 * transfers,
          .seed = 12};
}

std::int64_t bytes_on_disk(const std::filesystem::path& path) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  return code ? -1 : static_cast<std::int64_t>(size);
}

bool mentions(const Outcome& outcome, const std::string& words) {
  return std::any_of(outcome.invalid.begin(), outcome.invalid.end(),
                     [&](const std::string& each) { return each.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("the ranks' transfers fill a shared file without a gap, segment by segment, each in turn") {
  const bool holds = rc::check([] {
    const int ranks = *rc::gen::inRange(1, 9);
    const std::int64_t of_block = *rc::gen::inRange(1, 5);
    Ior ior = ior_hard(*rc::gen::inRange(1, 6));
    ior.block = ior.transfer * of_block;
    std::set<std::int64_t> offsets;
    for (int rank = 0; rank < ranks; ++rank)
      for (std::int64_t pair = 0; pair < ior.most_pairs(); ++pair) {
        const std::int64_t at = ior.offset(pair, rank, ranks);
        RC_ASSERT(offsets.insert(at).second);
        RC_ASSERT(at / ior.block % ranks == rank);               // blocks go round
        RC_ASSERT(at / (ior.block * ranks) == pair / of_block);  // segment
      }
    RC_ASSERT(static_cast<std::int64_t>(offsets.size()) == ranks * ior.most_pairs());
    RC_ASSERT(*offsets.begin() == 0);
    RC_ASSERT(*offsets.rbegin() == (ranks * ior.most_pairs() - 1) * ior.transfer);
  });
  CHECK(holds);
}

TEST_CASE("a rank's own file is written from its beginning, one transfer behind the other") {
  const Ior ior = ior_easy(false, 20);
  for (std::int64_t pair = 0; pair < 20; ++pair) CHECK(ior.offset(pair, 3, 8) == pair * 4096);
  CHECK(ior.path(3) == "ior-easy/ior_file_easy.00000003");
  CHECK(ior_easy(true, 20).path(3) == "ior-easy/3/ior_file_easy.00000003");
  CHECK(ior_hard(20).path(3) == "ior-hard/file");
}

TEST_CASE("ior-hard writes 47008 bytes of each rank in each segment, as the pattern has them", "[ranks]") {
  const DataFolder data;
  Ior ior = ior_hard(7);
  const auto wrote = ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false);
  REQUIRE(wrote);
  CHECK(ior.pairs == 7);
  CHECK_FALSE(wrote->wrong);
  CHECK(wrote->score > 0);
  CHECK(mentions(*wrote, "Write phase needed"));  // shorter than the stonewall
  const std::string bytes = bytes_of(data.path("ior-hard/file"));
  REQUIRE(bytes.size() == static_cast<std::size_t>(7 * data.world.ranks * hard_transfer));
  for (int segment = 0; segment < 7; ++segment)
    for (int rank = 0; rank < data.world.ranks; ++rank) {
      const auto begin = static_cast<std::size_t>((segment * data.world.ranks + rank) * hard_transfer);
      int wrong = 0;
      for (std::size_t i = 0; i < hard_transfer / 8; ++i)
        wrong +=
            word_of(bytes, begin / 8 + i) == ((static_cast<std::uint64_t>(rank) << 32) | (11 + i)) ? 0 : 1;
      CHECK(wrong == 0);
    }
  const auto read = ior_read(ior, data.claim, data.world, false);
  REQUIRE(read);
  CHECK(read->invalid.empty());
  CHECK_FALSE(read->wrong);
}

TEST_CASE("ior-easy writes a file for each rank, in directories of their own where that is asked for",
          "[ranks]") {
  for (const bool unique_dir : {false, true}) {
    const DataFolder data;
    Ior ior = ior_easy(unique_dir, 9);
    const auto wrote = ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false);
    REQUIRE(wrote);
    CHECK(bytes_on_disk(data.path(ior.path(data.world.rank))) == 9 * 4096);
    const auto read = ior_read(ior, data.claim, data.world, false);
    REQUIRE(read);
    CHECK_FALSE(read->wrong);
  }
}

TEST_CASE("each rank reads what the next one wrote: that rank names a file that is cut", "[ranks]") {
  const DataFolder data;
  Ior ior = ior_easy(false, 9);
  REQUIRE(ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false));
  const int ranks = data.world.ranks;
  for (int cut = 0; cut < ranks; ++cut) {
    barrier();
    if (data.world.talks()) std::filesystem::resize_file(data.path(ior.path(cut)), 5 * 4096 + 1);
    barrier();
    const auto read = ior_read(ior, data.claim, data.world, false);
    REQUIRE_FALSE(read);
    CHECK(read.error() == "rank " + std::to_string((cut + ranks - 1) % ranks) + ": " + ior.path(cut) +
                              " ends before byte " + std::to_string(6 * 4096));
    barrier();
    if (data.world.talks()) std::filesystem::remove(data.path(ior.path(cut)));
    barrier();
    // Written again, the others as they were.
    REQUIRE(ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false));
  }
}

TEST_CASE("with several ranks on a node the shift is more than one: the file of that rank is read",
          "[ranks]") {
  const DataFolder data;
  World far = data.world;
  far.shift = data.world.ranks - 1;
  Ior ior = ior_easy(false, 3);
  REQUIRE(ior_write(ior, data.claim, far, ior_no_stonewall_s, 1000, false));
  if (far.talks()) std::filesystem::resize_file(data.path(ior.path(0)), 1);
  barrier();
  const auto read = ior_read(ior, data.claim, far, false);
  REQUIRE_FALSE(read);
  CHECK(read.error().starts_with("rank " + std::to_string(1 % far.ranks) + ": "));
}

TEST_CASE("one byte that isn't what was written is found, of whichever rank", "[ranks]") {
  const DataFolder data;
  Ior ior = ior_hard(5);
  REQUIRE(ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false));
  const int transfers = 5 * data.world.ranks;
  for (int invalidated = 1; invalidated <= transfers; ++invalidated) {
    barrier();
    if (data.world.talks())
      spoil(data.path("ior-hard/file"), (invalidated - 1) * hard_transfer + invalidated * 997);
    barrier();
    const auto read = ior_read(ior, data.claim, data.world, false);
    REQUIRE(read);
    CHECK(read->wrong);
    CHECK(read->invalid ==
          std::vector<std::string>{std::to_string(invalidated) + " of " + std::to_string(transfers) +
                                   " transfers do not hold what was written"});
  }
}

TEST_CASE("behind the stonewall all ranks go on to what the furthest has written", "[ranks]") {
  for (const bool shared : {false, true}) {
    const DataFolder data;
    Ior ior = shared ? ior_hard(30) : ior_easy(false, 30);
    // The first rank never meets the stonewall; the others meet it at once.
    const double stonewall_s = data.world.rank == 0 ? ior_no_stonewall_s : 0;
    const auto wrote = ior_write(ior, data.claim, data.world, stonewall_s, 1000, false);
    REQUIRE(wrote);
    CHECK(ior.pairs == 30);
    CHECK_FALSE(wrote->wrong);
    CHECK(bytes_on_disk(data.path(ior.path(data.world.rank))) ==
          (shared ? 30 * hard_transfer * data.world.ranks : 30 * 4096));
    const auto read = ior_read(ior, data.claim, data.world, false);
    REQUIRE(read);
    CHECK_FALSE(read->wrong);
  }
}

TEST_CASE("a stonewall that all ranks meet ends the phase before its last transfer", "[ranks]") {
  const DataFolder data;
  Ior ior = ior_easy(false, 1000);
  const auto wrote = ior_write(ior, data.claim, data.world, 0, 1'000'000, false);
  REQUIRE(wrote);
  CHECK(ior.pairs == 1);
  CHECK(wrote->invalid.empty());
  CHECK(bytes_on_disk(data.path(ior.path(data.world.rank))) == 4096);
}

TEST_CASE("a phase that ends for want of space says so and is invalid", "[ranks]") {
  const DataFolder data;
  Ior ior = ior_easy(false, 1000);
  const auto wrote = ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 4, false);
  REQUIRE(wrote);
  CHECK(ior.pairs == 4);
  CHECK(mentions(*wrote, "the phase ended before it took more than its part of a tenth of the free space"));
  CHECK_FALSE(wrote->wrong);
}

TEST_CASE("a file that can't be written or read is one sentence on all ranks", "[ranks]") {
  const DataFolder data;
  barrier();
  if (data.world.talks()) std::filesystem::create_directory(data.path("ior-hard/file"));
  barrier();
  Ior ior = ior_hard(3);
  const auto wrote = ior_write(ior, data.claim, data.world, ior_no_stonewall_s, 1000, false);
  REQUIRE_FALSE(wrote);
  CHECK(wrote.error() == "rank 0: can't open file: Is a directory");
  Ior missing = ior_easy(false, 3);
  missing.pairs = 3;
  const auto read = ior_read(missing, data.claim, data.world, false);
  REQUIRE_FALSE(read);
  CHECK(read.error() ==
        "rank 0: can't open " + missing.path(1 % data.world.ranks).substr(9) + ": No such file or directory");
}
