#include "orchestrator/store/database.hpp"

#include <SQLiteCpp/Backup.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/file.hpp"
#include "orchestrator/inventory/readers.hpp"
#include "orchestrator/store/connection.hpp"

namespace shakedown {

std::optional<std::string_view> store_file(std::string_view name);  // generated from schema*.sql

namespace {

/// What makes version i + 1 of the schema from version i. A new file goes through all of them, so that it
/// can't differ from one that was migrated.
constexpr std::array<std::string_view, 3> steps = {"schema.sql", "schema_2.sql", "schema_3.sql"};
constexpr int schema_version = static_cast<int>(steps.size());

/// Filesystems of several hosts: WAL needs shared memory and does not work there. Magic numbers of statfs(2)
/// and linux/magic.h; Lustre and GPFS from their own headers.
bool on_network_filesystem(const fs::path& folder) {
  constexpr std::array<unsigned long, 9> network = {
      0x6969UL,      // NFS
      0x0BD00BD0UL,  // Lustre
      0x47504653UL,  // GPFS
      0xFF534D42UL,  // CIFS
      0xFE534D42UL,  // SMB2
      0x00C36400UL,  // Ceph
      0x19830326UL,  // BeeGFS
      0x01021997UL,  // 9p
      0x65735546UL,  // FUSE
  };
  struct statfs info = {};
  if (::statfs(folder.c_str(), &info) != 0) return false;
  const auto type = static_cast<unsigned long>(info.f_type) & 0xFFFFFFFFUL;
  return std::find(network.begin(), network.end(), type) != network.end();
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Switching a new file to WAL takes it alone, and SQLite does not wait for that where two processes want it:
/// it calls the one that could wait for ever busy at once.
void switch_to_wal(SQLite::Database& database) {
  constexpr int patience = 100;  // tries, 10 s
  for (int tries = 1;; ++tries) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() != SQLITE_BUSY || tries == patience) throw;
      ::usleep(100'000);
    }
  }
}

void prepare_writing(SQLite::Database& database, const fs::path& folder) {
  database.exec("PRAGMA foreign_keys = ON");
  if (on_network_filesystem(folder)) {
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = DELETE");
  } else {
    switch_to_wal(database);
  }
  database.exec("PRAGMA synchronous = FULL");
}

/// The URI by which SQLite reads a file in a folder where it can write nothing. A reader of a WAL database
/// keeps notes in shared memory beside it; `immutable` does without, and is right where no journal is left.
///
/// Source: sqlite.org/wal.html, "Read-Only Databases"; sqlite.org/uri.html.
std::string reading_uri(const fs::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  std::error_code code;
  const auto journal = fs::file_size(path.string() + "-wal", code);
  return uri + (code || journal == 0 ? "?immutable=1" : "?mode=ro");
}

int version_of(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

/// Brings an older database to this version, all steps or none; a newer one is left as it is.
void migrate(SQLite::Database& database) {
  if (version_of(database) >= schema_version) return;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Another process may have been first between the question and the lock.
  for (int version = version_of(database); version < schema_version; ++version)
    database.exec(std::string(store_file(steps.at(static_cast<size_t>(version))).value_or("")));
  if (version_of(database) < schema_version)
    database.exec(fmt::format("PRAGMA user_version = {}", schema_version));
  transaction.commit();
}

/// An older database that can't be written, in memory.
std::unique_ptr<Database::Connection> migrated_copy(Database::Connection& archived) {
  auto copy = std::make_unique<Database::Connection>(
      archived.path, ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  SQLite::Backup(copy->database, archived.database).executeStep();
  migrate(copy->database);
  copy->read_only = true;
  return copy;
}

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

tl::unexpected<Error> newer(const fs::path& path, int version) {
  return fail_environment(
      path.string(),
      fmt::format("was written by a newer shakedown (schema {}, this one knows {})", version, schema_version),
      "use that version, or another workspace with -w DIR");
}

}  // namespace

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& path) {
  const fs::path folder = folder_of(path);
  if (auto made = make_folder(folder); !made) return pass_on(made, "choose another workspace with -w DIR");
  std::unique_ptr<Connection> connection;
  int version = 0;
  auto opened = guarded(path.string(), [&] {
    connection = std::make_unique<Connection>(path.string(), path.string(),
                                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Database& database = connection->database;
    prepare_writing(database, folder);
    migrate(database);
    version = version_of(database);
  });
  if (!opened) return pass_on(opened);
  if (version > schema_version) return newer(path, version);
  return Database(std::move(connection));
}

Result<Database> Database::open_existing(const std::filesystem::path& path) {
  const fs::path folder = folder_of(path);
  const auto nothing = [&](std::string_view what) {
    return fail(path.string(), std::string(what),
                fmt::format("`{}` makes it from the run directories", restoring_command(path.parent_path())));
  };
  std::error_code code;
  if (!fs::exists(path, code)) return nothing("is not there");
  const bool writable = ::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
  std::unique_ptr<Connection> connection;
  int version = 0;
  auto opened = guarded(path.string(), [&] {
    connection = writable ? std::make_unique<Connection>(path.string(), path.string(), SQLite::OPEN_READWRITE)
                          : std::make_unique<Connection>(path.string(), reading_uri(path),
                                                         SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    if (writable) prepare_writing(connection->database, folder);
    version = version_of(connection->database);
    if (version == 0 || version >= schema_version) return;
    if (writable)
      migrate(connection->database);
    else
      connection = migrated_copy(*connection);
  });
  if (!opened) return pass_on(opened);
  if (version == 0) return nothing("holds no campaign");
  if (version > schema_version) return newer(path, version);
  return Database(std::move(connection));
}

bool Database::read_only() const {
  return connection_->read_only;
}

Result<void> Database::add_campaign(const CampaignRecord& campaign) {
  Connection& db = *connection_;
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
        is_external(campaign) ? std::string() : inventory_json(campaign.inventory), campaign.criteria_name,
        campaign.criteria_text, campaign.baseline_name, campaign.note,
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
    for (const CaseRecord& record : campaign.cases) insert_case(db, campaign.id, seq++, record.planned);
    transaction.commit();
  });
}

Result<void> Database::set_state(const std::string& campaign, CampaignState state, double finished_s) {
  Connection& db = *connection_;
  return guarded(db.path, [&] {
    db.run("UPDATE campaign SET state = ?, finished_s = ? WHERE id = ?", to_string(state), finished_s,
           campaign);
  });
}

Result<void> Database::put_not_run(const std::string& campaign, const std::string& case_id,
                                   const std::string& because) {
  Connection& db = *connection_;
  return guarded(db.path, [&] {
    db.run("UPDATE planned_case SET not_run = ? WHERE campaign = ? AND name = ?", because, campaign, case_id);
  });
}

Result<void> Database::put_exclusions(const std::string& campaign, const std::vector<Exclusion>& exclusions) {
  Connection& db = *connection_;
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
  Connection& db = *connection_;
  return guarded(db.path, [&] {
    SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
    insert_revisions(db, campaign, revisions);
    transaction.commit();
  });
}

Result<void> Database::add_environment(const std::string& campaign,
                                       const std::vector<EnvironmentRecord>& records) {
  Connection& db = *connection_;
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

Result<void> Database::put_verdict(const std::string& campaign, const VerdictRow& verdict) {
  Connection& db = *connection_;
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
