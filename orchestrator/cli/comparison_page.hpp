#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "reports/compare/compared_campaigns.hpp"
#include "reports/judge/baseline_comparison.hpp"

namespace shakedown {

/// Where the page of a comparison is written.
struct PagePlace {
  const Workspace& workspace;
  std::string folder;  ///< empty: the folder of the campaign that is compared, of two the one after
};

/// Writes the comparison of two campaigns as a page, "compare-<id before>.html", elsewhere than in the
/// campaign's folder "compare-<id before>-<id after>.html", and returns its path. Judges both; fails as
/// `judged_campaign`, and where the file can't be written.
Result<std::filesystem::path> write_comparison_page(const ComparedCampaigns& compared,
                                                    const PagePlace& place);

/// Writes a campaign beside published values as a page, "compare-<name>.html", elsewhere
/// "compare-<name>-<id>.html", and returns its path.
Result<std::filesystem::path> write_comparison_page(const std::vector<BaselineComparison>& rows,
                                                    const Baseline& baseline, const Outcome& outcome,
                                                    const PagePlace& place);

/// Fails where `format` is none of the formats of a comparison, or a folder is given for none.
Result<void> check_comparison_format(const std::string& format, const std::string& folder);

}  // namespace shakedown
