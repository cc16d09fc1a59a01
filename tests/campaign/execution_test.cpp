// Whole executions over campaigns, against a batch system whose every answer is written here.
#include <csignal>

#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

TEST_CASE("what ran into Slurm's time limit or its memory's is not tried again, though Slurm forgets it") {
  for (const JobEnd end : {JobEnd::timed_out, JobEnd::out_of_memory}) {
    Bench bench({on_any("long")});
    bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
      ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
      cluster.jobs[0].state = {JobPhase::gone, "TIMEOUT", {}, end, "", {}};
    };
    bench.ends();
    CHECK(bench.cluster.offered.size() == 1);
    bench.cluster.jobs.clear();
    bench.cluster.at_wait = ScriptedCluster::run_all;
    bench.ends();
    CHECK(bench.cluster.offered.size() == 1);
  }
}

TEST_CASE("what somebody cancelled begins again with a resume") {
  Bench bench({on_any("long")});
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
    cluster.jobs[0].state = {JobPhase::gone, "CANCELLED", {}, JobEnd::cancelled, "user 7", {}};
  };
  bench.ends();
  CHECK(bench.cluster.offered.size() == 1);
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
}

TEST_CASE("a node that failed a case while nobody orchestrated is blamed, and the case goes elsewhere") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = dies;
  bench.is_killed();
  REQUIRE(bench.cluster.offered == Texts{"cn1"});
  ScriptedCluster::run(bench.cluster.jobs[0], 1, node_failure);
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2"});
  const auto failures = bench.journal().machine_failures;
  REQUIRE(failures.size() == 1);
  CHECK(failures.begin()->second.suspected == Texts{"cn1"});
  // It is known, and counts once.
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
  CHECK(bench.journal().machine_failures.size() == 1);
}

TEST_CASE("a node that srun lost is blamed though srun exits with 0") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() == 1)
      ScriptedCluster::run(cluster.jobs[0], 0, node_failure);
    else
      ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2"});
  CHECK(bench.said("case_again a node cn1 was lost; stderr.log, line 1: a node failed: 'srun: error: Node "
                   "failure on cn1'") == 1);
  CHECK(bench.journal().machine_failures.size() == 1);
}

TEST_CASE("a case that is bound to a node that srun lost is tried there again") {
  Bench bench({on_this("a", "cn1")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() == 1)
      ScriptedCluster::run(cluster.jobs[0], 1, node_failure);
    else
      ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn1"});
  CHECK(bench.journal().excluded.empty());
}

TEST_CASE("a retry outlives an orchestrator that is killed before it submits it") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::run(cluster.jobs[0], 1, node_failure);
  };
  bench.options.listener = [&](const Event& event) {
    bench.hear(event);
    if (event.kind == Event::Kind::case_ended) throw Killed();
  };
  bench.is_killed();
  bench.options.listener = [&](const Event& event) {
    bench.hear(event);
    if (event.kind == Event::Kind::case_again) throw Killed();
  };
  bench.is_killed();
  bench.options.listener = [&](const Event& event) { bench.hear(event); };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2"});
}

TEST_CASE("a case that the machine fails gets as many attempts as ever, however many executions") {
  Bench bench({on_any("a")});
  for (int k = 1; k <= 3; ++k) {
    bench.cluster.at_wait = dies;
    bench.is_killed();
    REQUIRE(static_cast<int>(bench.cluster.offered.size()) == k);
    ScriptedCluster::run(bench.cluster.jobs.back(), 1,
                         "srun: error: Node failure on " + bench.cluster.offered.back() + "\n");
  }
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2", "cn3"});
}

TEST_CASE("two jobs that a node failed in two executions take it out") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn1")});
  for (int k = 0; k < 2; ++k) {
    bench.cluster.at_wait = dies;
    bench.is_killed();
    ScriptedCluster::run(bench.cluster.jobs.back(), 1, node_failure);
  }
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  const auto excluded = bench.journal().excluded;
  REQUIRE(excluded.size() == 1);
  CHECK(excluded.front().node == "cn1");
}

