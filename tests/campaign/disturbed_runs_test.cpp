#include "orchestrator/campaign/disturbed_runs.hpp"

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

constexpr const char* load_limit = R"(title = "test"
[disturbance.load]
limit = 1.05
reason = "the test"
[[criteria]]
id = "gemm"
title = "GEMM runs"
suite = "gemm"
metric = "fp64_gflops"
direction = ">="
limit = 1
aggregation = "median"
severity = "mandatory"
limit_source = "the test"
)";

Case screen(const std::string& id, const std::string& host) {
  Case planned = on_this(id, host);
  planned.suite = "gemm";
  planned.parser = "gemm";
  planned.implementation = "reference";
  planned.ranks = planned.ranks_per_node = 2;
  return planned;
}

/// An attempt on two cores, beside what others used of them.
void run_beside(ScriptedCluster::Queued& queued, double foreign_cores) {
  const JobStep& step = queued.job.lanes.front().steps.front();
  ScriptedCluster::begin(step);
  REQUIRE(write_file(step.folder / "stdout.log",
                     file_content(std::string(TEST_FOLDER) + "/fixtures/gemm/reference-passed.out").value()));
  REQUIRE(write_file(
      step.folder / "finished.json",
      fmt::format(R"({{"schema":"shakedown.finished/1","state":"finished","exit_code":0,)"
                  R"("started_s":1795284309,"finished_s":1795284319,"wall_s":10,"cpus":2,"job_cpu_s":10,)"
                  R"("busy_cpu_s":{},"steal_cpu_s":0,"all_cpu_s":20}})",
                  10 + 10 * foreign_cores)));
  queued.state.phase = JobPhase::gone;
  queued.state.end = JobEnd::completed;
}

/// Runs what waits; `disturbed` says of the number of an attempt whether others ran beside it.
void run_by(Bench& bench, const std::function<bool(int)>& disturbed) {
  bench.cluster.at_wait = [disturbed](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase != JobPhase::gone)
        run_beside(queued, disturbed(queued.job.lanes.front().steps.front().attempt) ? 1 : 0);
  };
}

int attempts(const Bench& bench, const std::string& id) {
  return last_attempt(bench.folder() / id);
}

}  // namespace

TEST_CASE("a disturbed case is measured again, at most twice, and others are not") {
  struct Row {
    const char* what;
    int disturbed_until;  ///< the last attempt at "a" beside which others ran
    int attempts;
  };
  for (const Row& row : {Row{"never", 0, 1}, Row{"once", 1, 2}, Row{"twice", 2, 3}, Row{"always", 99, 3}}) {
    INFO(row.what);
    Bench bench({screen("a", "cn1")}, load_limit);
    run_by(bench, [&](int attempt) { return attempt <= row.disturbed_until; });
    bench.ends();
    CHECK(attempts(bench, "a") == row.attempts);
    bench.ends();  // resumed: nothing runs that has run
    CHECK(attempts(bench, "a") == row.attempts);
  }
}

TEST_CASE("without a limit of the criteria nothing is disturbed") {
  Bench bench({screen("a", "cn1")});
  run_by(bench, [](int) { return true; });
  bench.ends();
  CHECK(attempts(bench, "a") == 1);
}

TEST_CASE("every disturbed case is measured again on request, and no other") {
  Bench bench({screen("a", "cn1"), screen("b", "cn2")}, load_limit);
  bool calm = false;
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase != JobPhase::gone)
        run_beside(queued, !calm && queued.job.lanes.front().steps.front().case_id == "a" ? 1 : 0);
  };
  bench.ends();
  CHECK(attempts(bench, "a") == 3);
  CHECK(request_disturbed(bench.workspace, bench.id, bench.options.layout).value() == 1);
  calm = true;
  bench.ends();
  CHECK(attempts(bench, "a") == 4);
  CHECK(attempts(bench, "b") == 1);
  CHECK(request_disturbed(bench.workspace, bench.id, bench.options.layout).value() == 0);
  bench.ends();
  CHECK(attempts(bench, "a") == 4);
}

