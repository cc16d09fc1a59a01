#include <algorithm>
#include <cmath>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/store/connection.hpp"
#include "orchestrator/store/record.hpp"
#include "orchestrator/store/run_shape.hpp"

namespace shakedown {
namespace {

std::string_view type_of(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) ? "integer"
         : std::holds_alternative<double>(value)     ? "real"
                                                     : "text";
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string letter(Severity severity) {
  return {static_cast<char>(severity)};
}

void insert_rules(Database::Connection& db, const char* sql, std::int64_t owner,
                  const std::vector<RuleResult>& rules) {
  int seq = 0;
  for (const RuleResult& rule : rules)
    db.run(sql, owner, seq++, rule.id, rule.title, rule.source, letter(rule.severity), to_string(rule.status),
           rule.value, rule.line, rule.text);
}

void insert_metrics(Database::Connection& db, std::int64_t result_id, const std::vector<Metric>& metrics) {
  int seq = 0;
  for (const Metric& metric : metrics) {
    db.run("INSERT OR IGNORE INTO metric_name (name) VALUES (?)", metric.name);
    db.run("INSERT OR REPLACE INTO metric_value SELECT ?, id, ?, ?, ? FROM metric_name WHERE name = ?",
           result_id, seq++, finite(metric.value), metric.line, metric.name);
  }
}

void insert_result(Database::Connection& db, std::int64_t attempt_id, int number, const ResultRecord& result,
                   const CaseShape& shape) {
  const ParsedResult& parsed = result.parsed;
  const bool has_metrics = !parsed.metrics.empty() || !parsed.phases.empty();
  db.run(
      "INSERT INTO result (attempt_id, seq, suite, implementation, version, complete, validity, reason, file,"
      " shape_id) VALUES (?,?,?,?,?,?,?,?,?,?)",
      attempt_id, number, parsed.suite, parsed.implementation, parsed.version, parsed.complete ? 1 : 0,
      to_string(result.validity), parsed.reason, result.file,
      has_metrics ? std::optional(shape_id(db, shape, parsed.suite, parsed.parameters)) : std::nullopt);
  const std::int64_t id = db.database.getLastInsertRowid();
  insert_metrics(db, id, parsed.metrics);
  int seq = 0;
  for (const Parameter& parameter : parsed.parameters)
    db.run("INSERT OR REPLACE INTO parameter VALUES (?,?,?,?,?)", id, seq++, parameter.name,
           type_of(parameter.value), value_text(parameter.value));
  seq = 0;
  for (const Fact& fact : parsed.facts)
    db.run("INSERT INTO fact VALUES (?,?,?,?,?)", id, seq++, fact.name, fact.value, fact.line);
  seq = 0;
  for (const Phase& phase : parsed.phases)
    db.run("INSERT INTO phase VALUES (?,?,?,?,?,?,?,?,?)", id, seq++, phase.name, finite(phase.value),
           phase.unit, finite(phase.time_s), phase.valid ? 1 : 0, phase.scored ? 1 : 0, phase.line);
  seq = 0;
  for (const std::string& text : parsed.warnings)
    db.run("INSERT INTO result_warning VALUES (?,?,?)", id, seq++, text);
  insert_rules(db, "INSERT INTO rule VALUES (?,?,?,?,?,?,?,?,?,?)", id, result.rules);
}

std::optional<double> moment(double seconds) {
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

void insert_node(Database::Connection& db, std::int64_t attempt_id, int number, const NodeState& state) {
  db.run("INSERT INTO node_state (attempt_id, seq, node, before_s, after_s, watched) VALUES (?,?,?,?,?,?)",
         attempt_id, number, state.node, moment(state.before_s), moment(state.after_s),
         state.other_processes ? 1 : 0);
  const std::int64_t id = db.database.getLastInsertRowid();
  int seq = 0;
  for (const NodeReading& reading : state.readings)
    db.run("INSERT INTO node_reading VALUES (?,?,?,?,?,?)", id, seq++, reading.device, reading.name,
           reading.before, reading.after);
  if (!state.other_processes) return;
  seq = 0;
  for (const OtherProcess& each : *state.other_processes)
    db.run("INSERT INTO other_process VALUES (?,?,?,?,?,?,?)", id, seq++, each.pid, each.user, each.command,
           each.job, each.cores);
}

/// Within the caller's transaction.
void insert_attempt(Database::Connection& db, std::int64_t planned, const AttemptRecord& attempt) {
  const auto& c = attempt.conditions;
  const auto condition = [&](double Conditions::*member) {
    return c ? std::optional((*c).*member) : std::nullopt;
  };
  db.run(
      "INSERT INTO attempt (case_id, k, state, exit_code, signal, started_s, finished_s, wall_s, host, "
      "folder, failure,"
      " cores, steal_ratio, foreign_cores, job_cores, load_before, failure_kind, hosts, job, program,"
      " program_sha256) VALUES "
      "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      planned, attempt.index, to_string(attempt.state), attempt.exit_code, attempt.signal, attempt.started_s,
      attempt.finished_s, attempt.wall_s, attempt.host, attempt.run_folder, attempt.failure,
      condition(&Conditions::cores), condition(&Conditions::steal_ratio),
      condition(&Conditions::foreign_cores), condition(&Conditions::job_cores),
      condition(&Conditions::load_before),
      attempt.failure_kind ? std::string(to_string(*attempt.failure_kind)) : std::string(), attempt.hosts,
      attempt.job, attempt.program, attempt.program_sha256);
  const std::int64_t attempt_id = db.database.getLastInsertRowid();
  int seq = 0;
  for (const FileRecord& file : attempt.files)
    db.run("INSERT OR REPLACE INTO attempt_file VALUES (?,?,?,?,?,?)", attempt_id, seq++, file.name,
           file.sha256, file.bytes, file.excerpt);
  int number = 0;
  const CaseShape shape = case_shape(db, planned);
  for (const ResultRecord& result : attempt.results) insert_result(db, attempt_id, number++, result, shape);
  number = 0;
  for (const NodeState& state : attempt.nodes) insert_node(db, attempt_id, number++, state);
  const RecordHash hash = record_hash(loaded_attempt(db, attempt_id));
  db.run("UPDATE attempt SET record_sha256 = ?, excerpts_sha256 = ? WHERE id = ?", hash.record, hash.excerpts,
         attempt_id);
}

void insert_score(Database::Connection& db, const std::string& campaign, int number, const SetScore& score) {
  db.run(
      "INSERT INTO set_score (campaign, seq, document, suite, benchmark, name, score_min, runs, converged,"
      " validity) VALUES (?,?,?,?,?,?,?,?,?,?)",
      campaign, number, score.schema, score.suite, score.benchmark, score.name,
      score.score_min ? finite(*score.score_min) : std::nullopt, score.runs, score.converged,
      to_string(score.validity));
  const std::int64_t id = db.database.getLastInsertRowid();
  for (const auto* list : {&score.files, &score.dropped}) {
    int seq = 0;
    for (const std::string& name : *list)
      db.run("INSERT INTO set_score_file VALUES (?,?,?,?)", id, seq++, name, list == &score.dropped ? 1 : 0);
  }
  int seq = 0;
  for (const std::string& text : score.warnings)
    db.run("INSERT INTO set_score_warning VALUES (?,?,?)", id, seq++, text);
  insert_rules(db, "INSERT INTO set_score_rule VALUES (?,?,?,?,?,?,?,?,?,?)", id, score.rules);
}

/// The kind of nodes by the inventory that a campaign is stored with; empty: it has none.
std::string stored_node_kind(Database::Connection& db, const std::string& campaign,
                             const std::string& hosts) {
  auto& row = db.query("SELECT inventory FROM campaign WHERE id = ?", campaign);
  std::string text;
  if (row.executeStep()) text = row.getColumn(0).getString();
  row.reset();
  const auto inventory = inventory_from_json(text, db.path);
  return inventory ? node_kind_text(*inventory, hosts) : std::string();
}

/// What `calibrate` multiplied the case's prediction by; 1: it did not.
double calibration_factor(const Case& planned, const std::string& metric) {
  const auto found = std::ranges::find(planned.why, std::string(calibration_reason) + metric, &Reason::what);
  return found == planned.why.end() ? 1 : value_number(found->value);
}

}  // namespace

std::int64_t insert_case(Database::Connection& db, const std::string& campaign, int seq, const Case& planned,
                         const std::string& node_kind) {
  db.run(
      "INSERT INTO planned_case (campaign, seq, name, suite, implementation, nodes, ranks, confirms,"
      " stands_for, document) VALUES (?,?,?,?,?,?,?,?,?,?)",
      campaign, seq, planned.id, planned.suite, planned.implementation, planned.nodes, planned.ranks,
      planned.confirms ? 1 : 0, planned.stands_for, case_json(planned));
  const auto case_id = static_cast<std::int64_t>(db.database.getLastInsertRowid());
  db.run("INSERT INTO case_place VALUES (?,?,?)", case_id, planned.hosts, node_kind);
  for (const Parameter& parameter : planned.parameters) {
    const double value = value_number(parameter.value);
    db.run("INSERT OR REPLACE INTO planned_parameter VALUES (?,?,?,?)", case_id, parameter.name,
           std::isnan(value) ? std::optional<double>() : value, value_text(parameter.value));
  }
  for (const Prediction& predicted : planned.predicted)
    if (const double raw = predicted.value / calibration_factor(planned, predicted.metric);
        std::isfinite(raw))
      db.run("INSERT OR REPLACE INTO planned_prediction VALUES (?,?,?)", case_id, predicted.metric, raw);
  return case_id;
}

Result<void> Database::add_case(const std::string& campaign, const CaseRecord& record) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    auto& known =
        db.query("SELECT 1 FROM planned_case WHERE campaign = ? AND name = ?", campaign, record.planned.id);
    const bool there = known.executeStep();
    known.reset();
    if (there) return;
    auto& last = db.query("SELECT coalesce(max(seq), -1) + 1 FROM planned_case WHERE campaign = ?", campaign);
    last.executeStep();
    const int seq = last.getColumn(0).getInt();
    last.reset();
    const std::int64_t case_id =
        insert_case(db, campaign, seq, record.planned, stored_node_kind(db, campaign, record.planned.hosts));
    for (const AttemptRecord& attempt : record.attempts) insert_attempt(db, case_id, attempt);
    transaction.commit();
  });
}

