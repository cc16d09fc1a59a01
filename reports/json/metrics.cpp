#include <nlohmann/json.hpp>
#include <utility>

#include "reports/json/objects.hpp"

namespace shakedown::results_json {

namespace {

json criteria_tally(const CriteriaTally& tally) {
  return {{"all", tally.all},
          {"pass", tally.passed},
          {"fail", tally.failed},
          {"invalid", tally.invalid},
          {"not-run", tally.without_result},
          {"not-comparable", tally.not_comparable},
          {"undecided", tally.undecided},
          {"waived", tally.waived}};
}

}  // namespace

json tally_object(const Tally& tally) {
  return {{"cases", {{"all", tally.cases}, {"ran_correctly", tally.ran}, {"not_run", tally.not_run}}},
          {"attempts",
           {{"all", tally.attempts},
            {"succeeded", tally.succeeded},
            {"failed", tally.failed},
            {"unusable", tally.not_valid},
            {"stopped", tally.stopped},
            {"repeats", tally.repeats},
            {"without_result", tally.without_result},
            {"set_aside", tally.set_aside}}},
          {"runs", {{"all", tally.runs}, {"disturbed", tally.disturbed}}},
          {"results",
           {{"all", tally.results},
            {"candidates", tally.candidates},
            {"eligible", tally.eligible},
            {"undecided", tally.eligibility_open},
            {"screens", tally.screens}}},
          {"mandatory", criteria_tally(tally.mandatory)},
          {"advisory", criteria_tally(tally.advisory)},
          {"limits", criteria_tally(tally.limits)},
          {"exceptions", tally.exceptions},
          {"disturbances", tally.disturbances}};
}

json reliability_object(const ReliabilityRow& row) {
  json object = {{"suite", row.suite},    {"started", row.started},        {"succeeded", row.succeeded},
                 {"failed", row.failed},  {"unusable", row.not_valid},     {"stopped", row.stopped},
                 {"rate", row.rate.rate}, {"low", row.rate.low},           {"high", row.rate.high},
                 {"confidence", 0.95},    {"interval", "Clopper-Pearson"}, {"unsuccessful", json::array()}};
  for (const UnsuccessfulAttempt& each : row.unsuccessful)
    object["unsuccessful"].push_back({{"case", each.case_id},
                                      {"attempt", each.index},
                                      {"by_hand", each.by_hand},
                                      {"unusable", each.not_valid},
                                      {"ending", each.ending}});
  return object;
}

json comparison_object(const Comparison& comparison) {
  json object = {{"case", comparison.case_id},
                 {"suite", comparison.suite},
                 {"metric", comparison.metric},
                 {"normalisation", comparison.normalisation}};
  if (comparison.measured) put(object, "measured", *comparison.measured);
  if (comparison.baseline) put(object, "baseline", *comparison.baseline);
  if (comparison.ratio) put(object, "ratio", *comparison.ratio);
  object["unit"] = comparison.unit;
  object["comparable"] = comparison.comparable;
  if (comparison.information) object["information"] = true;
  object["condition"] = comparison.condition;
  object["source"] = comparison.source;
  if (comparison.set_runs > 0) object["score_of_runs"] = comparison.set_runs;
  return object;
}

json suite_result_object(const SuiteResult& result) {
  json object = {{"suite", result.suite}};
  put_if(object, "case", result.case_id);
  put_if(object, "benchmark", result.benchmark);
  put_if(object, "metric", result.metric);
  if (result.measured) {
    put(object, "measured", *result.measured);
    object["n"] = result.n;
  }
  put_if(object, "absent", result.absent);
  put_if(object, "mark", result.mark);
  if (result.predicted)
    object["predicted"] = {
        {"value", result.predicted->value}, {"low", result.predicted->low}, {"high", result.predicted->high}};
  put_if(object, "efficiency_metric", result.efficiency_metric);
  if (result.efficiency) put(object, "efficiency", *result.efficiency);
  put_if(object, "basis", result.basis);
  put_if(object, "remark", result.remark);
  return object;
}

json orientation_object(const Orientation& orientation) {
  json object = {{"why", orientation.why}, {"values", json::array()}, {"ratios", json::array()}};
  for (const PublishedValue& published : orientation.values) {
    json entry = {{"suite", published.suite}, {"metric", published.metric}};
    put_if(entry, "benchmark", published.benchmark);
    put(entry, "value", published.value);
    entry["unit"] = published.unit;
    put_if(entry, "precision", published.precision);
    if (published.nodes) entry["nodes"] = *published.nodes;
    if (published.gpus) entry["gpus"] = *published.gpus;
    put_if(entry, "bound_by", published.bound_by);
    entry["source"] = published.source;
    entry["status"] = to_string(published.status);
    object["values"].push_back(std::move(entry));
  }
  for (const OrientationRatio& ratio : orientation.ratios) {
    json entry = {{"name", ratio.name}, {"says", ratio.says}};
    if (ratio.here) put(entry, "here", *ratio.here);
    put_if(entry, "here_on", ratio.here_on);
    if (ratio.there) put(entry, "there", *ratio.there);
    put_if(entry, "there_on", ratio.there_on);
    object["ratios"].push_back(std::move(entry));
  }
  return object;
}

}  // namespace shakedown::results_json
