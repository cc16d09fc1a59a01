#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "orchestrator/core/file.hpp"
#include "orchestrator/store/database.hpp"
#include "orchestrator/store/record_hash.hpp"
#include "tests/skip.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// The store that version 1 wrote, from the dump of a real one.
void make_version_1(const fs::path& path) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(file_content(fs::path(TEST_FOLDER) / "fixtures/store/version-1.sql").value());
}

/// The store that version 2 wrote: the same with a row in each table that came with it, and words in its new
/// columns.
void make_version_2(const fs::path& path) {
  make_version_1(path);
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec(file_content(fs::path(PROJECT_FOLDER) / "orchestrator/store/schema_2.sql").value());
  database.exec(R"(
    PRAGMA user_version = 2;
    UPDATE campaign SET note = 'as delivered';
    UPDATE result SET file = 'HPL.out';
    INSERT INTO phase SELECT id, 0, 'find', 1.5, 'kIOPS', NULL, 1, 0, 12 FROM result LIMIT 1;
    INSERT INTO set_score SELECT 1, id, 0, 'shakedown.mlperf-score/1', 'mlperf', 'gpt3', 'a', 4.25, 3, 3, 'valid' FROM campaign LIMIT 1;
    INSERT INTO set_score_file VALUES (1, 0, 'result_0.txt', 0), (1, 0, 'result_1.txt', 1);
    INSERT INTO set_score_warning VALUES (1, 0, 'odd');
    INSERT INTO set_score_rule VALUES (1, 0, 'ML-02', 't', 's', 'F', 'pass', '3', 0, 'x');)");
}

/// The store that version 3 wrote: the same with a node that was excluded and what a job ran on.
void make_version_3(const fs::path& path) {
  make_version_2(path);
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec(file_content(fs::path(PROJECT_FOLDER) / "orchestrator/store/schema_3.sql").value());
  database.exec(R"(
    PRAGMA user_version = 3;
    UPDATE attempt SET hosts = 'vm', program = '/bin/true';
    INSERT INTO exclusion SELECT id, 0, 'vm', 'it burns', 7 FROM campaign;
    INSERT INTO committed_part SELECT id, 'plan.json', 'aa' FROM campaign;
    INSERT INTO criteria_revision SELECT id, 2, 'b.toml', 'x', 'amendment', 8 FROM campaign;
    INSERT INTO node_state SELECT 1, id, 0, 'vm', 1, 2, 1 FROM attempt LIMIT 1;
    INSERT INTO node_reading VALUES (1, 0, '', 'governor', 'performance', NULL);
    INSERT INTO neighbour VALUES (1, 0, 1, 2, 'x', '', 0.5);)");
}

/// The store that version 4 wrote: the same, with series, and no metric packed.
void make_version_4(const fs::path& path) {
  make_version_3(path);
  REQUIRE(Database::open(path));
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE)
      .exec(
          "DROP TABLE metric_pack; ALTER TABLE acceptance DROP COLUMN part;"
          "ALTER TABLE attempt DROP COLUMN record_sha256; ALTER TABLE attempt DROP COLUMN excerpts_sha256;"
          "PRAGMA user_version = 4;");
}

/// The store that version 5 wrote: the same, with packed metrics and no hash of what was stored.
void make_version_5(const fs::path& path) {
  make_version_4(path);
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  database.exec(file_content(fs::path(PROJECT_FOLDER) / "orchestrator/store/schema_5.sql").value());
  database.exec("PRAGMA user_version = 5");
}

/// Each row of each table, in the columns that `columns` names by table.
using Columns = std::map<std::string, std::string>;
Columns columns_of(const fs::path& path) {
  SQLite::Database database(path.string());
  SQLite::Statement query(
      database,
      "SELECT t.name, group_concat('quote(' || c.name || ')', '||'',''||') FROM sqlite_master t,"
      " pragma_table_info(t.name) c WHERE t.type = 'table' GROUP BY t.name");
  Columns columns;
  while (query.executeStep()) columns[query.getColumn(0).getString()] = query.getColumn(1).getString();
  return columns;
}
std::vector<std::string> rows_of(const fs::path& path, const Columns& columns) {
  SQLite::Database database(path.string());
  std::vector<std::string> rows;
  for (const auto& [table, values] : columns) {
    SQLite::Statement query(database, "SELECT " + values + " FROM " + table + " ORDER BY 1");
    while (query.executeStep()) rows.push_back(table + ": " + query.getColumn(0).getString());
  }
  return rows;
}

