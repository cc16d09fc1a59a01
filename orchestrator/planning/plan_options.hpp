#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// The user's options from which a plan is derived.
struct PlanOptions {
  std::string config;                    ///< acceptance.toml or a shipped configuration's name; empty: none
  std::string inventory;                 ///< a file or a shipped system's name; empty: this machine
  std::vector<std::string> suites;       ///< empty: all
  std::string implementation;            ///< empty: chosen by hardware and what is installed
  bool no_other_implementation = false;  ///< skip suites that don't have it
  bool each_node_once = false;           ///< one case stands for those on each node (`is_for_each_node`)
  int nodes = 0;                         ///< 0: all
  std::string exclude;                   ///< hostlist
  double minutes = 0;                    ///< for the whole plan; 0: as large as memory allows
  std::string workspace;                 ///< whose store may say what was measured here; not in the JSON
  KindRates measured;                    ///< nothing: not measured
};

/// The options as JSON, which `plan_options_from_json` reads. Files by their whole path, so that they are
/// found from any folder.
std::string plan_options_json(const PlanOptions& options);

/// Fails where `text` is not what `plan_options_json` writes.
Result<PlanOptions> plan_options_from_json(const std::string& text);

/// The configuration that the options name, a file or a shipped campaign; one without runs where they name
/// none.
Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout);

/// The file of the configuration that the options name; empty where they name none.
std::filesystem::path configuration_file(const PlanOptions& options, const Layout& layout);

/// A system's file lies beside the configuration (`file`) that names it: then that is the system.
void find_system_beside(Acceptance& acceptance, const std::filesystem::path& file);

/// The inventory that the options name, else the configuration's, else this machine's.
Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout);

}  // namespace shakedown
