#include <cmath>
#include <limits>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/store/connection.hpp"

namespace shakedown {
namespace {

std::string text(SQLite::Statement& row, int column) {
  return row.getColumn(column).getString();
}

/// The one column of all rows.
template <class Owner>
std::vector<std::string> texts(Database::Connection& db, const char* sql, const Owner& owner) {
  std::vector<std::string> found;
  for_rows(db, db.query(sql, owner), [&](SQLite::Statement& row) { found.push_back(text(row, 0)); });
  return found;
}

std::optional<int> optional_int(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return row.getColumn(column).getInt();
}

/// What is null was printed, but is no number.
double number_or_nan(SQLite::Statement& row, int column) {
  return row.getColumn(column).isNull() ? std::numeric_limits<double>::quiet_NaN()
                                        : row.getColumn(column).getDouble();
}

Value typed_value(const std::string& type, const std::string& value) {
  if (type == "integer")
    if (const auto whole = parsed_integer(value)) return *whole;
  if (type == "real")
    if (const auto real = parsed_number(value)) return *real;
  return value;
}

/// The enumerator whose text is `name`, or the fallback.
template <class E>
E named(std::string_view name, std::initializer_list<E> values, E fallback) {
  for (const E value : values)
    if (to_string(value) == name) return value;
  return fallback;
}

AttemptRecord attempt_from(SQLite::Statement& row) {
  AttemptRecord attempt;
  attempt.index = row.getColumn(1).getInt();
  attempt.state = attempt_state(text(row, 2)).value_or(AttemptState::lost);
  attempt.exit_code = optional_int(row, 3);
  attempt.signal = optional_int(row, 4);
  attempt.started_s = row.getColumn(5).getDouble();
  attempt.finished_s = row.getColumn(6).getDouble();
  attempt.wall_s = row.getColumn(7).getDouble();
  attempt.host = text(row, 8);
  attempt.run_folder = text(row, 9);
  attempt.failure = text(row, 10);
  if (!row.getColumn(11).isNull())
    attempt.conditions = Conditions{row.getColumn(11).getDouble(), row.getColumn(12).getDouble(),
                                    row.getColumn(13).getDouble(), row.getColumn(14).getDouble(),
                                    row.getColumn(15).getDouble()};
  attempt.failure_kind = failure_kind(text(row, 16));
  attempt.hosts = text(row, 17);
  attempt.job = text(row, 18);
  attempt.program = text(row, 19);
  attempt.program_sha256 = text(row, 20);
  attempt.stored = {text(row, 21), text(row, 22)};
  return attempt;
}

/// Of a letter that is none, the one that can't make a result count.
Severity severity_of(std::string_view letter) {
  for (const Severity severity : {Severity::eligibility, Severity::warning})
    if (letter.size() == 1 && letter.front() == static_cast<char>(severity)) return severity;
  return Severity::validity;
}

std::vector<RuleResult> loaded_rules(Database::Connection& db, const char* sql, std::int64_t owner) {
  std::vector<RuleResult> rules;
  for_rows(db, db.query(sql, owner), [&](SQLite::Statement& row) {
    RuleResult rule;
    rule.id = text(row, 0);
    rule.title = text(row, 1);
    rule.source = text(row, 2);
    rule.severity = severity_of(text(row, 3));
    rule.status = named(text(row, 4), {RuleStatus::pass, RuleStatus::fail, RuleStatus::not_applicable},
                        RuleStatus::unknown);
    rule.value = text(row, 5);
    rule.line = row.getColumn(6).getInt();
    rule.text = text(row, 7);
    rules.push_back(std::move(rule));
  });
  return rules;
}

/// A result with its metrics, parameters, facts, warnings and rules.
ResultRecord loaded_result(Database::Connection& db, std::int64_t id, ResultRecord result) {
  ParsedResult& parsed = result.parsed;
  for_rows(db,
           db.query("SELECT name, value, line FROM metric_value JOIN metric_name ON metric_name.id = name_id"
                    " WHERE result_id = ? ORDER BY seq",
                    id),
           [&](SQLite::Statement& row) {
             parsed.metrics.push_back({text(row, 0), number_or_nan(row, 1), row.getColumn(2).getInt()});
           });
  for_rows(db, db.query("SELECT name, type, value FROM parameter WHERE result_id = ? ORDER BY seq", id),
           [&](SQLite::Statement& row) {
             parsed.parameters.push_back({text(row, 0), typed_value(text(row, 1), text(row, 2))});
           });
  for_rows(db, db.query("SELECT name, value, line FROM fact WHERE result_id = ? ORDER BY seq", id),
           [&](SQLite::Statement& row) {
             parsed.facts.push_back({text(row, 0), text(row, 1), row.getColumn(2).getInt()});
           });
  parsed.warnings = texts(db, "SELECT text FROM result_warning WHERE result_id = ? ORDER BY seq", id);
  for_rows(db,
           db.query("SELECT name, value, unit, time_s, valid, scored, line FROM phase WHERE result_id = ?"
                    " ORDER BY seq",
                    id),
           [&](SQLite::Statement& row) {
             parsed.phases.push_back({text(row, 0), number_or_nan(row, 1), text(row, 2),
                                      number_or_nan(row, 3), row.getColumn(4).getInt() != 0,
                                      row.getColumn(5).getInt() != 0, row.getColumn(6).getInt()});
           });
  result.rules = loaded_rules(
      db,
      "SELECT rule, title, source, severity, status, value, line, text FROM rule WHERE result_id = ?"
      " ORDER BY seq",
      id);
  return result;
}

std::vector<ResultRecord> loaded_results(Database::Connection& db, std::int64_t attempt_id) {
  std::vector<std::pair<std::int64_t, ResultRecord>> found;
  for_rows(db,
           db.query("SELECT id, suite, implementation, version, complete, validity, reason, file FROM"
                    " result WHERE attempt_id = ? ORDER BY seq",
                    attempt_id),
           [&](SQLite::Statement& row) {
             ResultRecord result;
             result.parsed.suite = text(row, 1);
             result.parsed.implementation = text(row, 2);
             result.parsed.version = text(row, 3);
             result.parsed.complete = row.getColumn(4).getInt() != 0;
             result.validity = named(text(row, 5), {Validity::valid, Validity::invalid}, Validity::unknown);
             result.parsed.reason = text(row, 6);
             result.file = text(row, 7);
             found.emplace_back(row.getColumn(0).getInt64(), std::move(result));
           });
  std::vector<ResultRecord> results;
  results.reserve(found.size());
  for (auto& [id, result] : found) results.push_back(loaded_result(db, id, std::move(result)));
  return results;
}

std::optional<std::string> optional_text(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return text(row, column);
}

std::vector<NodeState> loaded_nodes(Database::Connection& db, std::int64_t attempt_id) {
  std::vector<std::pair<std::int64_t, NodeState>> found;
  for_rows(db,
           db.query("SELECT id, node, coalesce(before_s, 0), coalesce(after_s, 0), watched FROM node_state"
                    " WHERE attempt_id = ? ORDER BY seq",
                    attempt_id),
           [&](SQLite::Statement& row) {
             NodeState state;
             state.node = text(row, 1);
             state.before_s = row.getColumn(2).getDouble();
             state.after_s = row.getColumn(3).getDouble();
             if (row.getColumn(4).getInt() != 0) state.other_processes.emplace();
             found.emplace_back(row.getColumn(0).getInt64(), std::move(state));
           });
  std::vector<NodeState> states;
  states.reserve(found.size());
  for (auto& [id, state] : found) {
    for_rows(
        db,
        db.query("SELECT device, name, at_start, at_end FROM node_reading WHERE state_id = ? ORDER BY seq",
                 id),
        [&, &into = state](SQLite::Statement& row) {
          into.readings.push_back({text(row, 0), text(row, 1), optional_text(row, 2), optional_text(row, 3)});
        });
    for_rows(
        db,
        db.query("SELECT pid, uid, command, job, cores FROM other_process WHERE state_id = ? ORDER BY seq",
                 id),
        [&, &into = state](SQLite::Statement& row) {
          if (!into.other_processes) into.other_processes.emplace();
          into.other_processes->push_back({row.getColumn(0).getInt(), row.getColumn(1).getInt(), text(row, 2),
                                           text(row, 3), row.getColumn(4).getDouble()});
        });
    states.push_back(std::move(state));
  }
  return states;
}

constexpr std::string_view attempt_columns =
    "SELECT id, k, state, exit_code, signal, started_s, finished_s, wall_s, host, folder, failure, cores,"
    " steal_ratio, foreign_cores, job_cores, load_before, failure_kind, hosts, job, program, program_sha256,"
    " record_sha256, excerpts_sha256 FROM attempt";

/// Everything of an attempt except its own row.
void load_parts(Database::Connection& db, std::int64_t id, AttemptRecord& attempt, Excerpts excerpts) {
  const char* const files =
      excerpts == Excerpts::read
          ? "SELECT name, sha256, bytes, excerpt FROM attempt_file WHERE attempt_id = ? ORDER BY seq"
          : "SELECT name, sha256, bytes, '' FROM attempt_file WHERE attempt_id = ? ORDER BY seq";
  for_rows(db, db.query(files, id), [&](SQLite::Statement& row) {
    attempt.files.push_back({text(row, 0), text(row, 1), row.getColumn(2).getInt64(), text(row, 3)});
  });
  attempt.results = loaded_results(db, id);
  attempt.nodes = loaded_nodes(db, id);
}

std::vector<AttemptRecord> loaded_attempts(Database::Connection& db, std::int64_t case_id,
                                           Excerpts excerpts) {
  static const std::string of_case = fmt::format("{} WHERE case_id = ? ORDER BY k", attempt_columns);
  std::vector<std::pair<std::int64_t, AttemptRecord>> found;
  for_rows(db, db.query(of_case.c_str(), case_id), [&](SQLite::Statement& row) {
    found.emplace_back(row.getColumn(0).getInt64(), attempt_from(row));
  });
  std::vector<AttemptRecord> attempts;
  attempts.reserve(found.size());
  for (auto& [id, attempt] : found) {
    load_parts(db, id, attempt, excerpts);
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

std::vector<SetScore> loaded_set_scores(Database::Connection& db, const std::string& campaign) {
  std::vector<std::pair<std::int64_t, SetScore>> found;
  for_rows(db,
           db.query("SELECT id, document, suite, benchmark, name, score_min, runs, converged, validity FROM"
                    " set_score WHERE campaign = ? ORDER BY seq",
                    campaign),
           [&](SQLite::Statement& row) {
             SetScore score;
             score.schema = text(row, 1);
             score.suite = text(row, 2);
             score.benchmark = text(row, 3);
             score.name = text(row, 4);
             if (!row.getColumn(5).isNull()) score.score_min = row.getColumn(5).getDouble();
             score.runs = row.getColumn(6).getInt();
             score.converged = row.getColumn(7).getInt();
             score.validity = named(text(row, 8), {Validity::valid, Validity::invalid}, Validity::unknown);
             found.emplace_back(row.getColumn(0).getInt64(), std::move(score));
           });
  std::vector<SetScore> scores;
  for (auto& [id, score] : found) {
    for_rows(db,
             db.query("SELECT name, dropped FROM set_score_file WHERE set_id = ? ORDER BY dropped, seq", id),
             [&, &into = score](SQLite::Statement& row) {
               (row.getColumn(1).getInt() != 0 ? into.dropped : into.files).push_back(text(row, 0));
             });
    score.warnings = texts(db, "SELECT text FROM set_score_warning WHERE set_id = ? ORDER BY seq", id);
    score.rules = loaded_rules(
        db,
        "SELECT rule, title, source, severity, status, value, line, text FROM set_score_rule WHERE set_id = ?"
        " ORDER BY seq",
        id);
    scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace

Result<std::vector<std::string>> Database::case_ids(const std::string& campaign) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    return texts(db, "SELECT name FROM planned_case WHERE campaign = ? ORDER BY seq", campaign);
  });
}

Result<std::vector<std::string>> Database::planned_hosts(const std::string& campaign) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    return texts(db,
                 "SELECT DISTINCT hosts FROM case_place c JOIN planned_case p ON p.id = c.case_id"
                 " WHERE p.campaign = ? ORDER BY hosts",
                 campaign);
  });
}

