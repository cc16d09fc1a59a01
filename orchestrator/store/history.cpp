#include "orchestrator/store/history.hpp"

#include <unordered_map>

#include "orchestrator/store/connection.hpp"

namespace shakedown {
namespace {

constexpr const char* history_campaigns =
    "SELECT c.id, c.system, c.kind, c.state, c.created_s, c.finished_s, c.tool_version, c.note,"
    " coalesce((SELECT name FROM criteria_revision r WHERE r.campaign = c.id ORDER BY number DESC LIMIT 1),"
    "   c.criteria_name),"
    " coalesce((SELECT criteria FROM criteria_revision r WHERE r.campaign = c.id ORDER BY number DESC LIMIT "
    "1),"
    "   c.criteria),"
    " (SELECT count(*) FROM planned_case p WHERE p.campaign = c.id),"
    " (SELECT count(DISTINCT case_id) FROM attempt a JOIN planned_case p ON p.id = a.case_id"
    "   WHERE p.campaign = c.id AND a.state IN ('finished','timed-out','imported')),"
    " coalesce(v.overall, ''), coalesce(v.sentence, '')"
    " FROM campaign c LEFT JOIN verdict v ON v.campaign = c.id ORDER BY c.created_s, c.id";
constexpr const char* history_criteria =
    "SELECT campaign, id, metric, severity, verdict, n, measured, limit_, because FROM criterion"
    " ORDER BY campaign, seq";
constexpr const char* history_environment =
    "SELECT campaign, name, value, count(*) FROM environment GROUP BY campaign, name, value";

std::string history_text(SQLite::Statement& row, int column) {
  return row.getColumn(column).getString();
}

std::optional<double> history_number(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return row.getColumn(column).getDouble();
}

template <class Each>
void for_history(Database::Connection& db, const char* sql, Each each) {
  SQLite::Statement& statement = db.query(sql);
  while (statement.executeStep()) {
    for (int column = 0; column < statement.getColumnCount(); ++column)
      if (const SQLite::Column value = statement.getColumn(column); value.isText())
        db.restraint.count_bytes(value.getBytes());
    each(statement);
  }
  statement.reset();
}

}  // namespace

Result<std::vector<HistoryCampaign>> Database::history() const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    const SQLite::Transaction one_moment(db.database);
    std::vector<HistoryCampaign> list;
    for_history(db, history_campaigns, [&](SQLite::Statement& row) {
      HistoryCampaign& each = list.emplace_back();
      each.id = history_text(row, 0);
      each.system = history_text(row, 1);
      each.kind = history_text(row, 2);
      each.state = history_text(row, 3);
      each.created_s = row.getColumn(4).getDouble();
      each.finished_s = row.getColumn(5).getDouble();
      each.tool_version = history_text(row, 6);
      each.note = history_text(row, 7);
      each.criteria_name = history_text(row, 8);
      each.criteria_text = history_text(row, 9);
      each.cases = row.getColumn(10).getInt();
      each.ended_cases = row.getColumn(11).getInt();
      each.overall = history_text(row, 12);
      each.sentence = history_text(row, 13);
    });
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < list.size(); ++i) places.emplace(list[i].id, i);
    for_history(db, history_criteria, [&](SQLite::Statement& row) {
      const auto at = places.find(history_text(row, 0));
      if (at == places.end()) return;
      list[at->second].criteria.push_back(
          {history_text(row, 1), history_text(row, 2), history_text(row, 3), history_text(row, 4),
           row.getColumn(5).getInt(), history_number(row, 6), history_number(row, 7), history_text(row, 8)});
    });
    for_history(db, history_environment, [&](SQLite::Statement& row) {
      const auto at = places.find(history_text(row, 0));
      if (at == places.end()) return;
      list[at->second].environment.push_back(
          {history_text(row, 1), history_text(row, 2), row.getColumn(3).getInt()});
    });
    return list;
  });
}

}  // namespace shakedown
