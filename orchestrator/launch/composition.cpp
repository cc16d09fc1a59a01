#include "orchestrator/launch/composition.hpp"

#include <unistd.h>

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/launch/named_files.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/secrets.hpp"

namespace shakedown {
namespace {

/// Says that a launcher is missing, once; a plan that was written where it was missing may be read where it
/// is there.
void warn_of_missing(const Launcher& launcher, bool missing, Case& planned) {
  const std::string warning = fmt::format(
      "{} is not in this machine's PATH: the command begins with its bare name, and cannot be run here; {}",
      launcher.program, launcher.install_hint);
  std::erase(planned.warnings, warning);
  if (missing) planned.warnings.push_back(warning);
}

void set_first_host(Case& planned) {
  const auto hosts = expanded_hostlist(planned.hosts);
  if (!hosts || hosts->empty()) return;
  for (Parameter& variable : planned.environment)
    if (variable.name == first_host_variable) variable.value = hosts->front();
}

}  // namespace

const Launcher* find_launcher(std::string_view id) {
  const auto known = launchers();
  const auto launcher = std::ranges::find(known, id, &Launcher::id);
  return launcher == known.end() ? nullptr : *launcher;
}

bool starts_from_anywhere(std::string_view id) {
  const Launcher* launcher = find_launcher(id);
  return launcher != nullptr && launcher->from_anywhere;
}

Result<void> compose_argv(Case& planned, int usable_cores, const Site* site) {
  set_first_host(planned);
  if (planned.launcher.empty() || planned.program.empty()) {
    if (planned.argv.empty()) {
      planned.argv = {planned.program};
      planned.argv.insert(planned.argv.end(), planned.arguments.begin(), planned.arguments.end());
    }
    return {};
  }
  const Launcher* launcher = find_launcher(planned.launcher);
  if (launcher == nullptr) {
    std::vector<std::string> names;
    for (const Launcher* each : launchers()) names.emplace_back(each->id);
    const bool stated = site != nullptr && site->launcher == planned.launcher;
    return fail(stated ? site->launcher_place : planned.id,
                fmt::format("no launcher '{}'{}", planned.launcher, did_you_mean(planned.launcher, names)),
                fmt::format("launchers: {}", joined(names, ", ")));
  }
  const fs::path found = program_in_path(launcher->program);
  const LaunchContext context{found.empty() ? std::string(launcher->program) : found.string(),
                              ::geteuid() == 0, usable_cores, site};
  auto argv = launcher->argv(planned, context);
  if (!argv) return failure_of(argv);
  planned.argv = std::move(*argv);
  warn_of_missing(*launcher, found.empty(), planned);
  for (Parameter& variable : launcher->environment(planned, context))
    if (find_parameter(planned.environment, variable.name) == nullptr)
      planned.environment.push_back(std::move(variable));
  for (std::string& note : launcher->notes(planned, context))
    if (std::find(planned.warnings.begin(), planned.warnings.end(), note) == planned.warnings.end())
      planned.warnings.push_back(std::move(note));
  return {};
}

namespace {

/// The words that start a program once on each node of a composed case; none: it is started as it is.
std::vector<std::string> started_on_each_node(const Case& planned, const Site* site) {
  const Launcher* launcher = find_launcher(planned.launcher);
  const bool elsewhere = planned.nodes > 1 || starts_from_anywhere(planned.launcher);
  if (launcher == nullptr || launcher->once_per_node == nullptr || !elsewhere || planned.argv.empty())
    return {};
  return launcher->once_per_node(planned, {planned.argv.front(), ::geteuid() == 0, 0, site});
}

}  // namespace

std::vector<std::vector<std::string>> preparation_lines(const Case& planned) {
  std::vector<std::vector<std::string>> lines = planned.preparation;
  for (const auto& line : planned.node_preparation) {
    std::vector<std::string>& whole = lines.emplace_back(started_on_each_node(planned, nullptr));
    whole.insert(whole.end(), line.begin(), line.end());
  }
  return lines;
}

std::vector<std::string> node_state_command(const Case& planned, const fs::path& program, const Site* site) {
  if (program_in_path(program.string()).empty()) return {};
  std::vector<std::string> words = {program.string(), "--folder", "{run}"};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  const auto hosts = expanded_hostlist(planned.hosts);
  if (hosts && !hosts->empty()) add(planned.nodes == 1 ? "--host" : "--first", hosts->front());
  const Launcher* launcher = find_launcher(planned.launcher);
  if (launcher != nullptr && !planned.argv.empty()) add("--launcher", planned.argv.front());
  add("--program", planned.program);
  for (const std::string& file : named_files(planned)) add("--file", file);
  for (const Secret& secret : secrets_of(planned)) add("--secret", secret.name);
  for (const std::string& word : started_on_each_node(planned, site)) add("--through", word);
  return words;
}

}  // namespace shakedown