Result<std::vector<CampaignSummary>> Database::campaigns(CaseCounts counts) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<CampaignSummary> list;
    for_rows(
        db,
        db.query(
            // As a report counts cases: without repeats of suspects and without those that another replaced.
            "WITH replaced AS MATERIALIZED (SELECT campaign, stands_for FROM planned_case"
            "   WHERE ?1 AND stands_for <> ''),"
            " counted AS MATERIALIZED (SELECT p.campaign, count(*) AS cases, count(CASE WHEN EXISTS"
            "   (SELECT 1 FROM attempt a WHERE a.case_id = p.id"
            "     AND a.state IN ('finished','timed-out','imported')) THEN 1 END) AS ended"
            "   FROM planned_case p WHERE ?1 AND confirms = 0 AND (p.campaign, p.name) NOT IN replaced"
            "   GROUP BY p.campaign)"
            "SELECT c.id, system, kind, state, created_s, coalesce(n.cases, 0), coalesce(n.ended, 0),"
            " coalesce((SELECT sentence FROM verdict v WHERE v.campaign = c.id), '')"
            " FROM campaign c LEFT JOIN counted n ON n.campaign = c.id ORDER BY created_s DESC, c.id DESC",
            counts == CaseCounts::read ? 1 : 0),
        [&](SQLite::Statement& row) {
          list.push_back({text(row, 0), text(row, 1), text(row, 2), text(row, 3),
                          row.getColumn(4).getDouble(), row.getColumn(5).getInt(), row.getColumn(6).getInt(),
                          text(row, 7)});
        });
    return list;
  });
}