constexpr const char* campaign_id = "2026-11-22T00-42-34Z-vm";

int version_of(const fs::path& path) {
  SQLite::Database database(path.string());
  return database.execAndGet("PRAGMA user_version").getInt();
}

/// Each table with its columns: name, type, nullability, default, place in the key.
std::vector<std::string> shape_of(const fs::path& path) {
  SQLite::Database database(path.string());
  SQLite::Statement query(
      database,
      "SELECT t.type || ' ' || t.name || ' ' || coalesce(c.name || ' ' || c.type || ' ' ||"
      " c.\"notnull\" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk, '')"
      " FROM sqlite_master t LEFT JOIN pragma_table_info(t.name) c ORDER BY 1");
  std::vector<std::string> shape;
  while (query.executeStep()) shape.push_back(query.getColumn(0).getString());
  return shape;
}

}  // namespace

TEST_CASE("a store of version 1 is migrated when it is opened, and loses nothing") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  make_version_1(path);
  REQUIRE(version_of(path) == 1);
  {
    auto database = Database::open(path);
    INFO((database ? "" : to_string(database.error())));
    REQUIRE(database);
    const auto campaign = database->campaign(campaign_id);
    INFO((campaign ? "" : to_string(campaign.error())));
    REQUIRE(campaign);
    CHECK(campaign->note.empty());
    CHECK(campaign->set_scores.empty());
    REQUIRE(campaign->cases.size() == 2);
    REQUIRE(campaign->cases[0].attempts.size() == 1);
    const AttemptRecord& attempt = campaign->cases[0].attempts[0];
    REQUIRE(attempt.results.size() == 2);
    CHECK(attempt.results[0].parsed.metrics.size() == 3);
    CHECK(attempt.results[0].rules.size() > 10);
    CHECK(attempt.results[0].file.empty());
    CHECK(attempt.results[0].parsed.phases.empty());
    AttemptRecord again = attempt;
    again.results[0].file = "HPL.out";
    again.results[0].parsed.phases = {{"find", 1.5, "kIOPS", 2.5, true, true, 3}};
    REQUIRE(database->put_attempt(campaign_id, campaign->cases[0].planned.id, again));
    CHECK(database->campaign(campaign_id)->cases[0].attempts[0].results[0].parsed.phases ==
          again.results[0].parsed.phases);
  }
  CHECK(version_of(path) == 6);
}

TEST_CASE("each row of an older store is there with its values after the migration") {
  const int version = GENERATE(1, 2, 3, 4, 5);
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  if (version == 1) make_version_1(path);
  if (version == 2) make_version_2(path);
  if (version == 3) make_version_3(path);
  if (version == 4) make_version_4(path);
  if (version == 5) make_version_5(path);
  const Columns columns = columns_of(path);
  const auto before = rows_of(path, columns);
  REQUIRE(before.size() > 100);
  REQUIRE(columns.contains("set_score") == (version >= 2));
  REQUIRE(columns.contains("neighbour") == (version >= 3));
  REQUIRE(columns.contains("run_shape") == (version >= 4));
  REQUIRE(Database::open(path));
  REQUIRE(version_of(path) == 6);
  CHECK(rows_of(path, columns) == before);
  SQLite::Database database(path.string());
  CHECK_FALSE(SQLite::Statement(database, "PRAGMA foreign_key_check").executeStep());
}

TEST_CASE("what version 2 added is read after the migration") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  make_version_2(path);
  const auto database = Database::open(path);
  REQUIRE(database);
  const auto campaign = database->campaign(campaign_id);
  REQUIRE(campaign);
  CHECK(campaign->note == "as delivered");
  REQUIRE(campaign->set_scores.size() == 1);
  CHECK(campaign->set_scores[0].files == std::vector<std::string>{"result_0.txt"});
  CHECK(campaign->cases[0].attempts[0].results[0].file == "HPL.out");
  CHECK(campaign->exclusions.empty());
  CHECK_FALSE(campaign->commitment);
}

