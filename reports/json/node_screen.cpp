#include <nlohmann/json.hpp>

#include "reports/json/objects.hpp"
#include "reports/json/value.hpp"

namespace shakedown::results_json {
namespace {

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

}  // namespace

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

}  // namespace shakedown::results_json
