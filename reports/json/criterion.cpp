#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "reports/json/objects.hpp"
#include "reports/measure/screening.hpp"
#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown::results_json {
namespace {

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
    if (result.measured && !result.withheld) put(object, "worst_node", *result.measured);
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
  json object = {{"kind", to_string(reference.kind)}};
  put_if(object, "id", reference.id);
  put(object, "value", reference.value);
  object["source"] = reference.source;
  if (reference.status) object["status"] = to_string(*reference.status);
  if (reference.ratio) put(object, "ratio", *reference.ratio);
  object["comparable"] = reference.unlike.empty();
  put_if(object, "condition", reference.unlike);
  return object;
}

json waiver_object(const Waiver& waiver, bool lifts) {
  json object = {{"criterion", waiver.criterion},
                 {"reason", waiver.reason},
                 {"approver", waiver.approver},
                 {"expires", waiver.expires},
                 {"lifts", lifts}};
  put_if(object, "nodes", waiver.nodes);
  if (waiver.limit) put(object, "limit", *waiver.limit);
  return object;
}

}  // namespace

json criterion_object(const CriterionResult& result, const std::vector<Comparison>& comparisons) {
  json object = {{"id", result.id},
                 {"title", result.title},
                 {"suite", result.suite},
                 {"case", result.case_id},
                 {"metric", result.metric},
                 {"severity", to_string(result.severity)},
                 {"verdict", to_string(result.verdict)},
                 {"because", result.because},
                 {"n", result.n}};
  put_if(object, "covers", result.covers);
  if (result.aggregation != Aggregation::Kind::none) object["aggregation"] = to_string(result.aggregation);
  if (result.runs_min > 1) object["runs_min"] = result.runs_min;
  if (result.withheld) object["withheld"] = true;
  if (result.measured && !result.withheld) {
    put(object, "measured", *result.measured);
    put_if(object, "aggregate", result.aggregate);
  }
  // Of a criterion on each node, the points of the nodes whose ratio is not withheld.
  if (!result.points.empty() && (!result.withheld || !result.nodes.empty())) put_points(object, result);
  if (result.limit) {
    object["unit"] = result.unit;
    object["direction"] = to_string(result.direction);
    object["limit"] = *result.limit;
  }
  object["limit_source"] = result.limit_source;
  if (result.limit_of) object["limit_of"] = to_string(*result.limit_of);
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

json rules(const CampaignRecord& campaign, const CaseRecord& record) {
  json list = json::array();
  for (const AttemptRecord& attempt : record.attempts)
    for (size_t i = 0; i < attempt.results.size(); ++i)
      for (const RuleResult& rule : attempt.results[i].rules) {
        json object = json::object();  // member by member: a list of them takes twice as long
        object["case"] = record.planned.id;
        object["attempt"] = attempt.index;
        object["result"] = i + 1;
        object["id"] = rule.id;
        object["title"] = rule.title;
        object["severity"] = std::string(1, static_cast<char>(rule.severity));
        object["status"] = to_string(rule.status);
        object["value"] = rule.value;
        if (short_by_design(campaign, attempt.results[i], rule)) object["mark"] = short_of_rules;
        if (rule.line > 0) object["line"] = rule.line;
        put_if(object, "text", rule.text);
        object["source"] = rule.source;
        list.push_back(std::move(object));
      }
  return list;
}

}  // namespace shakedown::results_json
