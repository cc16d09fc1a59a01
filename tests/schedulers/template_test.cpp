// Schedulers by a description, against a batch system of shell and files: its jobs are processes.
#include <signal.h>

#include <catch2/catch.hpp>

#include "batch_job.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/schedulers/template_words.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;
using Phase = JobState::Phase;

namespace {

// queue/N holds a job: its name, its pid, its state. A file `hold` stops jobs from beginning, `refuse` holds
// the message with which submit refuses them.
constexpr const char* fake = R"sh(#!/bin/sh
cd "${0%/*}" || exit
verb=$1
shift
case $verb in
submit)
  [ ! -f refuse ] || { cat refuse >&2; exit 1; }
  n=$(($(ls queue | wc -l) + 1))
  mkdir "queue/$n"
  echo "$1" >"queue/$n/name"
  echo "$*" >"queue/$n/words"
  for script; do :; done
  if [ -f hold ]; then echo held >"queue/$n/state"; else
    echo runs >"queue/$n/state"
    at=$PWD/queue/$n
    setsid sh -c 'trap : TERM USR2; sh "$1"; echo $? >"$2/code"; rm "$2/state"' sh "$script" "$at" >/dev/null 2>&1 &
    echo $! >"$at/pid"
  fi
  [ ! -f silent ] || { sleep 0.2; kill -9 $$; }
  echo "Welcome! Job <$n> was taken." ;;
queue)
  for n; do
    if [ -d "queue/$n" ]; then [ ! -f "queue/$n/state" ] || echo "$n $(cat "queue/$n/state") (why: $(cat why 2>/dev/null))"
    else echo "no job $n"; fail=1; fi
  done
  exit ${fail-0} ;;
record) echo "job $1"; echo "  code=$(cat "queue/$1/code")" ;;
find) for n in $(ls queue); do [ "$(cat "queue/$n/name")" != "$1" ] || echo "number $n"; done ;;
end) echo end >>"queue/$1/orders"; kill -TERM "-$(cat "queue/$1/pid")" || rm "queue/$1/state" ;;
nodes) echo "cn1 up"; echo "cn[2-3] down"; echo "cn5 asleep" ;;
esac
)sh";

std::string description(const fs::path& folder) {
  const std::string program = (folder / "fake").string();
  return R"(title = "files"
tested = "run-here"
[submit]
command = [")" +
         program + R"( submit", "{name}", "-p {partition}", "{options}", "{script}"]
id = '^Welcome! Job <([0-9]+)>'
later = ['is full']
[find]
command = [")" +
         program + R"( find", "{name}"]
id = '^number ([0-9]+)'
[poll]
command = [")" +
         program + R"( queue", "{ids}"]
fields = ["id", "state", "reason"]
record = '^([0-9]+) ([a-z]+) \(why: (.*)\)$'
unknown = '^no job'
pending = ["held"]
running = ["runs"]
[poll.withdrawn]
stuck = "failed"
[after]
no_record = "cancelled"
command = [")" +
         program + R"( record", "{id}"]
[[after.ends]]
match = 'code=0'
end = "completed"
[[after.ends]]
match = 'code=[1-9]'
end = "failed"
[cancel]
command = [")" +
         program + R"( end", "{id}"]
[nodes]
command = [")" +
         program + R"( nodes"]
record = '^([^ ]+) ([a-z]+)$'
out = 'down|asleep'
back = '^asleep$'
)";
}

struct Bench {
  TemporaryFolder folder;
  Site site;
  std::unique_ptr<Scheduler> scheduler;

