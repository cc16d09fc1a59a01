#include <nlohmann/json.hpp>
#include <utility>

#include "reports/json/objects.hpp"

namespace shakedown::results_json {

json reliability_object(const ReliabilityRow& row) {
  json object = {{"suite", row.suite},   {"started", row.started},       {"succeeded", row.succeeded},
                 {"failed", row.failed}, {"stopped", row.stopped},       {"rate", row.rate.rate},
                 {"low", row.rate.low},  {"high", row.rate.high},        {"confidence", 0.95},
                 {"interval", "Wilson"}, {"unsuccessful", json::array()}};
  for (const UnsuccessfulAttempt& each : row.unsuccessful)
    object["unsuccessful"].push_back({{"case", each.case_id},
                                      {"attempt", each.index},
                                      {"by_hand", each.by_hand},
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
  return object;
}

json metric_object(const SuiteResult& figure) {
  json object = {{"suite", figure.suite}};
  put_if(object, "case", figure.case_id);
  put_if(object, "benchmark", figure.benchmark);
  put_if(object, "metric", figure.metric);
  if (figure.measured) {
    put(object, "measured", *figure.measured);
    object["n"] = figure.n;
  }
  put_if(object, "absent", figure.absent);
  put_if(object, "mark", figure.mark);
  if (figure.predicted)
    object["predicted"] = {
        {"value", figure.predicted->value}, {"low", figure.predicted->low}, {"high", figure.predicted->high}};
  put_if(object, "efficiency_metric", figure.efficiency_metric);
  if (figure.efficiency) put(object, "efficiency", *figure.efficiency);
  put_if(object, "basis", figure.basis);
  put_if(object, "remark", figure.remark);
  return object;
}

json orientation_object(const Orientation& orientation) {
  json object = {{"why", orientation.why}, {"figures", json::array()}, {"ratios", json::array()}};
  for (const PublishedValue& figure : orientation.figures) {
    json entry = {{"suite", figure.suite}, {"metric", figure.metric}};
    put_if(entry, "benchmark", figure.benchmark);
    put(entry, "value", figure.value);
    entry["unit"] = figure.unit;
    put_if(entry, "precision", figure.precision);
    if (figure.nodes) entry["nodes"] = *figure.nodes;
    if (figure.gpus) entry["gpus"] = *figure.gpus;
    put_if(entry, "bound_by", figure.bound_by);
    entry["source"] = figure.source;
    entry["status"] = to_string(figure.status);
    object["figures"].push_back(std::move(entry));
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
