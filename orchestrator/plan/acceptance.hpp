#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/secrets.hpp"
#include "orchestrator/plan/settings.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

/// One `[[runs]]` table: a suite at some scales.
struct AcceptanceRun {
  std::string suite;
  std::string implementation;  ///< empty: chosen by the hardware
  std::string benchmark;       ///< within the suite; empty: all of the implementation
  std::vector<int> nodes;      ///< empty: all
  std::string hosts;       ///< hostlist of the nodes that it is on; empty: the largest kind that can run it
  std::string exclude;     ///< hostlist
  bool each_node = false;  ///< one case for each node, that measures it and no other
  int stage = 0;           ///< begins when the stages below it have ended, and only where they passed
  int repetitions = 1;
  bool optional = false;        ///< where a rule refuses it, the others are planned without it
  double minutes = 0;           ///< wished run time of one repetition; 0: as memory allows
  std::vector<Parameter> pins;  ///< by the suite's names
  std::string place;            ///< file:line
};

/// Who and what a report is about, in the words of the site. Empty: not stated.
struct ReportParties {
  std::string vendor;
  std::string customer;
  std::string site;  ///< the place
  std::string contract;
  std::string tester;   ///< who ran the campaign
  std::string cooling;  ///< "direct liquid, 32 °C": as MLPerf's system descriptions name it
  std::string power;    ///< supplies, and what limits them
};

/// A configuration: what is to be measured, where, and by what it is judged. The criteria stay text here: the
/// reports read them.
struct Acceptance {
  std::string title;
  std::string system;    ///< a shipped system's name or an inventory file; empty: this machine
  std::string baseline;  ///< a shipped baseline's name; empty: none
  ReportParties parties;
  Site site;
  std::vector<ExpectedSetting> settings;  ///< of the nodes, as delivered; empty: none are stated
  std::vector<Calibration> calibrations;  ///< of the model's predictions
  std::vector<AcceptanceRun> runs;        ///< empty: all suites on all nodes
  std::string text;                       ///< the configuration itself, TOML, without its secrets
  std::vector<Secret> secrets;            ///< of the jobs' variables in it
};

/// Reads one `[[runs]]` table; what can't be is an objection of the table's document.
AcceptanceRun run_from_toml(TomlTable table);

/// Reads `acceptance.toml`; `name` is shown in errors. Unknown keys and impossible values are refused with
/// file and line.
Result<Acceptance> acceptance_from_toml(std::string_view text, std::string_view name);

/// The top-level keys of a configuration beside its title, by reader. Planning and judging read one file, and
/// each ignores the other's keys: a new key must be added here, or the other refuses it.
inline constexpr std::array<std::string_view, 7> keys_of_the_plan = {
    "system", "baseline", "report", "site", "runs", "settings", "calibration"};
inline constexpr std::array<std::string_view, 3> keys_of_the_criteria = {"criteria", "disturbance",
                                                                         "waivers"};

}  // namespace shakedown
