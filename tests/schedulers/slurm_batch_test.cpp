#include "orchestrator/schedulers/slurm_inquiry.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

const fs::path fixtures = fs::path(TEST_FOLDER) / "fixtures/slurm";

Job job_in(const fs::path& campaign) {
  Job job;
  job.id = "job-7";
  job.campaign = "2026-11-21-cluster";
  job.folder = campaign / "jobs/job-7";
  return job;
}

JobStep step_of(const fs::path& campaign, const std::string& id, double limit_s) {
  return {id, 1, campaign / id / "attempt-1", limit_s};
}

struct Golden {
  std::string name;
  Job job;
  Site site;
};

std::vector<Golden> representative_jobs() {
  const fs::path campaign = "/lustre/acceptance/campaigns/2026-11-21-cluster";
  Job one = job_in(campaign);
  one.lanes = {{{"cn001"}, {step_of(campaign, "gemm-1n", 290)}}};

  Job lanes = job_in(campaign);
  for (const char* host : {"cn001", "cn002", "cn007"}) {
    const std::string name = host;
    lanes.lanes.push_back(
        {{name}, {step_of(campaign, "stream-" + name, 120), step_of(campaign, "hpl-" + name, 1810)}});
  }

  Job wide = job_in(campaign);
  JobStep step = step_of(campaign, "hpl-nvidia-4n", 90'000);
  step.from_anywhere = true;
  wide.lanes = {{{"cn001", "cn002", "cn003", "cn004"}, {step}}};
  Site site;
  site.partition = "gpu";
  site.account = "acceptance";
  site.qos = "high";
  site.reservation = "maintenance";
  site.constraint = "h100&ib";
  site.slurm_options = {"--gpus-per-node=8", "--comment=it's ours"};

  const fs::path nasty = "/data/it's \"$(touch x)\" `id`\n#SBATCH --wrap=x\\ %j ü";
  Job quoted = job_in(nasty);
  quoted.campaign = "2026-11-21-$(id)";
  quoted.lanes = {{{"cn001"}, {step_of(nasty, "a", 0)}}, {{"cn002"}, {step_of(nasty, "b", 0)}}};
  return {{"one-lane", one, {}},
          {"three-lanes", lanes, {}},
          {"srun-on-four-nodes", wide, site},
          {"nasty-paths", quoted, {}}};
}

/// The options of sbatch and srun in a script: "srun --mem". They may span several lines, and srun may follow
/// other words of the shell; what follows a program that srun starts is not srun's.
std::set<std::string> options_in(std::string_view script) {
  std::set<std::string> options;
  std::string program;
  for (const std::string_view line : split(script, '\n')) {
    const bool comment = line.starts_with('#');
    for (const std::string_view word : words(line)) {
      if (word == (comment ? "sbatch" : "srun")) program = word;
      if (word == "sh") program.clear();
      const size_t when = word.find(":+--");  // "${cpus:+--cpus-per-task=...}": an option that holds at times
      const size_t begin = when != word.npos ? when + 2 : word.starts_with("'--") ? 1 : 0;
      if (program.empty() || !word.substr(begin).starts_with("--")) continue;
      const std::string_view option = word.substr(begin);
      options.insert(program + " " + std::string(option.substr(0, option.find_first_of("='}"))));
    }
    if (!line.ends_with('\\')) program.clear();
  }
  return options;
}

}  // namespace

TEST_CASE("options are seen wherever a script has them") {
  CHECK(options_in("#   sbatch '--chdir=/a b' --wrap\n"
                   "until srun --nodes=1 --mem=0 \\\n"
                   "  ${x:+--whole} --mpi=none sh -c \"$x\" sh --attempt; do\n"
                   "echo --no-option\n"
                   "    srun --overlap true\n") ==
        std::set<std::string>{"sbatch --chdir", "sbatch --wrap", "srun --nodes", "srun --mem", "srun --mpi",
                              "srun --overlap", "srun --whole"});
}

