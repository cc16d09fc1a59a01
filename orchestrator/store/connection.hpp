#pragma once
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/store/database.hpp"
#include "orchestrator/store/restraint.hpp"

namespace shakedown {

/// The open database with its prepared statements: each SQL text is compiled once. One thread at a time may
/// use it: without SQLite's own locks around every call, millions of rows are read in half the time.
struct Database::Connection {
  std::string path;
  std::optional<FileLock> lock;  ///< of the store, where one process has it alone; freed after it is closed
  SQLite::Database database;
  Restraint restraint;
  bool read_only = false;
  std::string why_read_only;
  std::map<std::string, std::unique_ptr<SQLite::Statement>, std::less<>> statements;

  /// `name`: what SQLite opens, the file's path or a URI of it; by SQLite's flags, and its VFS of a name
  /// (empty: the usual).
  Connection(std::string file, const std::string& name, int flags, const std::string& vfs = {})
      : path(std::move(file)),
        database(name, flags | SQLite::OPEN_NOMUTEX, /*aBusyTimeoutMs=*/10'000, vfs),
        restraint(database, path),
        read_only((flags & SQLite::OPEN_READONLY) != 0) {}

  /// The connection at the beginning of a call of the store.
  Connection& begun() {
    restraint.begin();
    return *this;
  }

  /// The statement with `values` bound in order, ready to step.
  template <class... Values>
  SQLite::Statement& query(const char* sql, const Values&... values) {
    restraint.count_statement();
    auto& statement = statements[sql];
    if (!statement) statement = std::make_unique<SQLite::Statement>(database, sql);
    statement->reset();
    statement->clearBindings();
    int index = 0;
    (bind(*statement, ++index, values), ...);
    return *statement;
  }

  /// Runs a statement that returns no rows.
  template <class... Values>
  void run(const char* sql, const Values&... values) {
    query(sql, values...).exec();
  }

 private:
  template <class T>
  static void bind(SQLite::Statement& statement, int index, const T& value) {
    if constexpr (std::is_base_of_v<std::string_view, T>)
      statement.bind(index, std::string(value));
    else
      statement.bind(index, value);
  }
  template <class T>
  static void bind(SQLite::Statement& statement, int index, const std::optional<T>& value) {
    if (value) statement.bind(index, *value);
  }
};

/// The command that stores a workspace's run directories again.
inline std::string restoring_command(const std::filesystem::path& workspace) {
  return command_for("import " + shell_quoted((workspace / "campaigns").string()), workspace);
}

/// Stores a case at place `seq` of a campaign, within the caller's transaction; the row's id. `node_kind`:
/// from `node_kind_text`.
std::int64_t insert_case(Database::Connection& db, const std::string& campaign, int seq, const Case& planned,
                         const std::string& node_kind);

/// An attempt as its rows have it.
AttemptRecord loaded_attempt(Database::Connection& db, std::int64_t attempt_id);

/// The way out of a failure of SQLite; empty: none is known.
inline std::string hint_for(int code, const std::filesystem::path& workspace) {
  switch (code) {
    case SQLITE_BUSY:
      return "another shakedown is writing; wait for it or use another workspace";
    case SQLITE_FULL:
      return "free some space there";
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_INTERRUPT:  // more work than its size explains
    case SQLITE_TOOBIG:
      return fmt::format("move the file away; `{}` makes a new one from the run directories",
                         restoring_command(workspace));
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
      return "the workspace must be writable: copy it, or use another with -w DIR";
    default:
      return "";
  }
}

/// Calls `work`; what SQLite throws becomes an Error with the database's path.
template <class Work>
auto guarded(const std::string& path, Work work) -> Result<decltype(work())> {
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return {};
    } else {
      return work();
    }
  } catch (const SQLite::Exception& error) {
    return fail_environment(path,
                            error.getErrorCode() == SQLITE_INTERRUPT
                                ? "a query takes more steps than the file's size explains: it may be damaged"
                                : fmt::format("SQLite reports: {}", error.what()),
                            hint_for(error.getErrorCode(), std::filesystem::path(path).parent_path()));
  } catch (const std::exception& error) {  // rows that no store of ours has
    return fail_environment(path, fmt::format("holds rows that can't be read: {}", error.what()),
                            hint_for(SQLITE_CORRUPT, std::filesystem::path(path).parent_path()));
  }
}

/// Calls `each` for every row; the statement is free again afterwards.
template <class Each>
void for_rows(Database::Connection& db, SQLite::Statement& statement, Each each) {
  while (statement.executeStep()) {
    for (int column = 0; column < statement.getColumnCount(); ++column)
      if (const SQLite::Column value = statement.getColumn(column); value.isText() || value.isBlob())
        db.restraint.count_bytes(value.getBytes());
    each(statement);
  }
  statement.reset();
}

}  // namespace shakedown
