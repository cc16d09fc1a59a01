#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "orchestrator/campaign/pass_log.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/regression.hpp"

namespace shakedown {

/// All that is known of the scheduled passes of one system.
struct PassHistory {
  std::string system;
  std::vector<CampaignSummary> passes;  ///< campaigns of the kind `regression_kind`, oldest first
  SystemSeries series;                  ///< of all campaigns of the system
  PassLog log;
  std::vector<NodeEvent> events;      ///< declared
  std::vector<std::string> accepted;  ///< the campaign that holds, then the parts beside it; empty: none
};

/// Reads it from the store and the workspace's log.
Result<PassHistory> pass_history(const Workspace& workspace, const Database& database,
                                 std::string_view system);

/// When each node was last measured by a pass, seconds since 1970.
std::map<std::string, double> coverage(const PassHistory& history);

/// The nodes that a campaign ran on.
std::set<std::string> nodes_of(const PassHistory& history, std::string_view campaign);

/// Why a floor of the configuration, whose file is `name`, would never be judged: nobody watches its figure.
Result<void> watched_floors(const RegressionFloor& floor, const std::string& name);

/// The series that a pass has values of, each with its passes up to that one, its control region and its
/// floor. Runs that passes left out are no values. Of cases of one node each node has its own series.
/// MLPerf is watched by its rate; by its time to train too where the floor states a limit of it.
///
/// The control region of a series begins with the first pass on a node to which something was declared, or
/// found, to have happened.
std::vector<PassSeries> series_of_pass(const PassHistory& history, std::string_view campaign,
                                       const RegressionFloor& floor);

}  // namespace shakedown