TEST_CASE("one batch script serves Slurm 22.05, 23.11, 24.05 and 25.05") {
  for (const Golden& each : representative_jobs()) {
    INFO(each.name);
    const std::string script = slurm_batch_script(each.job, each.site);
    const fs::path path = fixtures / (each.name + ".sh");
    if (std::getenv("UPDATE_GOLDEN") != nullptr) REQUIRE(write_file(path, script));
    const auto golden = file_content(path);
    REQUIRE(golden);
    CHECK(script == *golden);
  }
}

TEST_CASE("an option that the batch scripts use was looked up in the manual pages of these versions") {
  const auto checked = file_content(fixtures / "options.txt");
  REQUIRE(checked);
  std::set<std::string> known;
  for (const std::string_view line : split(*checked, '\n'))
    if (!line.starts_with('#') && !line.empty()) known.emplace(line);
  std::set<std::string> used;
  for (const Golden& each : representative_jobs()) {
    if (each.name == "nasty-paths") continue;  // its folders look like options
    Site site = each.site;
    site.slurm_options.clear();  // the site's own matter
    used.merge(options_in(slurm_batch_script(each.job, site)));
  }
  CHECK(used == known);
}

TEST_CASE("the script names each folder in quotes that no shell opens") {
  const Golden nasty = representative_jobs().back();
  const std::string script = slurm_batch_script(nasty.job, nasty.site);
  for (const JobLane& lane : nasty.job.lanes)
    CHECK(script.find(" " + shell_quoted(lane.steps.front().folder.string())) != std::string::npos);
  // sbatch reads directives up to the first line that is no comment.
  for (const std::string_view line : split(script, '\n')) {
    if (!line.starts_with('#')) break;
    CHECK_FALSE(line.starts_with("#SBATCH"));
  }
}

namespace {

/// Runs a job's batch script where srun is a stub: `srun` is its shell line, with the words behind srun's
/// options as its own. `beside` runs beside it, with its pid. Returns what its attempts wrote into `log`.
std::string run_script(const fs::path& folder, const Job& job, const std::string& srun,
                       const std::string& beside) {
  const auto put = [&](const fs::path& path, const std::string& text) {
    REQUIRE(write_file(path, text));
    fs::permissions(path, fs::perms::owner_all);
  };
  fs::create_directories(job.folder);
  fs::create_directories(folder / "bin");
  put(folder / "bin/srun", "#!/bin/sh\nwhile [ \"${1#--}\" != \"$1\" ]; do shift; done\n" + srun + "\n");
  put(folder / "bin/scontrol", "#!/bin/sh\necho cn1\n");
  put(job.folder / "batch.sh", slurm_batch_script(job, {}));
  put(folder / "whole.sh", "cd '" + job.folder.string() + "' || exit\nPATH='" + (folder / "bin").string() +
                               "':$PATH SLURM_JOB_NODELIST=cn1 SLURM_JOB_CPUS_PER_NODE=2\n"
                               "export PATH SLURM_JOB_NODELIST SLURM_JOB_CPUS_PER_NODE\n"
                               "sh batch.sh >slurm.log 2>&1 & pid=$!\n" +
                               beside + "\nwait $pid; echo script ended >>'" + (folder / "log").string() +
                               "'\n");
  REQUIRE(std::system(("sh '" + (folder / "whole.sh").string() + "'").c_str()) == 0);
  return file_content(folder / "log").value();
}

/// Two lanes, of two attempts each, that note their begin and end; as a wrapper does they take their time to
/// end.
Job noting_job(const fs::path& folder, const std::string& sleep_s) {
  Job job = job_in(folder);
  for (const char* host : {"cn1", "cn2"}) {
    JobLane lane{{host}, {}};
    for (const char* name : {"a", "b"}) {
      const JobStep step = step_of(folder, std::string(name) + host, 60);
      fs::create_directories(step.folder);
      REQUIRE(
          write_file(step.folder / "job.sh",
                     "cd \"${0%/*}\"\n(set -C; echo '{\"pid\": '$$'}' >started.json) 2>/dev/null || exit 75\n"
                     "trap '' TERM\n"
                     "echo begin " +
                         std::string(name) + " >>../../log\nsleep " + sleep_s + "\necho end " + name +
                         " >>../../log\necho >finished.json\n"));
      lane.steps.push_back(step);
    }
    job.lanes.push_back(lane);
  }
  return job;
}

/// Shell words that wait until the first attempt of each lane has begun.
std::string both_begun(const fs::path& folder) {
  return "until [ \"$(grep -c 'begin a' '" + (folder / "log").string() +
         "' 2>/dev/null)\" = 2 ]; do sleep 0.05; done\n";
}

std::ptrdiff_t count_of(std::string_view log, std::string_view line) {
  return std::ranges::count(split(log, '\n'), line);
}

}  // namespace

