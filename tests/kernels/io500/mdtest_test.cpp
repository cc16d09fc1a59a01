#include "suites/io500/reference/mdtest.hpp"

#include <map>

#include "suites/io500/reference/pattern.hpp"
#include "suites/io500/reference/settings.hpp"
#include "tests/kernels/io500/bytes.hpp"
#include "tests/kernels/io500/data_folder.hpp"

using namespace io500;
namespace fs = std::filesystem;

namespace {

constexpr double mdtest_no_stonewall_s = 1e9;

Mdtest mdtest_easy(std::int64_t n) {
  return {.folder = "mdtest-easy", .shared = false, .bytes = 0, .n = n, .seed = 21};
}

Mdtest mdtest_hard(std::int64_t n) {
  return {.folder = "mdtest-hard", .shared = true, .bytes = hard_file, .n = n, .seed = 22};
}

/// The sizes of all files below a directory, by their paths in it.
std::map<std::string, std::int64_t> files_below(const fs::path& folder) {
  std::map<std::string, std::int64_t> files;
  for (const auto& each : fs::recursive_directory_iterator(folder))
    if (each.is_regular_file())
      files[fs::relative(each.path(), folder).string()] = static_cast<std::int64_t>(each.file_size());
  return files;
}

/// As mdtest names them: each rank's in the tree of the next one, or all in one.
std::string name(const Mdtest& mdtest, int rank, std::int64_t number, int ranks) {
  const std::string tree =
      mdtest.shared ? "mdtest_tree.0" : "mdtest_tree." + std::to_string((rank + 1) % ranks) + ".0";
  return "test-dir.0-0/" + tree + "/file.mdtest." + std::to_string(rank) + "." + std::to_string(number);
}

std::string error_of(const Result<Outcome>& outcome) {
  return outcome ? "no error" : outcome.error();
}

/// Does something on the first rank alone, while the others wait.
template <class Work>
void alone(const World& world, Work work) {
  barrier();
  if (world.talks()) work();
  barrier();
}

}  // namespace

TEST_CASE("mdtest makes files of 0 and of 3901 bytes under its own names", "[ranks]") {
  for (Mdtest mdtest : {mdtest_easy(12), mdtest_hard(12)}) {
    const DataFolder data;
    const int ranks = data.world.ranks;
    const auto made = mdtest_write(mdtest, data.claim, data.world, mdtest_no_stonewall_s, 1000);
    REQUIRE(made);
    CHECK(mdtest.items == 12);
    CHECK(made->invalid.empty());
    CHECK(made->score > 0);
    std::map<std::string, std::int64_t> expected;
    for (int rank = 0; rank < ranks; ++rank)
      for (int number = 0; number < 12; ++number) expected[name(mdtest, rank, number, ranks)] = mdtest.bytes;
    barrier();
    CHECK(files_below(data.path(mdtest.folder)) == expected);
    if (mdtest.shared) {
      const std::string bytes = bytes_of(data.path(mdtest.folder + "/" + name(mdtest, ranks - 1, 11, ranks)));
      for (std::size_t i = 0; i < hard_file / 8; ++i)
        CHECK(word_of(bytes, i) == ((static_cast<std::uint64_t>(ranks - 1) << 32) | (22 + i)));
      const auto read = mdtest_read(mdtest, data.claim, data.world);
      REQUIRE(read);
      CHECK_FALSE(read->wrong);
    }
    const auto looked = mdtest_stat(mdtest, data.claim, data.world);
    REQUIRE(looked);
    CHECK_FALSE(looked->wrong);
    REQUIRE(mdtest_delete(mdtest, data.claim, data.world));
    barrier();
    CHECK(files_below(data.path(mdtest.folder)).empty());
  }
}