TEST_CASE("a scheduler that does not answer for a while ends no execution, and says so once") {
  Bench bench({on_this("first", "cn1"), on_this("second", "cn1")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    cluster.answers = cluster.waits < 2 || cluster.waits > 6;
    if (cluster.answers && cluster.waits > 6) ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn1"});
  CHECK(bench.said("scheduler_silent  scontrol: Unable to contact") == 1);
}

TEST_CASE("a scheduler that has never answered ends the execution") {
  Bench bench({on_any("a")});
  bench.cluster.answers = false;
  const auto end = bench.execute();
  REQUIRE(end);
  CHECK(!*end);
}

TEST_CASE("a job that the scheduler will never take is not run, and the others are") {
  Bench bench({on_this("short", "cn1"), on_this("long", "cn2"), on_this("other", "cn3")});
  bench.cluster.rejects = [](const Job& job) -> Result<Submission> {
    if (job.lanes[0].steps[0].case_id != "long") return JobAccepted{};
    return JobNever{{"sbatch", "Requested time limit is invalid", "the job is batch.sh"}};
  };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  const auto not_run = bench.journal().not_run;
  REQUIRE(not_run.size() == 1);
  CHECK(not_run.at("long") == "the scheduler refuses its job: Requested time limit is invalid");
  CHECK(bench.cluster.jobs.size() == 2);
}

TEST_CASE("of a job that is refused only the cases that are the reason are not run") {
  Bench bench({on_this("short", "cn1"), on_this("long", "cn2"), on_this("other", "cn3")});
  bench.cluster.shares = true;
  bench.cluster.rejects = [](const Job& job) -> Result<Submission> {
    for (const JobLane& lane : job.lanes)
      for (const JobStep& step : lane.steps)
        if (step.case_id == "long") return JobNever{{"sbatch", "Requested time limit is invalid", ""}};
    return JobAccepted{};
  };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3", "cn1", "cn2", "cn3"});
  CHECK(bench.journal().not_run.size() == 1);
}

TEST_CASE("what is wrong with all jobs ends the execution") {
  Bench bench({on_any("a")});
  bench.cluster.rejects = [](const Job&) -> Result<Submission> {
    return fail_environment("sbatch", "Invalid account or account/partition combination specified");
  };
  const auto end = bench.execute();
  REQUIRE(end);
  CHECK(!*end);
}

TEST_CASE("a job that is rejected while others are taken does not keep them, and is not offered for ever") {
  std::vector<Case> cases = {on_any("wide", 2)};
  for (int i = 1; i <= 8; ++i) cases.push_back(on_this("case-" + std::to_string(i), "cn3"));
  Bench bench(cases);
  bench.options.pauses.refused_s = 0.05;
  bench.cluster.rejects = [](const Job& job) -> Result<Submission> {
    if (job.hosts().size() < 2) return JobAccepted{};
    return JobLater{JobLater::Of::this_one, "Job violates accounting/QOS policy"};
  };
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::run_all(cluster);
    const timespec pause = {0, 1'000'000};
    ::nanosleep(&pause, nullptr);
  };
  bench.ends();
  CHECK(bench.cluster.jobs.size() == 8);
  CHECK(bench.journal().not_run.at("wide") ==
        "the scheduler refuses its job: Job violates accounting/QOS policy");
  CHECK(bench.said("job_waiting cn[1-2] Job violates accounting/QOS policy") == 1);
}

TEST_CASE("a queue that is full is asked again, and nothing is given up for it") {
  Bench bench({on_any("a"), on_any("b")});
  bench.cluster.rejects = [&](const Job&) -> Result<Submission> {
    if (bench.cluster.waits > 20) return JobAccepted{};
    return JobLater{JobLater::Of::all, "AssocMaxSubmitJobLimit"};
  };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.journal().not_run.empty());
  CHECK(bench.cluster.jobs.size() == 2);
}

TEST_CASE("a job about which nobody answered is looked for before anything is submitted again") {
  Bench bench({on_any("a"), on_any("b")});
  bool took = false;
  bench.cluster.rejects = [&](const Job& job) -> Result<Submission> {
    if (took) return JobAccepted{};
    took = true;
    bench.cluster.jobs.push_back({job, "17", {}});
    bench.cluster.answers = false;
    return JobUnsure{"Socket timed out"};
  };
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits < 5) return;
    cluster.answers = true;
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.found_questions > 1);
  CHECK(bench.cluster.offered.size() == 2);
  CHECK(bench.cluster.jobs.size() == 2);
  CHECK(bench.journal().known_as.at("job-1") == "17");
}

TEST_CASE("a job that did not get there when nobody answered is submitted again") {
  Bench bench({on_any("a")});
  bench.cluster.rejects = [&](const Job&) -> Result<Submission> {
    if (bench.cluster.offered.size() > 1) return JobAccepted{};
    return JobUnsure{"Socket timed out"};
  };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn1"});
  CHECK(bench.cluster.found_questions == 2);  // once more just before it is submitted again
}