  Bench() {
    fs::create_directories(folder.path / "queue");
    put("fake", fake);
    fs::permissions(folder.path / "fake", fs::perms::owner_all);
    put("files.toml", description(folder.path));
    scheduler = made();
  }
  [[nodiscard]] std::unique_ptr<Scheduler> made() const {
    auto result = make_scheduler((folder.path / "files.toml").string(), {site, {}});
    INFO((result ? "" : to_string(result.error())));
    REQUIRE(result);
    return *std::move(result);
  }
  void put(const char* name, const std::string& text) const { REQUIRE(write_file(folder.path / name, text)); }
  [[nodiscard]] std::string read(const std::string& name) const {
    return file_content(folder.path / name).value_or("");
  }
  /// The state of a job by the batch system's answer now.
  [[nodiscard]] JobState asked(const Job& job, const std::string& id) const {
    const auto other = made();
    REQUIRE(other->adopt(job, id));
    return other->state(job, false);
  }
};

}  // namespace

TEST_CASE("a described batch system runs a job's attempts one behind the other") {
  Bench bench;
  const Job job =
      batch_job(bench.folder.path, {"echo one >>../../order; sleep 0.2", "echo two >>../../order"});
  REQUIRE(std::get<JobAccepted>(bench.scheduler->submit(job).value()).known_as == "1");
  CHECK(bench.asked(job, "1").phase == Phase::running);
  REQUIRE(appears(bench.folder.path / "queue/1/code", *bench.scheduler));
  CHECK(bench.read("order") == "one\ntwo\n");
  bench.scheduler->wait(0.1);
  const JobState job_state = bench.asked(job, "1");
  CHECK(job_state.phase == Phase::gone);
  CHECK(job_state.end == JobEnd::completed);
  CHECK(job_state.reason == "code=0");
}

TEST_CASE("a job that waits says so in the batch system's words") {
  Bench bench;
  bench.put("hold", "");
  bench.put("why", "no licence (2 of 3)");
  const Job job = batch_job(bench.folder.path, {"true"});
  REQUIRE(std::get<JobAccepted>(bench.scheduler->submit(job).value()).known_as == "1");
  const JobState job_state = bench.asked(job, "1");
  CHECK(job_state.phase == Phase::pending);
  CHECK(job_state.reason == "no licence (2 of 3)");
}

TEST_CASE("a full queue means later, any other refusal is of this job, in its own words") {
  Bench bench;
  const Job job = batch_job(bench.folder.path, {"true"});
  bench.put("refuse", "fake: the queue is full\n");
  CHECK(std::get<JobLater>(bench.scheduler->submit(job).value()).of == JobLater::Of::all);
  bench.put("refuse", "fake: no account 'x'\n");
  CHECK(std::get<JobNever>(bench.scheduler->submit(job).value()).refusal.what == "fake: no account 'x'");
  CHECK(fs::exists(job.folder / "batch.sh"));  // it can be looked at
  // A batch system that took others may take it later.
  fs::remove(bench.folder.path / "refuse");
  bench.put("hold", "");
  REQUIRE(
      std::get<JobAccepted>(bench.scheduler->submit(batch_job(bench.folder.path / "other", {"true"})).value())
          .known_as == "1");
  bench.put("refuse", "fake: no account 'x'\n");
  const auto later = std::get<JobLater>(bench.scheduler->submit(job).value());
  CHECK(later.of == JobLater::Of::unknown);
  CHECK(later.words == "fake: no account 'x'");
}

TEST_CASE("options without a value are left out, values with blanks stay one word") {
  Bench bench;
  bench.put("hold", "");
  bench.site.scheduler_options = {"--note", "two words"};
  bench.scheduler = bench.made();
  const Job job = batch_job(bench.folder.path / "in a folder", {"true"});
  REQUIRE(bench.scheduler->submit(job));
  const std::string name = "shakedown-2026-11-21-cluster-job-1-" + sha256(job.folder.string()).substr(0, 8);
  const std::string script = (job.folder / "batch.sh").string();
  CHECK(bench.read("queue/1/words") == name + " --note two words " + script + "\n");
  bench.site.partition = "gpu";
  REQUIRE(bench.made()->submit(job));
  CHECK(bench.read("queue/2/words") == name + " -p gpu --note two words " + script + "\n");
}