Result<bool> Database::has_attempt(const std::string& campaign, const std::string& case_id, int k) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    auto& found = db.query(
        "SELECT 1 FROM attempt JOIN planned_case ON planned_case.id = case_id WHERE campaign = ? AND name = "
        "? AND k = ?",
        campaign, case_id, k);
    const bool there = found.executeStep();
    found.reset();
    return there;
  });
}

Result<std::vector<std::string>> Database::result_suites(const std::string& campaign) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<std::string> suites;
    auto& rows = db.query(
        "SELECT DISTINCT r.suite FROM planned_case p JOIN attempt a ON a.case_id = p.id"
        " JOIN result r ON r.attempt_id = a.id"
        " WHERE p.campaign = ? ORDER BY r.suite",
        campaign);
    while (rows.executeStep()) suites.push_back(rows.getColumn(0).getString());
    rows.reset();
    return suites;
  });
}

Result<std::optional<RecordHash>> Database::stored_hash(const std::string& campaign,
                                                        const std::string& case_id, int k) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::optional<RecordHash> hash;
    auto& found = db.query(
        "SELECT record_sha256, excerpts_sha256 FROM attempt JOIN planned_case ON planned_case.id = case_id"
        " WHERE campaign = ? AND name = ? AND k = ?",
        campaign, case_id, k);
    if (found.executeStep()) hash = {found.getColumn(0).getString(), found.getColumn(1).getString()};
    found.reset();
    return hash;
  });
}

