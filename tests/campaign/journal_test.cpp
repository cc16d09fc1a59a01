#include "orchestrator/campaign/journal.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("a journal that is opened again knows the highest attempt that was about to start") {
  const TemporaryFolder folder;
  {
    auto journal = Journal::open(folder.path);
    REQUIRE(journal);
    CHECK(journal->last_intended("hpl") == 0);
    REQUIRE(journal->intend("job-1", {{"hpl", 1}, {"hpcg", 4}}));
    REQUIRE(journal->intend("job-2", {{"hpl", 2}}));
    REQUIRE(journal->collected("hpl", 1, "stdout.log holds no result"));
    REQUIRE(journal->collected("hpcg", 4, ""));
  }
  const auto again = Journal::open(folder.path);
  REQUIRE(again);
  CHECK(again->last_intended("hpl") == 2);
  CHECK(again->last_intended("hpcg") == 4);
  CHECK(again->last_intended("gemm") == 0);
  CHECK(again->has_failed("hpl", 1));
  CHECK_FALSE(again->has_failed("hpl", 2));
  CHECK_FALSE(again->has_failed("hpcg", 4));
}

TEST_CASE("a line that a full disk cut hides no other") {
  const TemporaryFolder folder;
  REQUIRE(write_file(folder.path / "journal.jsonl",
                     "{\"event\":\"attempt\",\"case\":\"a\",\"attempt\":3}\n{\"event\":\"attempt\",\"cas"));
  auto journal = Journal::open(folder.path);
  REQUIRE(journal);
  CHECK(journal->last_intended("a") == 3);
  REQUIRE(journal->intend("job-1", {{"a", 4}}));
  const auto again = Journal::open(folder.path);
  REQUIRE(again);
  CHECK(again->last_intended("a") == 4);
}