TEST_CASE("a batch script waits for its lanes, whatever signals it and they are sent") {
  const TemporaryFolder folder;
  const std::string log =
      run_script(folder.path, noting_job(folder.path, "0.4"), "exec \"$@\"",
                 both_begun(folder.path) +
                     "for i in 1 2 3; do for signal in USR1 USR2 CONT HUP; do\n"
                     "kill -$signal $pid $(pgrep -P $pid) 2>/dev/null; done; sleep 0.05; done");
  INFO(log);
  CHECK(count_of(log, "end a") == 2);
  CHECK(count_of(log, "end b") == 2);
  CHECK(log.ends_with("script ended\n"));
}

TEST_CASE("a batch script that is ended waits for what runs, and begins nothing more") {
  const TemporaryFolder folder;
  const std::string log = run_script(
      folder.path, noting_job(folder.path, "0; until [ -e ../../ended ]; do sleep 0.1; done"), "exec \"$@\"",
      both_begun(folder.path) +
          "tree() { for each in $(pgrep -P $1); do tree $each; done; echo $1; }\n"
          "kill -TERM $(tree $pid) 2>/dev/null\nsleep 1\n: >'" +
          (folder.path / "ended").string() + "'");
  INFO(log);
  CHECK(count_of(log, "end a") == 2);
  CHECK(count_of(log, "begin b") == 0);
  CHECK(log.ends_with("script ended\n"));
}

TEST_CASE("attempts begin though srun gives up their step, and none beside one that runs all the same") {
  const TemporaryFolder folder;
  // The first of each lane runs late; the second never does.
  const std::string log =
      run_script(folder.path, noting_job(folder.path, "0.4"),
                 "for last; do :; done\n"
                 "if mkdir \"$last/late\" 2>/dev/null; then (sleep 1.2; exec \"$@\") & exit 1; fi\n"
                 "if mkdir \"$last/never\" 2>/dev/null; then exit 1; fi\nexec \"$@\"",
                 "");
  INFO(log);
  for (const char* line : {"begin a", "end a", "begin b", "end b"}) CHECK(count_of(log, line) == 2);
  CHECK(log.ends_with("script ended\n"));
}

TEST_CASE("a lane whose steps srun can never start ends") {
  const TemporaryFolder folder;
  CHECK(run_script(folder.path, noting_job(folder.path, "0"), "exit 1", "") == "script ended\n");
}

TEST_CASE("GPUs are asked for once: by the site's own words where it has any") {
  const fs::path campaign = "/data/c";
  Job job = job_in(campaign);
  job.lanes = {{{"cn1"}, {step_of(campaign, "a", 60)}}};
  job.gpus_per_node = 8;
  const auto asked = [&](const std::vector<std::string>& options) {
    Site site;
    site.slurm_options = options;
    const auto argv = sbatch_arguments(job, site);
    return std::ranges::count(argv, "--gpus-per-node=8");
  };
  CHECK(asked({}) == 1);
  for (const std::vector<std::string>& own :
       std::vector<std::vector<std::string>>{{"--gpus-per-node=8"},
                                             {"--gres=gpu:h100:8"},
                                             {"--gres", "gpu:8"},
                                             {"--tres-per-node=gres/gpu:8"},
                                             {"-G8"}}) {
    INFO(joined(own, " "));
    CHECK(asked(own) == (own.front() == "--gpus-per-node=8" ? 1 : 0));
  }
  for (const char* other : {"--gres=nvme:1", "--gres-flags=enforce-binding", "--comment=gpu"}) {
    INFO(other);
    CHECK(asked({other}) == 1);
  }
  job.gpus_per_node = 0;
  CHECK(asked({}) == 0);
}
