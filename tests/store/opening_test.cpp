#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>

#include <filesystem>

#include "orchestrator/store/database.hpp"
#include "orchestrator/store/store_schema.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A new store whose file states `version`.
fs::path store_of_version(const fs::path& folder, int version) {
  fs::path path = folder / "results.sqlite";
  REQUIRE(Database::open(path));
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA user_version = " + std::to_string(version));
  return path;
}

int version_of(const fs::path& path) {
  SQLite::Database database(path.string());
  return database.execAndGet("PRAGMA user_version").getInt();
}

}  // namespace

TEST_CASE("a new store is of this version, and its tables are those of the schema") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  REQUIRE(Database::open(path));
  CHECK(version_of(path) == store_version);
  SQLite::Database database(path.string());
  CHECK(schema_difference(database).empty());
  CHECK(Database::open(path));
  SQLite::Database in_memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  make_schema(in_memory);
  CHECK(schema_difference(in_memory).empty());
  in_memory.exec("CREATE TABLE notes(text)");
  CHECK(schema_difference(in_memory) == "the table 'notes'");
}

TEST_CASE(
    "a store of an older version is refused, left as it is, and the commands that make it again are named") {
  const TemporaryFolder temporary;
  const int version = GENERATE(1, 6);
  const fs::path path = store_of_version(temporary.path, version);
  for (const auto& opened : {Database::open(path), Database::open_existing(path)}) {
    REQUIRE_FALSE(opened);
    const Error& error = opened.error();
    CHECK(error.where == path.string());
    CHECK(error.what == "was written by an older shakedown (store version " + std::to_string(version) +
                            ", this one has " + std::to_string(store_version) + ")");
    const std::string folder = temporary.path.string();
    CHECK(error.hint == "make it again from the run directories: `mv " + path.string() + " " + folder +
                            "/results." + std::to_string(version) + ".sqlite && shakedown import " + folder +
                            "/campaigns -w " + folder + "`");
  }
  CHECK(version_of(path) == version);
}

TEST_CASE("a store of a newer version is refused and left as it is") {
  const TemporaryFolder temporary;
  const fs::path path = store_of_version(temporary.path, 99);
  const auto newer = Database::open(path);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().what == "was written by a newer shakedown (store version 99, this one has " +
                                  std::to_string(store_version) + ")");
  CHECK(
      newer.error().hint.starts_with("use that shakedown, or make it again from the run directories: `mv "));
  CHECK(version_of(path) == 99);
}

TEST_CASE("tables of another program are no store") {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "results.sqlite";
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE places (url)");
  const auto opened = Database::open(path);
  REQUIRE_FALSE(opened);
  CHECK(opened.error().what == "is no store of shakedown: it holds the table 'places'");
  const auto negative = Database::open(store_of_version(temporary.path / "other", -5));
  REQUIRE_FALSE(negative);
  CHECK(negative.error().what == "is no store of shakedown: it holds version -5");
}
