#include "orchestrator/launch/slurm_view.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/slurm.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

constexpr double slurm_patience_s = 60;

Result<std::string> reported_by(const std::vector<std::string>& argv) {
  auto output = command_output(argv, slurm_patience_s);
  if (!output) {
    Error error = output.error();
    error.hint = "run this where Slurm's commands work, on a login node";
    return tl::unexpected<Error>(error);
  }
  if (output->exit_code != 0)
    return fail_environment(argv.front(),
                            std::string(trimmed(output->text.substr(0, output->text.find('\n')))),
                            "run this where Slurm's commands work, on a login node");
  return std::move(output->text);
}

/// The partition's hosts.
Result<std::vector<std::string>> hosts_of(const std::string& partition) {
  const auto text = reported_by({"sinfo", "--noheader", "--format", "%R|%N"});
  if (!text) return failure_of(text);
  std::vector<std::string> names;
  std::string hostlist;
  for (const std::string_view line : split(*text, '\n')) {
    const size_t bar = line.find('|');
    if (bar == line.npos) continue;
    const std::string_view name = trimmed(line.substr(0, bar));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    const std::string_view hosts = trimmed(line.substr(bar + 1));
    if (name == partition && !hosts.empty()) hostlist += (hostlist.empty() ? "" : ",") + std::string(hosts);
  }
  if (std::find(names.begin(), names.end(), partition) == names.end())
    return fail("--slurm", fmt::format("no partition '{}'{}", partition, did_you_mean(partition, names)),
                fmt::format("partitions: {}", joined(names, ", ")));
  if (hostlist.empty())
    return fail_environment("sinfo", fmt::format("partition '{}' has no nodes", partition));
  return expanded_hostlist(hostlist);
}

/// "ClusterName = sakura" of `scontrol show config`; nothing where that fails.
std::string cluster_name() {
  const auto text = reported_by({"scontrol", "show", "config"});
  if (!text) return "";
  for (const std::string_view line : split(*text, '\n')) {
    const size_t equals = line.find('=');
    if (equals != line.npos && trimmed(line.substr(0, equals)) == "ClusterName")
      return std::string(trimmed(line.substr(equals + 1)));
  }
  return "";
}

}  // namespace

Result<Inventory> slurm_view(const std::string& partition) {
  std::vector<std::string> only;
  if (!partition.empty()) {
    auto hosts = hosts_of(partition);
    if (!hosts) return failure_of(hosts);
    only = std::move(*hosts);
  }
  const auto text = reported_by({"scontrol", "show", "node", "-o"});
  if (!text) return failure_of(text);
  auto inventory = inventory_from_slurm(*text, only);
  if (!inventory) return inventory;
  inventory->system = cluster_name();
  if (inventory->system.empty()) inventory->system = "slurm";
  if (!partition.empty()) inventory->source = fmt::format("Slurm's partition {}", partition);
  return inventory;
}

std::vector<Pod> slurm_pods(const std::vector<std::string>& hosts) {
  const auto text = reported_by({"scontrol", "show", "topology"});
  return text ? pods_from_slurm(*text, hosts) : std::vector<Pod>();
}

namespace {

struct BatchSystem {
  std::string_view name;
  std::string_view submit;      // program that shows that the system is there
  std::string_view allocation;  // variable that a job of it has
  std::string_view line;        // how to run a command on a whole compute node
};

constexpr std::array<BatchSystem, 5> systems = {{
    {"Slurm", "sbatch", "SLURM_JOB_ID", "sbatch --nodes=1 --exclusive --wrap {}"},
    {"Flux", "flux", "FLUX_JOB_ID", "flux batch -N1 --exclusive --wrap {}"},
    {"LSF", "bsub", "LSB_JOBID", "bsub -nnodes 1 {}"},
    {"PBS", "qstat", "PBS_JOBID", "echo {} | qsub -l select=1 -l place=excl"},
    {"Grid Engine", "qhost", "JOB_ID", "echo {} | qsub -cwd -l exclusive=true"},
}};

}  // namespace

bool has_slurm() {
  if (program_in_path("sbatch").empty()) return false;
  if (program_in_path("sinfo").empty()) return true;
  const auto output = command_output({"sinfo", "-h"}, 20);
  return !output || output->text.find("configuration source") == std::string::npos;
}

std::optional<Error> login_node_refusal(std::string_view command) {
  for (const BatchSystem& system : systems)
    if (std::getenv(std::string(system.allocation).c_str()) != nullptr) return std::nullopt;
  for (const BatchSystem& system : systems) {
    const auto submit = program_in_path(system.submit);
    if (submit.empty() || (system.name == "Slurm" && !has_slurm())) continue;
    const std::string quoted = shell_quoted(std::string(command) + " --here");
    const std::string line = fmt::format(fmt::runtime(system.line), quoted);
    return Error{"this machine",
                 fmt::format("{} is installed ({}) and this is no allocation: this may be a login node",
                             system.name, submit.string()),
                 fmt::format("on a compute node: {}\nhint: or load this machine all the same: {} --here",
                             line, command),
                 Fault::input};
  }
  return std::nullopt;
}

}  // namespace shakedown