TEST_CASE("a cancelled job ends the attempt politely and begins no other") {
  Bench bench;
  const Job job = batch_job(bench.folder.path,
                            {"trap 'echo reported >>../../reported; exit 7' TERM; echo >up; sleep 30 & wait",
                             "echo two >>../../reported"});
  REQUIRE(bench.scheduler->submit(job));
  REQUIRE(appears(bench.folder.path / "case-1/attempt-1/up", *bench.scheduler));
  bench.scheduler->end(job, /*at_once=*/false);
  REQUIRE(appears(bench.folder.path / "queue/1/code", *bench.scheduler));
  CHECK(bench.read("reported") == "reported\n");
}

TEST_CASE("a signal that the script alone gets is passed on as SIGTERM") {
  Bench bench;
  const std::string line = "trap 'echo reported >reported; exit 7' TERM; echo >up; sleep 30 & wait";
  const Job job = batch_job(bench.folder.path, {line, "echo two >two"});
  REQUIRE(bench.scheduler->submit(job));
  REQUIRE(appears(bench.folder.path / "case-1/attempt-1/up", *bench.scheduler));
  // Grid Engine's qdel -notify: SIGUSR2 for all processes of the job.
  REQUIRE(::kill(-std::stoi(bench.read("queue/1/pid")), SIGUSR2) == 0);
  REQUIRE(appears(bench.folder.path / "queue/1/code", *bench.scheduler));
  CHECK(fs::exists(bench.folder.path / "case-1/attempt-1/reported"));
  CHECK_FALSE(fs::exists(bench.folder.path / "case-2/attempt-1/two"));
}

TEST_CASE("a job whose submission was cut short is found by its name") {
  Bench bench;
  bench.put("silent", "");
  const Job job = batch_job(bench.folder.path, {"sleep 5"});
  CHECK(std::get<JobAccepted>(bench.scheduler->submit(job).value()).known_as == "1");
  CHECK(bench.made()->adopt(job, "") == Result<bool>(true));  // the orchestrator died before it noted the id
  const Job other = batch_job(bench.folder.path, {"true"}, "job-2");
  CHECK(bench.made()->adopt(other, "") == Result<bool>(false));
}

TEST_CASE("a job that no queue knows is gone, and a queue that does not answer says nothing of it") {
  Bench bench;
  const Job job = batch_job(bench.folder.path, {"true"});
  CHECK(bench.made()->adopt(job, "77") == Result<bool>(false));
  bench.put("fake", "#!/bin/sh\necho cannot connect >&2\nexit 1\n");
  fs::permissions(bench.folder.path / "fake", fs::perms::owner_all);
  const auto adopted = bench.scheduler->adopt(job, "1");
  REQUIRE_FALSE(adopted);
  CHECK(adopted.error().what == "cannot connect");
  CHECK(bench.scheduler->state(job, true).phase == Phase::pending);
}

TEST_CASE("a job that can't begin by itself is withdrawn") {
  Bench bench;
  bench.put("hold", "");
  const Job job = batch_job(bench.folder.path, {"true"});
  REQUIRE(bench.scheduler->submit(job));
  bench.put("queue/1/state", "stuck");
  bench.put("queue/1/pid", "none");
  const JobState job_state = bench.asked(job, "1");
  CHECK(job_state.phase == Phase::gone);
  CHECK(job_state.end == JobEnd::failed);
  CHECK(bench.read("queue/1/orders") == "end\n");
}

TEST_CASE("a job is taken out of the queue only while it waits there") {
  Bench bench;
  bench.put("hold", "");
  const Job job = batch_job(bench.folder.path, {"true"});
  REQUIRE(bench.scheduler->submit(job));
  bench.put("queue/1/pid", "none");
  bench.put("queue/1/state", "runs");
  bench.scheduler->withdraw(job);
  CHECK(bench.read("queue/1/orders").empty());
  bench.put("queue/1/state", "held");
  bench.scheduler->withdraw(job);
  CHECK(bench.read("queue/1/orders") == "end\n");
}

