// Attempts that the journal holds as ended, and whose files vanished.
#include <catch2/catch.hpp>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

/// A campaign that has ended: "fails" with exit code 3, "one" well.
struct Ended : Bench {
  Ended() : Bench({on_any("one"), on_any("fails")}) {
    cluster.at_wait = [](ScriptedCluster& all) {
      for (auto& queued : all.jobs)
        if (queued.state.phase != JobPhase::gone)
          ScriptedCluster::run(queued, queued.job.lanes[0].steps[0].case_id == "fails" ? 3 : 0);
    };
    ends();
    REQUIRE(cluster.offered.size() == 2);
  }
  [[nodiscard]] fs::path attempt(const std::string& of) const { return folder() / of / "attempt-1"; }
  [[nodiscard]] CaseStatus status_of(const std::string& of) const {
    for (const CaseStatus& each :
         case_statuses(folder(), read_campaign_folder(folder()).value(), options.layout))
      if (each.id == of) return each;
    return {};
  }
  [[nodiscard]] std::size_t stored_attempts(const std::string& case_id) const {
    const auto database = Database::open_existing(workspace.database());
    REQUIRE(database);
    const auto campaign = database->campaign(id);
    REQUIRE(campaign);
    for (const CaseRecord& record : campaign->cases)
      if (record.planned.id == case_id) return record.attempts.size();
    return 0;
  }
  [[nodiscard]] std::string reported_of(const std::string& begin) const {
    for (const std::string& line : reported)
      if (line.starts_with(begin)) return line;
    return "";
  }
};

}  // namespace

TEST_CASE("an attempt that ended is not run again because its files vanished: the stored result is kept") {
  Ended bench;
  SECTION("its last word") {
    fs::remove(bench.attempt("one") / "finished.json");
    fs::remove(bench.attempt("fails") / "finished.json");
  }
  SECTION("its folder") {
    fs::remove_all(bench.attempt("one"));
    fs::remove_all(bench.attempt("fails"));
  }
  SECTION("the folder of its case") {
    fs::remove_all(bench.folder() / "one");
    fs::remove_all(bench.folder() / "fails");
  }
  bench.reported.clear();
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
  CHECK(bench.stored_attempts("one") == 1);
  const std::string reported = bench.reported_of("case_skipped one its files");
  CHECK(reported.find("attempt 1 ended (finished), and " + (bench.attempt("one") / "finished.json").string() +
                      " is gone") != std::string::npos);
  CHECK(reported.find("restore that folder from a backup, or run the case in a new campaign") !=
        std::string::npos);
  CHECK(reported.ends_with("; the result in the store stays valid"));
  CHECK_FALSE(bench.reported_of("case_skipped fails its files").empty());
}

TEST_CASE("a case that failed and is not run again says so, and one that failed names its excluded node") {
  Ended bench;
  CampaignRecord campaign = read_campaign_folder(bench.folder()).value();
  const auto fails = [&] { return case_statuses(bench.folder(), campaign, bench.options.layout)[1]; };
  REQUIRE(fails().failed);
  const std::string why = fails().text;
  campaign.cases[1].planned.hosts = "cn1";
  campaign.exclusions = {{"cn1", "stayed down", 1795284400}};
  CHECK(fails().failed);
  CHECK(fails().text == (why.empty() ? "" : why + "; ") + "cn1 is excluded");
  campaign.cases[1].not_run = "cn1 is excluded: stayed down";
  CHECK_FALSE(fails().failed);
  CHECK(fails().state == "not-run");
  CHECK(fails().text.starts_with("cn1 is excluded: stayed down"));
}

TEST_CASE("an attempt that failed is not run again because its logs vanished") {
  Case launched = on_any("a");
  launched.launcher = "srun";
  launched.program = "/bin/true";
  Bench bench({launched});
  bench.cluster.at_wait = [](ScriptedCluster& all) {
    const JobStep& step = all.jobs.at(0).job.lanes[0].steps[0];
    REQUIRE(write_file(step.folder / "stdout.log", "step 1\n"));
    ScriptedCluster::run(all.jobs.at(0), 7);
  };
  bench.ends();
  REQUIRE(bench.cluster.offered.size() == 1);
  for (const char* name : {"stdout.log", "stderr.log"}) fs::remove(bench.folder() / "a/attempt-1" / name);
  const auto campaign = read_campaign_folder(bench.folder());
  const CaseStatus status = case_statuses(bench.folder(), campaign.value(), bench.options.layout).at(0);
  CHECK(status.state == "lost");
  CHECK(status.failed);
  CHECK(status.text.find((bench.folder() / "a/attempt-1/stdout.log").string() + " is gone") !=
        std::string::npos);
  bench.reported.clear();
  bench.ends();
  CHECK(bench.cluster.offered.size() == 1);
  REQUIRE(bench.reported.size() >= 1);
  CHECK(bench.reported.front().find("attempt 1 ended (finished), and " +
                                    (bench.folder() / "a/attempt-1/stdout.log").string() + " is gone") !=
        std::string::npos);
}

