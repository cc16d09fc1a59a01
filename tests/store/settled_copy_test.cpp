#include "orchestrator/store/store_place.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

#include "orchestrator/core/file.hpp"
#include "orchestrator/store/connection.hpp"
#include "orchestrator/store/store_schema.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// The store's file, held by one process alone.
std::unique_ptr<SQLite::Database> held(const fs::path& path) {
  auto database =
      std::make_unique<SQLite::Database>(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database->exec("PRAGMA locking_mode = EXCLUSIVE");
  database->exec("PRAGMA journal_mode = DELETE");
  return database;
}

}  // namespace

TEST_CASE("a copy beside a process that writes without locks is of one moment between two transactions") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  const auto writer = held(path);
  // Rows far apart, so that a transaction touches many pages; all bear one number at any moment between two.
  writer->exec("CREATE TABLE t (id INTEGER PRIMARY KEY, number INTEGER, filler TEXT)");
  writer->exec("BEGIN");
  for (int i = 0; i < 200; ++i) writer->exec("INSERT INTO t VALUES (NULL, 0, hex(zeroblob(1500)))");
  writer->exec("COMMIT");
  std::atomic<bool> end = false;
  std::thread writing([&] {
    while (!end) {
      writer->exec("UPDATE t SET number = number + 1");
      ::usleep(2'000);
    }
  });
  long long last = -1;
  int moved = 0;
  for (int i = 0; i < 40; ++i) {
    const auto bytes = settled_copy(path);
    if (!bytes) {
      end = true;
      writing.join();
      FAIL(to_string(bytes.error()));
    }
    Database::Connection copy("copy", ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    load_into(copy, *bytes);
    CHECK(copy.database.execAndGet("SELECT count(DISTINCT number) FROM t").getInt() == 1);
    CHECK(copy.database.execAndGet("PRAGMA integrity_check").getString() == "ok");
    const long long number = copy.database.execAndGet("SELECT max(number) FROM t").getInt64();
    CHECK(number >= last);
    moved += number > last ? 1 : 0;
    last = number;
  }
  end = true;
  writing.join();
  CHECK(moved > 5);
}

TEST_CASE("a transaction that is under way is not copied") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  const auto writer = held(path);
  writer->exec("CREATE TABLE t (x)");
  writer->exec("PRAGMA cache_size = 1");  // spills to the file before its end
  writer->exec("BEGIN");
  for (int i = 0; i < 500; ++i) writer->exec("INSERT INTO t VALUES (hex(zeroblob(1500)))");
  const auto bytes = settled_copy(path, 0.2);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().what == "is written without a pause by another process");
  writer->exec("ROLLBACK");
  CHECK(settled_copy(path, 5));
}

TEST_CASE("a copy of a file of WAL mode can be read in memory") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path));  // and closed
  Database::Connection copy("copy", ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  load_into(copy, settled_copy(path).value());
  CHECK(copy.database.execAndGet("PRAGMA user_version").getInt() == store_version);
}

TEST_CASE("a file of holes is not copied") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path));  // and closed
  fs::resize_file(path, std::uintmax_t{20} << 30);
  const auto bytes = settled_copy(path);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().what.find("is larger than 6") == 0);
}

TEST_CASE("of a journal beside a store no more is read than tells whether it is over") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path));
  REQUIRE(write_file(path.string() + "-journal", ""));
  fs::resize_file(path.string() + "-journal", std::uintmax_t{20} << 30);
  CHECK(settled_copy(path, 0.2));
}