TEST_CASE("an orchestrator that dies at any moment of a repeat leaves the next one the same rule") {
  // The first attempt is disturbed; the orchestrator dies when it hears of `at` for the nth time.
  for (const auto& [at, nth] :
       {std::pair{Event::Kind::case_ended, 1}, std::pair{Event::Kind::case_again, 1},
        std::pair{Event::Kind::job_submitted, 2}, std::pair{Event::Kind::case_started, 2},
        std::pair{Event::Kind::case_ended, 2}}) {
    INFO(to_string(at) << " " << nth);
    Bench bench({screen("a", "cn1")}, load_limit);
    run_by(bench, [](int attempt) { return attempt == 1; });
    int heard = 0;
    bench.options.listener = [&, at = at, nth = nth](const Event& event) {
      if (event.kind == at && ++heard == nth) throw Killed{};
    };
    bench.is_killed();
    bench.options.listener = nullptr;
    bench.ends();
    CHECK(attempts(bench, "a") == 2);
    const auto outcome = judged_campaign(bench.workspace, bench.id, bench.options.layout);
    REQUIRE(outcome);
    CHECK(outcome->judgement.set_aside.size() == 1);
  }
}

TEST_CASE("an attempt that failed after a disturbed one ends its case") {
  Bench bench({screen("a", "cn1")}, load_limit);
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs) {
      if (queued.state.phase == JobPhase::gone) continue;
      if (queued.job.lanes.front().steps.front().attempt == 1)
        run_beside(queued, 1);
      else
        ScriptedCluster::run(queued, 3, "the program failed");
    }
  };
  bench.ends();
  CHECK(attempts(bench, "a") == 2);
  const auto outcome = judged_campaign(bench.workspace, bench.id, bench.options.layout);
  REQUIRE(outcome);
  CHECK(outcome->judgement.exit_code == 3);
}

TEST_CASE("after a repeat of the matrix product HPL is held against it, in the run and in one read again") {
  Case after = on_this("b", "cn1");
  after.suite = after.parser = "hpl";
  after.implementation = "reference";
  after.ranks = after.ranks_per_node = 2;
  Bench bench({screen("a", "cn1"), after}, load_limit);
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs) {
      if (queued.state.phase == JobPhase::gone) continue;
      const JobStep& step = queued.job.lanes.front().steps.front();
      const bool product = step.case_id == "a";
      run_beside(queued, product && step.attempt == 1 ? 1 : 0);
      const std::string log =
          product ? "/fixtures/gemm/reference-passed.out" : "/fixtures/hpl/reference-passed.out";
      std::string text = file_content(std::string(TEST_FOLDER) + log).value();
      if (product && step.attempt == 1)  // slower
        for (std::size_t at = 0; (at = text.find("105.711", at)) != std::string::npos;) text[at] = '0';
      REQUIRE(write_file(step.folder / "stdout.log", text));
    }
  };
  bench.ends();
  REQUIRE(attempts(bench, "a") == 2);
  const auto rule_in = [](const Result<Outcome>& outcome) {
    INFO((outcome ? "" : to_string(outcome.error())));
    REQUIRE(outcome);
    const auto& rules = outcome->campaign.record.cases.at(1).attempts.at(0).results.at(0).rules;
    return *std::ranges::find(rules, "HPL-07d", &RuleResult::id);
  };
  const RuleResult rule = rule_in(judged_campaign(bench.workspace, bench.id, bench.options.layout));
  CHECK(rule.status == RuleStatus::pass);
  CHECK(contains(rule.value, "of 105.7 GFLOP/s"));
  // Its record follows from its own folder, whatever was measured when: restored elsewhere it is the same.
  const Workspace elsewhere{bench.temporary.path / "elsewhere"};
  const auto before = bench.journal().collected;
  fs::create_directories(elsewhere.campaign(bench.id).parent_path());
  fs::copy(bench.folder(), elsewhere.campaign(bench.id), fs::copy_options::recursive);
  const auto copied = restored_campaign(elsewhere, bench.id, bench.options.layout);
  INFO((copied ? "" : to_string(copied.error())));
  REQUIRE(copied);
  const auto database = Database::open_existing(elsewhere.database());
  REQUIRE(database);
  const auto restored = database->campaign(bench.id);
  REQUIRE(restored);
  for (const CaseRecord& record : restored->cases)
    for (const AttemptRecord& attempt : record.attempts) {
      INFO(record.planned.id << " " << attempt.index);
      CHECK(attempt.stored == before.at({record.planned.id, attempt.index}).stored);
    }
  CHECK(rule_in(judged_campaign(elsewhere, bench.id, bench.options.layout)) == rule);
}
