#include "orchestrator/store/restraint.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <thread>

#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace fs = std::filesystem;

namespace {

constexpr off_t file_bytes = 4 << 20;

/// A small store that claims 4 MiB, most of them holes.
fs::path sparse_store(const fs::path& folder) {
  fs::path path = folder / "results.sqlite";
  {
    SQLite::Database made(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    made.exec("CREATE TABLE t(x)");
    for (int i = 0; i < 100; ++i) made.exec("INSERT INTO t VALUES (1)");
  }
  REQUIRE(::truncate(path.c_str(), file_bytes) == 0);
  return path;
}

/// More steps than 2 million, and fewer than 4 MiB are allowed.
int worked(const fs::path& path) {
  SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
  const Restraint restraint(database, path.string());
  return database.execAndGet("SELECT count(*) FROM t AS a, t AS b, t AS c WHERE a.x + b.x + c.x = 3")
      .getInt();
}

}  // namespace

TEST_CASE("a file whose blocks are counted late, as ZFS does after a copy, is not taken for one of holes") {
  const TemporaryFolder temporary;
  const fs::path path = sparse_store(temporary.path);
  std::thread late([&] {
    ::usleep(1'500'000);
    const int fd = ::open((temporary.path / "results.sqlite").c_str(), O_WRONLY | O_CLOEXEC);
    static_cast<void>(::posix_fallocate(fd, 0, file_bytes));
    ::close(fd);
  });
  int rows = 0;
  std::string failure;
  try {
    rows = worked(path);
  } catch (const SQLite::Exception& error) {
    failure = error.what();
  }
  late.join();
  CHECK(failure.empty());
  CHECK(rows == 1'000'000);
}

TEST_CASE("holes explain no work") {
  const TemporaryFolder temporary;
  CHECK_THROWS_AS(worked(sparse_store(temporary.path)), SQLite::Exception);
}

TEST_CASE("no document in a store is parsed by a question: what is asked for is in columns") {
  const TemporaryFolder temporary;
  SQLite::Database database((temporary.path / "x").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  const Restraint restraint(database, "x");
  CHECK_THROWS_AS(database.execAndGet("SELECT json_extract('[1]', '$[0]')"), SQLite::Exception);
  CHECK(database.execAndGet("SELECT max(1, 2)").getInt() == 2);
}
