// What Slurm's commands answer, and what becomes of it: the commands are stubs of shell.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "batch_job.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/schedulers/slurm_inquiry.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;
using Phase = JobState::Phase;

namespace {

/// A Slurm of stubs; `says` is the shell line of one. Its commands are the only ones in PATH beside the
/// system's.
struct Stubs {
  TemporaryFolder folder;
  std::string path_before = std::getenv("PATH");
  std::unique_ptr<Scheduler> scheduler;

  Stubs() {
    for (const char* name : {"sbatch", "squeue", "scancel", "scontrol", "sacct"}) says(name, "exit 1");
    ::setenv("PATH", (folder.path.string() + ":" + path_before).c_str(), 1);
    auto made = make_scheduler("slurm", {{}, {}});
    REQUIRE(made);
    scheduler = *std::move(made);
  }
  ~Stubs() { ::setenv("PATH", path_before.c_str(), 1); }
  Stubs(const Stubs&) = delete;
  Stubs& operator=(const Stubs&) = delete;

  void says(const std::string& name, const std::string& line) const {
    REQUIRE(write_file(folder.path / name, "#!/bin/sh\n" + line + "\n"));
    fs::permissions(folder.path / name, fs::perms::owner_all);
  }
  [[nodiscard]] Job job() const { return batch_job(folder.path / "c", {"true"}); }
  /// squeue knows one job of that name.
  void knows(const Job& job, const std::string& number) const {
    says("squeue", "echo '" + number + "|RUNNING|None|N/A|" + slurm_job_name(job) + "'");
  }
  [[nodiscard]] Submission submitted(const Job& job) const {
    const auto submission = scheduler->submit(job);
    REQUIRE(submission);
    return *submission;
  }
};

}  // namespace

TEST_CASE("a node that was removed from Slurm is down, so that the campaign is planned without it") {
  const Stubs slurm;
  slurm.says("scontrol", "echo 'NodeName=cn1 State=IDLE'");
  const auto nodes = slurm.scheduler->nodes(std::vector<std::string>{"cn1", "cn2"});
  REQUIRE(nodes);
  CHECK(nodes->at(0).kind == SchedulerNode::Kind::idle);
  CHECK(nodes->at(1).kind == SchedulerNode::Kind::out);
  CHECK(nodes->at(1).down);
}

TEST_CASE("a job about which sbatch prints no number is looked up by its name") {
  const Stubs slurm;
  const Job job = slurm.job();
  slurm.says("sbatch", "echo Welcome; echo 12; echo 'plugin: done'");
  CHECK(std::get<JobAccepted>(slurm.submitted(job)).known_as == "12");
  for (const char* line : {"echo queued", "true", "echo 12; echo 13", "echo 'job: 12'; exit 1"}) {
    INFO(line);
    slurm.says("sbatch", line);
    slurm.knows(job, "77");
    CHECK(std::get<JobAccepted>(slurm.submitted(job)).known_as == "77");
    // The queue has no such job.
    slurm.says("squeue", "echo '77|RUNNING|None|N/A|other'");
    CHECK(std::get<JobLater>(slurm.submitted(job)).of == JobLater::Of::unknown);
    // Nor does it answer.
    slurm.says("squeue", "exit 1");
    CHECK(std::holds_alternative<JobUnsure>(slurm.submitted(job)));
  }
  slurm.says("sbatch", "echo queued");
  slurm.says("squeue", "true");
  CHECK(std::get<JobLater>(slurm.submitted(job)).words == "sbatch printed no job number: queued");
}

TEST_CASE("a job about which sbatch does not answer, and the queue does, is refused for now") {
  const Stubs slurm;
  const std::string silent =
      "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit "
      "1";
  slurm.says("sbatch", silent);
  slurm.says("squeue", "true");
  const auto later = std::get<JobLater>(slurm.submitted(slurm.job()));
  CHECK(later.of == JobLater::Of::unknown);
  CHECK(later.words.find("Socket timed out") != std::string::npos);
  CHECK(later.words.ends_with("; the queue does not hold the job"));
  // An outage is no refusal.
  slurm.says("squeue", "exit 1");
  CHECK(std::holds_alternative<JobUnsure>(slurm.submitted(slurm.job())));
}