Result<std::vector<CampaignSummary>> Database::campaigns_of(std::string_view system,
                                                            std::string_view kind) const {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    std::vector<CampaignSummary> list;
    for_rows(db,
             db.query("SELECT id, system, kind, state, created_s FROM campaign WHERE system = ? AND kind = ?"
                      " ORDER BY created_s, id",
                      system, kind),
             [&](SQLite::Statement& row) {
               list.push_back({text(row, 0), text(row, 1), text(row, 2), text(row, 3),
                               row.getColumn(4).getDouble(), 0, 0, ""});
             });
    return list;
  });
}

AttemptRecord loaded_attempt(Database::Connection& db, std::int64_t attempt_id) {
  static const std::string by_id = fmt::format("{} WHERE id = ?", attempt_columns);
  AttemptRecord attempt;
  for_rows(db, db.query(by_id.c_str(), attempt_id),
           [&](SQLite::Statement& row) { attempt = attempt_from(row); });
  load_parts(db, attempt_id, attempt, Excerpts::read);
  return attempt;
}

Result<CampaignRecord> Database::campaign(const std::string& id, Excerpts excerpts) const {
  Connection& db = connection_->begun();
  CampaignRecord campaign;
  std::string inventory;
  struct Row {
    std::int64_t id = 0;
    std::string document;
    std::string not_run;
  };
  std::vector<Row> rows;
  // One transaction: SQLite locks and looks at the file once, not for each of thousands of small queries.
  std::optional<SQLite::Transaction> transaction;
  auto loaded = guarded(db.path, [&] {
    transaction.emplace(db.database);
    for_rows(db,
             db.query("SELECT id, system, kind, state, created_s, finished_s, tool_version, inventory,"
                      " criteria_name, criteria, baseline, note, commitment FROM campaign WHERE id = ?",
                      id),
             [&](SQLite::Statement& row) {
               campaign.id = text(row, 0);
               campaign.system = text(row, 1);
               campaign.kind = text(row, 2);
               campaign.state =
                   named(text(row, 3),
                         {CampaignState::running, CampaignState::interrupted, CampaignState::finished},
                         CampaignState::planned);
               campaign.created_s = row.getColumn(4).getDouble();
               campaign.finished_s = row.getColumn(5).getDouble();
               campaign.tool_version = text(row, 6);
               inventory = text(row, 7);
               campaign.criteria_name = text(row, 8);
               campaign.criteria_text = text(row, 9);
               campaign.baseline_name = text(row, 10);
               campaign.note = text(row, 11);
               if (std::string root = text(row, 12); !root.empty())
                 campaign.commitment = Commitment{std::move(root), {}, {}};
             });
    if (campaign.commitment)
      for_rows(db, db.query("SELECT name, sha256 FROM committed_part WHERE campaign = ? ORDER BY name", id),
               [&](SQLite::Statement& row) {
                 Commitment& commitment = *campaign.commitment;
                 if (std::string hash = text(row, 1); hash.empty())
                   commitment.unread.push_back(text(row, 0));
                 else
                   commitment.parts.push_back({text(row, 0), std::move(hash)});
               });
    for_rows(db,
             db.query("SELECT number, name, criteria, reason, at_s FROM criteria_revision WHERE campaign = ?"
                      " ORDER BY number",
                      id),
             [&](SQLite::Statement& row) {
               campaign.criteria_revisions.push_back({row.getColumn(0).getInt(), text(row, 1), text(row, 2),
                                                      text(row, 3), row.getColumn(4).getDouble()});
             });
    campaign.warnings = texts(db, "SELECT text FROM campaign_warning WHERE campaign = ? ORDER BY seq", id);
    for_rows(
        db,
        db.query(
            "SELECT suite, benchmark, rule, because, next_good FROM refusal WHERE campaign = ? ORDER BY seq",
            id),
        [&](SQLite::Statement& row) {
          campaign.refused.push_back({text(row, 0), text(row, 1), text(row, 2), text(row, 3), text(row, 4)});
        });
    for_rows(db,
             db.query("SELECT node, name, value FROM environment WHERE campaign = ? ORDER BY node, seq", id),
             [&](SQLite::Statement& row) {
               campaign.environment.push_back({text(row, 0), text(row, 1), text(row, 2)});
             });
    for_rows(db,
             db.query("SELECT id, document, not_run FROM planned_case WHERE campaign = ? ORDER BY seq", id),
             [&](SQLite::Statement& row) {
               rows.push_back({row.getColumn(0).getInt64(), text(row, 1), text(row, 2)});
             });
    for_rows(db, db.query("SELECT node, because, at_s FROM exclusion WHERE campaign = ? ORDER BY seq", id),
             [&](SQLite::Statement& row) {
               campaign.exclusions.push_back({text(row, 0), text(row, 1), row.getColumn(2).getDouble()});
             });
  });
  if (!loaded) return failure_of(loaded);
  if (campaign.id.empty())
    return fail(db.path, fmt::format("no campaign '{}'", id),
                fmt::format("if its folder is there, `{}` stores it again from the run directories",
                            restoring_command(std::filesystem::path(db.path).parent_path())));
  auto scores = guarded(db.path, [&] { return loaded_set_scores(db, id); });
  if (!scores) return failure_of(scores);
  campaign.set_scores = std::move(*scores);
  if (inventory.empty()) {
    campaign.inventory.system = campaign.system;
    campaign.inventory.source = made_elsewhere;
  } else {
    auto read = inventory_from_json(inventory, db.path + ", inventory of " + id);
    if (!read) return failure_of(read);
    campaign.inventory = std::move(*read);
  }

  campaign.cases.reserve(rows.size());
  for (Row& row : rows) {
    auto planned = case_from_json(row.document, db.path + ", a case of " + id);
    if (!planned) return failure_of(planned);
    auto attempts = guarded(db.path, [&] { return loaded_attempts(db, row.id, excerpts); });
    if (!attempts) return failure_of(attempts);
    campaign.cases.push_back({std::move(*planned), std::move(*attempts), std::move(row.not_run)});
  }
  return campaign;
}

}  // namespace shakedown
