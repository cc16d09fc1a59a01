// What is submitted.
#include "orchestrator/campaign/submit_queue.hpp"

#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

using Offer = SubmitQueue::Offer;

namespace {

Submission answer_of(const ScriptedCluster& cluster, const Submission& first) {
  return cluster.offered.size() == 1 ? first : Submission(JobAccepted{});
}

}  // namespace

TEST_CASE("a job that the scheduler takes runs under the scheduler's name for it") {
  Bench bench({on_this("a", "cn1")});
  Parts parts(bench);
  const RunningJob& running = parts.submitted();
  CHECK(running.known_as == "1");
  CHECK(running.pending);
  CHECK(bench.journal().known_as.at("job-1") == "1");
  CHECK(parts.queue.is_empty());
  CHECK(parts.queue.submit_next().value() == Offer::none);
}

TEST_CASE("a queue that takes no more jobs is left alone, and the job is kept") {
  Bench bench({on_any("a"), on_any("b")});
  bench.options.pauses.hold_s = 1000;
  bench.cluster.rejects = [](const Job&) -> Result<Submission> {
    return JobLater{JobLater::Of::all, "QOSMaxSubmitJobPerUserLimit"};
  };
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  REQUIRE(parts.queue.prepare_round());
  CHECK(parts.queue.submit_next().value() == Offer::other);
  CHECK(parts.queue.submit_next().value() == Offer::none);
  CHECK(bench.cluster.offered.size() == 1);
  CHECK(parts.queue.is_held());
  REQUIRE(parts.queue.reasons().size() == 2);
  CHECK(parts.queue.reasons()[0].second ==
        "the queue does not take its job now: QOSMaxSubmitJobPerUserLimit");
  parts.queue.end_hold();
  CHECK_FALSE(parts.queue.is_held());
}

TEST_CASE("a job that will never be taken is given up, in the scheduler's words") {
  Bench bench({on_any("a")});
  bench.cluster.rejects = [](const Job&) -> Result<Submission> {
    return JobNever{{"sbatch", "too long", ""}};
  };
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  REQUIRE(parts.queue.prepare_round());
  CHECK(parts.queue.submit_next().value() == Offer::other);
  CHECK(bench.journal().not_run.at("a") == "the scheduler refuses its job: too long");
  CHECK(parts.queue.is_empty());
}

TEST_CASE("nothing is submitted before it is known whether the unsure job got there") {
  Bench bench({on_any("a")});
  bench.cluster.rejects = [&](const Job&) -> Result<Submission> {
    return answer_of(bench.cluster, JobUnsure{"Socket timed out"});
  };
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  REQUIRE(parts.queue.prepare_round());
  CHECK(parts.queue.submit_next().value() == Offer::none);
  REQUIRE(parts.queue.has_unsure());
  bench.cluster.answers = false;
  CHECK(parts.queue.find_unsure().value() == Offer::none);
  CHECK(parts.queue.has_unsure());
  bench.cluster.answers = true;
  SECTION("it did not: it is submitted again under its id") {
    CHECK(parts.queue.find_unsure().value() == Offer::other);
    CHECK_FALSE(parts.queue.has_unsure());
    REQUIRE(parts.queue.prepare_round());
    CHECK(parts.queue.submit_next().value() == Offer::accepted);
    CHECK(parts.context.running.back().job.id == "job-1");
  }
  SECTION("it did: it runs") {
    Job job;
    job.id = "job-1";
    bench.cluster.jobs.push_back({job, "17", {}});
    CHECK(parts.queue.find_unsure().value() == Offer::accepted);
    CHECK(parts.context.running.back().known_as == "17");
    CHECK(bench.cluster.offered.size() == 1);
  }
}

TEST_CASE("what was to begin on a node that is excluded waits for another") {
  Bench bench({on_any("a")});
  bench.cluster.rejects = [](const Job&) -> Result<Submission> {
    return JobLater{JobLater::Of::unknown, "You must specify a project"};
  };
  bench.options.pauses.refused_s = bench.options.pauses.refusal_s = 900;
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  REQUIRE(parts.queue.prepare_round());
  CHECK(parts.queue.submit_next().value() == Offer::other);
  CHECK(parts.queue.not_begun() == std::set<std::size_t>{0});
  REQUIRE(parts.nodes.exclude("cn1", "bad fan"));
  parts.queue.drop_excluded();
  CHECK(parts.queue.is_empty());
  CHECK(parts.context.dispatcher.is_waiting(0));
  CHECK(parts.ledger.of(0).attempts == 0);
}

TEST_CASE("the cases of a job that was withdrawn begin in another job") {
  Bench bench({on_any("a")});
  Parts parts(bench);
  RunningJob& running = parts.submitted();
  REQUIRE(parts.nodes.exclude("cn1", "bad fan"));
  REQUIRE(parts.queue.review(running));
  CHECK(running.withdrawn);
  CHECK(bench.cluster.jobs[0].withdrawn);
  CHECK(parts.ledger.collect(running).value() == AttemptLedger::JobProgress::withdrawn);
  parts.queue.put_back(running);
  CHECK(running.collected());
  CHECK(parts.context.dispatcher.is_waiting(0));
}

TEST_CASE("cases that ask for other numbers of GPUs don't share a job") {
  std::vector<Case> cases = {on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")};
  cases[1].gpus_per_node = cases[2].gpus_per_node = 8;
  Bench bench(cases);
  bench.cluster.shares = true;
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  REQUIRE(parts.queue.prepare_round());
  while (parts.queue.submit_next().value() == Offer::accepted) {
  }
  std::map<int, std::size_t> lanes;
  for (const auto& queued : bench.cluster.jobs) lanes[queued.job.gpus_per_node] += queued.job.lanes.size();
  CHECK(bench.cluster.jobs.size() == 2);
  CHECK(lanes == std::map<int, std::size_t>{{0, 1}, {8, 2}});
}