TEST_CASE("an unlisted refusal is in sbatch's own words, and may be over later") {
  const Stubs slurm;
  slurm.says("squeue", "true");
  slurm.says("sbatch",
             "echo 'sbatch: error: You must specify a project' >&2\n"
             "echo 'sbatch: error: Batch job submission failed: Unspecified error' >&2; exit 1");
  const auto later = std::get<JobLater>(slurm.submitted(slurm.job()));
  CHECK(later.of == JobLater::Of::unknown);
  CHECK(later.words ==
        "sbatch: error: You must specify a project; sbatch: error: Batch job submission failed: Unspecified "
        "error");
  slurm.says("sbatch", "exit 3");
  CHECK(std::get<JobLater>(slurm.submitted(slurm.job())).words ==
        "sbatch failed with exit code 3 and printed nothing");
}

TEST_CASE("an account that Slurm does not know ends a campaign before its first job, and not behind it") {
  const Stubs slurm;
  slurm.says("squeue", "true");
  const std::string refuses =
      "echo 'sbatch: error: Batch job submission failed: Invalid account or account/partition combination "
      "specified' >&2; exit 1";
  slurm.says("sbatch", refuses);
  const auto first = slurm.scheduler->submit(slurm.job());
  REQUIRE_FALSE(first);
  CHECK(first.error().fault == Fault::environment);
  slurm.says("sbatch", "echo 12");
  REQUIRE(slurm.scheduler->submit(slurm.job()));
  slurm.says("sbatch", refuses);
  CHECK(std::get<JobLater>(slurm.submitted(slurm.job())).of == JobLater::Of::unknown);
}

TEST_CASE("a job that the queue does not show is gone where slurmctld says so") {
  const Stubs slurm;
  const Job job = slurm.job();
  const auto phase = [&] {
    auto fresh = make_scheduler("slurm", {{}, {}}).value();
    const auto there = fresh->adopt(job, "12");
    REQUIRE(there);
    return fresh->state(job, false).phase;
  };
  slurm.says("squeue", "true");
  slurm.says("scontrol", "echo 'JobId=12 JobName=" + slurm_job_name(job) + " JobState=RUNNING Reason=None'");
  CHECK(phase() == Phase::running);
  slurm.says("scontrol", "echo 'slurm_load_jobs error: Socket timed out' >&2; exit 1");
  CHECK(phase() == Phase::pending);
  slurm.says("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  CHECK(phase() == Phase::gone);
}

TEST_CASE("who is asked to end a job and does not answer is known") {
  const Stubs slurm;
  const Job job = slurm.job();
  slurm.says("sbatch", "echo 12");
  REQUIRE(slurm.scheduler->submit(job));
  CHECK_FALSE(slurm.scheduler->end(job, /*at_once=*/true));
  slurm.says("scancel", "exit 0");
  CHECK(slurm.scheduler->end(job, /*at_once=*/true));
}

TEST_CASE("a job of several lanes that ended lost the nodes that are down, not those that are drained") {
  const Stubs slurm;
  Job job = slurm.job();
  job.lanes.resize(3, job.lanes.front());
  for (std::size_t i = 0; i < 3; ++i) job.lanes[i].hosts = {"cn" + std::to_string(i + 1)};
  slurm.says("sbatch", "echo 12");
  REQUIRE(std::get<JobAccepted>(slurm.submitted(job)).known_as == "12");
  slurm.says("squeue", "echo '12|COMPLETED|None|N/A|" + slurm_job_name(job) + "'");
  slurm.says("scontrol",
             "echo 'NodeName=cn1 State=IDLE'; echo 'NodeName=cn2 State=IDLE+DRAIN Reason=was DOWN'\n"
             "echo 'NodeName=cn3 State=DOWN*'");
  const KnownJob known{&job, "12"};
  REQUIRE(slurm.scheduler->expect(std::span(&known, 1)));
  const JobState job_state = slurm.scheduler->state(job, /*ask=*/false);
  REQUIRE(job_state.phase == Phase::gone);
  CHECK(job_state.failed_nodes == std::vector<std::string>{"cn3"});
}
