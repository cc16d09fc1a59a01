#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/inventory/node_state.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

std::optional<std::string> optional_text(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) return std::nullopt;
  return it->get<std::string>();
}

NodeReading reading_from(const ordered_json& object) {
  return {object.value("device", ""), object.at("name").get<std::string>(), optional_text(object, "before"),
          optional_text(object, "after")};
}

Neighbour neighbour_from(const ordered_json& object) {
  return {object.at("pid").get<int>(), object.at("user").get<int>(), object.at("command").get<std::string>(),
          object.value("job", ""), object.at("cores").get<double>()};
}

}  // namespace

std::string node_state_json(const NodeState& state) {
  ordered_json document = {{"schema", "shakedown.node/1"}, {"node", state.node}};
  if (state.before_s > 0) document["before_s"] = state.before_s;
  if (state.after_s > 0) document["after_s"] = state.after_s;
  document["readings"] = ordered_json::array();
  for (const NodeReading& reading : state.readings) {
    ordered_json object = ordered_json::object();
    if (!reading.device.empty()) object["device"] = reading.device;
    object["name"] = reading.name;
    if (reading.before) object["before"] = *reading.before;
    if (reading.after) object["after"] = *reading.after;
    document["readings"].push_back(std::move(object));
  }
  if (!state.processes.empty()) {
    document["processes"] = ordered_json::array();
    for (const ProcessTime& each : state.processes)
      document["processes"].push_back({each.pid, each.start_ticks, each.cpu_s});
  }
  if (state.neighbours) {
    document["neighbours"] = ordered_json::array();
    for (const Neighbour& each : *state.neighbours) {
      ordered_json object = {
          {"pid", each.pid}, {"user", each.user}, {"command", each.command}, {"cores", each.cores}};
      if (!each.job.empty()) object["job"] = each.job;
      document["neighbours"].push_back(std::move(object));
    }
  }
  return document.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<NodeState> node_state_from_json(std::string_view text, std::string_view name) {
  try {
    const auto document = json_or_thrown<ordered_json>(text);
    NodeState state;
    state.node = document.at("node").get<std::string>();
    state.before_s = document.value("before_s", 0.0);
    state.after_s = document.value("after_s", 0.0);
    for (const ordered_json& each : document.at("readings")) state.readings.push_back(reading_from(each));
    if (const auto it = document.find("processes"); it != document.end())
      for (const ordered_json& each : *it)
        state.processes.push_back(
            {each.at(0).get<int>(), each.at(1).get<unsigned long long>(), each.at(2).get<double>()});
    if (const auto it = document.find("neighbours"); it != document.end()) {
      state.neighbours.emplace();
      for (const ordered_json& each : *it) state.neighbours->push_back(neighbour_from(each));
    }
    return state;
  } catch (const ordered_json::exception& error) {
    return fail(std::string(name), fmt::format("is no state of a node: {}", error.what()),
                "it is written beside each attempt; a full disk may have cut it");
  }
}

}  // namespace shakedown
