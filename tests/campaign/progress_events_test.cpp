// What is shown of an execution.
#include "orchestrator/campaign/progress_events.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "orchestrator/campaign/execution_progress.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

std::vector<CaseProgress> cases_of(const Parts& parts) {
  return live_case_progress({parts.context, parts.nodes, parts.ledger, parts.queue});
}

}  // namespace

TEST_CASE("a scheduler that does not answer is reported once until it does") {
  Bench bench({on_any("a")});
  Parts parts(bench);
  for (int i = 0; i < 2; ++i) parts.events.report_silent("squeue:\nUnable to contact");
  CHECK(parts.events.is_silent());
  parts.events.note_answer();
  parts.events.report_silent("squeue: again");
  CHECK(bench.reported ==
        Texts{"scheduler_silent  squeue: Unable to contact", "scheduler_silent  squeue: again"});
}

TEST_CASE("why a job waits is reported when it changes, and its start once") {
  Bench bench({on_this("a", "cn1")});
  Parts parts(bench);
  RunningJob& running = parts.submitted();
  bench.reported.clear();
  for (const char* reason : {"Priority", "Priority", "Resources"})
    parts.events.report_waiting(running, reason);
  CHECK(bench.reported == Texts{"job_waiting cn1 Priority", "job_waiting cn1 Resources"});
  RunningStep& step = running.lanes.front().steps.front();
  CHECK(parts.events.report_start(running, step));
  CHECK_FALSE(parts.events.report_start(running, step));
  CHECK(bench.said("case_started a") == 1);
}

TEST_CASE("a heartbeat is due soon after something was reported, else when its pause is over") {
  Bench bench({on_any("a")});
  bench.options.heartbeat_s = 1000;
  int heartbeats = 0;
  bench.options.listener = [&](const Event& event) {
    if (event.kind == Event::Kind::heartbeat) heartbeats += event.progress->waiting;
  };
  Parts parts(bench);
  REQUIRE(parts.events.heartbeat_due());
  parts.events.heartbeat(cases_of(parts));
  CHECK(heartbeats == 1);
  const auto is_due_soon = [&] {
    for (int i = 0; i < 100; ++i) {
      if (parts.events.heartbeat_due()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  };
  CHECK_FALSE(is_due_soon());
  parts.events.report_silent("squeue: Unable to contact");
  CHECK(is_due_soon());
}

TEST_CASE("each case says where it stands and what it waits for") {
  Case above = on_any("above");
  above.stage = 1;
  Bench bench({on_this("a", "cn1"), on_this("b", "cn1"), above});
  Parts parts(bench);
  static_cast<void>(parts.submitted());
  std::vector<CaseProgress> cases = cases_of(parts);
  CHECK(cases[0].state == CaseState::queued);
  CHECK(cases[0].job == "1");
  CHECK(cases[0].hosts == "cn1");
  CHECK(cases[0].waits_for == "the scheduler has not reported a reason");
  CHECK(cases[1].state == CaseState::waiting);
  CHECK(cases[1].waits_for == "its node is taken");
  CHECK(cases[2].waits_for == "stage 1 waits for stage 0");
  ScriptedCluster::run_all(bench.cluster);
  REQUIRE(parts.ledger.collect(parts.context.running.front()));
  CHECK(cases_of(parts)[0].state == CaseState::done);
}
