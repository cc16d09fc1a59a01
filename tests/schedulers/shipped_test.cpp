// The batch systems that are shipped, as text: what is submitted, and what their programs' answers mean. The
// answers are shaped after the manuals that the descriptions name; tests/gridengine runs one for real.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "batch_job.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "orchestrator/schedulers/template_words.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;
using Phase = JobState::Phase;

namespace {

SchedulerTemplate shipped(const std::string& id) {
  auto read = read_scheduler_template(fs::path(PROJECT_FOLDER) / "orchestrator/schedulers" / (id + ".toml"));
  INFO((read ? "" : to_string(read.error())));
  REQUIRE(read);
  return *std::move(read);
}

/// The submission of a job of two nodes at a site that names all it can.
std::string submission(const std::string& id) {
  Job job;
  job.id = "job-7";
  job.campaign = "2026-11-21-cluster";
  job.folder = "/data/our runs/jobs/job-7";
  job.lanes = {{{"cn1", "cn2"}, {{"hpl", 1, "/data/our runs/hpl/attempt-1", 3450}}}};
  Site site;
  site.partition = "gpu";
  site.account = "acceptance";
  site.scheduler_options = {"--ours", "two words"};
  const SchedulerTemplate description = shipped(id);
  return shell_line(filled_command(description.submit, template_values(description, job, site)));
}

/// Replaces a batch system's programs in PATH: each prints the answer of its name, `qstat-f` for `qstat ...
/// -f`.
class Answers {
 public:
  explicit Answers(const std::string& id) {
    const SchedulerTemplate description = shipped(id);
    for (const char* name : {"qsub", "qstat", "qdel", "qselect", "pbsnodes", "qacct", "flux", "bsub", "bjobs",
                             "bkill", "bhosts"}) {
      say(name, "", 0);
      const fs::path program = folder_.path / name;
      REQUIRE(write_file(program, R"sh(#!/bin/sh
key=${0##*/}
[ "$key" = qsub ] || for word; do case $word in -f | -l | -j | batch | jobs | cancel | resource) key=$key$word ;; esac; done
at=${0%/*}/answers/$key
[ -f "$at" ] || exit 0
cat "$at"
exit "$(cat "$at.code")"
)sh"));
      fs::permissions(program, fs::perms::owner_all);
    }
    ::setenv("PATH", (folder_.path.string() + ":" + old_path_).c_str(), 1);
    auto made = template_scheduler(description, {});
    REQUIRE(made);
    scheduler_ = *std::move(made);
    job_ = batch_job(folder_.path, {"true"});
  }
  ~Answers() { ::setenv("PATH", old_path_.c_str(), 1); }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;

  void say(const std::string& key, const std::string& text, int code = 0) const {
    fs::create_directories(folder_.path / "answers");
    REQUIRE(write_file(folder_.path / "answers" / key, text));
    REQUIRE(write_file(folder_.path / "answers" / (key + ".code"), std::to_string(code)));
  }
  [[nodiscard]] std::string submitted() const {
    const auto submission = scheduler_->submit(job_);
    if (!submission) return "refused: " + submission.error().what;
    if (const auto* never = std::get_if<JobNever>(&*submission)) return "refused: " + never->refusal.what;
    const auto* accepted = std::get_if<JobAccepted>(&*submission);
    return accepted == nullptr ? "" : accepted->known_as;
  }
  [[nodiscard]] JobState state_of(const std::string& id) const {
    const auto adopted = scheduler_->adopt(job_, id);
    INFO((adopted ? "" : to_string(adopted.error())));
    REQUIRE(adopted);
    return scheduler_->state(job_, false);
  }
  /// The job's name in the queue, and the one for short columns.
  [[nodiscard]] std::string name() const { return template_names(job_)[0]; }
  [[nodiscard]] std::string short_name() const { return template_names(job_)[1]; }
  [[nodiscard]] std::vector<SchedulerNode> nodes(const std::vector<std::string>& hosts) const {
    auto nodes = scheduler_->nodes(hosts);
    REQUIRE(nodes);
    return *std::move(nodes);
  }

 private:
  TemporaryFolder folder_;
  std::string old_path_ = std::getenv("PATH");
  std::unique_ptr<Scheduler> scheduler_;
  Job job_;
};

void ends(Answers& answers, const std::string& key, const std::string& id,
          const std::vector<std::pair<std::string, JobEnd>>& said) {
  for (const auto& [text, end] : said) {
    INFO(text);
    answers.say(key, text);
    CHECK(to_string(answers.state_of(id).end) == to_string(end));
  }
}

}  // namespace

TEST_CASE("what is submitted to each batch system") {
  const std::string name = "shakedown-2026-11-21-cluster-job-7-df92ebf6";
  CHECK(submission("pbs") ==
        "qsub -C '#no-directives' -S /bin/sh -r n -N sd-1b33f92aa62f -j oe -o '/data/our "
        "runs/jobs/job-7/batch.log' "
        "-q gpu -A acceptance -l select=1:host=cn1+1:host=cn2 -l place=scatter:excl -l walltime=01:00:00 "
        "--ours 'two words' '/data/our runs/jobs/job-7/batch.sh'");
  CHECK(submission("flux") == "env FLUX_F58_FORCE_ASCII=1 flux batch --job-name=" + name +
                                  " --nodes=2 --exclusive --requires=hosts:cn1,cn2 --time-limit=3600s "
                                  "'--cwd=/data/our runs/jobs/job-7' --output=batch.log --queue=gpu "
                                  "--setattr=system.bank=acceptance --ours 'two words' "
                                  "'/data/our runs/jobs/job-7/batch.sh'");
  // bsub joins its words with blanks for a shell.
  CHECK(submission("lsf") ==
        "bsub -J " + name +
            " -n 2 -R 'span[ptile=1]' -m 'cn1 cn2' -x -rn -W 60 "
            "-o '/data/our runs/jobs/job-7/batch.log' -q gpu -P acceptance --ours 'two words' "
            "sh ''\\''/data/our runs/jobs/job-7/batch.sh'\\'''");
  CHECK(submission("gridengine") ==
        "qsub -terse -C no-directives -S /bin/sh -r n -notify -N " + name +
            " -wd '/data/our runs/jobs/job-7' -o batch.log -j y -q gpu -A acceptance -l "
            "'hostname=cn1|cn2' -l h_rt=3600 --ours 'two words' '/data/our runs/jobs/job-7/batch.sh'");
}

TEST_CASE("PBS: a job's id, its states, and how it ended") {
  Answers pbs("pbs");
  pbs.say("qsub", "qsub: Unknown queue\n", 170);
  CHECK(pbs.submitted() == "refused: qsub: Unknown queue");
  pbs.say("qsub", "1234567.pbs-server-01.cluster\n");
  CHECK(pbs.submitted() == "1234567");
  pbs.say("qsub", "qsub: would exceed queue generic's per-user limit\n", 38);
  CHECK(pbs.submitted().empty());

  const std::string head =
      "Job id            Name             User              Time Use S Queue\n"
      "----------------  ---------------- ----------------  -------- - -----\n";
  pbs.say("qstat", head + "12.pbs01          " + pbs.short_name() +
                       "  user              0        Q workq           \n");
  CHECK(pbs.state_of("12").phase == Phase::pending);
  pbs.say("qstat", head + "1234567.pbs-serv* " + pbs.short_name() +
                       "  user              00:00:00 R workq           \n");
  CHECK(pbs.state_of("1234567").phase == Phase::running);
  // Its id was reused.
  pbs.say("qstat",
          head + "12.pbs01          another          user              00:00:00 R workq           \n");
  CHECK(pbs.state_of("12").phase == Phase::gone);
  // One job is unknown, the other is shown all the same.
  pbs.say("qstat",
          head + "12.pbs01          " + pbs.short_name() +
              "  user              00:00:00 R workq           \n" + "qstat: Unknown Job Id 11.pbs01\n",
          153);
  CHECK(pbs.state_of("12").phase == Phase::running);
  CHECK(pbs.state_of("11").phase == Phase::gone);
  pbs.say("qstat", head + "12.pbs01          " + pbs.short_name() +
                       "  user              00:00:00 F workq           \n");
  ends(
      pbs, "qstat-f", "12",
      {{"Job Id: 12.pbs01\n    job_state = F\n    Exit_status = 0\n", JobEnd::completed},
       {"Job Id: 12.pbs01\n    job_state = F\n    Exit_status = 2\n", JobEnd::failed},
       {"Job Id: 12.pbs01\n    job_state = F\n    Exit_status = -29\n", JobEnd::timed_out},
       {"Job Id: 12.pbs01\n    job_state = F\n    Exit_status = -27\n", JobEnd::out_of_memory},
       {"Job Id: 12.pbs01\n    job_state = F\n    Exit_status = 271\n", JobEnd::cancelled},
       {"Job Id: 12.pbs01\n    job_state = F\n    comment = Not Running and terminated\n", JobEnd::cancelled},
       {"qstat: Unknown Job Id 12.pbs01\n", JobEnd::unknown}});
  pbs.say("pbsnodes",
          "vnode           state           OS       hardware host            queue        mem     ncpus   "
          "nmics   ngpus  comment\n"
          "--------------- --------------- -------- -------- --------------- ---------- -------- ------- "
          "------- ------- ---------\n"
          "cn1             free            --       --       cn1             --            188gb      64     "
          "  0       0 --\n"
          "cn2             state-unknown,down --    --       cn2             --            188gb      64     "
          "  0       0 --\n");
  const auto nodes = pbs.nodes({"cn1", "cn2"});
  CHECK(nodes[0].kind == SchedulerNode::Kind::idle);
  CHECK(nodes[1].kind == SchedulerNode::Kind::out);
}

TEST_CASE("Flux: a job's id, its states, and how it ended") {
  Answers flux("flux");
  flux.say("fluxbatch", "fM7Zq9AKHno\n");
  CHECK(flux.submitted() == "fM7Zq9AKHno");
  std::string name = flux.name();
  const auto says = [&](const std::string& state, const std::string& note) {
    flux.say("fluxjobs", fmt::format("fM7Zq9AKHno|{}|{}|{}\n", state, name, note));
    return flux.state_of("fM7Zq9AKHno");
  };
  CHECK(says("SCHED", "").phase == Phase::pending);
  CHECK(says("RUN", "").phase == Phase::running);
  CHECK(says("COMPLETED", "").end == JobEnd::completed);
  CHECK(says("FAILED", "").end == JobEnd::failed);
  CHECK(says("TIMEOUT", "resource allocation expired").end == JobEnd::timed_out);
  CHECK(says("TIMEOUT", "resource allocation expired").reason == "resource allocation expired");
  CHECK(says("CANCELED", "").end == JobEnd::cancelled);
  name = "another";  // its id was reused
  CHECK(says("RUN", "").phase == Phase::gone);
  flux.say("fluxjobs", "JobID fM7Zq9AKHno unknown\n", 1);
  CHECK(flux.state_of("fM7Zq9AKHno").phase == Phase::gone);
  flux.say("fluxresource", "down|cn[2-3]\n");
  const auto nodes = flux.nodes({"cn1", "cn2"});
  CHECK(nodes[0].kind == SchedulerNode::Kind::idle);
  CHECK(nodes[1].kind == SchedulerNode::Kind::out);
}

TEST_CASE("LSF: a job's id, its states, and how it ended") {
  Answers lsf("lsf");
  lsf.say("bsub", "Job <930> is submitted to queue <normal>.\n");
  CHECK(lsf.submitted() == "930");
  lsf.say("bsub", "Pending job threshold reached. Retrying in 60 seconds...\n", 255);
  CHECK(lsf.submitted().empty());
  std::string name = lsf.name();
  const auto says = [&](const std::string& state) {
    lsf.say("bjobs", fmt::format("930     user    {} normal     login1      cn1         {} Nov 22 10:55\n",
                                 state, name));
    return lsf.state_of("930");
  };
  CHECK(says("PEND ").phase == Phase::pending);
  CHECK(says("RUN  ").phase == Phase::running);
  CHECK(says("DONE ").end == JobEnd::completed);
  name = "another";  // its id was reused
  CHECK(says("RUN  ").phase == Phase::gone);
  name = lsf.name();
  lsf.say("bjobs", "Job <930> is not found\n", 255);
  CHECK(lsf.state_of("930").phase == Phase::gone);
  CHECK(says("EXIT ").phase == Phase::gone);
  ends(lsf, "bjobs-l", "930",
       {{"Sun Nov 22 11:00:00: Exited with exit code 3. The CPU time used is 0.1 seconds.\n", JobEnd::failed},
        {"Sun Nov 22 11:00:00: Exited; TERM_RUNLIMIT: job killed after reaching LSF run time limit.\n",
         JobEnd::timed_out},
        {"Sun Nov 22 11:00:00: Exited; TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.\n",
         JobEnd::out_of_memory},
        {"Sun Nov 22 11:00:00: Exited by signal 15; TERM_OWNER: job killed by owner.\n", JobEnd::cancelled}});
  lsf.say("bhosts",
          "HOST_NAME          STATUS          JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV\n"
          "cn1                closed_Excl        -     64      1      1      0      0      0\n"
          "cn2                unreach            -     64      0      0      0      0      0\n");
  const auto nodes = lsf.nodes({"cn1", "cn2"});
  CHECK(nodes[0].kind == SchedulerNode::Kind::idle);
  CHECK(nodes[1].kind == SchedulerNode::Kind::out);
}

TEST_CASE("Grid Engine: a job's id, its states, and how it ended") {
  Answers grid("gridengine");
  grid.say("qsub", "12\n");
  CHECK(grid.submitted() == "12");
  // A warning is exit code 1, and the job is taken.
  grid.say("qsub",
           "Unable to run job: warning: root's job is not allowed to run in any queue\nYour job 13 (\"x\") "
           "has been submitted\nExiting.\n",
           1);
  CHECK(grid.submitted() == "13");
  std::string name = "shakedown-";  // cut
  const auto says = [&](const std::string& state) {
    grid.say("qstat",
             "job-ID  prior   name       user         state submit/start at     queue                        "
             "  slots ja-task-ID \n"
             "-----------------------------------------------------------------------------------------------"
             "------------------\n"
             "     12 0.50000 " +
                 name + " root         " + state +
                 " 11/22/2026 11:14:37 all.q@vm                           1        \n");
    return grid.state_of("12");
  };
  CHECK(says("qw   ").phase == Phase::pending);
  CHECK(says("hqw  ").phase == Phase::pending);
  CHECK(says("r    ").phase == Phase::running);
  CHECK(says("dr   ").phase == Phase::running);
  name = "another   ";  // its id was reused
  CHECK(says("r    ").phase == Phase::gone);
  name = "shakedown-";
  CHECK(says("Eqw  ").end == JobEnd::failed);
  CHECK(says("Rr   ").end == JobEnd::requeued);
  grid.say("qstat", "");
  ends(grid, "qacct-j", "12",
       {{"failed       0    \nexit_status  0                   \n", JobEnd::completed},
        {"failed       0    \nexit_status  3                   \n", JobEnd::failed},
        {"failed       0    \nexit_status  143                  (Terminated)\n", JobEnd::cancelled},
        {"failed       37  : qmaster enforced h_rt, h_cpu, or h_vmem limit\nexit_status  137                 "
         " (Killed)\n",
         JobEnd::timed_out},
        {"failed       100 : assumedly after job\nexit_status  137                  (Killed)\n",
         JobEnd::cancelled},
        {"failed       27  : searching requested shell\nexit_status  0                   \n", JobEnd::failed},
        {"failed       19  : before writing exit_status\nexit_status  0                   \n",
         JobEnd::node_failed},
        {"error: job id 12 not found\n", JobEnd::unknown}});
  grid.say("qstat-f",
           "queuename                      qtype resv/used/tot. load_avg arch          states\n"
           "---------------------------------------------------------------------------------\n"
           "all.q@cn1                      BI    0/0/1          1.15     lx-amd64      \n"
           "---------------------------------------------------------------------------------\n"
           "all.q@cn2.cluster              BI    0/0/1          -NA-     lx-amd64      au\n");
  const auto nodes = grid.nodes({"cn1", "cn2"});
  CHECK(nodes[0].kind == SchedulerNode::Kind::idle);
  CHECK(nodes[1] == SchedulerNode{"cn2", SchedulerNode::Kind::out, "au", {}, true});
}
