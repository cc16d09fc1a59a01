// What became of attempts.
#include "orchestrator/campaign/attempt_ledger.hpp"

#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

/// The k-th attempt of the first case, which a node failed.
AttemptEnd failed_on(const Parts& parts, int k, const std::string& node, const JobState& job_state) {
  AttemptEnd end;
  end.place = {parts.context.folder, &parts.context.planned(0), k};
  end.job = "job-" + std::to_string(k);
  end.hosts = {node};
  end.job_state = &job_state;
  return end;
}

}  // namespace

TEST_CASE("an attempt whose job wrote its end is in the store and in the journal, and its case is done") {
  Bench bench({on_this("a", "cn1")});
  Parts parts(bench);
  RunningJob& running = parts.submitted();
  CHECK(parts.ledger.collect(running).value() == AttemptLedger::JobProgress::pending);
  ScriptedCluster::run_all(bench.cluster);
  REQUIRE(parts.ledger.collect(running));
  CHECK(running.collected());
  CHECK(parts.ledger.of(0).end == CaseState::done);
  CHECK(parts.ledger.is_recorded({parts.context.folder, &parts.context.planned(0), 1}) == Result<bool>(true));
  CHECK(parts.context.database.has_attempt(bench.id, "a", 1) == Result<bool>(true));
  CHECK(parts.context.dispatcher.waiting() == 0);
}

TEST_CASE("what the infrastructure failed is retried until the case had its attempts, each counted once") {
  Bench bench({on_any("a")});
  Parts parts(bench);
  AttemptRecord attempt;
  attempt.state = AttemptState::lost;
  attempt.started_s = 1795284309;
  int k = 0;
  for (const char* node : {"cn1", "cn2", "cn3"}) {
    INFO(node);
    const JobState job_state{JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {node}};
    const AttemptEnd end = failed_on(parts, ++k, node, job_state);
    for (int look = 0; look < 2; ++look)
      CHECK(parts.ledger.decide_retry(end, attempt) == Result<bool>(k < 3));
    CHECK(std::ssize(parts.ledger.of(0).infrastructure_failures) == k);
    CHECK(parts.ledger.is_spent(0) == (k == 3));
  }
  CHECK(bench.journal().machine_failures.size() == 3);
}

TEST_CASE("another attempt is announced, but not of a case that is bound to an excluded node") {
  Bench bench({on_this("a", "cn1")});
  Parts parts(bench);
  AttemptRecord attempt;
  attempt.state = AttemptState::lost;
  attempt.started_s = 1795284309;
  attempt.failure_kind = FailureKind::node_failure;
  const JobState job_state{JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {"cn1"}};
  REQUIRE(parts.ledger.decide_retry(failed_on(parts, 1, "cn1", job_state), attempt));
  CHECK(bench.reported == Texts{"case_again a node lost"});
  REQUIRE(parts.context.journal.exclude("cn1", "stayed down"));
  REQUIRE(parts.ledger.decide_retry(failed_on(parts, 1, "cn1", job_state), attempt));
  CHECK(bench.reported == Texts{"case_again a node lost"});
}

TEST_CASE("a case that is given up is not run, for the same reason in journal and store") {
  Bench bench({on_any("a"), on_any("b")});
  Parts parts(bench);
  REQUIRE(parts.ledger.give_up(1, "no licence"));
  CHECK(parts.ledger.of(1).end == CaseState::not_run);
  CHECK(bench.journal().not_run.at("b") == "no licence");
  CHECK(parts.context.database.campaign(bench.id)->cases[1].not_run == "no licence");
  CHECK(bench.reported == Texts{"case_given_up b no licence"});
  CHECK(parts.context.dispatcher.waiting() == 1);
}

TEST_CASE("an attempt that never left the queue is made again under its number") {
  Bench bench({on_any("a")});
  Parts parts(bench);
  static_cast<void>(parts.submitted());
  CHECK(parts.ledger.of(0).attempts == 1);
  parts.ledger.take_back(0);
  CHECK(parts.ledger.next_attempt(0) == 1);
}
