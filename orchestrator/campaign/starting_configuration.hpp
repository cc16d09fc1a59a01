#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/planning/fitted_runs.hpp"
#include "reports/judge/criteria.hpp"

namespace shakedown {

/// What a starting configuration is made from.
struct StartingOptions {
  std::string from = "acceptance-h100";  ///< a shipped configuration's name
  std::string system;                    ///< how the configuration names the inventory; empty: this machine
  int nodes = 0;                         ///< 0: all
  std::vector<std::string> suites;       ///< empty: all that are shipped
  bool screening = false;                ///< small problems by the reference kernels, which run at once
  std::string hosts;                     ///< hostlist of the nodes, all of one kind; empty: the largest kind
};

/// A whole configuration, `acceptance.toml`, with comments.
struct StartingConfiguration {
  std::string text;
  std::vector<int> edits;                ///< the lines with `# EDIT:`, from 1: what no inventory states
  int commented = 0;                     ///< criteria in comments, which need a contract's value
  std::vector<std::string> left_out;     ///< runs that no scale here can do, with the reason
  std::string screening;                 ///< why the reference kernels run; empty: it is an acceptance
  std::string hosts;                     ///< hostlist of the nodes that it is for
  std::vector<std::string> other_kinds;  ///< hostlists of the nodes of other kinds, which need their own
  std::string kind_because;              ///< why it is not for those: "of the highest FP64 peak"
};

/// The lines of a configuration with `# EDIT:`, from 1.
std::vector<int> lines_to_edit(std::string_view text);

/// The names of the shipped configurations, sorted.
std::vector<std::string> shipped_configurations(const Layout& layout);

/// Fits a shipped configuration to an inventory: runs and criteria at its scales, [site] and [settings] as
/// far as the inventory states them. `plan` accepts it as it is; what depends on the site alone is an
/// example, marked with `# EDIT:`, and `criteria check` asks for it.
///
/// Fails for an unknown name ("did you mean"), more nodes than there are, and where no run fits.
Result<StartingConfiguration> starting_configuration(const StartingOptions& options,
                                                     const Inventory& inventory, const Layout& layout);

/// The criteria of a starting configuration as TOML, for the fitted runs: those of the shipped configuration
/// that these runs can decide. A limit stays if it belongs to the same runs of the same system; elsewhere it
/// is a contract's value, which begins as the plan's prediction and is marked with `# EDIT:`. A metric that
/// nothing predicts has a commented example instead of a limit. Every suite has a criterion on validity at
/// least.
std::string starting_criteria(const Criteria& shipped, const FittedRuns& fitted);

}  // namespace shakedown
