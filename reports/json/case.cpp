#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "parsers/rules/result_json.hpp"
#include "reports/json/objects.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/run_state.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/suite_metrics.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown::results_json {
namespace {

/// The median of each metric over the results that may be used as numbers.
json medians(const MeasuredCase& record) {
  json metrics = json::object();
  for (const CountedResult& counted : record.own)
    for (const Metric& metric : counted.result->parsed.metrics) {
      if (metrics.contains(metric.name)) continue;
      std::vector<double> points;
      for (const CountedResult& other : record.own)
        if (const Metric* same = other.result->parsed.metric(metric.name); same && usable(*other.result))
          points.push_back(same->value);
      if (!points.empty()) put(metrics, metric.name.c_str(), median(points));
    }
  return metrics;
}

}  // namespace

json case_object(const CampaignRecord& campaign, const MeasuredCase& record) {
  const Case& planned = record.planned;
  json object = {{"id", planned.id},
                 {"suite", planned.suite},
                 {"implementation", planned.implementation},
                 {"tested", planned.tested}};
  const std::pair<const char*, int> places[] = {{"nodes", planned.nodes},
                                                {"ranks", planned.ranks},
                                                {"ranks_per_node", planned.ranks_per_node},
                                                {"threads_per_rank", planned.threads_per_rank}};
  for (const auto& [key, count] : places)
    if (count > 0) object[key] = count;  // 0: not in the log of a run made elsewhere
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
    object["attempts"].push_back(attempt_object(campaign, record, attempt));
  if (!planned.warnings.empty()) object["warnings"] = planned.warnings;
  return object;
}

namespace {

json phases_object(const std::vector<Phase>& phases) {
  json object = json::object();
  for (const Phase& phase : phases) {
    json& entry = object[phase.name] = json::object();
    put(entry, "value", phase.value);
    entry["unit"] = phase.unit;
    put(entry, "time_s", phase.time_s);
    entry["valid"] = phase.valid;
    entry["scored"] = phase.scored;
  }
  return object;
}

json result_object(const ResultRecord& result, bool only_short, const std::string& state) {
  json object = {{"complete", result.parsed.complete}, {"implementation", result.parsed.implementation}};
  put_if(object, "version", result.parsed.version);
  object["parameters"] = named_values(result.parsed.parameters);
  json metrics = json::object();
  const bool early = !ended_without_target(result).empty();
  for (const Metric& metric : result.parsed.metrics)
    put(metrics,
        early && metric.name == "time_to_train_min" ? "ended_without_target_min" : metric.name.c_str(),
        metric.value);
  object["metrics"] = metrics;
  object["validity"] = to_string(result.validity);
  object["state"] = state;
  if (only_short) object["mark"] = correct_but_short(result.parsed.suite);
  if (!result.parsed.phases.empty()) object["phases"] = phases_object(result.parsed.phases);
  put_if(object, "file", result.file);
  put_if(object, "reason", result.parsed.reason);
  if (!result.parsed.warnings.empty()) object["warnings"] = result.parsed.warnings;
  return object;
}

}  // namespace

json attempt_object(const CampaignRecord& campaign, const MeasuredCase& record,
                    const AttemptRecord& attempt) {
  json object = {{"index", attempt.index}, {"state", to_string(attempt.state)}};
  if (attempt.exit_code) object["exit_code"] = *attempt.exit_code;
  if (attempt.signal) object["signal"] = *attempt.signal;
  if (attempt.started_s > 0) object["started"] = utc_text(attempt.started_s);
  if (attempt.finished_s > 0) {
    object["finished"] = utc_text(attempt.finished_s);
    put(object, "wall_s", attempt.wall_s);
  }
  put_if(object, "host", attempt.host);
  put_if(object, "hosts", attempt.hosts);
  put_if(object, "job", attempt.job);
  put_if(object, "program", attempt.program);
  put_if(object, "program_sha256", attempt.program_sha256);
  object["run_folder"] = attempt.run_folder;
  put_if(object, "failure", attempt.failure);
  put_if(object, "set_aside", attempt.set_aside);
  if (attempt.failure_kind) object["failure_kind"] = to_string(*attempt.failure_kind);
  if (attempt.conditions) {
    json& conditions = object["conditions"] = json::object();
    put(conditions, "cores", attempt.conditions->cores);
    put(conditions, "steal_ratio", attempt.conditions->steal_ratio);
    put(conditions, "foreign_cores", attempt.conditions->foreign_cores);
    put(conditions, "job_cores", attempt.conditions->job_cores);
    put(conditions, "load_before", attempt.conditions->load_before);
  }
  for (const NodeState& state : attempt.nodes)
    object["nodes"].push_back(json_or_discarded<json>(node_state_json(state)));
  object["results"] = json::array();
  for (const ResultRecord& result : attempt.results)
    object["results"].push_back(result_object(result, valid_but_for_length(campaign, result),
                                              run_state_text(campaign, record, attempt, &result)));
  object["files"] = json::array();
  for (const FileRecord& file : attempt.files) {
    json& entry = object["files"].emplace_back(json::object());
    entry["name"] = file.name;
    entry["bytes"] = file.bytes;
    entry["sha256"] = file.sha256;
  }
  return object;
}

}  // namespace shakedown::results_json
