#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/measure/measured_campaign.hpp"
#include "reports/measure/suite_metrics.hpp"

namespace shakedown {

/// Cases that measure one node each and are alike but for the node; of a scheduled check, the runs of a case
/// that it repeated to confirm.
struct LikeNodes {
  bool repeated = false;              ///< they are runs of one case
  std::vector<std::size_t> cases;     ///< three or more, by their index in the campaign, in order
  std::vector<std::size_t> ordinary;  ///< of them: one attempt, and only results that may be used
  std::optional<std::size_t>
      slowest;  ///< of the ordinary ones, by the suite's rate; none: nothing to rank by
};

/// All groups of such cases, in the order of their first ones. What was repeated is none of the like nodes.
std::vector<LikeNodes> like_nodes(const MeasuredCampaign& campaign);

/// Results of one metric that share a row: those of like nodes, or of the runs of one case.
struct LikeResults {
  bool repeated = false;                    ///< they are runs of one case
  std::vector<const SuiteResult*> results;  ///< one or more, in order
};

/// All results, those of `like_nodes` together, in the order of their first ones.
std::vector<LikeResults> like_results(std::span<const SuiteResult> results, const MeasuredCampaign& campaign);

/// The nodes of those without a value, as a hostlist; empty: all have one.
std::string nodes_without_value(const LikeResults& like, const MeasuredCampaign& campaign);

/// Which cases get a section of their own, by index: those with results, the first hundred of them. Of a
/// group only the first and the slowest of the ordinary ones have one.
std::vector<bool> sections_of(const MeasuredCampaign& campaign);

}  // namespace shakedown
