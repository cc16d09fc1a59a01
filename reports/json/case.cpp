#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown::results_json {
namespace {

/// The median of each metric over the results that may be used as numbers.
json medians(const CaseRecord& record) {
  json metrics = json::object();
  const auto results = own_results(record);
  for (const CountedResult& counted : results)
    for (const Metric& metric : counted.result->parsed.metrics) {
      if (metrics.contains(metric.name)) continue;
      std::vector<double> points;
      for (const CountedResult& other : results)
        if (const Metric* same = other.result->parsed.metric(metric.name); same && usable(*other.result))
          points.push_back(same->value);
      if (!points.empty()) put(metrics, metric.name.c_str(), median(points));
    }
  return metrics;
}

}  // namespace

json case_object(const CampaignRecord& campaign, const CaseRecord& record) {
  const Case& planned = record.planned;
  json object = {{"id", planned.id},
                 {"suite", planned.suite},
                 {"implementation", planned.implementation},
                 {"exercised", planned.exercised}};
  const std::pair<const char*, int> places[] = {{"nodes", planned.nodes},
                                                {"ranks", planned.ranks},
                                                {"ranks_per_node", planned.ranks_per_node},
                                                {"threads_per_rank", planned.threads_per_rank}};
  for (const auto& [key, count] : places)
    if (count > 0) object[key] = count;  // 0: the log of a run made elsewhere does not tell
  put_if(object, "origin", planned.origin);
  put_if(object, "benchmark", planned.benchmark);
  put_if(object, "hosts", planned.hosts);
  if (planned.bound) object["placement"] = "bound";
  if (planned.stage > 0) object["stage"] = planned.stage;
  if (planned.repetition > 1) object["repetition"] = planned.repetition;
  if (planned.confirms) object["purpose"] = "confirm";
  put_if(object, "stands_for", planned.stands_for);
  put_if(object, "not_run", record.not_run);
  if (!planned.container.image.empty()) {
    object["container"] = {{"runtime", planned.container.runtime}, {"image", planned.container.image}};
    put_if(object["container"], "digest", planned.container.digest);
  }
  object["parameters"] = named_values(planned.parameters);
  if (!planned.predicted.empty()) {
    json& predicted = object["predicted"] = json::object();
    for (const Prediction& prediction : planned.predicted)
      predicted[prediction.metric] = {
          {"value", prediction.value}, {"low", prediction.low}, {"high", prediction.high}};
    predicted["model"] = planned.model.text;
    put_if(predicted, "source", planned.model.source);
    if (planned.model.points > 0) {
      predicted["parameters"] = planned.model.parameters;
      predicted["points"] = planned.model.points;
    }
  }
  object["metrics"] = medians(record);
  object["attempts"] = json::array();
  for (const AttemptRecord& attempt : record.attempts)
    object["attempts"].push_back(attempt_object(campaign, attempt));
  if (!planned.warnings.empty()) object["warnings"] = planned.warnings;
  return object;
}

}  // namespace shakedown::results_json
