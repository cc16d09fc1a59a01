#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/store/connection.hpp"

namespace shakedown {

Result<std::vector<StoredPrediction>> Database::predictions_of(std::string_view system) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<StoredPrediction> list;
    auto& rows = db.query(
        "SELECT p.campaign, p.name, f.key, json_extract(f.value, '$.value') / coalesce("
        "  (SELECT json_extract(w.value, '$.value') FROM json_each(p.document, '$.why') w"
        "   WHERE json_extract(w.value, '$.what') = ? || f.key), 1.0)"
        " FROM campaign c JOIN planned_case p ON p.campaign = c.id, json_each(p.document, '$.predicted') f"
        " WHERE c.system = ? AND json_type(f.value) = 'object'",
        calibration_reason, system);
    while (rows.executeStep())
      list.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                      rows.getColumn(2).getString(), rows.getColumn(3).getDouble()});
    rows.reset();
    return list;
  });
}

}  // namespace shakedown
