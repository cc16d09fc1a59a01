#pragma once
#include <optional>
#include <string>
#include <vector>

namespace shakedown {

/// A criterion as a campaign's verdict states it.
struct HistoryCriterion {
  std::string id;
  std::string metric;
  std::string severity;
  std::string verdict;
  int n = 0;
  std::optional<double> measured;
  std::optional<double> limit;
  std::string because;
};

/// Something noted of the software of a campaign's nodes: a name with a value that some of them have.
struct HistoryFact {
  std::string name;
  std::string value;
  int nodes = 0;  ///< that have it
};

/// What a list of all campaigns shows of one.
struct HistoryCampaign {
  std::string id;
  std::string system;
  std::string kind;
  std::string state;
  double created_s = 0;
  double finished_s = 0;  ///< 0: not finished
  std::string tool_version;
  std::string note;
  std::string criteria_name;  ///< of those that judge it; empty: none
  std::string criteria_text;  ///< TOML
  int cases = 0;
  int ended_cases = 0;   ///< with a finished, timed-out or imported attempt
  std::string overall;   ///< the verdict: "pass"; empty: not judged
  std::string sentence;  ///< of the verdict
  std::vector<HistoryCriterion> criteria;
  std::vector<HistoryFact> environment;  ///< by name and value
};

}  // namespace shakedown