TEST_CASE("a case that the machine failed as often as it may gets no attempt because a folder vanished") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& all) {
    for (ScriptedCluster::Queued& queued : all.jobs) {
      ScriptedCluster::begin(queued.job.lanes[0].steps[0]);
      queued.state = {JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {}};
    }
  };
  bench.ends();
  REQUIRE(bench.cluster.offered.size() == 3);
  fs::remove_all(bench.folder() / "a/attempt-3");
  bench.ends();
  CHECK(bench.cluster.offered.size() == 3);
}

TEST_CASE("where the store lost an attempt as well as its files the case is lost, and says so") {
  Ended bench;
  fs::remove_all(bench.attempt("one"));
  for (const char* file : {"results.sqlite", "results.sqlite-wal", "results.sqlite-shm"})
    fs::remove(bench.workspace.folder / file);
  REQUIRE(
      Database::open(bench.workspace.database())->add_campaign(read_campaign_folder(bench.folder()).value()));
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
  const auto journal = bench.journal();
  REQUIRE(journal.not_run.contains("one"));
  CHECK(
      journal.not_run.at("one").starts_with("lost: its files are missing: attempt 1 ended (finished), and "));
  CHECK(journal.not_run.at("one").ends_with("The store does not hold it either"));
}

TEST_CASE("status names the files that an attempt has lost") {
  const Ended bench;
  CHECK(bench.status_of("one").state == "finished");
  fs::remove_all(bench.attempt("one"));
  const CaseStatus status = bench.status_of("one");
  CHECK(status.state == "lost");
  CHECK(status.attempt == 1);
  CHECK(status.failed);
  CHECK(status.text.find(bench.attempt("one").string()) != std::string::npos);
}

TEST_CASE("files that are put back are taken as they were") {
  Ended bench;
  fs::rename(bench.attempt("one"), bench.folder() / "kept");
  bench.ends();
  fs::rename(bench.folder() / "kept", bench.attempt("one"));
  bench.reported.clear();
  bench.ends();
  CHECK(bench.reported_of("case_skipped one its files").empty());
  CHECK(bench.status_of("one").state == "finished");
}

TEST_CASE("a store that is rebuilt while a finished.json is away takes the attempt once it is back") {
  Ended bench;
  const fs::path last_word = bench.attempt("one") / "finished.json";
  fs::rename(last_word, bench.folder() / "kept");
  for (const char* file : {"results.sqlite", "results.sqlite-wal", "results.sqlite-shm"})
    fs::remove(bench.workspace.folder / file);
  REQUIRE(restored_campaign(bench.workspace, bench.id, bench.options.layout));
  CHECK(bench.stored_attempts("one") == 0);
  CHECK(bench.journal().collected.at({"one", 1}).state == AttemptState::finished);
  fs::rename(bench.folder() / "kept", last_word);
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
  CHECK(bench.stored_attempts("one") == 1);
  CHECK(bench.status_of("one").state == "finished");
}

TEST_CASE("an attempt that ends after it was given up is stored with its end") {
  Bench bench({on_this("a", "cn1")});
  bench.cluster.at_wait = [](ScriptedCluster& all) {
    if (all.jobs.size() == 1) {
      ScriptedCluster::begin(all.jobs[0].job.lanes[0].steps[0]);
      all.jobs[0].state = {JobPhase::gone, "", {}, JobEnd::node_failed, "", {}};
    } else {
      ScriptedCluster::run_all(all);
    }
  };
  bench.ends();
  const auto stored = [&] {
    return Database::open_existing(bench.workspace.database())->campaign(bench.id)->cases[0].attempts;
  };
  REQUIRE(stored().size() == 2);
  CHECK(stored()[0].state == AttemptState::lost);
  ScriptedCluster::end(bench.cluster.jobs[0].job.lanes[0].steps[0], 0);
  SECTION("for the next execution") {
    bench.ends();
  }
  SECTION("for an import") {
    REQUIRE(restored_campaign(bench.workspace, bench.id, bench.options.layout));
  }
  REQUIRE(stored().size() == 2);
  CHECK(stored()[0].state == AttemptState::finished);
  CHECK(bench.journal().collected.at({"a", 1}).state == AttemptState::finished);
}
