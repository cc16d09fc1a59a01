#include "orchestrator/store/connection.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

std::optional<double> optional_real(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return row.getColumn(column).getDouble();
}

VerdictRow::Criterion stored_criterion(SQLite::Statement& row) {
  return {.id = row.getColumn(0).getString(),
          .metric = row.getColumn(1).getString(),
          .severity = row.getColumn(2).getString(),
          .verdict = row.getColumn(3).getString(),
          .n = row.getColumn(4).getInt(),
          .measured = optional_real(row, 5),
          .limit = optional_real(row, 6),
          .because = row.getColumn(7).getString()};
}

}  // namespace

Result<std::optional<VerdictRow>> Database::verdict(const std::string& campaign) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::optional<VerdictRow> found;
    for_rows(db, db.query("SELECT overall, sentence, exit_code FROM verdict WHERE campaign = ?", campaign),
             [&](SQLite::Statement& row) {
               found = VerdictRow{
                   row.getColumn(0).getString(), row.getColumn(1).getString(), row.getColumn(2).getInt(), {}};
             });
    if (!found) return found;
    for_rows(db,
             db.query("SELECT id, metric, severity, verdict, n, measured, limit_, because FROM criterion"
                      " WHERE campaign = ? ORDER BY seq",
                      campaign),
             [&](SQLite::Statement& row) { found->criteria.push_back(stored_criterion(row)); });
    return found;
  });
}

}  // namespace shakedown
