#include "orchestrator/cli/machine_checks.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/gpus.hpp"
#include "orchestrator/inventory/system_file.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/requirement_check.hpp"
#include "orchestrator/schedulers/slurm_inquiry.hpp"

namespace shakedown {
namespace {

constexpr double answer_s = 20;
constexpr double least_free_bytes = gibi;  // a choice: the logs of a screening take a few MiB
constexpr rlim_t least_files = 1024;       // a choice: connections of some hundred ranks and their libraries

/// The first line of what a command printed.
std::string first_line(const CommandOutput& output) {
  return std::string(trimmed(split(trimmed(output.text), '\n').front()));
}

std::string remedy_of_slurm() {
  return "run shakedown where Slurm's commands are (a login node), or apt-get install slurm-client";
}

MachineCheck free_space(std::string name, fs::path folder, std::string remedy) {
  MachineCheck check{std::move(name), false, true, "", std::move(remedy), true};
  std::error_code code;
  folder = fs::absolute(folder, code);
  while (!fs::exists(folder, code) && folder.has_relative_path()) folder = folder.parent_path();
  struct statvfs info = {};
  if (::statvfs(folder.c_str(), &info) != 0) {
    check.detail = fmt::format("{} can't be asked", folder.string());
    return check;
  }
  const double free = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
  check.found = free >= least_free_bytes && (info.f_files == 0 || info.f_favail > 10'000);
  check.detail = fmt::format("{} free in {}", bytes_text(free), folder.string());
  if (info.f_files > 0) check.detail += fmt::format(", {} inodes", info.f_favail);
  return check;
}

std::string limit_text(rlim_t limit, bool bytes) {
  if (limit == RLIM_INFINITY) return "unlimited";
  return bytes ? bytes_text(static_cast<double>(limit)) : fmt::format("{}", limit);
}

MachineCheck locked_memory(const fs::path& root) {
  const bool rdma = !names_in(root / "sys/class/infiniband").empty();
  MachineCheck check{"locked memory", false, true, "", "", true};
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  const bool limited = limit.rlim_cur != RLIM_INFINITY;
  check.found = !limited || !rdma;
  check.detail = limit_text(limit.rlim_cur, true);
  if (limited) check.detail += rdma ? ", and RDMA pins what it transfers" : ", enough without RDMA";
  check.remedy =
      "'* - memlock unlimited' in /etc/security/limits.conf, LimitMEMLOCK=infinity in slurmd's unit";
  return check;
}

MachineCheck open_files() {
  MachineCheck check{"open files", false, true, "", "", true};
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  check.found = limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least_files;
  check.detail = limit_text(limit.rlim_cur, false);
  check.remedy = fmt::format("ulimit -n {}, or '* - nofile {}' in /etc/security/limits.conf",
                             std::min<rlim_t>(limit.rlim_max, 65536), 65536);
  return check;
}

}  // namespace

std::vector<MachineCheck> batch_checks() {
  std::vector<MachineCheck> checks;
  std::vector<std::string> absent;
  constexpr std::string_view programs[] = {"sbatch", "squeue", "scancel", "scontrol", "sinfo", "srun"};
  for (const std::string_view program : programs)
    if (program_in_path(program).empty()) absent.emplace_back(program);
  MachineCheck commands{"Slurm's commands", absent.empty(), false, "", remedy_of_slurm()};
  commands.detail = absent.empty() ? program_in_path("sbatch").string() : "without " + joined(absent, ", ");
  checks.push_back(commands);
  if (!absent.empty()) return checks;
  const auto answer = command_output({"sinfo", "--noheader", "--format=%D nodes %T"}, answer_s);
  MachineCheck answers{
      "Slurm answers",
      answer && answer->exit_code == 0,
      false,
      "",
      "look at the message; `systemctl status slurmctld` on its host, /etc/slurm/slurm.conf here",
      true};
  answers.detail = !answer ? answer.error().what : first_line(*answer);
  const bool answered = answers.found;
  checks.push_back(std::move(answers));
  if (!answered) return checks;
  const auto limits = asked_slurm_limits();
  for (const std::string& line :
       limits ? slurm_limits_text(*limits, nullptr, now_s()) : std::vector<std::string>{}) {
    const size_t colon = line.find(": ");
    checks.push_back({"Slurm " + line.substr(0, colon), true, false, line.substr(colon + 2), ""});
  }
  return checks;
}

std::vector<MachineCheck> container_checks() {
  std::string found;
  for (const std::string_view program : {"apptainer", "singularity", "enroot"})
    if (const auto path = program_in_path(program); found.empty() && !path.empty()) found = path.string();
  std::vector<MachineCheck> checks = {
      {"container runtime", !found.empty(), false, found.empty() ? "runs vendors' images" : found,
       "install apptainer (apptainer.org), or state [site] container_runtime"}};
  if (program_in_path("srun").empty()) return checks;
  Requirement wanted;
  wanted.kind = RequirementKind::pyxis;
  const CheckedRequirement pyxis = checked(wanted);
  checks.push_back({"Pyxis", pyxis.met == Met::yes, false, pyxis.found, remedy_of(pyxis)});
  return checks;
}

namespace {

/// Which processor OpenBLAS takes this one for: one newer than the library gets routines of an old one,
/// several times slower. A kernel that uses it then starts again with better ones, and says so.
std::vector<MachineCheck> blas_fit(const std::string& kernel) {
  const auto output = command_output({kernel, "--help"}, answer_s);
  constexpr std::string_view begin = "OpenBLAS takes this processor for a ";
  if (!output || !output->text.starts_with(begin)) return {};
  const std::string_view line = std::string_view(output->text).substr(begin.size());
  const auto pieces = words(line.substr(0, line.find('\n')));
  if (pieces.empty()) return {};
  MachineCheck check{"BLAS fits the processor", false, false, "", "", true};
  check.detail = fmt::format(
      "OpenBLAS takes it for a {} shakedown's own programs choose better routines, xhpl and hpcc would be "
      "several times slower",
      pieces.front());
  check.remedy = fmt::format("{} in the environment of xhpl and hpcc, or a newer OpenBLAS", pieces.back());
  return {check};
}

}  // namespace

std::vector<MachineCheck> library_checks(const Layout& layout, std::span<const std::string> kernels) {
  MachineCheck check{"BLAS", false, true, "", "apt-get install libopenblas0"};
  std::string with_blas;  // the first kernel that loads one
  for (const std::string& name : kernels) {
    const std::string kernel = (layout.libexec / name).string();
    const auto output = command_output({"ldd", kernel}, answer_s);
    if (!output || output->exit_code != 0) {
      check.found = false;
      std::error_code error;
      const bool built = std::filesystem::exists(kernel, error);
      check.detail = built ? fmt::format("`ldd {}` does not list its libraries", kernel)
                           : fmt::format("{} is not built", kernel);
      check.remedy = built ? "install ldd (Debian: libc-bin), then start doctor again"
                           : "build with MPI and BLAS: apt-get install libopenmpi-dev libopenblas-dev, then "
                             "cmake --build --preset release";
      return {check};
    }
    std::vector<std::string> missing;
    for (const std::string_view line : split(output->text, '\n')) {
      const auto pieces = words(line);
      if (pieces.size() < 3 || pieces[1] != "=>") continue;
      if (line.find("not found") != std::string_view::npos) missing.emplace_back(pieces[0]);
      const bool is_blas =
          contains(pieces[0], "blas") || contains(pieces[0], "mkl") || contains(pieces[0], "blis");
      if (is_blas && check.detail.empty()) {
        check.detail = pieces[2];
        with_blas = kernel;
      }
    }
    check.found = missing.empty();
    if (!check.found) {
      check.detail = fmt::format("{} are not found by {}", joined(missing, ", "), kernel);
      return {check};
    }
  }
  if (check.found && check.detail.empty()) check.detail = "linked into the kernels";
  std::vector<MachineCheck> checks = {check};
  if (!with_blas.empty())
    for (MachineCheck& fit : blas_fit(with_blas)) checks.push_back(std::move(fit));
  return checks;
}

std::vector<MachineCheck> gpu_checks(const fs::path& root, const std::string& nvml) {
  const bool device = has_nvidia_device(root);
  const GpuReadings gpus = read_gpu_states(nvml);
  MachineCheck check{"NVML", !gpus.driver.empty(), device, "",
                     "install NVIDIA's driver (it brings libnvidia-ml.so.1), and load it: modprobe nvidia"};
  check.detail = check.found ? "driver " + gpus.driver
                 : device    ? "an NVIDIA device is here, and its driver does not answer"
                             : "no NVIDIA device is here";
  return {check};
}

std::vector<MachineCheck> limit_checks(const fs::path& root, const fs::path& workspace) {
  const char* temporary = std::getenv("TMPDIR");
  return {free_space("space for runs", workspace, "free some, or choose another workspace with -w DIR"),
          free_space("space for temporary files", temporary == nullptr ? "/tmp" : temporary,
                     "free some, or point TMPDIR elsewhere"),
          open_files(), locked_memory(root)};
}

}  // namespace shakedown
