#pragma once
#include <optional>
#include <string>
#include <vector>

#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// What a case measured, beside what was predicted of it and the peak that bounds it: a row of the report's
/// first table.
struct SuiteResult {
  std::string case_id;  ///< empty: the suite was refused
  std::string suite;
  std::string benchmark;           ///< its name within the suite; empty: the suite is one
  std::string metric;              ///< "rmax_gflops"
  std::optional<double> measured;  ///< median over the results that may be used
  int n = 0;                       ///< of those results
  std::string absent;              ///< why nothing is measured: "failed", "invalid", "aborted after 3.2 min"
  std::string
      mark;  ///< "short of the official rules on run length or number of runs"; empty: nothing to report
  std::optional<Prediction> predicted;
  std::string efficiency_metric;  ///< "efficiency_gemm"; empty: no peak bounds the value
  std::optional<double> efficiency;
  std::string basis;        ///< "of 111.2 GFLOP/s measured GEMM", or why the efficiency is not known
  std::string remark;       ///< why an efficiency can lie above 1, or is withheld; empty: neither
  bool impossible = false;  ///< an efficiency was measured that can't be one: `remark` says why
  std::vector<std::string> references;  ///< the cases that the efficiency's denominator was measured by
};

/// Whether a prediction is the peak alone, in a range wider than a factor of two: before a first measurement
/// it says nothing of the rate to be expected.
[[nodiscard]] bool is_peak_alone(const Prediction& predicted, const Case& planned);

/// What stands in the place of such a prediction.
inline constexpr std::string_view not_yet_predicted = "no prediction before a first measurement";

/// The metrics that count of a suite, those of short runs included; none of a suite that is not known.
std::vector<std::string_view> counting_metrics(std::string_view suite);

/// The values of a campaign's cases in their order, then the suites that were refused. Cases of
/// suites without a known headline metric are omitted.
std::vector<SuiteResult> suite_results(const MeasuredCampaign& campaign, const Comparability& comparability);

/// The text in place of a time to train of a training that did not reach its target: "aborted after 3.2 min",
/// "target missed after 3.2 min". Empty if it did reach it, or if the result is none of a training.
[[nodiscard]] std::string ended_without_target(const ResultRecord& result);

}  // namespace shakedown
