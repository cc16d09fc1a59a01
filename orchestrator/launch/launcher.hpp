#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// What a launcher must know beside the case.
struct LaunchContext {
  std::string launcher_program;  ///< absolute path of mpirun, srun, ...
  bool as_root = false;          ///< the job runs as root
  int usable_cores = 0;          ///< physical cores of a node that the job may use; 0: not known
  const Site* site = nullptr;    ///< what the site states of its batch system; null: nothing
};

/// Turns a case into an argument vector. Pure: it looks at nothing but its arguments.
struct Launcher {
  std::string_view id;       ///< "mpirun"
  std::string_view program;  ///< the executable to look for in PATH
  std::string_view about;
  std::string_view install_hint;  ///< what to do where the program is missing
  Result<std::vector<std::string>> (*argv)(const Case&, const LaunchContext&) = nullptr;
  /// Environment the launcher needs for this case, beside the case's own.
  std::vector<Parameter> (*environment)(const Case&, const LaunchContext&) = nullptr;
  /// What the user should know about this line ("mpirun runs as root"); empty: nothing.
  std::vector<std::string> (*notes)(const Case&, const LaunchContext&) = nullptr;
  /// The words that start a program once on each node of the case, whatever its ranks; null: it can't.
  std::vector<std::string> (*once_per_node)(const Case&, const LaunchContext&) = nullptr;
  /// It starts the ranks on all nodes of the case from whichever node it is started on. Else it must be
  /// started on the first of them.
  bool from_anywhere = false;
};

/// All launchers, from orchestrator/launchers/*.cpp.
std::span<const Launcher* const> launchers();

/// The launcher of that id; null: there is none.
const Launcher* find_launcher(std::string_view id);

/// Whether the launcher of that id starts ranks from any node (`Launcher::from_anywhere`). One that is not
/// known, or none, does not.
bool starts_from_anywhere(std::string_view id);

}  // namespace shakedown
