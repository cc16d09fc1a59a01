// What becomes of jobs that a scheduler refuses in words of its own, does not report, or ends too soon.
#include <signal.h>

#include <catch2/catch.hpp>

#include "orchestrator/campaign/record_comparison.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

constexpr const char* project = "sbatch: error: You must specify a project";

Submission unknown() {
  return JobLater{JobLater::Of::unknown, project};
}

/// Runs all, and waits a moment.
void run_and_wait(ScriptedCluster& cluster) {
  ScriptedCluster::run_all(cluster);
  const timespec pause = {0, 1'000'000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace

TEST_CASE("a job that is refused for an unknown reason is offered again while others go on") {
  Bench bench({on_any("wide", 2), on_this("a", "cn3"), on_this("b", "cn3"), on_this("c", "cn4")});
  bench.options.pauses.refused_s = 900;
  bench.options.pauses.refusal_s = bench.options.pauses.refusal_most_s = 0.05;
  bench.cluster.rejects = [&](const Job& job) -> Result<Submission> {
    const bool others_ran = fs::exists(bench.folder() / "b/attempt-1/finished.json");
    return job.hosts().size() == 2 && !others_ran ? unknown() : JobAccepted{};
  };
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  CHECK(bench.journal().not_run.empty());
  for (const char* id : {"wide", "a", "b", "c"}) CHECK(last_attempt(bench.folder() / id) == 1);
  CHECK(bench.cluster.jobs.size() == 4);
  CHECK(bench.said(std::string("job_refused cn[1-2] ") + project + "; retried for up to 15m 00s") == 1);
}

TEST_CASE("a refusal that lasts keeps its case from running, in the scheduler's words, and no other") {
  Bench bench({on_any("wide", 2), on_this("a", "cn3")});
  bench.options.pauses.refused_s = 1;
  bench.options.pauses.refusal_s = bench.options.pauses.refusal_most_s = 0.03;
  bench.cluster.rejects = [&](const Job& job) -> Result<Submission> {
    return job.hosts().size() == 2 ? unknown() : JobAccepted{};
  };
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  CHECK(bench.journal().not_run.size() == 1);
  CHECK(bench.journal().not_run.at("wide") == std::string("the scheduler refuses its job: ") + project);
  CHECK(bench.cluster.offered.size() > 3);
}

TEST_CASE("a refusal in bytes that are no UTF-8 is the same in the store and in the journal") {
  Bench bench({on_any("wide", 2), on_this("a", "cn3")});
  bench.options.pauses.refused_s = 0.01;
  bench.options.pauses.refusal_s = bench.options.pauses.refusal_most_s = 0.003;
  bench.cluster.rejects = [&](const Job& job) -> Result<Submission> {
    return job.hosts().size() == 2 ? Submission(JobLater{JobLater::Of::unknown, "sbatch: refus\xe9"})
                                   : JobAccepted{};
  };
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  const auto stored = Database::open_existing(bench.workspace.database())->campaign(bench.id);
  REQUIRE(stored);
  CHECK(stored->cases[0].not_run == "the scheduler refuses its job: sbatch: refus\xef\xbf\xbd");
  const auto compared = compared_record(*stored, bench.folder(), Hashing::all, /*with_excerpts=*/true);
  REQUIRE(compared);
  CHECK_FALSE(compared->differs());
}

TEST_CASE("a refusal of all jobs ends in a stated time, however many they are") {
  std::vector<Case> cases;
  for (int i = 1; i <= 12; ++i)
    cases.push_back(on_this("case-" + std::to_string(i), "cn" + std::to_string(1 + i % 4)));
  Bench bench(cases);
  bench.cluster.shares = true;
  bench.options.pauses.refused_s = 0.3;
  bench.options.pauses.refusal_s = bench.options.pauses.refusal_most_s = 0.01;
  bench.cluster.rejects = [](const Job&) -> Result<Submission> { return unknown(); };
  bench.cluster.at_wait = run_and_wait;
  const double begun_s = steady_s();
  bench.ends();
  CHECK(steady_s() - begun_s < 20);
  CHECK(bench.journal().not_run.size() == 12);
}

TEST_CASE("an outage of the controller is no refusal, however long it lasts") {
  Bench bench({on_any("a")});
  bench.options.pauses.refused_s = 0.2;
  bench.options.pauses.refusal_s = bench.options.pauses.refusal_most_s = 0.01;
  bench.cluster.rejects = [&](const Job&) -> Result<Submission> {
    return bench.cluster.offered.size() == 1 ? Submission(JobUnsure{"Socket timed out"}) : JobAccepted{};
  };
  // The queue answers once that the job is not there, and then nobody does for longer than a refusal may
  // last.
  const double back_s = steady_s() + 0.6;
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    cluster.answers = cluster.found_questions == 0 || steady_s() > back_s;
    run_and_wait(cluster);
  };
  bench.ends();
  CHECK(steady_s() > back_s);
  CHECK(bench.journal().not_run.empty());
  CHECK(bench.cluster.offered == Texts{"cn1", "cn1"});
  CHECK(last_attempt(bench.folder() / "a") == 1);
}

TEST_CASE("a job that was refused and is in the queue all the same is not submitted again") {
  Bench bench({on_any("a")});
  bool refused = false;
  bench.cluster.rejects = [&](const Job& job) -> Result<Submission> {
    if (std::exchange(refused, true)) return JobAccepted{};
    bench.cluster.jobs.push_back({job, "17", {}});
    return unknown();
  };
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  CHECK(bench.cluster.jobs.size() == 1);
  CHECK(bench.journal().known_as.at("job-1") == "17");
  CHECK(last_attempt(bench.folder() / "a") == 1);
}

TEST_CASE(
    "a job that was refused keeps its name while others are submitted, also where its orchestrator dies") {
  Bench bench({on_any("wide", 2), on_any("a")});
  bench.options.pauses.refused_s = bench.options.pauses.refusal_s = 900;
  bench.cluster.rejects = [](const Job& job) -> Result<Submission> {
    return job.hosts().size() == 2 ? unknown() : JobAccepted{};
  };
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 3) throw Killed();
  };
  bench.is_killed();
  REQUIRE(bench.cluster.jobs.size() == 1);
  CHECK(bench.cluster.jobs[0].job.id == "job-2");
  bench.cluster.rejects = nullptr;
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  CHECK(fs::exists(bench.folder() / "wide/attempt-2/finished.json"));
  CHECK(last_attempt(bench.folder() / "a") == 1);
}