Result<void> Database::record_attempt(const std::string& campaign, const std::string& case_id,
                                      const AttemptRecord& attempt) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    auto& found = db.query("SELECT id FROM planned_case WHERE campaign = ? AND name = ?", campaign, case_id);
    if (!found.executeStep()) throw SQLite::Exception("no case " + case_id + " in campaign " + campaign);
    const std::int64_t planned = found.getColumn(0).getInt64();
    found.reset();
    db.run("DELETE FROM attempt WHERE case_id = ? AND k = ?", planned, attempt.index);
    insert_attempt(db, planned, attempt);
    transaction.commit();
  });
}

Result<void> Database::record_set_scores(const std::string& campaign, const std::vector<SetScore>& scores) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    db.run("DELETE FROM set_score WHERE campaign = ?", campaign);
    int number = 0;
    for (const SetScore& score : scores) insert_score(db, campaign, number++, score);
    transaction.commit();
  });
}

Result<std::vector<StoredPrediction>> Database::predictions_of(std::string_view system) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<StoredPrediction> list;
    auto& rows = db.query(
        "SELECT p.campaign, p.name, f.metric, f.raw FROM campaign c JOIN planned_case p ON p.campaign = c.id"
        " JOIN planned_prediction f ON f.case_id = p.id WHERE c.system = ? ORDER BY p.id, f.metric",
        system);
    while (rows.executeStep())
      list.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                      rows.getColumn(2).getString(), rows.getColumn(3).getDouble()});
    rows.reset();
    return list;
  });
}

}  // namespace shakedown
