#include "suites/io500/reference/find.hpp"

#include <fstream>

#include "suites/io500/reference/mdtest.hpp"
#include "suites/io500/reference/settings.hpp"
#include "tests/kernels/io500/data_folder.hpp"

using namespace io500;

namespace {

constexpr std::int64_t always = 0;  // newer than the epoch

std::string value_of(const Outcome& outcome, const std::string& key) {
  for (const auto& [name, value] : outcome.values)
    if (name == key) return value;
  return {};
}

}  // namespace

TEST_CASE(
    "find counts all files, and those of 3901 bytes with 01 in their names, on as many ranks as asked for",
    "[ranks]") {
  const DataFolder data;
  const int ranks = data.world.ranks;
  Mdtest hard{.folder = "mdtest-hard", .shared = true, .bytes = hard_file, .n = 120};
  Mdtest easy{.folder = "mdtest-easy", .shared = false, .bytes = 0, .n = 120};
  REQUIRE(mdtest_write(hard, data.claim, data.world, 1e9, 1000));
  REQUIRE(mdtest_write(easy, data.claim, data.world, 1e9, 1000));
  if (data.world.talks()) {
    std::ofstream(data.path("ior-hard/01")) << 'x';  // of another size
    std::ofstream(data.path("ior-hard/other")) << std::string(hard_file, 'x');
  }
  barrier();
  const FindExpectation expected{240 * ranks + 2, names_with_01(ranks, 120)};
  for (int finders = 1; finders <= ranks; ++finders) {
    const auto found = find_files(data.claim, data.world, finders, always, hard_file, expected);
    REQUIRE(found);
    CHECK_FALSE(found->wrong);
    CHECK(found->invalid.empty());
    CHECK(value_of(*found, "found") == std::to_string(ranks));  // number 101 of each
    CHECK(value_of(*found, "total-files") == std::to_string(240 * ranks + 2));
    CHECK(found->score > 0);
  }
}

TEST_CASE("a file too many, one too few and none that matches are said", "[ranks]") {
  const DataFolder data;
  if (data.world.talks()) std::ofstream(data.path("ior-hard/a01")) << std::string(hard_file, 'x');
  barrier();
  const auto right = find_files(data.claim, data.world, 1, always, hard_file, {1, 1});
  REQUIRE(right);
  CHECK_FALSE(right->wrong);
  const auto more = find_files(data.claim, data.world, 1, always, hard_file, {0, 0});
  REQUIRE(more);
  CHECK(more->wrong);
  CHECK(more->invalid == std::vector<std::string>{"find came to 1 of 1 files, and 0 of 0 were made"});
  const auto older = find_files(data.claim, data.world, 1, std::int64_t{1} << 40, hard_file, {1, 1});
  REQUIRE(older);
  CHECK(older->invalid == std::vector<std::string>{"find came to 0 of 1 files, and 1 of 1 were made",
                                                   "Find didn't find anything, this is likely invalid."});
}
