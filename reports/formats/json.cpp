#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "parsers/rules/result_json.hpp"
#include "reports/display.hpp"
#include "reports/format.hpp"
#include "reports/measurement.hpp"
#include "reports/screening.hpp"
#include "reports/statistics.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/training.hpp"

namespace shakedown {
namespace {

using json = nlohmann::ordered_json;

/// Absent is absent: a figure that is not a number is left out.
void put(json& object, const char* key, double value) {
  if (std::isfinite(value)) object[key] = value;
}

void put_if(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json named_values(const std::vector<Parameter>& parameters) {
  json object = json::object();
  for (const Parameter& parameter : parameters)
    std::visit([&](const auto& value) { object[parameter.name] = value; }, parameter.value);
  return object;
}

json node_object(const NodeResult& node) {
  json object = {{"node", node.node}, {"verdict", to_string(node.verdict)}, {"n", node.n}};
  if (node.measured) put(object, "median", *node.measured);
  object["because"] = node.because;
  return object;
}

/// All points with their median and range, and the median's interval where there are enough of them.
void put_points(json& object, const CriterionResult& result) {
  object["points"] = result.points;
  const auto [low, high] = std::minmax_element(result.points.begin(), result.points.end());
  object["range"] = {*low, *high};
  if (!result.nodes.empty()) {
    if (result.measured) put(object, "worst_node", *result.measured);
    return;
  }
  put(object, "median", median(result.points));
  if (const auto interval = median_interval(result.points))
    object["median_interval"] = {
        {"low", interval->low}, {"high", interval->high}, {"coverage", interval->coverage}};
  else if (result.points.size() > 1)
    object["median_interval_missing"] = interval.error().what;
}

json reference_object(const ReferenceResult& reference) {
  json object = {{"kind", reference.kind}};
  put_if(object, "id", reference.id);
  put(object, "value", reference.value);
  object["source"] = reference.source;
  put_if(object, "status", reference.status);
  if (reference.ratio) put(object, "ratio", *reference.ratio);
  object["comparable"] = reference.unlike.empty();
  put_if(object, "condition", reference.unlike);
  return object;
}

json waiver_object(const Waiver& waiver, bool lifts) {
  return {{"criterion", waiver.criterion},
          {"reason", waiver.reason},
          {"approver", waiver.approver},
          {"expires", waiver.expires},
          {"lifts", lifts}};
}

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

json criterion(const CriterionResult& result, const std::vector<Comparison>& comparisons) {
  json object = {{"id", result.id},
                 {"title", result.title},
                 {"suite", result.suite},
                 {"case", result.case_id},
                 {"metric", result.metric},
                 {"severity", result.severity},
                 {"verdict", to_string(result.verdict)},
                 {"because", result.because},
                 {"n", result.n}};
  put_if(object, "aggregation", result.aggregation);
  if (result.runs_min > 1) object["runs_min"] = result.runs_min;
  if (result.measured) {
    put(object, "measured", *result.measured);
    put_if(object, "aggregate", result.aggregate);
  }
  if (!result.points.empty()) put_points(object, result);
  if (result.limit) {
    object["unit"] = result.unit;
    object["direction"] = result.direction;
    object["limit"] = *result.limit;
  }
  object["limit_source"] = result.limit_source;
  put_if(object, "limit_of", result.limit_of);
  for (const ReferenceResult& reference : result.references)
    object["references"].push_back(reference_object(reference));
  if (result.waiver) object["waiver"] = waiver_object(*result.waiver, result.waived);
  if (result.nodes_required) object["nodes_required"] = *result.nodes_required;
  if (result.exclusions_max) object["exclusions_max"] = *result.exclusions_max;
  if (result.attempts_max) object["attempts_max"] = *result.attempts_max;
  for (const NodeResult& node : result.nodes) object["nodes"].push_back(node_object(node));
  for (const Comparison& comparison : comparisons) {
    if (comparison.case_id != result.case_id || comparison.metric != result.metric) continue;
    if (comparison.baseline) object["baseline"] = *comparison.baseline;
    if (comparison.ratio) object["ratio"] = *comparison.ratio;
    object["baseline_source"] = comparison.source;
    object["baseline_comparable"] = comparison.comparable;
    object["baseline_condition"] = comparison.condition;
    break;  // the metric's first rule; a scaled value follows as information
  }
  if (!result.evidence_path.empty())
    object["evidence"] = {{"path", result.evidence_path}, {"sha256", result.evidence_sha256}};
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

json figure_object(const SuiteFigure& figure) {
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

json screened_object(const ScreenedNode& node) {
  json object = {{"node", node.node}, {"finding", to_string(node.finding)}, {"case", node.case_id}};
  put(object, "value", node.value);
  if (!node.repeats.empty()) object["repeats"] = node.repeats;
  put(object, "expected", node.expected);
  object["expected_by"] = node.by_past ? "its own past" : "the median of all";
  put(object, "ratio", node.judged() / node.expected);
  put(object, "adjusted_p", node.adjusted_p);
  return object;
}

/// The nodes that are sound are counted.
json node_screen_object(const NodeScreen& screen) {
  json object = {{"suite", screen.suite}, {"implementation", screen.implementation}};
  put_if(object, "parameters", screen.parameters);
  put_if(object, "node_kind", screen.node_kind);
  object["metric"] = screen.metric;
  object["better"] = screen.better == Better::higher ? "higher" : "lower";
  object["n"] = screen.nodes.size();
  put(object, "median", screen.median);
  put(object, "spread", screen.spread);
  put_if(object, "unjudged", screen.unjudged);
  if (!screen.unmeasured.empty()) object["unmeasured"] = screen.unmeasured;
  if (!screen.unjudged.empty()) return object;
  object["with_past"] = screen.with_past;
  object["sound"] = screen.of(NodeFinding::sound).size();
  object["nodes"] = json::array();
  for (const NodeFinding finding : {NodeFinding::confirmed, NodeFinding::suspect, NodeFinding::cleared})
    for (const ScreenedNode* node : screen.of(finding)) object["nodes"].push_back(screened_object(*node));
  return object;
}

json orientation_object(const Orientation& orientation) {
  json object = {{"why", orientation.why}, {"figures", json::array()}, {"ratios", json::array()}};
  for (const OrientationFigure& figure : orientation.figures) {
    json entry = {{"suite", figure.suite}, {"metric", figure.metric}};
    put_if(entry, "benchmark", figure.benchmark);
    put(entry, "value", figure.value);
    entry["unit"] = figure.unit;
    put_if(entry, "precision", figure.precision);
    if (figure.nodes) entry["nodes"] = *figure.nodes;
    if (figure.gpus) entry["gpus"] = *figure.gpus;
    put_if(entry, "bound_by", figure.bound_by);
    entry["source"] = figure.source;
    entry["status"] = figure.status;
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
  if (only_short) object["mark"] = not_list_eligible;
  if (!result.parsed.phases.empty()) object["phases"] = phases_object(result.parsed.phases);
  put_if(object, "file", result.file);
  put_if(object, "reason", result.parsed.reason);
  if (!result.parsed.warnings.empty()) object["warnings"] = result.parsed.warnings;
  return object;
}

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
    object["nodes"].push_back(json::parse(node_state_json(state), nullptr, false));
  object["results"] = json::array();
  for (const ResultRecord& result : attempt.results)
    object["results"].push_back(result_object(result, valid_but_for_length(campaign, result)));
  object["files"] = json::array();
  for (const FileRecord& file : attempt.files)
    object["files"].push_back({{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return object;
}

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

json rules(const CampaignRecord& campaign) {
  json list = json::array();
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (size_t i = 0; i < attempt.results.size(); ++i)
        for (const RuleResult& rule : attempt.results[i].rules) {
          json object = {{"case", record.planned.id},
                         {"attempt", attempt.index},
                         {"result", i + 1},
                         {"id", rule.id},
                         {"title", rule.title},
                         {"severity", std::string(1, static_cast<char>(rule.severity))},
                         {"status", to_string(rule.status)},
                         {"value", rule.value}};
          if (short_by_design(campaign, attempt.results[i], rule)) object["mark"] = not_list_eligible;
          if (rule.line > 0) object["line"] = rule.line;
          put_if(object, "text", rule.text);
          object["source"] = rule.source;
          list.push_back(std::move(object));
        }
  return list;
}

json node_group_object(const NodeGroup& group) {
  json cpu = {{"model", group.cpu.model},           {"sockets", group.cpu.sockets},
              {"cores", group.cpu.cores},           {"threads_per_core", group.cpu.threads_per_core},
              {"numa_nodes", group.cpu.numa_nodes}, {"vector_extension", group.cpu.vector_extension}};
  if (group.cpu.base_mhz > 0) cpu["base_mhz"] = group.cpu.base_mhz;
  if (group.cpu.max_mhz > 0) cpu["max_mhz"] = group.cpu.max_mhz;
  if (group.cpu.fp64_flop_per_cycle > 0) cpu["fp64_flop_per_cycle"] = group.cpu.fp64_flop_per_cycle;
  if (const double peak = cpu_peak_gflops(group); peak > 0) cpu["peak_gflops"] = peak;
  json gpus = json::array();
  for (const Gpu& gpu : group.gpus)
    gpus.push_back({{"model", gpu.model},
                    {"uuid", gpu.uuid},
                    {"memory_bytes", gpu.memory_bytes},
                    {"driver", gpu.driver}});
  json nics = json::array();
  for (const Nic& nic : group.nics)
    nics.push_back({{"name", nic.name}, {"driver", nic.driver}, {"rdma_device", nic.rdma_device}});
  return {{"name", group.name},
          {"hosts", group.hosts},
          {"cpu", cpu},
          {"memory_bytes", group.memory_bytes},
          {"usable_cores", group.usable.cores},
          {"usable_memory_bytes", group.usable.memory_bytes},
          {"gpus", gpus},
          {"nics", nics},
          {"os", group.software.os},
          {"kernel", group.software.kernel},
          {"firmware", group.software.firmware},
          {"virtualisation", group.software.virtualisation}};
}

json inventory_object(const Inventory& inventory) {
  json object = {{"system", inventory.system},
                 {"source", inventory.source},
                 {"groups", json::array()},
                 {"notes", inventory.notes}};
  for (const NodeGroup& group : inventory.groups) object["groups"].push_back(node_group_object(group));
  return object;
}

json revision_object(const RevisionVerdict& revision) {
  json object = {{"revision", revision.criteria.number},
                 {"name", revision.criteria.name},
                 {"sha256", sha256(revision.criteria.text)},
                 {"since", utc_text(revision.criteria.at_s)}};
  put_if(object, "reason", revision.criteria.reason);
  object["verdict"] = to_string(revision.overall);
  object["sentence"] = revision.sentence;
  object["exit_code"] = revision.exit_code;
  return object;
}

json commitment_object(const Commitment& commitment, const std::vector<std::string>& breaches) {
  json object = {{"root", commitment.root}, {"parts", json::array()}};
  for (const CommittedPart& part : commitment.parts)
    object["parts"].push_back({{"name", part.name}, {"sha256", part.sha256}});
  object["unread"] = commitment.unread;
  object["breaches"] = breaches;
  return object;
}

Result<std::string> render(const CampaignRecord& campaign, const Judgement& judgement,
                           const Baseline* baseline) {
  json document = {{"schema", "shakedown.results/1"},    {"campaign", campaign.id},
                   {"system", campaign.system},          {"kind", campaign.kind},
                   {"state", to_string(campaign.state)}, {"created", utc_text(campaign.created_s)}};
  if (campaign.finished_s > 0) document["finished"] = utc_text(campaign.finished_s);
  document["tool_version"] = campaign.tool_version;
  put_if(document, "note", campaign.note);
  document["verdict"] = to_string(judgement.overall);
  document["sentence"] = judgement.sentence;
  document["exit_code"] = judgement.exit_code;
  if (judgement.pass) document["regression"] = json::parse(pass_verdict_json(*judgement.pass));
  document["criteria"] = json::array();
  for (const CriterionResult& result : judgement.criteria)
    document["criteria"].push_back(criterion(result, judgement.comparisons));
  document["waivers"] = judgement.waivers;
  if (!judgement.waiver_remarks.empty()) document["waiver_remarks"] = judgement.waiver_remarks;
  document["reliability"] = json::array();
  for (const ReliabilityRow& row : judgement.reliability)
    document["reliability"].push_back(reliability_object(row));
  document["comparisons"] = json::array();
  for (const Comparison& comparison : judgement.comparisons)
    document["comparisons"].push_back(comparison_object(comparison));
  document["figures"] = json::array();
  for (const SuiteFigure& figure : judgement.figures) document["figures"].push_back(figure_object(figure));
  if (judgement.orientation) document["orientation"] = orientation_object(*judgement.orientation);
  for (const NodeScreen& screen : judgement.node_screens)
    document["node_screens"].push_back(node_screen_object(screen));
  document["idle_objections"] = json::array();
  for (const IdleObjection& objection : judgement.idle_objections)
    document["idle_objections"].push_back(objection.sentence);
  document["deviations"] = judgement.deviations;
  document["warnings"] = campaign.warnings;
  for (const Exclusion& exclusion : campaign.exclusions)
    document["exclusions"].push_back(
        {{"node", exclusion.node}, {"because", exclusion.because}, {"at", utc_text(exclusion.at_s)}});
  document["cases"] = json::array();
  for (const CaseRecord& record : campaign.cases) document["cases"].push_back(case_object(campaign, record));
  if (!campaign.set_scores.empty()) {
    document["set_scores"] = json::array();
    for (const SetScore& score : campaign.set_scores)
      document["set_scores"].push_back(json::parse(score_json(score)));
  }
  document["rules"] = rules(campaign);
  document["environment"] = json::array();
  for (const EnvironmentRecord& fact : campaign.environment)
    document["environment"].push_back({{"node", fact.node}, {"name", fact.name}, {"value", fact.value}});
  document["inventory"] = inventory_object(campaign.inventory);
  if (campaign.commitment)
    document["commitment"] = commitment_object(*campaign.commitment, campaign.breaches);
  if (const CriteriaRevision judging = judging_criteria(campaign); !judging.text.empty())
    document["criteria_file"] = {{"name", judging.name}, {"sha256", sha256(judging.text)}};
  for (const RevisionVerdict& revision : judgement.revisions)
    document["criteria_revisions"].push_back(revision_object(revision));
  if (baseline != nullptr)
    document["baseline_file"] = {{"name", baseline->name},
                                 {"title", baseline->title},
                                 {"source", baseline->source},
                                 {"sha256", baseline->sha256}};
  // Logs and host names may hold any bytes; what is no UTF-8 becomes U+FFFD.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

namespace report_format {
extern const ReportFormat json;
const ReportFormat json = {.id = "json", .file_name = "results.json", .render = render};
}  // namespace report_format

}  // namespace shakedown
