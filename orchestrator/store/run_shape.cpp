#include "orchestrator/store/run_shape.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/store/connection.hpp"

namespace shakedown {
namespace {

std::string group_text(const NodeGroup& group) {
  std::string text = fmt::format("{} x {}, {} cores", group.cpu.sockets,
                                 group.cpu.model.empty() ? std::string("unknown processor") : group.cpu.model,
                                 group.cpu.cores);
  std::vector<std::pair<std::string, int>> models;  // in the order of the node
  for (const Gpu& gpu : group.gpus) {
    const auto known = std::ranges::find(models, gpu.model, &std::pair<std::string, int>::first);
    known == models.end() ? (void)models.emplace_back(gpu.model, 1) : (void)++known->second;
  }
  for (const auto& [model, count] : models) text += fmt::format(", {} x {}", count, model);
  return text;
}

bool varies_by_design(const std::string& name, const std::string& value) {
  return name == "seed" || value.find('/') != std::string::npos;
}

/// Names and values by a query of them.
std::vector<Parameter> parameters_of(SQLite::Statement& query) {
  std::vector<Parameter> parameters;
  while (query.executeStep())
    parameters.push_back({query.getColumn(0).getString(), query.getColumn(1).getString()});
  query.reset();
  return parameters;
}

std::int64_t row_of(Database::Connection& db, const RunShape& shape) {
  auto& found = db.query(
      "SELECT id FROM run_shape WHERE system = ? AND suite = ? AND implementation = ? AND nodes = ? AND"
      " node_kind = ? AND parameters = ?",
      shape.system, shape.suite, shape.implementation, shape.nodes, shape.node_kind, shape.parameters);
  const bool there = found.executeStep();
  const std::int64_t id = there ? found.getColumn(0).getInt64() : 0;
  found.reset();
  if (there) return id;
  db.run(
      "INSERT INTO run_shape (system, suite, implementation, nodes, node_kind, parameters)"
      " VALUES (?,?,?,?,?,?)",
      shape.system, shape.suite, shape.implementation, shape.nodes, shape.node_kind, shape.parameters);
  return db.database.getLastInsertRowid();
}

}  // namespace

std::string node_kind_text(const Inventory& inventory, const std::string& hosts) {
  if (hosts.empty())
    return inventory.groups.size() == 1 ? group_text(inventory.groups.front()) : std::string();
  const auto wanted = expanded_hostlist(hosts);
  if (!wanted || wanted->empty()) return "";
  const std::set<std::string, std::less<>> names(wanted->begin(), wanted->end());
  std::vector<std::string> kinds;
  for (const NodeGroup& group : inventory.groups) {
    const auto members = group.hosts == hosts ? wanted : expanded_hostlist(group.hosts);
    if (!members || std::ranges::none_of(*members, [&](const auto& host) { return names.contains(host); }))
      continue;
    std::string kind = group_text(group);
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(std::move(kind));
  }
  return joined(kinds, "; ");
}

std::string shape_parameters(const std::vector<Parameter>& planned, const std::vector<Parameter>& parsed) {
  std::map<std::string, std::string> values;
  for (const Parameter& each : planned) values[each.name] = value_text(each.value);
  for (const Parameter& each : parsed)
    if (planned.empty() || each.name == "benchmark" || values.contains(each.name))
      values[each.name] = value_text(each.value);
  std::string text;
  for (const auto& [name, value] : values)
    if (!varies_by_design(name, value)) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

CaseShape case_shape(Database::Connection& db, std::int64_t case_id) {
  CaseShape found;
  auto& row = db.query(
      "SELECT system, implementation, nodes, node_kind FROM planned_case"
      " JOIN campaign ON campaign.id = campaign JOIN case_place ON case_id = planned_case.id"
      " WHERE planned_case.id = ?",
      case_id);
  if (row.executeStep()) {
    found.shape.system = row.getColumn(0).getString();
    found.shape.implementation = row.getColumn(1).getString();
    found.shape.nodes = row.getColumn(2).getInt();
    found.shape.node_kind = row.getColumn(3).getString();
  }
  row.reset();
  found.planned =
      parameters_of(db.query("SELECT name, text FROM planned_parameter WHERE case_id = ?", case_id));
  return found;
}

std::int64_t shape_id(Database::Connection& db, const CaseShape& of_case, const std::string& suite,
                      const std::vector<Parameter>& parsed) {
  RunShape shape = of_case.shape;
  shape.suite = suite;
  shape.parameters = shape_parameters(of_case.planned, parsed);
  return row_of(db, shape);
}

}  // namespace shakedown
