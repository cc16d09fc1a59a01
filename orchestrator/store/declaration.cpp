#include "orchestrator/store/declaration.hpp"

#include <array>
#include <utility>

#include "orchestrator/store/connection.hpp"

namespace shakedown {
namespace {

constexpr std::array<std::pair<NodeEventKind, std::string_view>, 3> node_events = {{
    {NodeEventKind::reboot, "reboot"},
    {NodeEventKind::replaced, "replaced"},
    {NodeEventKind::moved, "moved"},
}};

}  // namespace

std::string_view to_string(NodeEventKind kind) {
  for (const auto& [value, text] : node_events)
    if (value == kind) return text;
  return "";
}

std::optional<NodeEventKind> node_event_kind(std::string_view text) {
  for (const auto& [value, name] : node_events)
    if (name == text) return value;
  return std::nullopt;
}

Result<void> Database::record_acceptances(const std::vector<AcceptedCampaign>& acceptances) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    db.run("DELETE FROM acceptance");
    std::int64_t seq = 0;
    for (const AcceptedCampaign& each : acceptances)
      db.run("INSERT INTO acceptance VALUES (?,?,?,?,?,?,?)", seq++, each.system, each.campaign, each.at_s,
             each.by, each.why, each.part ? 1 : 0);
    transaction.commit();
  });
}

Result<void> Database::record_node_events(const std::vector<NodeEvent>& events) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    db.run("DELETE FROM node_event");
    std::int64_t seq = 0;
    for (const NodeEvent& each : events)
      db.run("INSERT INTO node_event VALUES (?,?,?,?,?,?,?)", seq++, each.system, each.node,
             to_string(each.kind), each.at_s, each.by, each.note);
    transaction.commit();
  });
}

Result<std::vector<AcceptedCampaign>> Database::acceptances(std::string_view system) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<AcceptedCampaign> list;
    auto& rows = db.query(
        "SELECT system, campaign, at_s, by_whom, why, part FROM acceptance WHERE system = ? ORDER BY seq",
        system);
    while (rows.executeStep())
      list.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                      rows.getColumn(2).getDouble(), rows.getColumn(3).getString(),
                      rows.getColumn(4).getString(), rows.getColumn(5).getInt() != 0});
    rows.reset();
    return list;
  });
}

Result<std::vector<NodeEvent>> Database::node_events(std::string_view system, double after_s) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<NodeEvent> list;
    auto& rows = db.query(
        "SELECT system, node, event, at_s, by_whom, note FROM node_event WHERE system = ? AND at_s > ?"
        " ORDER BY at_s, seq",
        system, after_s);
    while (rows.executeStep()) {
      NodeEvent event;
      event.system = rows.getColumn(0).getString();
      event.node = rows.getColumn(1).getString();
      event.kind = node_event_kind(rows.getColumn(2).getString()).value_or(NodeEventKind::replaced);
      event.at_s = rows.getColumn(3).getDouble();
      event.by = rows.getColumn(4).getString();
      event.note = rows.getColumn(5).getString();
      list.push_back(std::move(event));
    }
    rows.reset();
    return list;
  });
}

}  // namespace shakedown
