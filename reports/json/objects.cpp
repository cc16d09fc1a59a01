#include "reports/json/objects.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"

namespace shakedown::results_json {

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

json revision_object(const RevisionVerdict& revision) {
  json object = {{"revision", revision.criteria.number},
                 {"name", revision.criteria.name},
                 {"sha256", criteria_sha256(revision.criteria)},
                 {"since", utc_text(revision.criteria.at_s)}};
  put_if(object, "reason", revision.criteria.reason);
  object["verdict"] = to_string(revision.overall);
  object["sentence"] = revision.sentence;
  object["exit_code"] = revision.exit_code;
  return object;
}

json journal_object(const JournalRecord& journal) {
  json object = {{"lines", journal.lines}};
  if (!journal.first_root.empty()) object["first_root"] = journal.first_root;
  if (!journal.last_root.empty()) object["last_root"] = journal.last_root;
  object["faults"] = journal.faults;
  object["remarks"] = journal.remarks;
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

namespace {

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

}  // namespace

json inventory_object(const Inventory& inventory) {
  json object = {{"system", inventory.system},
                 {"source", inventory.source},
                 {"groups", json::array()},
                 {"notes", inventory.notes}};
  for (const NodeGroup& group : inventory.groups) object["groups"].push_back(node_group_object(group));
  return object;
}

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
