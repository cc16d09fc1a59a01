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
    REQUIRE(journal->collected(
        {"hpl", 1, AttemptState::finished, "stdout.log holds no result", {"ab", "cd"}, {}}));
    REQUIRE(journal->collected({"hpcg", 4, AttemptState::timed_out, "", {}, {}}));
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

TEST_CASE("an attempt that is stored again keeps the files that it was first collected with") {
  const TemporaryFolder folder;
  {
    auto journal = Journal::open(folder.path);
    REQUIRE(journal);
    CHECK(journal->collected("hpl", 1) == nullptr);
    REQUIRE(journal->collected(
        {"hpl", 1, AttemptState::finished, "", {"old rows", ""}, {{"stdout.log", "aa", 3, 7}}}));
    REQUIRE(journal->collected({"hpl",
                                1,
                                AttemptState::finished,
                                "",
                                {"new rows", ""},
                                {{"stdout.log", "bb", 4, 8}, {"finished.json", "cc", 5, 9}}}));
  }
  const auto again = Journal::open(folder.path);
  REQUIRE(again);
  const CollectedAttempt* attempt = again->collected("hpl", 1);
  REQUIRE(attempt != nullptr);
  CHECK(attempt->state == AttemptState::finished);
  CHECK(attempt->stored.record == "new rows");
  CHECK(attempt->files ==
        std::vector<CollectedFile>{{"stdout.log", "aa", 3, 7}, {"finished.json", "cc", 5, 9}});
}

TEST_CASE("what an attempt ended as stands when its files vanish; one that was given up may end later") {
  const TemporaryFolder folder;
  {
    auto journal = Journal::open(folder.path);
    REQUIRE(journal);
    REQUIRE(journal->intend("job-1", {{"done", 1}, {"late", 1}}));
    const CollectedFile begun{"stdout.log", "aa", 3, 7};
    const CollectedFile grown{"stdout.log", "bb", 9, 8};
    REQUIRE(journal->collected({"done", 1, AttemptState::finished, "", {"rows", ""}, {begun}}));
    REQUIRE(journal->collected({"done", 1, AttemptState::lost, "no finished.json", {"none", ""}, {}}));
    REQUIRE(journal->collected({"late", 1, AttemptState::lost, "no finished.json", {"none", ""}, {begun}}));
    REQUIRE(journal->collected({"late", 1, AttemptState::finished, "", {"rows", ""}, {grown}}));
  }
  const auto again = Journal::open(folder.path);
  REQUIRE(again);
  for (const char* id : {"done", "late"}) {
    CHECK(again->ended_for_good(id) == AttemptState::finished);
    CHECK_FALSE(again->has_failed(id, 1));
    CHECK(again->collected(id, 1)->stored.record == "rows");
  }
  CHECK(again->collected("late", 1)->files == std::vector<CollectedFile>{{"stdout.log", "bb", 9, 8}});
}

TEST_CASE("an older journal's collected attempts are known without their hashes") {
  const TemporaryFolder folder;
  REQUIRE(write_file(folder.path / "journal.jsonl",
                     "{\"event\":\"collected\",\"case\":\"a\",\"attempt\":3,\"failure\":\"exit code 1\"}\n"));
  const auto journal = Journal::open(folder.path);
  REQUIRE(journal);
  REQUIRE(journal->collected("a", 3) != nullptr);
  CHECK_FALSE(journal->collected("a", 3)->state);
  CHECK(journal->collected("a", 3)->stored.record.empty());
  CHECK(journal->has_failed("a", 3));
}

TEST_CASE("a journal knows which attempts ended for good, and which are tried again") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, AttemptState>> states = {{"done", AttemptState::finished},
                                                                    {"slow", AttemptState::timed_out},
                                                                    {"stopped", AttemptState::interrupted},
                                                                    {"gone", AttemptState::lost},
                                                                    {"crashed", AttemptState::finished}};
  {
    auto journal = Journal::open(folder.path);
    REQUIRE(journal);
    for (const auto& [id, state] : states) {
      REQUIRE(journal->intend("job-1", {{id, 1}}));
      REQUIRE(journal->collected({id, 1, state, id == "done" ? "" : "a failure", {}, {}}));
    }
    REQUIRE(journal->failed_by_machine({"crashed", 1, "job-1", {"cn1"}, "node failure", true}));
    REQUIRE(journal->intend("job-2", {{"again", 1}}));
    REQUIRE(journal->collected({"again", 1, AttemptState::finished, "", {}, {}}));
    REQUIRE(journal->intend("job-3", {{"again", 2}}));
  }
  const auto again = Journal::open(folder.path);
  REQUIRE(again);
  CHECK(again->ended_for_good("done") == AttemptState::finished);
  CHECK(again->ended_for_good("slow") == AttemptState::timed_out);
  for (const char* id : {"stopped", "gone", "crashed", "again", "never"})
    CHECK_FALSE(again->ended_for_good(id));
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

TEST_CASE("what is asked to be measured again is known after any crash") {
  const TemporaryFolder folder;
  {
    auto journal = Journal::open(folder.path);
    REQUIRE(journal);
    REQUIRE(journal->measure_again({{"gemm", 3}, {"hpl", 1}}));
    REQUIRE(journal->measure_again({{"gemm", 6}}));
  }
  const auto content = read_journal(folder.path);
  REQUIRE(content);
  CHECK(content->measured_again_from.at("gemm") == 6);
  CHECK(content->measured_again_from.at("hpl") == 1);
}