TEST_CASE("nodes are asked right before they share a job") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.options.pauses.nodes_s = 1e9;
  bench.options.pauses.fresh_s = -1;
  bench.cluster.at_question = [](ScriptedCluster& cluster) {
    if (cluster.node_questions == 2) cluster.nodes["cn3"] = SchedulerNode::Kind::busy;
  };
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1,cn2", "cn3"});
}

TEST_CASE("a shared job that waits for some of its nodes is taken back and divided") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.options.pauses.shared_s = 0;
  bench.options.pauses.fresh_s = 1e9;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    cluster.nodes["cn3"] = SchedulerNode::Kind::busy;
    if (cluster.waits > 20) {
      cluster.nodes.clear();
      ScriptedCluster::run_all(cluster);
      return;
    }
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase == JobPhase::pending && queued.job.hosts().back() != "cn3")
        ScriptedCluster::run(queued);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3", "cn1,cn2", "cn3"});
  CHECK(bench.cluster.jobs.front().withdrawn);
  for (const char* id : {"a", "b", "c"}) {
    CHECK(last_attempt(bench.folder() / id) == 1);
    CHECK(fs::exists(bench.folder() / id / "attempt-1/finished.json"));
  }
}

TEST_CASE("who stops a campaign reads how many jobs go on") {
  Bench bench({on_any("a"), on_any("b")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
    if (cluster.waits == 2) static_cast<void>(std::raise(SIGINT));
  };
  const auto end = bench.execute();
  REQUIRE(end);
  REQUIRE(*end);
  CHECK((*end)->interrupted);
  CHECK((*end)->jobs_continuing == 2);
  CHECK(bench.said("interrupted  leaving; 2 cases continue in 2 jobs; Ctrl-C again ends them") == 1);
}

TEST_CASE("a resume asks once about all jobs that go on") {
  Bench bench({on_any("a"), on_any("b"), on_any("c")});
  bench.cluster.at_wait = dies;
  bench.is_killed();
  REQUIRE(bench.cluster.jobs.size() == 3);
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.queue_questions == 1);
}

TEST_CASE("a job that was taken back when its orchestrator was killed begins anew") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.options.pauses.fresh_s = 1e9;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    cluster.nodes["cn3"] = SchedulerNode::Kind::busy;
    if (cluster.jobs.front().withdrawn) throw Killed();
  };
  bench.is_killed();
  bench.cluster.nodes.clear();
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3", "cn1,cn2,cn3"});
  for (const char* id : {"a", "b", "c"}) CHECK(fs::exists(bench.folder() / id / "attempt-2/finished.json"));
}

TEST_CASE("the end of a campaign notes how its images stand, once for what ran") {
  const TemporaryFolder images;
  const fs::path image = images.path / "hpl.sif";
  REQUIRE(write_file(image, "an image\n"));
  Case boxed = on_this("a", "cn1");
  boxed.container = {"apptainer", image.string(), "", {}};
  Bench bench({boxed});
  bench.cluster.at_wait = dies;
  bench.is_killed();
  CHECK(bench.journal().images.empty());
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  REQUIRE(bench.journal().images.size() == 1);
  CHECK(bench.journal().images[0].file == image.string());
  CHECK(bench.journal().images[0].sha256.empty());
  REQUIRE(write_file(image, "a newer image\n"));
  bench.ends();  // nothing remained to run
  CHECK(bench.journal().images[0].sha256.empty());
  CHECK_FALSE(bench.journal().has_run_since_images);
}

TEST_CASE("nodes that jobs of one case each give back share the next job") {
  Bench bench({on_any("a"), on_any("b"), on_any("c"), on_any("d"), on_any("e"), on_any("f"), on_any("g"),
               on_any("h")});
  bench.cluster.shares = true;
  bench.options.pauses.given_back_s = 600;
  for (const char* host : {"cn1", "cn2", "cn3", "cn4"}) bench.cluster.nodes[host] = SchedulerNode::Kind::busy;
  std::size_t waits = 0;
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    if (waits < 4) {  // one ends after the other, and the scheduler still holds its node
      ScriptedCluster::run(cluster.jobs.at(waits++));
      return;
    }
    cluster.nodes.clear();
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2", "cn3", "cn4", "cn1,cn2,cn3,cn4"});
}
