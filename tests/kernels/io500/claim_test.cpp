#include "suites/io500/reference/claim.hpp"

#include <sys/file.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "suites/io500/reference/file.hpp"
#include "suites/io500/reference/pattern.hpp"
#include "tests/kernels/io500/data_folder.hpp"

using namespace io500;

namespace {

/// Another run's claim on the same directory, with a data file; process 1 is no run of ours.
std::filesystem::path claimed_by_another(const Claim& mine) {
  Claim theirs = mine;
  theirs.process = 1;
  REQUIRE(staked(theirs));
  const auto file = std::filesystem::path(mine.folder) / "ior-hard/file";
  std::ofstream(file) << 'x';
  return file;
}

}  // namespace

TEST_CASE("A run whose files another run is removing waits for it, and leaves what came afterwards") {
  const DataFolder data;
  if (!data.world.talks()) return;
  const auto folder = opened_folder(data.claim.folder);
  REQUIRE(folder);
  auto marker = opened(*folder, marker_name, O_RDONLY);
  REQUIRE(marker);
  REQUIRE(flock(marker->descriptor(), LOCK_EX) == 0);
  std::filesystem::path theirs;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::filesystem::remove_all(data.claim.folder);
    theirs = claimed_by_another(data.claim);
    marker->close();
  });
  const Leftover leftover = removed(data.claim, 30);
  other.join();
  CHECK(leftover.by_another);
  CHECK(leftover.words.empty());
  CHECK(std::filesystem::exists(theirs));
}

TEST_CASE("A run leaves a directory that another run claimed first") {
  const DataFolder data;
  if (!data.world.talks()) return;
  std::filesystem::remove_all(data.claim.folder);
  const auto theirs = claimed_by_another(data.claim);
  const Leftover leftover = removed(data.claim, 0);
  CHECK(leftover.by_another);
  CHECK(leftover.words.empty());
  CHECK(std::filesystem::exists(theirs));
}

TEST_CASE("A directory that was removed after it was opened is empty") {
  const DataFolder data;
  if (!data.world.talks()) return;
  const auto folder = opened_folder(data.claim.folder);
  REQUIRE(folder);
  std::filesystem::remove_all(data.claim.folder);
  CHECK(remove_data(*folder, data.claim.folder).empty());
}
