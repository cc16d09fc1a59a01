// Slurm's srun, inside an allocation or asking for one; containers through the Pyxis plugin.
//
// Source: srun(1) of Slurm 22.05 to 25.05; NVIDIA Pyxis, README, "Usage".
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/launcher.hpp"

namespace shakedown::launcher {

extern const Launcher srun;

namespace {

std::string site_text(const LaunchContext& context, std::string Site::*member) {
  return context.site == nullptr ? std::string() : context.site->*member;
}

void add_option(std::vector<std::string>& argv, const char* option, const std::string& value) {
  if (!value.empty()) argv.push_back(fmt::format("--{}={}", option, value));
}

Result<std::vector<std::string>> srun_argv(const Case& planned, const LaunchContext& context) {
  if (planned.binding != "core" && planned.binding != "none" && !planned.binding.empty())
    return fail(planned.id, fmt::format("srun knows no binding '{}'", planned.binding), "core or none");
  std::vector<std::string> argv = {context.launcher_program.empty() ? "srun" : context.launcher_program};
  argv.push_back(fmt::format("--nodes={}", planned.nodes));
  argv.push_back(fmt::format("--ntasks={}", planned.ranks));
  argv.push_back(fmt::format("--ntasks-per-node={}", planned.ranks_per_node));
  // Consecutive ranks share a node, and on it a socket: what a process grid's rows and columns are laid out
  // for. Without the second word bound ranks go round the sockets: srun(1).
  argv.emplace_back("--distribution=block:block");
  // A step inherits neither the job's CPUs per task (since 22.05) nor, where it asks for some, all of its
  // memory. A CPU of Slurm's is a hardware thread where its nodes are configured so: then a rank needs all
  // those of its cores, as --cpus-per-task implies --exact.
  argv.push_back(fmt::format("--cpus-per-task={}",
                             planned.cpus_per_rank > 0 ? planned.cpus_per_rank : planned.threads_per_rank));
  argv.emplace_back("--mem=0");
  argv.emplace_back(planned.binding == "core" ? "--cpu-bind=cores" : "--cpu-bind=none");
  argv.emplace_back("--gpu-bind=none");  // every rank sees all GPUs of its node: the programs choose theirs
  argv.emplace_back("--kill-on-bad-exit=1");
  add_option(argv, "nodelist", planned.hosts);
  add_option(argv, "mpi", site_text(context, &Site::mpi));
  if (planned.container.runtime == "pyxis") {
    add_option(argv, "container-image", planned.container.image);
    if (!planned.container.mounts.empty())
      add_option(argv, "container-mounts", joined(planned.container.mounts, ","));
  }
  argv.push_back(planned.program);
  argv.insert(argv.end(), planned.arguments.begin(), planned.arguments.end());
  return argv;
}

/// A step beside whatever still holds the nodes' processors, with no MPI to wait for.
std::vector<std::string> srun_once_per_node(const Case& planned, const LaunchContext& context) {
  std::vector<std::string> argv = {context.launcher_program.empty() ? "srun" : context.launcher_program};
  argv.push_back(fmt::format("--nodes={}", planned.nodes));
  argv.push_back(fmt::format("--ntasks={}", planned.nodes));
  argv.insert(argv.end(), {"--ntasks-per-node=1", "--cpus-per-task=1", "--mem=0", "--overlap",
                           "--cpu-bind=none", "--mpi=none", "--input=none", "--quiet"});
  add_option(argv, "nodelist", planned.hosts);
  return argv;
}

std::vector<Parameter> srun_environment(const Case& /*planned*/, const LaunchContext& /*context*/) {
  return {};
}

std::vector<std::string> srun_notes(const Case& planned, const LaunchContext& context) {
  std::vector<std::string> notes;
  if (site_text(context, &Site::mpi).empty() && planned.ranks > 1)
    notes.emplace_back(
        "no [site] mpi is stated: srun takes the cluster's MpiDefault, and without one each rank believes "
        "that "
        "it is alone");
  return notes;
}

}  // namespace

const Launcher srun = {"srun",
                       "srun",
                       "Slurm's srun, with containers through Pyxis",
                       "run it where Slurm's commands are",
                       srun_argv,
                       srun_environment,
                       srun_notes,
                       srun_once_per_node,
                       /*from_anywhere=*/true};

}  // namespace shakedown::launcher
