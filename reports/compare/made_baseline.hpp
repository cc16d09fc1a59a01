#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/compare/comparison.hpp"

namespace shakedown {

/// A baseline made of a campaign.
struct MadeBaseline {
  std::string text;  ///< TOML, as `read_baseline` reads it
  int values = 0;    ///< in it
  std::vector<std::string>
      left_out;  ///< what the campaign measured and the baseline does not hold, with the reason
};

/// The values of a campaign as a baseline: one run for each group of like runs that may be compared
/// (`like_runs`), with the conditions of its first case, its logs and their hashes. A value is the median of
/// the group's valid results, or the score of their set. It is left out where not even its own campaign may
/// be compared with it by `comparability`: whatever is compared with it later would not be comparable.
///
/// Fails where no value remains.
Result<MadeBaseline> made_baseline(const MeasuredCampaign& campaign, const std::string& name,
                                   const Comparability& comparability);

}  // namespace shakedown