TEST_CASE("the results of an older store are in series after the migration, as if they were stored anew") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  GENERATE(0, 1) == 0 ? make_version_1(path) : make_version_4(path);
  auto database = Database::open(path);
  REQUIRE(database);
  const auto migrated = database->series_of("testbed");
  REQUIRE(migrated);
  REQUIRE(migrated->runs.size() == 2);
  REQUIRE_FALSE(migrated->series.empty());
  CHECK(migrated->series[0].node_kind == "1 x AMD EPYC, 2 cores");
  const auto campaign = database->campaign(campaign_id);
  REQUIRE(campaign);
  auto fresh = Database::open(temporary.path / "fresh.sqlite");
  REQUIRE(fresh);
  REQUIRE(fresh->add_campaign(*campaign));
  for (const CaseRecord& record : campaign->cases)
    for (const AttemptRecord& attempt : record.attempts)
      REQUIRE(fresh->put_attempt(campaign_id, record.planned.id, attempt));
  const auto stored = fresh->series_of("testbed");
  REQUIRE(stored);
  REQUIRE(stored->series.size() == migrated->series.size());
  for (std::size_t i = 0; i < stored->series.size(); ++i) {
    CHECK(stored->series[i].node_kind == migrated->series[i].node_kind);
    CHECK(stored->series[i].parameters == migrated->series[i].parameters);
    CHECK(stored->series[i].implementation == migrated->series[i].implementation);
    REQUIRE(stored->series[i].points.size() == migrated->series[i].points.size());
    for (std::size_t j = 0; j < stored->series[i].points.size(); ++j)
      CHECK(stored->series[i].points[j].value == migrated->series[i].points[j].value);
  }
}

TEST_CASE("attempts of an older store have no hash, and what is stored from now on has") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  make_version_5(path);
  auto database = Database::open(path);
  REQUIRE(database);
  const std::string id = database->campaign(campaign_id)->cases[0].planned.id;
  const AttemptRecord attempt = database->campaign(campaign_id)->cases[0].attempts[0];
  CHECK(attempt.stored == RecordHash{});
  REQUIRE(database->put_attempt(campaign_id, id, attempt));
  const AttemptRecord again = database->campaign(campaign_id)->cases[0].attempts[0];
  CHECK(again.stored == record_hash(again));
  CHECK(again.stored == database->stored_hash(campaign_id, id, attempt.index).value());
  CHECK(record_hash(again) == record_hash(attempt));
  CHECK(record_sha256(database->campaign(campaign_id, Excerpts::skip)->cases[0].attempts[0]) ==
        again.stored.record);
}

TEST_CASE("a migrated store and a new one have the same tables and columns") {
  const TemporaryFolder temporary;
  make_version_1(temporary.path / "old.sqlite");
  REQUIRE(Database::open(temporary.path / "old.sqlite"));
  REQUIRE(Database::open(temporary.path / "new.sqlite"));
  CHECK(shape_of(temporary.path / "old.sqlite") == shape_of(temporary.path / "new.sqlite"));
}

TEST_CASE("a store of version 1 that can only be read is read, and left as it is") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  make_version_1(path);
  fs::permissions(path, fs::perms::owner_read);
  fs::permissions(temporary.path, fs::perms::owner_read | fs::perms::owner_exec);
  const auto give_back = [&] {
    fs::permissions(temporary.path, fs::perms::owner_all);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  };
  if (::access(path.c_str(), W_OK) == 0) {
    give_back();
    skip("the superuser can write everywhere; tests/cli/import_test.sh shows it as another user");
    return;
  }
  {
    const auto database = Database::open_existing(path);
    REQUIRE(database);
    CHECK(database->read_only());
    CHECK(database->campaign(campaign_id)->cases.size() == 2);
  }
  give_back();
  CHECK(version_of(path) == 1);
}

TEST_CASE("a store of a newer version is refused and left as it is") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path));
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  const auto newer = Database::open(path);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().what == "was written by a newer shakedown (schema 99, this one knows 6)");
  CHECK(version_of(path) == 99);
}
