#include "orchestrator/campaign/retry.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

AttemptRecord lost(bool began) {
  AttemptRecord attempt;
  attempt.state = AttemptState::lost;
  attempt.started_s = began ? 1e9 : 0;
  return attempt;
}

JobState gone(JobEnd end, std::vector<std::string> failed = {}) {
  return {JobState::Phase::gone, "", {}, end, "", std::move(failed)};
}

using Nodes = std::vector<std::string>;

}  // namespace

TEST_CASE("what the machine did to an attempt is tried again, and the node that did it is blamed") {
  const JobState job_state = gone(JobEnd::node_failed, {"cn2", "cn9"});
  const Retry retry = retry_after(lost(true), {"cn1", "cn2"}, &job_state);
  CHECK(retry.again);
  CHECK(retry.suspected == Nodes{"cn2"});
  CHECK(retry.because == "node lost");
}

TEST_CASE("a node that was lost is the reason, whatever state the job's script ended in") {
  const JobState job_state = gone(JobEnd::completed, {"cn2"});
  CHECK(retry_after(lost(true), {"cn1", "cn2"}, &job_state).because == "node lost");
  const JobState ended = gone(JobEnd::completed);
  CHECK(retry_after(lost(true), {"cn1"}, &ended).because == "its job ended before it recorded its own end");
}

TEST_CASE("a crash counts against the node that its launcher names, and is not tried again") {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 143;
  attempt.failure_kind = FailureKind::signal;
  attempt.failure = "rank 5 on cn3 ended with signal 11 (segmentation fault)";
  const Retry retry = retry_after(attempt, {"cn1", "cn2", "cn3"}, nullptr, {"cn3"});
  CHECK_FALSE(retry.again);
  CHECK(retry.suspected == Nodes{"cn3"});
  CHECK(retry.because == attempt.failure);
  attempt.failure_kind = FailureKind::node_failure;
  CHECK(retry_after(attempt, {"cn1", "cn2", "cn3"}, nullptr, {"cn3"}).again);
  CHECK(retry_after(attempt, {"cn1", "cn2", "cn3"}, nullptr, {"cn3"}).suspected == Nodes{"cn3"});
  attempt.state = AttemptState::not_started;
  CHECK(retry_after(attempt, {"cn1", "cn2", "cn3"}, nullptr, {"cn3"}).suspected == Nodes{"cn3"});
}

TEST_CASE("a crash while MPI starts is retried; any other is not") {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 139;
  attempt.failure_kind = FailureKind::signal;
  attempt.wall_s = 1.5;
  const std::string trace =
      "[cn2:71] *** Process received signal ***\n[cn2:71] Signal: Segmentation fault (11)\n"
      "[cn2:71] [ 4] /lib/libmpi.so.40(MPI_Init+0x6e)[0x7f]\n";
  attempt.files = {{"stdout.log", "", 0, ""}, {"stderr.log", "", 120, trace}};
  CHECK(retry_after(attempt, {"cn1", "cn2"}, nullptr).again);
  CHECK(retry_after(attempt, {"cn1", "cn2"}, nullptr).suspected.empty());
  attempt.wall_s = 45;
  CHECK_FALSE(retry_after(attempt, {"cn1", "cn2"}, nullptr).again);
  attempt.wall_s = 1.5;
  attempt.files.front().bytes = 1;
  CHECK_FALSE(retry_after(attempt, {"cn1", "cn2"}, nullptr).again);
  attempt.files.front().bytes = 0;
  const std::string to_nowhere =
      "[vm:14609] *** Process received signal ***\n[vm:14609] Signal: Segmentation fault (11)\n"
      "[vm:14609] Signal code: Address not mapped (1)\n[vm:14609] Failing at address: (nil)\n"
      "[vm:14609] [ 0] /lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7f879ea5a050]\n";
  attempt.files.back().excerpt = to_nowhere + "[vm:14609] *** End of error message ***\n";
  CHECK(retry_after(attempt, {"cn1", "cn2"}, nullptr, {"cn2"}).again);
  attempt.files.back().excerpt = to_nowhere + "[vm:14609] [ 1] /opt/hpl/xhpl(+0x3c0)[0x7f]\n";
  CHECK_FALSE(retry_after(attempt, {"cn1", "cn2"}, nullptr, {"cn2"}).again);
  attempt.files.back().excerpt = "bad word on cn2";
  CHECK_FALSE(retry_after(attempt, {"cn1", "cn2"}, nullptr).again);
  attempt.files.clear();  // whether it printed anything is not known
  CHECK_FALSE(retry_after(attempt, {"cn1", "cn2"}, nullptr).again);
}

