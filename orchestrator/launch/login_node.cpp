#include "orchestrator/launch/login_node.hpp"

#include <array>
#include <cstdlib>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"

namespace shakedown {
namespace {

struct BatchSystem {
  std::string_view name;
  std::string_view submit;      // program that tells the system is there
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
