#include "orchestrator/campaign/collect.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/failed_ranks.hpp"
#include "orchestrator/campaign/lasting_environment.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/process_identity.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "reports/measure/reliability.hpp"
#include "tests/campaign/collect_scene.hpp"

using namespace shakedown;

TEST_CASE("a finished attempt gives its result, its conditions and the hash of each file") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":100.0,"finished_s":110.0,"wall_s":10.0,
    "cpus":2,"job_cpu_s":18.0,"busy_cpu_s":19.0,"steal_cpu_s":0.2,"all_cpu_s":20.0})");
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::finished);
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.results[0].validity == Validity::valid);
  CHECK(attempt.failure.empty());
  REQUIRE(attempt.conditions);
  CHECK(attempt.conditions->steal_ratio == Approx(0.01));
  CHECK(attempt.conditions->foreign_cores == Approx(0.1));
  CHECK(attempt.conditions->job_cores == Approx(1.8));
  bool found = false;
  for (const FileRecord& file : attempt.files)
    if (file.name == "stdout.log") found = file.sha256 == sha256(collect_fixture("reference-passed.out"));
  CHECK(found);
}

TEST_CASE("exit code 0 proves nothing: a failed residual is an invalid result") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", collect_fixture("reference-failed.out"));
  const AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.results[0].validity == Validity::invalid);
}

TEST_CASE("a program that fails behind its result keeps the result, and the failure is said") {
  CollectScene scene;
  scene.started();
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  scene.file("finished.json",
             R"({"state":"finished","exit_code":3,"started_s":1,"finished_s":2,"wall_s":1})");
  AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.results[0].validity == Validity::valid);
  CHECK(attempt.failure == "it failed after its result");
  CHECK(attempt.failure_kind == FailureKind::nonzero_exit);
  scene.file("finished.json", R"({"state":"finished","signal":11,"started_s":1,"finished_s":2,"wall_s":1})");
  attempt = scene.collected();
  CHECK(attempt.failure_kind == FailureKind::signal);
}

TEST_CASE(
    "what a lost attempt left beside this one is a neighbour with its name, whether it kept a core busy or "
    "not") {
  CollectScene scene;
  scene.started();
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  scene.file("finished.json", R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1,
    "orphans_ended":2,"orphans_alive":2,"orphans":[
    {"pid":41,"uid":0,"command":"xhpl","attempt":"gemm/attempt-1"},{"pid":42,"uid":7,"command":"x","attempt":""}]})");
  AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.nodes.size() == 1);
  CHECK(attempt.nodes[0].node == "n1");
  const std::vector<OtherProcess> orphans = {{41, 0, "xhpl", "orphan of gemm/attempt-1", 0},
                                             {42, 7, "x", "orphan of a lost attempt", 0}};
  CHECK(attempt.nodes[0].other_processes == orphans);
  // The plain script counts them alone.
  scene.file("finished.json",
             R"({"schema":"shakedown.finished/1","state":"finished","exit_code":0,"started_s":1,
    "finished_s":2,"orphans_alive":1})");
  const std::vector<OtherProcess> unnamed = {{0, -1, "", "orphan of a lost attempt", 0}};
  CHECK(scene.collected().nodes.at(0).other_processes == unnamed);

  scene.file("node-n1.json",
             R"({"schema":"shakedown.node/1","node":"n1","before_s":1,"after_s":2,"readings":[],
    "other_processes":[{"pid":41,"user":0,"command":"xhpl","job":"","cores":0.5}]})");
  attempt = scene.collected();
  REQUIRE(attempt.nodes.size() == 1);
  REQUIRE(attempt.nodes[0].other_processes);
  CHECK(attempt.nodes[0].other_processes->size() == 2);
}

TEST_CASE("where the disk took no more, a result that is missing says so") {
  CollectScene scene;
  scene.started();
  scene.file(
      "finished.json",
      R"({"state":"finished","exit_code":1,"started_s":1,"finished_s":2,"wall_s":1,"disk_full":true})");
  CHECK(scene.collected().failure.find("; the disk of its folder was full when it ended") !=
        std::string::npos);
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1,"disk_full":true,
    "unsynced":"No space left on device"})");
  CHECK(scene.collected().failure.find("; its files could not be written to disk: No space left on device") !=
        std::string::npos);
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  CHECK(scene.collected().failure.empty());
}

TEST_CASE("an attempt without finished.json is lost, whatever its log says") {
  CollectScene scene;
  scene.started();
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::lost);
  CHECK(attempt.failure.starts_with("it recorded no end: its wrapper was killed, or its node is gone"));
}

