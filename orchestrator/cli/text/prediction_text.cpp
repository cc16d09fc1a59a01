#include "orchestrator/cli/text/prediction_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

/// How many times a result lies above or below its prediction's range; 1 or less: it lies inside.
double times_outside(const SuiteResult& result) {
  if (!result.measured || !result.predicted || !is_useful(*result.predicted)) return 0;
  const double value = *result.measured;
  if (!(value > 0)) return 0;
  return std::max(value / result.predicted->high, result.predicted->low / value);
}

/// The results of one metric that lie outside.
struct Missed {
  const SuiteResult* worst = nullptr;
  int cases = 0;
};

bool is_same_metric(const SuiteResult& a, const SuiteResult& b) {
  return a.suite == b.suite && a.benchmark == b.benchmark && a.metric == b.metric;
}

std::string line(const Missed& missed, const CampaignRecord& campaign) {
  const SuiteResult& worst = *missed.worst;
  const Prediction predicted = worst.predicted.value_or(Prediction());
  const std::string_view mark = unreviewed_mark(campaign, worst.suite, worst.case_id);
  return fmt::format("  {}{}{} {}{}{}: {} is outside its prediction {} ({}{})\n", suite_title(worst.suite),
                     worst.benchmark.empty() ? "" : " ", worst.benchmark, metric_title(worst.metric),
                     mark.empty() ? "" : ", ", mark, metric_text(worst.metric, worst.measured.value_or(0)),
                     range_text(worst.metric, predicted.low, predicted.high), worst.case_id,
                     missed.cases > 1 ? fmt::format(" and {} more", missed.cases - 1) : "");
}

}  // namespace

std::string missed_predictions_text(std::span<const SuiteResult> results, const CampaignRecord& campaign) {
  std::vector<Missed> all;
  for (const SuiteResult& each : results) {
    if (times_outside(each) <= 1) continue;
    auto known =
        std::ranges::find_if(all, [&](const Missed& missed) { return is_same_metric(*missed.worst, each); });
    if (known == all.end()) known = all.insert(all.end(), {&each, 0});
    ++known->cases;
    if (times_outside(each) > times_outside(*known->worst)) known->worst = &each;
  }
  std::string text;
  for (const Missed& missed : all) text += line(missed, campaign);
  return text;
}

}  // namespace shakedown
