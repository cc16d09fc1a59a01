#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/store/database.hpp"
#include "reports/judge/regression.hpp"
#include "reports/measure/node_screen.hpp"

namespace shakedown {

/// A change of a node's hardware or software that a scheduled check found.
struct ObservedChange {
  std::string node;
  double at_s = 0;
  std::string what;  ///< "kernel: 6.1.0-25 -> 6.1.0-26"
};

/// The contract's floor of the series of one shape, as the newest check that states it was judged by it.
struct SiteFloor {
  SeriesName name;  ///< its nodes do not count
  double limit = 0;
  std::string source;
};

/// All that the history page shows of one system.
struct SiteSystem {
  std::string name;
  std::vector<HistoryCampaign> campaigns;  ///< oldest first
  std::vector<std::string> reports;  ///< of each campaign: a relative address of its report; may be empty
  SystemSeries series;               ///< of all campaigns of the store
  std::vector<bool> counts;          ///< of each run of `series`: its values may be used
  std::vector<CheckSeries> checked;  ///< the series of scheduled checks, as `regress` has them
  std::map<std::string, double> last_seen;  ///< when a check measured a node last, seconds since 1970
  std::vector<std::string> nodes;           ///< of the newest inventory
  std::map<std::string, std::string> pods;  ///< of its nodes that lie in one: the pod's name
  std::vector<AcceptedCampaign> acceptances;
  std::vector<NodeEvent> events;
  std::vector<ObservedChange> changes;
  std::vector<SiteFloor> floors;
  std::string screened;             ///< the newest campaign that measured like nodes beside each other
  std::vector<NodeScreen> screens;  ///< of that campaign, as its report judges them
};

/// All that the history page shows.
struct SiteHistory {
  std::vector<SiteSystem> systems;  ///< that with the newest campaign first
  double since_s = 0;               ///< earlier campaigns are left out; 0: none is
  std::size_t left_out = 0;         ///< campaigns that are
  bool live = false;                ///< the page is served and may ask for progress
};

}  // namespace shakedown