TEST_CASE("an attempt of this machine that recorded no end lost its wrapper, or its machine was booted") {
  CollectScene scene;
  const ProcessIdentity self = this_process();
  const auto begun = [&](const std::string& boot, double started_s) {
    scene.file("started.json", R"({"host":")" + host_name() +
                                   R"(","pid":4000000,"start_ticks":1,"boot_id":")" + boot +
                                   R"(","space":")" + self.pid_space + R"(","started_s":)" +
                                   std::to_string(started_s) + R"(,"load_before":0})");
    return scene.collected().failure;
  };
  CHECK(begun(self.boot, now_s()).starts_with("its wrapper was killed before it recorded an end"));
  CHECK(begun("another", 978307200).starts_with(host_name() + " was booted again before it recorded an end"));
}

TEST_CASE("an attempt that an orchestrator gave up before it began has no beginning") {
  CollectScene scene;
  scene.file("job.sh", "");
  REQUIRE(abandon_unstarted(scene.temporary.path / "hpl/attempt-1"));
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::lost);
  CHECK(attempt.started_s == 0);
  CaseRecord record{scene.planned};
  record.attempts = {attempt};
  CHECK(failed_attempts(MeasuredCase(record)).empty());
}

TEST_CASE("a job that printed nothing is a failure with the end of stderr") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":1,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", "");
  scene.file("stderr.log", "starting\nHPL.dat:6: N must be a whole number\n\n");
  const AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 1);
  CHECK_FALSE(attempt.results[0].parsed.complete);
  CHECK(attempt.failure.find("exit code 1") == 0);
  CHECK(attempt.failure.find("HPL.dat:6: N must be a whole number") != std::string::npos);
}

TEST_CASE("a long log is kept as head and tail, and its hash is of the whole") {
  CollectScene scene;
  scene.started();
  scene.planned.parser = "";
  std::string log;
  for (int i = 0; i < 5000; ++i) log += "line " + std::to_string(i) + "\n";
  scene.file("stdout.log", log);
  for (const FileRecord& file : scene.collected().files) {
    if (file.name != "stdout.log") continue;
    CHECK(file.excerpt.size() < 13000);
    CHECK(file.excerpt.starts_with("line 0\n"));
    CHECK(file.excerpt.ends_with("line 4999\n"));
    CHECK(file.excerpt.find("lines omitted") != std::string::npos);
    CHECK(file.sha256 == sha256(log));
  }
}

TEST_CASE("what a repeat by hand left behind is no evidence") {
  CollectScene scene;
  scene.started();
  REQUIRE(make_folder(scene.temporary.path / "hpl/attempt-1/by-hand-abc"));
  scene.file("by-hand-abc/stdout.log", "x");
  for (const FileRecord& file : scene.collected().files)
    CHECK(file.name.find("by-hand") == std::string::npos);
}

TEST_CASE("a result file with a date in its name is found by its pattern, and the evidence names it") {
  CollectScene scene;
  scene.planned.result_file = "HPL_*.out";
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", "nothing here\n");
  scene.file("HPL_2026.out", collect_fixture("reference-passed.out"));
  const AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.results[0].validity == Validity::valid);
  CHECK(attempt.results[0].file == "HPL_2026.out");
  CHECK(attempt.results[0].parsed.warnings.empty());

  scene.file("HPL_2027.out", collect_fixture("reference-passed.out"));
  REQUIRE(scene.collected().results.size() == 1);
  CHECK(scene.collected().results[0].parsed.warnings.size() == 1);
}

TEST_CASE("a result file that is not there is the reason that there is no result") {
  CollectScene scene;
  scene.planned.result_file = "HPL_*.out";
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  const AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 1);
  CHECK(attempt.failure == "HPL_*.out: cannot open: No such file or directory");
}

TEST_CASE("a result file that is a folder gives the results of the logs in it") {
  CollectScene scene;
  scene.planned.result_file = "results";
  scene.started();
  REQUIRE(make_folder(scene.temporary.path / "hpl/attempt-1/results"));
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("results/notes.txt", "no log\n");
  scene.file("results/run.out", collect_fixture("reference-two-problems.out"));
  const AttemptRecord attempt = scene.collected();
  REQUIRE(attempt.results.size() == 2);
  CHECK(attempt.results[0].file == "results/run.out");
}

namespace {

const RuleResult* find_rule(const AttemptRecord& attempt, std::string_view id) {
  for (const RuleResult& rule : attempt.results.at(0).rules)
    if (rule.id == id) return &rule;
  return nullptr;
}

}  // namespace

