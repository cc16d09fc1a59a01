#include "orchestrator/launch/composition.hpp"

#include <unistd.h>

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/launcher.hpp"

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

}  // namespace

Result<void> compose_argv(Case& planned, int usable_cores, const Site* site) {
  if (planned.launcher.empty() || planned.program.empty()) {
    if (planned.argv.empty()) {
      planned.argv = {planned.program};
      planned.argv.insert(planned.argv.end(), planned.arguments.begin(), planned.arguments.end());
    }
    return {};
  }
  const auto known = launchers();
  const auto launcher =
      std::find_if(known.begin(), known.end(), [&](const Launcher* l) { return l->id == planned.launcher; });
  if (launcher == known.end()) {
    std::vector<std::string> names;
    for (const Launcher* each : known) names.emplace_back(each->id);
    const bool stated = site != nullptr && site->launcher == planned.launcher;
    return fail(stated ? site->launcher_place : planned.id,
                fmt::format("no launcher '{}'{}", planned.launcher, did_you_mean(planned.launcher, names)),
                fmt::format("launchers: {}", joined(names, ", ")));
  }
  const fs::path found = program_in_path((*launcher)->program);
  const LaunchContext context{found.empty() ? std::string((*launcher)->program) : found.string(),
                              ::geteuid() == 0, usable_cores, site};
  auto argv = (*launcher)->argv(planned, context);
  if (!argv) return pass_on(argv);
  planned.argv = std::move(*argv);
  warn_of_missing(**launcher, found.empty(), planned);
  for (Parameter& variable : (*launcher)->environment(planned, context))
    if (find_parameter(planned.environment, variable.name) == nullptr)
      planned.environment.push_back(std::move(variable));
  for (std::string& note : (*launcher)->notes(planned, context))
    if (std::find(planned.warnings.begin(), planned.warnings.end(), note) == planned.warnings.end())
      planned.warnings.push_back(std::move(note));
  return {};
}

}  // namespace shakedown
