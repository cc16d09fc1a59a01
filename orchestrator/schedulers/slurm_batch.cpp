#include "orchestrator/schedulers/slurm_batch.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr double step_margin_s = 30;  // for the start and the end of an attempt, beside its own limit
constexpr double job_margin_s = 120;  // for those of the job

/// "D-HH:MM:SS" rounded up to minutes, which is what Slurm counts in.
std::string slurm_time(double seconds) {
  const auto minutes = static_cast<long>(std::ceil(seconds / 60));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

void add(std::vector<std::string>& argv, const char* option, const std::string& value) {
  if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
}

/// A comment stays one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

constexpr std::string_view prologue = R"sh(#!/bin/sh
# {} of campaign {}. Submitted by:
#   {}
# Each attempt's job.sh claims its folder first: what has begun once does not begin again.
trap : TERM  # an attempt that is ended says so itself; this script waits for it
in_place() {{  # FOLDER...: the attempts of a lane whose launcher finds its nodes, or of the only lane
  for folder; do sh "$folder/job.sh" --attempt; done
}}
among_others() {{  # NODE FOLDER...: the attempts of a lane of one node
  node=$1
  shift
  for folder; do
    srun --nodes=1 --ntasks=1 --nodelist="$node" --cpus-per-task="${{SLURM_CPUS_ON_NODE:-1}}" --mem=0 --overlap \
      --kill-on-bad-exit=1 --cpu-bind=none --gpu-bind=none --mpi=none --input=none \
      sh -c "$outside_slurm" sh "$folder/job.sh" --attempt
  done
}}
# What mpirun would take for the order to start on the job's first node, which need not be this one.
outside_slurm='for name in $(env | sed -n "s/^\(SLURM_[A-Z0-9_]*\)=.*/\1/p"); do unset "$name"; done; exec sh "$@"'
)sh";

}  // namespace

std::string slurm_job_name(const Job& job) {
  // Campaigns of two workspaces may have one name.
  return fmt::format("shakedown-{}-{}-{}", job.campaign, job.id, sha256(job.folder.string()).substr(0, 8));
}

std::vector<std::string> sbatch_arguments(const Job& job, const Site& site) {
  const std::vector<std::string> hosts = job.hosts();
  std::vector<std::string> argv = {"--parsable"};
  add(argv, "job-name", slurm_job_name(job));
  add(argv, "partition", site.partition);
  add(argv, "account", site.account);
  add(argv, "qos", site.qos);
  add(argv, "reservation", site.reservation);
  add(argv, "constraint", site.constraint);
  add(argv, "nodes", std::to_string(hosts.size()));
  add(argv, "nodelist", folded_hostlist(hosts));
  argv.insert(argv.end(), {"--exclusive", "--mem=0", "--no-requeue"});
  if (job.lanes.size() > 1) argv.emplace_back("--no-kill");
  if (const double limit_s = job.time_limit_s(step_margin_s); limit_s > 0)
    add(argv, "time", slurm_time(limit_s + job_margin_s));
  add(argv, "chdir", job.folder.string());
  // Relative to that folder: in a path of ours '%' and '\' would be patterns.
  add(argv, "output", "slurm.log");
  argv.emplace_back("--open-mode=append");
  argv.insert(argv.end(), site.slurm_options.begin(), site.slurm_options.end());
  argv.push_back((job.folder / "batch.sh").string());
  return argv;
}

std::string slurm_batch_script(const Job& job, const Site& site) {
  std::string submission = "sbatch";
  for (const std::string& word : sbatch_arguments(job, site)) submission += " " + shell_quoted(word);
  std::string script = fmt::format(prologue, one_line(job.id), one_line(job.campaign), one_line(submission));
  const bool several = job.lanes.size() > 1;
  for (const JobLane& lane : job.lanes) {
    const bool in_place = !several || std::ranges::all_of(lane.steps, &JobStep::from_anywhere);
    std::string line = in_place ? "in_place" : "among_others " + shell_quoted(lane.hosts.front());
    for (const JobStep& step : lane.steps) line += " " + shell_quoted(step.folder.string());
    script += line + (several ? " &\n" : "\n");
  }
  if (several) script += "wait\n";
  return script;
}

}  // namespace shakedown
