#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/machine_checks.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/implementation.hpp"
#include "orchestrator/store/store_place.hpp"

namespace shakedown::command {
namespace {

MachineCheck program(const std::string& name, bool needed, const std::string& for_what,
                     const std::string& package) {
  const auto path = program_in_path(name);
  return {name, !path.empty(), needed, path.empty() ? for_what : path.string(), "apt-get install " + package};
}

MachineCheck kernel(const Layout& layout, const std::string& name) {
  const auto path = layout.libexec / name;
  return {"kernel " + name, !program_in_path(path.string()).empty(), true, path.string(),
          "build with MPI and BLAS: apt-get install libopenmpi-dev libopenblas-dev, then cmake --build "
          "--preset release"};
}

/// The programs of libexec that implementations name, each once.
Result<std::vector<std::string>> reference_kernels(const Layout& layout) {
  static constexpr std::string_view folder = "{libexec}/";
  const auto all = read_implementations(layout.share / "implementations");
  if (!all) return failure_of(all);
  std::vector<std::string> names;
  for (const Implementation& each : *all) {
    if (!each.program.starts_with(folder)) continue;
    std::string name = each.program.substr(folder.size());
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

/// What a failed command printed, its beginning; its exit code where it was silent.
std::string reported_by(const CommandOutput& output) {
  if (trimmed(output.text).empty()) return fmt::format("exit code {} and no output", output.exit_code);
  return output.text.substr(0, 200);
}

/// Whether a process can be started through mpirun at all: a wrong build or a full /tmp shows here.
MachineCheck mpi_starts() {
  MachineCheck check{"mpirun starts a process",
                     false,
                     true,
                     "",
                     "look at the message; a full or unwritable TMPDIR is the usual reason",
                     true};
  std::vector<std::string> argv = {"mpirun", "-np", "1"};
  if (::geteuid() == 0) argv.emplace_back("--allow-run-as-root");
  argv.emplace_back("true");
  const auto output = command_output(argv, 30);
  check.found = output && output->exit_code == 0;
  check.detail = !output ? to_string(output.error()) : check.found ? "yes" : reported_by(*output);
  return check;
}

MachineCheck workspace_writable(const CommonOptions& common) {
  MachineCheck check{"workspace is writable",      false, true, common.workspace,
                     "choose another with -w DIR", true};
  const fs::path probe = fs::path(common.workspace) / ".doctor";
  std::error_code code;
  const bool existed = fs::exists(common.workspace, code);
  const auto written =
      make_private_folder(common.workspace) ? write_file(probe, "x") : Result<void>(fail_environment("", ""));
  check.found = written.has_value();
  fs::remove(probe, code);
  if (!existed) fs::remove(common.workspace, code);
  return check;
}

/// A user's or group's name; its number where it has none.
std::string user_name(uid_t user) {
  const passwd* entry = ::getpwuid(user);
  return entry == nullptr ? fmt::format("user {}", user) : entry->pw_name;
}
std::string group_name(gid_t group) {
  const ::group* entry = ::getgrgid(group);
  return entry == nullptr ? fmt::format("group {}", group) : fmt::format("the group {}", entry->gr_name);
}

/// Whether every user may traverse all folders above the workspace.
bool reached_by_others(const fs::path& folder) {
  for (fs::path above = folder.parent_path();; above = above.parent_path()) {
    struct stat info = {};
    if (::stat(above.c_str(), &info) == 0 && (info.st_mode & S_IXOTH) == 0) return false;
    if (!above.has_relative_path()) return true;
  }
}

/// Who can read the workspace, by its permissions. It is the operator's choice, so nothing is amiss.
MachineCheck workspace_readers(const CommonOptions& common) {
  MachineCheck check{"workspace's readers", true, false, "", ""};
  std::error_code code;
  const fs::path folder = fs::weakly_canonical(fs::absolute(common.workspace, code), code);
  struct stat info = {};
  if (::stat(folder.c_str(), &info) != 0) {
    check.detail = fmt::format("{} and {} (it will be made with mode 0750)", user_name(::geteuid()),
                               group_name(::getegid()));
    return check;
  }
  const std::string owner = user_name(info.st_uid);
  const std::string group = group_name(info.st_gid);
  const std::string place = shell_quoted(folder.string());
  if ((info.st_mode & S_IRWXO) != 0 && reached_by_others(folder))
    check.detail =
        fmt::format("every user of this machine{}; `chmod o-rwx {}` leaves {} and {}",
                    (info.st_mode & S_IWOTH) != 0 ? ", who can change it, too" : "", place, owner, group);
  else if ((info.st_mode & S_IRWXG) != 0)
    check.detail = fmt::format("{} and {}; `chmod g-rwx {}` leaves {} alone", owner, group, place, owner);
  else
    check.detail = fmt::format("{} alone", owner);
  return check;
}

/// What holds the workspace, and what that means for the store. Nothing is amiss on either kind.
MachineCheck workspace_filesystem(const CommonOptions& common) {
  return {"workspace's filesystem", true, false, place_of_store(common.workspace).text(), ""};
}

/// In capitals what `quick` can't do without.
std::string_view word_of(const MachineCheck& check) {
  if (check.found) return "ok";
  if (check.present) return check.needed ? "PROBLEM" : "warning";
  return check.needed ? "MISSING" : "absent";
}

Result<int> examine(const CommonOptions& common) {
  const Layout layout = installed_layout();
  std::vector<MachineCheck> checks = {program("mpirun", true, "launches the kernels", "openmpi-bin"),
                                      kernel(layout, "attempt")};
  std::vector<std::string> kernels;
  if (auto named = reference_kernels(layout))
    kernels = *std::move(named);
  else
    checks.push_back(
        {"implementations", false, true, to_string(named.error()), "install shakedown again, whole"});
  for (const std::string& name : kernels) checks.push_back(kernel(layout, name));
  if (checks.front().found) checks.push_back(mpi_starts());
  checks.push_back(workspace_writable(common));
  checks.push_back(workspace_readers(common));
  checks.push_back(workspace_filesystem(common));
  for (const auto& more : {library_checks(layout, kernels), limit_checks("/", common.workspace),
                           batch_checks(), container_checks(), gpu_checks("/", "libnvidia-ml.so.1")})
    checks.insert(checks.end(), more.begin(), more.end());
  checks.push_back(program("hpcc", false, "a real HPL to run beside the reference", "hpcc"));
  bool missing = false;
  nlohmann::ordered_json document;
  document["schema"] = "shakedown.doctor/1";
  for (const MachineCheck& check : checks) {
    missing = missing || (check.needed && !check.found);
    document["checks"].push_back({{"name", check.name},
                                  {"found", check.found},
                                  {"needed", check.needed},
                                  {"detail", check.detail},
                                  {"remedy", check.found ? "" : check.remedy}});
    if (common.json) continue;
    std::cout << fmt::format("{:<8} {:<26} {}\n", word_of(check), check.name, printable_line(check.detail));
    if (!check.found) std::cout << fmt::format("{:<8} {:<26} -> {}\n", "", "", check.remedy);
  }
  if (common.json)
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  return missing ? exit_environment : 0;
}

}  // namespace

extern const Command doctor;
const Command doctor = {
    .id = "doctor",
    .about = "what is missing on this machine, and what installs it",
    .rank = 130,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      app.footer("Example: shakedown doctor");
      return [&common] { return examine(common); };
    },
};

}  // namespace shakedown::command
