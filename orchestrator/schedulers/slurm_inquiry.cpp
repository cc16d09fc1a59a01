#include "orchestrator/schedulers/slurm_inquiry.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/schedulers/polling.hpp"

namespace shakedown {
namespace {

/// What a command printed; empty where it failed.
std::string told(const std::vector<std::string>& argv) {
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
  limits.reservations = slurm_reservations(told({"env", "TZ=UTC", "scontrol", "show", "reservation", "-o"}));
  limits.configuration = slurm_configuration(told({"scontrol", "show", "config"}));
  if (!limits.configuration.counts) return limits;
  std::vector<std::string> qos = sacctmgr_qos_arguments();
  std::vector<std::string> associations =
      sacctmgr_association_arguments(slurm_user().name, limits.configuration.cluster);
  for (std::vector<std::string>* argv : {&qos, &associations}) argv->insert(argv->begin(), "sacctmgr");
  limits.qos = slurm_qos(told(qos));
  limits.associations = slurm_associations(told(associations));
  return limits;
}

}  // namespace shakedown
