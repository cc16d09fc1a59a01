#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "parsers/rules/result_json.hpp"
#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/training.hpp"

namespace shakedown::results_json {
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

json result_object(const ResultRecord& result, bool only_short) {
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
  if (only_short) object["mark"] = short_of_rules;
  if (!result.parsed.phases.empty()) object["phases"] = phases_object(result.parsed.phases);
  put_if(object, "file", result.file);
  put_if(object, "reason", result.parsed.reason);
  if (!result.parsed.warnings.empty()) object["warnings"] = result.parsed.warnings;
  return object;
}

}  // namespace

json attempt_object(const CampaignRecord& campaign, const AttemptRecord& attempt) {
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
    object["results"].push_back(result_object(result, valid_but_for_length(campaign, result)));
  object["files"] = json::array();
  for (const FileRecord& file : attempt.files)
    object["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return object;
}

}  // namespace shakedown::results_json
