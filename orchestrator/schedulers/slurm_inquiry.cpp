#include "orchestrator/schedulers/slurm_inquiry.hpp"

#include <pwd.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/schedulers/batch_jobs.hpp"

namespace shakedown {
namespace {

/// What a command printed; empty where it failed.
std::string answer_to(const std::vector<std::string>& argv) {
  auto output = command_output(argv, answer_s);
  return output && output->exit_code == 0 ? std::move(output->text) : std::string();
}

}  // namespace

SlurmUser slurm_user() {
  passwd entry = {};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  const bool known = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0;
  return {known && found != nullptr ? found->pw_name : std::to_string(::geteuid()), ::geteuid() == 0};
}

Result<SlurmLimits> asked_slurm_limits() {
  const auto partitions = command_output({"scontrol", "show", "partition", "-o"}, answer_s);
  if (!partitions) return failure_of(partitions);
  if (partitions->exit_code != 0)
    return fail_environment("scontrol",
                            trimmed(partitions->text).empty()
                                ? fmt::format("exit code {}", partitions->exit_code)
                                : std::string(trimmed(partitions->text)),
                            "does Slurm answer here? try `sinfo`");
  SlurmLimits limits;
  limits.partitions = slurm_partitions(partitions->text);
  limits.reservations =
      slurm_reservations(answer_to({"env", "TZ=UTC", "scontrol", "show", "reservation", "-o"}));
  limits.configuration = slurm_configuration(answer_to({"scontrol", "show", "config"}));
  if (!limits.configuration.counts) return limits;
  std::vector<std::string> qos = sacctmgr_qos_arguments();
  std::vector<std::string> associations =
      sacctmgr_association_arguments(slurm_user().name, limits.configuration.cluster);
  for (std::vector<std::string>* argv : {&qos, &associations}) argv->insert(argv->begin(), "sacctmgr");
  limits.qos = slurm_qos(answer_to(qos));
  limits.associations = slurm_associations(answer_to(associations));
  return limits;
}

namespace {

/// "D-HH:MM:SS" of whole minutes.
std::string slurm_time(double seconds) {
  const auto minutes = static_cast<long>(seconds / 60);
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

void add(std::vector<std::string>& argv, const char* option, const std::string& value) {
  if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
}

/// A comment stays one line.
constexpr std::string_view prologue = R"sh(#!/bin/sh
# {} of campaign {}. Submitted by:
#   {}
# Each attempt's job.sh claims its folder first: an attempt that has started is not started again.
trap : HUP INT QUIT USR1 USR2 TERM  # this shell waits for its lanes, whatever it is sent
in_turn='ending=; trap : HUP INT QUIT USR1 USR2; trap ending=1 TERM  # an attempt that is ended says so itself
for folder; do
  [ -z "$ending" ] || break
  sh "$folder/job.sh" --attempt
  # 75: it has begun before, in a step that srun gave up: while that runs, nothing begins beside it.
  [ $? = 75 ] || continue
  pid=$(sed -n "s/.*\"pid\": *\([0-9]*\).*/\1/p" "$folder/started.json")
  while [ -n "$pid" ] && [ -z "$ending" ] && [ ! -e "$folder/finished.json" ] && kill -0 "$pid"; do sleep 1; done 2>/dev/null
done'
in_place() {{  # FOLDER...: the attempts of a lane whose launcher finds its nodes, or of the only lane
  sh -c "$in_turn" sh "$@"
}}
among_others() {{  # NODE FOLDER...: the attempts of a lane of one node, in one step
  node=$1 cpus=$(cpus_on "$1") more=
  shift
  # Of more CPUs per task than the job's smallest node has, Slurm to 25.05 makes one: there the step takes its node whole.
  [ "$cpus" = "$(cpus_on)" ] || more=$cpus cpus=
  tries=$(($# + 2))
  until srun --nodes=1 --ntasks=1 --nodelist="$node" ${{cpus:+--cpus-per-task="$cpus"}} ${{more:+--whole}} --mem=0 --overlap \
    --kill-on-bad-exit=1 --cpu-bind=none --gpu-bind=none --mpi=none --input=none sh -c "$outside_slurm
$in_turn
exit 0" sh "$@"; do  # the step was killed, or srun gave it up: the attempts that have not begun yet
    tries=$((tries - 1))
    [ -z "$ending" ] && [ "$tries" -gt 0 ] || break
    sleep 1
  done
}}
lane() {{  # COMMAND...: beside the others; one that is ended begins nothing more, and waits for what it has begun
  ending=
  trap : HUP INT QUIT USR1 USR2
  trap ending=1 TERM
  "$@"
}}
cpus_on() {{  # [NODE]: how many CPUs the job has there, or on its smallest; SLURM_JOB_CPUS_PER_NODE is "8(x3),4"
  scontrol show hostnames "$SLURM_JOB_NODELIST" | awk -v node="${{1-}}" -v counts="$SLURM_JOB_CPUS_PER_NODE" '
    BEGIN {{ n = split(counts, each, ",")
            for (i = 1; i <= n; i++) {{ split(each[i], x, /[(x)]+/); for (k = x[2] ? x[2] : 1; k > 0; k--) cpus[++m] = x[1] }} }}
    NR == 1 || cpus[NR] + 0 < least {{ least = cpus[NR] + 0 }}
    $0 == node {{ print cpus[NR] }}
    END {{ if (node == "") print least }}'
}}
# What mpirun would take for the order to start on the job's first node, which need not be this one.
outside_slurm='for name in $(env | sed -n "s/^\(SLURM_[A-Z0-9_]*\)=.*/\1/p"); do unset "$name"; done'
)sh";

}  // namespace

std::string slurm_job_name(const Job& job) {
  // Campaigns of two workspaces may have one name.
  return fmt::format("shakedown-{}-{}-{}", job.campaign, job.id, sha256(job.folder.string()).substr(0, 8));
}

double slurm_wall_s(double lane_s) {
  return 60 * std::ceil((lane_s + slurm_job_margin_s) / 60);
}

namespace {

/// Whether the site's own words ask for GPUs.
bool asks_for_gpus(const std::vector<std::string>& options) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (word.starts_with("--gpus") || word.starts_with("-G")) return true;
    // As "--gres=gpu:8" or "--gres", "gpu:8".
    const bool apart = word == "--gres" || word == "--tres-per-node";
    if (apart || word.starts_with("--gres=") || word.starts_with("--tres-per-node="))
      if (contains(apart && i + 1 < options.size() ? options[i + 1] : word, "gpu")) return true;
  }
  return false;
}

}  // namespace

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
  if (job.gpus_per_node > 0 && !asks_for_gpus(site.slurm_options))
    add(argv, "gpus-per-node", std::to_string(job.gpus_per_node));
  if (job.lanes.size() > 1) argv.emplace_back("--no-kill");
  if (const double lane_s = job.time_limit_s(slurm_step_margin_s); lane_s > 0)
    add(argv, "time", slurm_time(slurm_wall_s(lane_s)));
  add(argv, "chdir", job.folder.string());
  // Relative to that folder: in a path of ours '%' and '\' would be patterns.
  add(argv, "output", slurm_log_file);
  argv.emplace_back("--open-mode=append");
  argv.insert(argv.end(), site.slurm_options.begin(), site.slurm_options.end());
  argv.push_back((job.folder / batch_script_file).string());
  return argv;
}

std::string slurm_batch_script(const Job& job, const Site& site) {
  std::string submission = "sbatch";
  for (const std::string& word : sbatch_arguments(job, site)) submission += " " + shell_quoted(word);
  std::string script =
      fmt::format(prologue, on_one_line(job.id), on_one_line(job.campaign), on_one_line(submission));
  const bool several = job.lanes.size() > 1;
  for (const JobLane& lane : job.lanes) {
    const bool in_place = !several || std::ranges::all_of(lane.steps, &JobStep::from_anywhere);
    std::string line = several ? "lane " : "";
    line += in_place ? "in_place" : "among_others " + shell_quoted(lane.hosts.front());
    for (const JobStep& step : lane.steps) line += " " + shell_quoted(step.folder.string());
    script += line + (several ? " &\n" : "\n");
  }
  if (several) script += "until wait; do :; done\n";
  return script;
}

}  // namespace shakedown
