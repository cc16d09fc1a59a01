#include <cmath>

#include "orchestrator/store/connection.hpp"

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

}  // namespace

Result<bool> Database::has_attempt(const std::string& campaign, const std::string& case_id, int k) const {
  Connection& db = *connection_;
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

Result<void> Database::put_attempt(const std::string& campaign, const std::string& case_id,
                                   const AttemptRecord& attempt) {
  Connection& db = *connection_;
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    auto& found = db.query("SELECT id FROM planned_case WHERE campaign = ? AND name = ?", campaign, case_id);
    if (!found.executeStep()) throw SQLite::Exception("no case " + case_id + " in campaign " + campaign);
    const std::int64_t planned = found.getColumn(0).getInt64();
    found.reset();
    db.run("DELETE FROM attempt WHERE case_id = ? AND k = ?", planned, attempt.index);
    const auto& c = attempt.conditions;
    const auto condition = [&](double Conditions::*member) {
      return c ? std::optional((*c).*member) : std::nullopt;
    };
    db.run(
        "INSERT INTO attempt (case_id, k, state, exit_code, signal, started_s, finished_s, wall_s, host, "
        "folder, failure,"
        " cores, steal_ratio, foreign_cores, job_cores, load_before) VALUES "
        "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        planned, attempt.index, to_string(attempt.state), attempt.exit_code, attempt.signal,
        attempt.started_s, attempt.finished_s, attempt.wall_s, attempt.host, attempt.run_folder,
        attempt.failure, condition(&Conditions::cores), condition(&Conditions::steal_ratio),
        condition(&Conditions::foreign_cores), condition(&Conditions::job_cores),
        condition(&Conditions::load_before));
    const std::int64_t attempt_id = db.database.getLastInsertRowid();
    int seq = 0;
    for (const FileRecord& file : attempt.files)
      db.run("INSERT OR REPLACE INTO attempt_file VALUES (?,?,?,?,?,?)", attempt_id, seq++, file.name,
             file.sha256, file.bytes, file.excerpt);
    int number = 0;
    for (const ResultRecord& result : attempt.results) {
      const ParsedResult& parsed = result.parsed;
      db.run(
          "INSERT INTO result (attempt_id, seq, suite, implementation, version, complete, validity, reason)"
          " VALUES (?,?,?,?,?,?,?,?)",
          attempt_id, number++, parsed.suite, parsed.implementation, parsed.version, parsed.complete ? 1 : 0,
          to_string(result.validity), parsed.reason);
      const std::int64_t id = db.database.getLastInsertRowid();
      seq = 0;
      for (const Metric& metric : parsed.metrics)
        db.run("INSERT OR REPLACE INTO metric VALUES (?,?,?,?,?)", id, seq++, metric.name,
               finite(metric.value), metric.line);
      seq = 0;
      for (const Parameter& parameter : parsed.parameters)
        db.run("INSERT OR REPLACE INTO parameter VALUES (?,?,?,?,?)", id, seq++, parameter.name,
               type_of(parameter.value), value_text(parameter.value));
      seq = 0;
      for (const Fact& fact : parsed.facts)
        db.run("INSERT INTO fact VALUES (?,?,?,?,?)", id, seq++, fact.name, fact.value, fact.line);
      seq = 0;
      for (const std::string& text : parsed.warnings)
        db.run("INSERT INTO result_warning VALUES (?,?,?)", id, seq++, text);
      seq = 0;
      for (const RuleResult& rule : result.rules)
        db.run("INSERT INTO rule VALUES (?,?,?,?,?,?,?,?,?,?)", id, seq++, rule.id, rule.title, rule.source,
               letter(rule.severity), to_string(rule.status), rule.value, rule.line, rule.text);
    }
    transaction.commit();
  });
}

}  // namespace shakedown