TEST_CASE("what the nodes said of themselves is held against the settings that they were delivered with") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  NodeState node;
  node.node = "n1";
  node.readings = {{"", "thp", "always", "always"}};
  scene.file("node-n1.json", node_state_json(node));
  const std::vector<ExpectedSetting> settings = {{"thp", "never"}};
  const AttemptPlace place{scene.temporary.path, &scene.planned, 1};
  const AttemptRecord attempt = collected_attempt(place, scene.inventory, settings);
  REQUIRE(attempt.nodes.size() == 1);
  CHECK(attempt.nodes[0] == node);
  REQUIRE(find_rule(attempt, "COND-02") != nullptr);
  CHECK(find_rule(attempt, "COND-02")->text == "n1: thp is always, not never");
  CHECK(attempt.results[0].validity == Validity::invalid);
  CHECK(scene.collected().results.at(0).validity == Validity::valid);
}

TEST_CASE("a node that said nothing, or half of it, leaves the rules of its conditions unknown") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  SECTION("nothing") {}
  SECTION("a file that was cut") {
    scene.file("node-n1.json", R"({"schema":"shakedown.node/1","nod)");
  }
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.nodes.empty());
  for (const char* id : {"COND-01", "COND-03", "COND-04"}) {
    REQUIRE(find_rule(attempt, id) != nullptr);
    CHECK(find_rule(attempt, id)->status == RuleStatus::unknown);
  }
  CHECK(attempt.results[0].validity == Validity::valid);
}

TEST_CASE("of an attempt's environment the campaign keeps what neither its case nor its job set") {
  CollectScene scene;
  scene.planned.environment = {{"OMP_NUM_THREADS", std::string("2")}};
  scene.file("environment.json", environment_json({{{"n1", "kernel", "6.1"},
                                                    {"n1", "environment OMP_NUM_THREADS", "2"},
                                                    {"n1", "environment OMP_PLACES", "cores"},
                                                    {"n1", "environment SLURM_JOB_ID", "7"}},
                                                   {}}));
  const auto kept = lasting_environment({scene.temporary.path, &scene.planned, 1});
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].name == "kernel");
  CHECK(kept[1].name == "environment OMP_PLACES");
}

TEST_CASE("an attempt that a person stopped says who and when, in place of what a batch system says") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"interrupted","signal":15,"started_s":100,"finished_s":110,"wall_s":10})");
  CHECK(scene.collected().failure.starts_with("stopped on request"));
  scene.file("stopped.json",
             R"({"by":"alice","host":"login1","how":"shakedown cancel","at":"2026-11-21T18:05:09Z"})");
  // What the program warned of is not why it was stopped.
  scene.file("stderr.log", "OpenBLAS Warning : error: the number of CPUs exceeds the precompiled limit\n");
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.failure.find("OpenBLAS") == std::string::npos);
  CHECK(attempt.failure.starts_with("stopped by alice on login1 at 2026-11-21T18:05:09Z (shakedown cancel)"));
  CHECK(attempt.failure_kind == FailureKind::cancelled);
}

TEST_CASE("an attempt whose job was cancelled with its wrapper is cancelled, not lost") {
  CollectScene scene;
  scene.started();
  CHECK(scene.collected().state == AttemptState::lost);
  SECTION("by shakedown cancel") {
    scene.file("stopped.json",
               R"({"by":"alice","host":"login1","how":"shakedown cancel","at":"2026-11-21T18:05:09Z"})");
    CHECK(scene.collected().failure.starts_with("stopped by alice on login1"));
  }
  SECTION("by somebody, as the scheduler knows") {
    scene.file("scheduler.json", R"({"state":"CANCELLED","end":"cancelled","by":"user 7"})");
  }
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::cancelled);
  CHECK(attempt.failure_kind == FailureKind::cancelled);
  CHECK(attempt_state(to_string(attempt.state)) == attempt.state);
}

TEST_CASE("an attempt whose job was cancelled before it began is cancelled, and nobody stopped it") {
  CollectScene scene;
  scene.file("job.sh", "");
  REQUIRE(abandon_unstarted(scene.temporary.path / "hpl/attempt-1"));
  scene.file("scheduler.json", R"({"state":"CANCELLED","end":"cancelled","by":"user 7"})");
  const AttemptRecord attempt = scene.collected();
  CHECK(attempt.state == AttemptState::cancelled);
  CHECK(attempt.failure.starts_with("never started: "));
  CHECK(never_began(attempt));
  CHECK_FALSE(stopped_by_hand(attempt));
}

TEST_CASE("an attempt that ended by itself before it was stopped is not called stopped") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":100,"finished_s":110,"wall_s":10})");
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  scene.file("stopped.json", R"({"by":"alice","host":"login1","how":"Ctrl-C","at":"2026-11-21T18:05:09Z"})");
  CHECK(scene.collected().failure.empty());
}

