#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/page.hpp"

namespace shakedown {

/// A suite of the campaign with what decides of it.
struct FrontRow {
  std::string_view suite;
  std::vector<const MeasuredCase*> cases;
  std::vector<const CriterionResult*> criteria;  ///< mandatory ones; where there are none, the advisory ones
  std::vector<const CriterionResult*> limits;    ///< those on performance that were judged, advisory ones too
  std::vector<const CriterionResult*> open;      ///< advisory ones beside them that do not pass
  const SuiteResult* result = nullptr;           ///< on the most nodes
  /// The score of the set that `result` is a run of; null: its runs have none.
  const SetScore* score = nullptr;
  std::optional<double> measured;  ///< the score, else the median of the results on as many nodes
  std::size_t n = 0;               ///< of those
  bool is_size = false;            ///< one of several workloads or numbers of nodes of its suite
  std::size_t more_sizes = 0;      ///< of the last one shown: how many are not
};

/// In the order of the suites' ranks, the screens last.
std::vector<FrontRow> front_rows(const ReportInput& input);

/// The rows of the first page: where no criterion judges a suite, one for each workload and number of nodes.
std::vector<FrontRow> rows_by_size(const ReportInput& input);

/// Whether an alarm says that every run was disturbed, so that no row has to.
bool all_disturbed(const Tally& tally);

/// A row of the first page's table.
Fields front_row(const ReportInput& input, const FrontRow& row);

}  // namespace shakedown