TEST_CASE("an attempt of several nodes that vanished blames none of them, one of a single node its own") {
  const JobState unknown = gone(JobEnd::unknown);
  CHECK(retry_after(lost(true), {"cn1", "cn2"}, &unknown).suspected.empty());
  CHECK(retry_after(lost(true), {"cn1"}, &unknown).suspected == Nodes{"cn1"});
  CHECK(retry_after(lost(false), {"cn1"}, &unknown).suspected.empty());
}

TEST_CASE("an attempt whose script ended without its last word is tried again and blames nobody") {
  for (const JobEnd end : {JobEnd::completed, JobEnd::failed}) {
    const JobState job_state = gone(end);
    const Retry retry = retry_after(lost(true), {"cn1"}, &job_state);
    CHECK(retry.again);
    CHECK(retry.suspected.empty());
  }
}

TEST_CASE("what a person or a limit ended is not tried again") {
  for (const JobEnd end : {JobEnd::cancelled, JobEnd::timed_out, JobEnd::out_of_memory}) {
    const JobState job_state = gone(end);
    CHECK_FALSE(retry_after(lost(true), {"cn1"}, &job_state).again);
  }
}

TEST_CASE("what waited behind an attempt that took too much time or memory is tried again") {
  for (const JobEnd end : {JobEnd::timed_out, JobEnd::out_of_memory}) {
    const JobState job_state = gone(end);
    CHECK(retry_after(lost(false), {"cn1"}, &job_state).again);
    CHECK(retry_after(lost(false), {"cn1"}, &job_state).suspected.empty());
  }
  const JobState cancelled = gone(JobEnd::cancelled);
  CHECK_FALSE(retry_after(lost(false), {"cn1"}, &cancelled).again);
}

TEST_CASE("what the benchmark said of itself is never retried until it passes") {
  AttemptRecord attempt;
  attempt.state = AttemptState::finished;
  attempt.exit_code = 1;
  attempt.failure_kind = FailureKind::numerical;
  attempt.failure = "the residual is too large";
  CHECK_FALSE(retry_after(attempt, {"cn1"}, nullptr).again);
  attempt.failure_kind = FailureKind::mpi_abort;
  CHECK_FALSE(retry_after(attempt, {"cn1"}, nullptr).again);
  attempt.failure_kind = FailureKind::node_failure;
  CHECK(retry_after(attempt, {"cn1"}, nullptr).again);
  attempt.state = AttemptState::timed_out;
  CHECK_FALSE(retry_after(attempt, {"cn1"}, nullptr).again);
}

TEST_CASE(
    "an attempt that the batch system stopped for others is tried again, one that a person stopped is not") {
  AttemptRecord attempt;
  attempt.state = AttemptState::interrupted;
  const JobState preempted = gone(JobEnd::preempted);
  const JobState cancelled = gone(JobEnd::cancelled);
  CHECK(retry_after(attempt, {"cn1"}, &preempted).again);
  CHECK(retry_after(attempt, {"cn1"}, &preempted).suspected.empty());
  CHECK_FALSE(retry_after(attempt, {"cn1"}, &cancelled).again);
  CHECK_FALSE(retry_after(attempt, {"cn1"}, nullptr).again);
}
