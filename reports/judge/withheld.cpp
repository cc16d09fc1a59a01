#include "reports/judge/withheld.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"

namespace shakedown {
namespace {

/// An efficiency that was measured and is not shown.
bool is_withheld(const SuiteResult& result) {
  return !result.efficiency && !result.remark.empty();
}

/// "implausible: 4.6 times STREAM" of the remark "...; ratio withheld".
std::string reason_in(const std::string& remark) {
  return remark.substr(0, remark.find("; ratio withheld"));
}

void withhold_efficiency(SuiteResult& result, const std::vector<Disturbance>& disturbances) {
  const auto found = std::ranges::find_if(disturbances, [&](const Disturbance& each) {
    return std::ranges::find(result.references, each.case_id) != result.references.end();
  });
  if (found == disturbances.end()) return;
  const std::string why = fmt::format("its reference, {}, was disturbed {}; ratio withheld", found->run,
                                      disturbed_by(found->cause));
  result.remark = is_withheld(result) ? fmt::format("{}; {}", reason_in(result.remark), why) : why;
  result.efficiency.reset();
}

bool is_among(const std::vector<std::string>& cases, const std::string& id) {
  return std::ranges::find(cases, id) != cases.end();
}

/// Why a ratio within the machine is withheld: a run that is its reference was disturbed, or one that went
/// into it is impossible beside another reference. Empty: it is not.
std::string why_withheld(const OrientationRatio& ratio, const std::vector<Disturbance>& disturbances,
                         const std::map<std::string, std::string>& impossible) {
  for (const Disturbance& each : disturbances)
    if (is_among(ratio.references, each.case_id))
      return fmt::format("its reference, {}, was disturbed {}", each.run, disturbed_by(each.cause));
  for (const auto& [case_id, reason] : impossible)
    if (is_among(ratio.cases, case_id) || is_among(ratio.references, case_id)) return reason;
  return ratio.most > 0 && ratio.here.value_or(0) > ratio.most ? "above what the reference allows" : "";
}

void withhold_comparison(Comparison& comparison, const std::vector<SuiteResult>& results) {
  if (!comparison.measured) return;
  const auto found = std::ranges::find_if(results, [&](const SuiteResult& each) {
    return is_withheld(each) && each.case_id == comparison.case_id &&
           each.efficiency_metric == comparison.metric;
  });
  if (found == results.end()) return;
  comparison.measured.reset();
  comparison.ratio.reset();
  comparison.comparable = comparison.information = false;
  comparison.condition = found->remark;
}

}  // namespace

void withhold_ratios(Judgement& judgement) {
  std::map<std::string, std::string> impossible;  // cases with the reason
  for (const SuiteResult& result : judgement.suite_results)
    if (is_withheld(result))
      impossible.emplace(result.case_id,
                         fmt::format("of {}: {}", suite_title(result.suite), reason_in(result.remark)));
  for (SuiteResult& result : judgement.suite_results) withhold_efficiency(result, judgement.disturbances);
  for (Comparison& comparison : judgement.comparisons)
    withhold_comparison(comparison, judgement.suite_results);
  if (!judgement.orientation) return;
  for (OrientationRatio& ratio : judgement.orientation->ratios) {
    if (!ratio.here) continue;
    const std::string why = why_withheld(ratio, judgement.disturbances, impossible);
    if (why.empty()) continue;
    ratio.here.reset();
    ratio.here_on = "withheld: " + why;
  }
}

}  // namespace shakedown