TEST_CASE("what ended since its batch script did is retried, and what had not begun runs in another job") {
  Bench bench({on_this("a1", "cn1"), on_this("a2", "cn1"), on_this("b1", "cn2"), on_this("b2", "cn2"),
               on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.cluster.chains_s = 3600;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 1) return run_and_wait(cluster);
    ScriptedCluster::Queued& first = cluster.jobs.at(0);
    REQUIRE(first.job.lanes.size() == 3);
    // One is ended by Slurm, one without a word, one has not begun.
    const JobStep& ended = first.job.lanes[0].steps[0];
    ScriptedCluster::begin(ended);
    REQUIRE(write_file(
        ended.folder / "finished.json",
        R"({"schema":"shakedown.finished/1","state":"interrupted","signal":15,"started_s":1795284309,)"
        R"("finished_s":)" +
            std::to_string(now_s()) + R"(,"wall_s":1,"cpus":1})"));
    ScriptedCluster::begin(first.job.lanes[1].steps[0]);
    first.state = {JobPhase::gone, "COMPLETED", {}, JobEnd::completed, "", {}};
  };
  bench.ends();
  CHECK(bench.journal().not_run.empty());
  CHECK(bench.journal().excluded.empty());
  for (const char* id : {"a1", "a2", "b1", "b2", "c"}) {
    INFO(id);
    CHECK(last_attempt(bench.folder() / id) == 2);
    CHECK(read_finished(bench.folder() / id / "attempt-2").value().state == "finished");
  }
}

TEST_CASE("what ended in a job of several lanes lost its own node, not that of another lane") {
  Bench bench({on_this("a", "cn1"), on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 1) return run_and_wait(cluster);
    ScriptedCluster::Queued& first = cluster.jobs.at(0);
    REQUIRE(first.job.lanes.size() == 2);
    for (const JobLane& lane : first.job.lanes) ScriptedCluster::begin(lane.steps[0]);
    first.state = {JobPhase::gone, "COMPLETED", {}, JobEnd::completed, "", {"cn3"}};
  };
  bench.ends();
  CHECK(bench.said("case_again a its job ended before it recorded its own end") == 1);
  CHECK(bench.said("case_again c node lost") == 1);
}

TEST_CASE("a scheduler that does not answer when jobs shall end keeps nobody waiting") {
  Bench bench({on_any("a"), on_any("b")});
  bench.cluster.ends = false;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
    if (cluster.waits == 2)
      for (int i = 0; i < 2; ++i) static_cast<void>(::raise(SIGINT));
  };
  const auto end = bench.execute();
  REQUIRE(end);
  REQUIRE(*end);
  CHECK((*end)->interrupted);
  CHECK((*end)->jobs_continuing == 2);
  bench.cluster.at_wait = run_and_wait;
  bench.ends();
  for (const char* id : {"a", "b"}) CHECK(last_attempt(bench.folder() / id) == 1);
}

TEST_CASE("an attempt whose job is still completing waits for what the scheduler reports of its end") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 5) return run_and_wait(cluster);
    ScriptedCluster::Queued& first = cluster.jobs.at(0);
    const JobStep& ended = first.job.lanes[0].steps[0];
    if (cluster.waits == 1) {
      ScriptedCluster::begin(ended);
      REQUIRE(write_file(ended.folder / "finished.json",
                         R"({"schema":"shakedown.finished/1","state":"interrupted","signal":15,)"
                         R"("started_s":1795284309,"finished_s":1795284310,"wall_s":1,"cpus":1})"));
      first.state = {JobPhase::running, "COMPLETING", {}, JobEnd::unknown, "", {}, true};
    } else if (cluster.waits == 5) {
      first.state = {JobPhase::gone, "PREEMPTED", {}, JobEnd::preempted, "", {}};
    }
  };
  bench.ends();
  CHECK(bench.said("case_again a preempted") == 1);
  CHECK(last_attempt(bench.folder() / "a") == 2);
}
