#include "orchestrator/schedulers/slurm_queue.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("the log of a job tells of a step that took too much memory") {
  // Seen with jobacct_gather/linux and OverMemoryKill of Slurm 22.05.
  CHECK(reports_memory(
      "slurmstepd-cn1: error: StepId=9.0 exceeded memory limit (433192960 > 157286400), being killed\n"
      "srun: error: cn1: task 0: Killed\n"));
  CHECK(reports_memory(
      "slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the step tasks have "
      "been OOM Killed.\n"));
  CHECK_FALSE(reports_memory("slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2026-11-22T15:09:11 ***\n"));
  // A program's words are not Slurm's.
  CHECK_FALSE(reports_memory("no oom_kill event was seen\n"));
}

TEST_CASE("a job that Slurm puts back is distinguished from one that ended") {
  const auto queue = slurm_queue(
      "4|COMPLETING|None|2026-11-22T15:08:40|a\n"
      "5|PENDING|BeginTime|2026-11-22T15:10:43|b\n"
      "6|REQUEUE_HOLD|job_requeued_in_held_state|N/A|c\n"
      "7|PREEMPTED|None|2026-11-22T15:08:40|d\n"
      "8|OUT_OF_MEMORY|OutOfMemory|2026-11-22T15:08:40|e\n");
  CHECK(queue.at("4").state.phase == JobState::Phase::running);
  CHECK(queue.at("4").state.completing);
  CHECK_FALSE(queue.at("5").state.completing);
  CHECK(queue.at("5").state.phase == JobState::Phase::pending);
  CHECK(queue.at("5").state.reason == "BeginTime");
  CHECK(queue.at("6").state.end == JobEnd::requeued);
  CHECK(queue.at("7").state.end == JobEnd::preempted);
  CHECK(queue.at("8").state.end == JobEnd::out_of_memory);
}

TEST_CASE("what sbatch says is over later, of one job only, or nobody's answer") {
  const auto later_of = [](std::string_view words) {
    return std::get<JobLater>(temporary_refusal(words).value()).of;
  };
  const auto is_unsure = [](std::string_view words) {
    return std::holds_alternative<JobUnsure>(temporary_refusal(words).value());
  };
  CHECK(later_of(
            "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates "
            "accounting/QOS policy (job submit limit, user's size and/or time limits)") == JobLater::Of::all);
  // A job that is too large for its QoS hears the same as one that comes too soon.
  const std::string_view policy =
      "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, "
      "user's size and/or time limits)";
  CHECK(later_of(policy) == JobLater::Of::this_one);
  CHECK(std::get<JobLater>(temporary_refusal(policy).value()).words == policy);
  CHECK(is_unsure("sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"));
  CHECK(
      is_unsure("sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
                "failure)"));
  CHECK_FALSE(temporary_refusal(
      "sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or "
      "exceeds some limit)"));
}

TEST_CASE("what sbatch will never take is distinguished from what it would take of nobody") {
  CHECK(is_for_good(
      "sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some "
      "limit)"));
  CHECK(is_for_good(
      "sbatch: error: Batch job submission failed: Requested node configuration is not available"));
  CHECK_FALSE(is_for_good(
      "sbatch: error: Batch job submission failed: Invalid account or account/partition combination "
      "specified"));
  CHECK_FALSE(is_for_good("sbatch: error: Munge encode failed: Failed to access /run/munge/munge.socket.2"));
}

TEST_CASE("what sbatch would take of nobody is distinguished from an error that it may not make again") {
  CHECK(is_of_any_job("sbatch: error: Batch job submission failed: Invalid qos specification"));
  CHECK_FALSE(is_of_any_job("sbatch: error: Batch job submission failed: Unspecified error"));
  CHECK_FALSE(is_of_any_job("sbatch: error: You must specify a project"));
}

TEST_CASE("only a number is the number of a job, whatever is printed around it") {
  CHECK(submitted_number("1234\n") == "1234");
  CHECK(submitted_number("1234;cluster\n") == "1234");
  CHECK(submitted_number("Submitted batch job 1234\n") == "1234");
  CHECK(submitted_number("Submitted batch job 1234 on cluster north\n") == "1234");
  CHECK(submitted_number("** Welcome **\nsbatch: lua: 2 rules\n 1234\r\nsbatch: lua: charged to p17\n") ==
        "1234");
  CHECK(submitted_number("1234\nSubmitted batch job 1234\n") == "1234");
  for (const std::string_view none : {"", "\n", "queued", "job 1234", "1234 5", "-1", "0", "12.5", "0x12",
                                      "2026-11-23", "12345678901234", ";cluster", "1234\n1235\n"})
    CHECK(submitted_number(none).empty());
}

TEST_CASE("of several jobs of one name the one that is there counts, else the last") {
  const auto number = [](std::string_view rows) { return number_of_name(slurm_queue(rows), "a"); };
  CHECK(number("9|RUNNING|None|N/A|a\n10|COMPLETED|None|N/A|a\n11|RUNNING|None|N/A|b\n") == "9");
  CHECK(number("9|CANCELLED|None|N/A|a\n10|COMPLETED|None|N/A|a\n") == "10");
  CHECK(number("11|RUNNING|None|N/A|b\n").empty());
}