TEST_CASE("a rank looks at, reads and removes what the rank one, two and three further on has made",
          "[ranks]") {
  const DataFolder data;
  const int ranks = data.world.ranks;
  Mdtest mdtest = mdtest_hard(5);
  REQUIRE(mdtest_write(mdtest, data.claim, data.world, mdtest_no_stonewall_s, 1000));
  for (int maker = 0; maker < ranks; ++maker) {
    const fs::path lost = data.path("mdtest-hard/" + name(mdtest, maker, 3, ranks));
    const fs::path aside = data.path("mdtest-hard/aside");
    alone(data.world, [&] { fs::rename(lost, aside); });
    const auto reported = [&](int shifts, const char* deed) {
      const int by = ((maker - shifts) % ranks + ranks) % ranks;
      return "rank " + std::to_string(by) + ": can't " + deed + " mdtest-hard/file.mdtest." +
             std::to_string(maker) + ".3: No such file or directory";
    };
    CHECK(error_of(mdtest_stat(mdtest, data.claim, data.world)) == reported(1, "stat"));
    CHECK(error_of(mdtest_read(mdtest, data.claim, data.world)) == reported(2, "open"));
    if (maker + 1 < ranks) {
      alone(data.world, [&] { fs::rename(aside, lost); });
    } else {
      CHECK(error_of(mdtest_delete(mdtest, data.claim, data.world)) == reported(3, "remove"));
    }
  }
}

TEST_CASE("files of another size or with another byte are counted, of whichever rank", "[ranks]") {
  const DataFolder data;
  const int ranks = data.world.ranks;
  Mdtest mdtest = mdtest_hard(4);
  REQUIRE(mdtest_write(mdtest, data.claim, data.world, mdtest_no_stonewall_s, 1000));
  const auto path = [&](int rank, int number) {
    return data.path("mdtest-hard/" + name(mdtest, rank, number, ranks));
  };
  alone(data.world, [&] {
    for (int rank = 0; rank < ranks; ++rank) spoil(path(rank, rank % 4), 3900 - rank);
  });
  const auto looked = mdtest_stat(mdtest, data.claim, data.world);
  REQUIRE(looked);
  CHECK_FALSE(looked->wrong);  // the sizes are right
  const std::string of_all = " of " + std::to_string(4 * ranks) + " files ";
  auto read = mdtest_read(mdtest, data.claim, data.world);
  REQUIRE(read);
  CHECK(read->wrong);
  CHECK(read->invalid ==
        std::vector<std::string>{std::to_string(ranks) + of_all + "do not hold what was written"});
  alone(data.world, [&] { fs::resize_file(path(0, 0), 3900); });
  const auto shorter = mdtest_stat(mdtest, data.claim, data.world);
  REQUIRE(shorter);
  CHECK(shorter->wrong);
  CHECK(shorter->invalid == std::vector<std::string>{"1" + of_all + "are of another size than was written"});
  read = mdtest_read(mdtest, data.claim, data.world);  // a file that is cut is wrong, and no end of the run
  REQUIRE(read);
  CHECK(read->wrong);
}

TEST_CASE("behind mdtest's stonewall all ranks go on to what the furthest has made", "[ranks]") {
  for (Mdtest mdtest : {mdtest_easy(25), mdtest_hard(25)}) {
    const DataFolder data;
    const double stonewall_s = data.world.rank == 0 ? mdtest_no_stonewall_s : 0;
    REQUIRE(mdtest_write(mdtest, data.claim, data.world, stonewall_s, 1000));
    CHECK(mdtest.items == 25);
    barrier();
    CHECK(files_below(data.path(mdtest.folder)).size() == static_cast<std::size_t>(25 * data.world.ranks));
  }
}

TEST_CASE("mdtest ends at the stonewall, at its part of the space, and says which", "[ranks]") {
  const DataFolder data;
  Mdtest first = mdtest_easy(1000);
  const auto met = mdtest_write(first, data.claim, data.world, 0, 1'000'000);
  REQUIRE(met);
  CHECK(first.items == 1);
  CHECK(met->invalid.empty());
  Mdtest second = mdtest_hard(1000);
  const auto ended = mdtest_write(second, data.claim, data.world, mdtest_no_stonewall_s, 6);
  REQUIRE(ended);
  CHECK(second.items == 6);
  CHECK(ended->invalid ==
        std::vector<std::string>{
            "the phase ended before it took more than its part of a tenth of the free space"});
}
