#include "orchestrator/store/database.hpp"

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/store/connection.hpp"
#include "orchestrator/store/run_shape.hpp"

namespace shakedown {
namespace {

/// Within the caller's transaction.
void insert_commitment(Database::Connection& db, const std::string& campaign, const Commitment& commitment) {
  constexpr const char* sql = "INSERT OR REPLACE INTO committed_part VALUES (?,?,?)";
  for (const CommittedPart& part : commitment.parts) db.run(sql, campaign, part.name, part.sha256);
  for (const std::string& name : commitment.unread) db.run(sql, campaign, name, std::string());
}

/// Within the caller's transaction.
void insert_revisions(Database::Connection& db, const std::string& campaign,
                      const std::vector<CriteriaRevision>& revisions) {
  for (const CriteriaRevision& revision : revisions)
    db.run("INSERT OR IGNORE INTO criteria_revision VALUES (?,?,?,?,?,?)", campaign, revision.number,
           revision.name, revision.text, revision.reason, revision.at_s);
}

}  // namespace

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

bool Database::read_only() const {
  return connection_->read_only;
}

std::string Database::why_read_only() const {
  return connection_->why_read_only;
}

Result<void> Database::renew_lock() {
  std::optional<FileLock>& lock = connection_->lock;
  return lock ? lock->renew() : Result<void>();
}

Result<void> Database::defer_sync(bool deferred) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    db.database.exec(deferred ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
  });
}

Result<void> Database::add_campaign(const CampaignRecord& campaign) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    auto& known = db.query("SELECT 1 FROM campaign WHERE id = ?", campaign.id);
    const bool there = known.executeStep();
    known.reset();
    if (there) return;
    db.run(
        "INSERT INTO campaign (id, system, kind, state, created_s, finished_s, tool_version, inventory,"
        " criteria_name, criteria, baseline, note, commitment) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        campaign.id, campaign.system, campaign.kind, to_string(campaign.state), campaign.created_s,
        campaign.finished_s, campaign.tool_version,
        is_external(campaign) && campaign.inventory.groups.empty() ? std::string()
                                                                   : inventory_json(campaign.inventory),
        campaign.criteria_name, campaign.criteria_text, campaign.baseline_name, campaign.note,
        campaign.commitment ? campaign.commitment->root : std::string());
    if (campaign.commitment) insert_commitment(db, campaign.id, *campaign.commitment);
    insert_revisions(db, campaign.id, campaign.criteria_revisions);
    int seq = 0;
    for (const std::string& text : campaign.warnings)
      db.run("INSERT INTO campaign_warning VALUES (?,?,?)", campaign.id, seq++, text);
    seq = 0;
    for (const Refusal& refusal : campaign.refused)
      db.run("INSERT INTO refusal VALUES (?,?,?,?,?,?,?)", campaign.id, seq++, refusal.suite,
             refusal.benchmark, refusal.rule, refusal.because, refusal.next_good);
    seq = 0;
    std::map<std::string, std::string> kinds;  // by hostlist
    for (const CaseRecord& record : campaign.cases) {
      const auto [kind, fresh] = kinds.try_emplace(record.planned.hosts);
      if (fresh) kind->second = node_kind_text(campaign.inventory, record.planned.hosts);
      insert_case(db, campaign.id, seq++, record.planned, kind->second);
    }
    transaction.commit();
  });
}

Result<void> Database::set_state(const std::string& campaign, CampaignState state, double finished_s) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    db.run("UPDATE campaign SET state = ?, finished_s = ? WHERE id = ?", to_string(state), finished_s,
           campaign);
  });
}

Result<void> Database::remove_campaign(const std::string& campaign) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] { db.run("DELETE FROM campaign WHERE id = ?", campaign); });
}

Result<void> Database::record_not_run(const std::string& campaign, const std::string& case_id,
                                      const std::string& because) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    db.run("UPDATE planned_case SET not_run = ? WHERE campaign = ? AND name = ?", because, campaign, case_id);
  });
}

Result<void> Database::record_exclusions(const std::string& campaign,
                                         const std::vector<Exclusion>& exclusions) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    db.run("DELETE FROM exclusion WHERE campaign = ?", campaign);
    int seq = 0;
    for (const Exclusion& exclusion : exclusions)
      db.run("INSERT INTO exclusion VALUES (?,?,?,?,?)", campaign, seq++, exclusion.node, exclusion.because,
             exclusion.at_s);
    transaction.commit();
  });
}

Result<void> Database::add_criteria_revisions(const std::string& campaign,
                                              const std::vector<CriteriaRevision>& revisions) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    insert_revisions(db, campaign, revisions);
    transaction.commit();
  });
}

Result<void> Database::add_environment(const std::string& campaign,
                                       const std::vector<EnvironmentRecord>& records) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    if (records.empty()) return;
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    auto& last = db.query("SELECT coalesce(max(seq), -1) + 1 FROM environment WHERE campaign = ?", campaign);
    last.executeStep();
    int seq = last.getColumn(0).getInt();
    last.reset();
    for (const EnvironmentRecord& record : records)
      db.run("INSERT OR IGNORE INTO environment VALUES (?,?,?,?,?)", campaign, record.node, seq++,
             record.name, record.value);
    transaction.commit();
  });
}

Result<void> Database::record_verdict(const std::string& campaign, const VerdictRow& verdict) {
  Connection& db = connection_->begun();
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    db.run("INSERT OR REPLACE INTO verdict VALUES (?,?,?,?)", campaign, verdict.overall, verdict.sentence,
           verdict.exit_code);
    db.run("DELETE FROM criterion WHERE campaign = ?", campaign);
    int seq = 0;
    for (const VerdictRow::Criterion& row : verdict.criteria)
      db.run("INSERT INTO criterion VALUES (?,?,?,?,?,?,?,?,?,?)", campaign, seq++, row.id, row.metric,
             row.severity, row.verdict, row.n, row.measured, row.limit, row.because);
    transaction.commit();
  });
}

}  // namespace shakedown
