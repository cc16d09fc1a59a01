#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/regression.hpp"

namespace shakedown {

/// All that is known of the scheduled checks of one system.
struct CheckHistory {
  std::string system;
  std::vector<CampaignSummary> checks;  ///< campaigns of the kind `regression_kind`, oldest first
  SystemSeries series;                  ///< of all campaigns of the system, of the metrics that were read
  CheckLog log;
  std::vector<NodeEvent> events;      ///< declared
  std::vector<std::string> accepted;  ///< the campaign that holds, then the parts beside it; empty: none
};

/// Which metrics' series are read: those that checks may be judged by, or all.
enum class Metrics { watched, all };

/// Reads it from the store and the workspace's log.
Result<CheckHistory> check_history(const Workspace& workspace, const Database& database,
                                   std::string_view system, Metrics metrics = Metrics::watched);

/// When each node was last measured by a check, seconds since 1970.
std::map<std::string, double> coverage(const CheckHistory& history);

/// The nodes that a campaign ran on.
std::set<std::string> nodes_of(const CheckHistory& history, std::string_view campaign);

/// Why a floor of the configuration, whose file is `name`, would never be judged: nobody watches its metric.
Result<void> watched_floors(const RegressionFloor& floor, const std::string& name);

/// The series that a check has values of, each with its checks up to that one, its control region and its
/// floor. Runs that checks excluded are no values. Of cases of one node each node has its own series. A suite
/// is watched by what its facts name (MLPerf: its rate), by another headline too where the floor states a
/// limit of it.
///
/// The control region of a series begins with the first check on a node to which something was declared, or
/// found, to have happened.
std::vector<CheckSeries> series_of_check(const CheckHistory& history, std::string_view campaign,
                                         const RegressionFloor& floor);

/// All series that checks have values of, each with all its checks and its control region; without floors and
/// the values of like nodes. Watched are the metrics that any check may be judged by.
std::vector<CheckSeries> series_of_all_checks(const CheckHistory& history);

/// Whether each run of the history is a value: complete, not invalid, and not left out by its check.
std::vector<bool> runs_that_count(const CheckHistory& history);

}  // namespace shakedown