namespace {

constexpr const char* failed_json =
    R"({"state":"finished","exit_code":1,"started_s":100.0,"finished_s":101.0,"wall_s":1.0})";

bool quotes(const AttemptRecord& attempt, std::string_view word) {
  if (attempt.failure.find(word) != std::string::npos) return true;
  return std::ranges::any_of(
      attempt.files, [&](const FileRecord& file) { return file.excerpt.find(word) != std::string::npos; });
}

}  // namespace

TEST_CASE("where the values of secrets are gone, no program is quoted") {
  CollectScene scene;
  scene.planned.environment = {{"HF_TOKEN", "(secret)"}};
  scene.started();
  scene.file("finished.json", failed_json);
  scene.file("job.sh", "exec xhpl\n");
  scene.file("stderr.log", "cannot log in: planted-token-01 refused\n");
  const AttemptRecord attempt = scene.collected();
  CHECK_FALSE(quotes(attempt, "planted"));
  CHECK(attempt.failure.starts_with("exit code 1"));
  const auto job = std::ranges::find(attempt.files, std::string(job_script_file), &FileRecord::name);
  REQUIRE(job != attempt.files.end());
  CHECK(job->excerpt == "exec xhpl\n");
  scene.file("stderr.log", "CUDA error: planted-token-01 refused, out of memory\n");
  CHECK_FALSE(quotes(scene.collected(), "planted"));

  REQUIRE(write_secrets(scene.temporary.path, std::vector<Secret>{{"HF_TOKEN", 1, "", "planted-token-01"}}));
  scene.file("stderr.log", "cannot log in: planted-token-01 refused\n");
  CHECK(scene.collected().failure.ends_with("stderr.log: 'cannot log in: (secret) refused'"));
  CHECK_FALSE(quotes(scene.collected(), "planted"));
}

TEST_CASE("a secret is masked before what quotes it is cut") {
  CollectScene scene;
  scene.planned.environment = {{"HF_TOKEN", "(secret)"}};
  REQUIRE(write_secrets(scene.temporary.path, std::vector<Secret>{{"HF_TOKEN", 1, "", "planted-token-01"}}));
  scene.started();
  scene.file("finished.json", failed_json);
  for (const int before : {140, 155, 280, 295, 5990, 5995, 6005}) {
    const std::string filler(static_cast<size_t>(before), '.');
    INFO(before);
    for (const char* secret : {"planted-token-01", "https://me:planted-password@host/"}) {
      scene.file("stderr.log", filler + secret + std::string(20'000, '-') + "\n");
      CHECK_FALSE(quotes(scene.collected(), "lant"));
      scene.file("stderr.log", std::string(20'000, '-') + secret + filler);
      CHECK_FALSE(quotes(scene.collected(), "ord@"));
      CHECK_FALSE(quotes(scene.collected(), "n-01"));
      scene.file("stderr.log", "CUDA error: out of memory " + filler + secret + "\n");
      CHECK_FALSE(quotes(scene.collected(), "lant"));
    }
  }
}

TEST_CASE("an attempt's job is a folder of its campaign, whatever place.json says") {
  CollectScene scene;
  const auto elsewhere = scene.temporary.path / "elsewhere";
  REQUIRE(make_folder(elsewhere));
  const std::string log = "srun: error: Task launch for StepId=1.1 failed on node n1: planted\n";
  REQUIRE(write_file(elsewhere / "slurm.log", log));
  REQUIRE(make_folder(scene.temporary.path / "jobs/job-1"));
  REQUIRE(write_file(scene.temporary.path / "jobs/job-1/slurm.log", log));
  REQUIRE(write_file(scene.temporary.path / "slurm.log", log));
  scene.file("scheduler.json", R"({"state":"lost"})");
  scene.file("place.json", R"({"job":"job-1","hosts":"n1"})");
  CHECK(scene.collected().failure == "never started: srun could not start it on n1: planted");
  for (const std::string& job : {std::string("../elsewhere"), elsewhere.string(), std::string(".."),
                                 std::string("job-1/../../elsewhere")}) {
    INFO(job);
    scene.file("place.json", R"({"job":")" + job + R"(","hosts":"n1"})");
    CHECK(scene.collected().job.empty());
    CHECK(scene.collected().failure.find("planted") == std::string::npos);
  }
}

TEST_CASE("what holds a result against screens is left to judging: which of them count is known then") {
  CollectScene scene;
  scene.started();
  scene.file("finished.json",
             R"({"state":"finished","exit_code":0,"started_s":1,"finished_s":2,"wall_s":1})");
  scene.file("stdout.log", collect_fixture("reference-passed.out"));
  const AttemptRecord attempt = scene.collected();
  REQUIRE(find_rule(attempt, "HPL-07d") != nullptr);
  CHECK(find_rule(attempt, "HPL-07d")->status == RuleStatus::unknown);
  CHECK(find_rule(attempt, "HPL-07d")->text == "judged with the campaign, by its reference runs that count");
}