TEST_CASE("a job that vanishes while it waits was cancelled where the batch system keeps no record of that") {
  const Bench bench;
  bench.put("hold", "");
  const Job job = batch_job(bench.folder.path, {"true"});
  REQUIRE(bench.scheduler->submit(job));
  CHECK(bench.scheduler->adopt(job, "1") == Result<bool>(true));
  fs::remove(bench.folder.path / "queue/1/state");
  CHECK(bench.scheduler->adopt(job, "1") == Result<bool>(false));
  JobState job_state = bench.scheduler->state(job, true);
  CHECK(job_state.end == JobEnd::unknown);  // a record may come late
  for (int i = 0; i < 10 && job_state.end == JobEnd::unknown; ++i) {
    bench.scheduler->wait(1);
    job_state = bench.scheduler->state(job, true);
  }
  CHECK(job_state.end == JobEnd::cancelled);
}

TEST_CASE("nodes that the batch system has out take no jobs") {
  const Bench bench;
  const std::vector<std::string> hosts = {"cn1", "cn2", "cn3.cluster", "cn4", "cn5"};
  const auto nodes = bench.scheduler->nodes(hosts);
  REQUIRE(nodes);
  CHECK((*nodes)[0].kind == SchedulerNode::Kind::idle);
  CHECK((*nodes)[1] == SchedulerNode{"cn2", SchedulerNode::Kind::out, "down", {}, true});
  CHECK((*nodes)[2].kind == SchedulerNode::Kind::out);
  CHECK((*nodes)[3].kind == SchedulerNode::Kind::idle);
  CHECK((*nodes)[4] ==
        SchedulerNode{"cn5", SchedulerNode::Kind::out, "asleep", {}, false});  // it will be back
}

TEST_CASE("a job that has our job's id and another's name is left alone") {
  Bench bench;
  bench.put("other", R"sh(#!/bin/sh
case $1 in
queue) echo "$2 runs $(cat "${0%/*}/name")" ;;
record) echo code=1 ;;
end) echo "$2" >>"${0%/*}/ended" ;;
*) exit 1 ;;
esac
)sh");
  fs::permissions(bench.folder.path / "other", fs::perms::owner_all);
  const std::string program = (bench.folder.path / "other").string();
  bench.put("files.toml",
            "title = \"names\"\ntested = \"run-here\"\n"
            "[submit]\ncommand = [\"" +
                program +
                " submit\"]\nid = '([0-9]+)'\n"
                "[poll]\ncommand = [\"" +
                program +
                " queue\", \"{ids}\"]\n"
                "fields = [\"id\", \"state\", \"name\"]\nrecord = '^([0-9]+) ([a-z]+) (.*)$'\n"
                "running = [\"runs\"]\n"
                "[after]\ncommand = [\"" +
                program +
                " record\", \"{id}\"]\n"
                "[[after.ends]]\nmatch = 'code=1'\nend = \"failed\"\n"
                "[cancel]\ncommand = [\"" +
                program + " end\", \"{id}\"]\n");
  const Job job = batch_job(bench.folder.path, {"true"});
  const std::string name = template_names(job).front();

  bench.put("name", name.substr(0, 12));  // as tables cut it
  auto scheduler = bench.made();
  CHECK(scheduler->adopt(job, "7") == Result<bool>(true));
  scheduler->end(job, false);
  CHECK(bench.read("ended") == "7\n");

  bench.put("name", "another");
  scheduler->end(job, false);
  CHECK(bench.read("ended") == "7\n");
  CHECK(scheduler->state(job, false).phase == JobState::Phase::gone);
  scheduler = bench.made();
  CHECK(scheduler->adopt(job, "7") == Result<bool>(false));
  // What is recorded of the id is not of our job.
  CHECK(scheduler->state(job, true).end == JobEnd::unknown);
}
