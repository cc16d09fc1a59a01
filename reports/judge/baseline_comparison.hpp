#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/judge/judgement.hpp"
#include "reports/statistics/watch.hpp"

namespace shakedown {

/// Like runs of a campaign beside one value of a baseline, repetitions taken together.
struct BaselineComparison {
  Comparison row;            ///< of the first case; `measured` and `ratio` are those of all runs' median
  std::size_t cases = 1;     ///< that were taken together
  std::vector<double> runs;  ///< empty where nothing is compared
  double low = 0;  ///< from there to `high` lie the runs, or from six on the machine's median with `coverage`
  double high = 0;
  std::optional<double> coverage;  ///< of the median's interval; none: low and high are the runs' range
  std::optional<Better> better;
  std::string verdict;  ///< in words, which way included; why nothing is compared
  std::string title;    ///< benchmark_title
  std::string mark;     ///< beside the value measured here: "unverified"; empty: nothing
  std::string subject;  ///< "hpl-reference-1n and 2 like it"; of logs made elsewhere "gpt3, 32 nodes, 3 logs"
};

/// The comparisons of a judged campaign, those of like runs together. A published value is one value without
/// a spread of its own, so there is no p: the words state how far the median lies from it, and on which side
/// of it all runs, or the median's interval (order_interval.hpp), lie.
std::vector<BaselineComparison> baseline_comparisons(const MeasuredCampaign& campaign,
                                                     const std::vector<Comparison>& rows,
                                                     const Comparability& comparability);

/// A value of such a row in the unit that the baseline states, as people read it; a dash where there is none.
std::string published_value_text(const std::optional<double>& value, const std::string& unit);

}  // namespace shakedown
