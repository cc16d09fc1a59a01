#include <unistd.h>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/store/connection.hpp"
#include "orchestrator/store/store_place.hpp"
#include "orchestrator/store/store_schema.hpp"

namespace shakedown {

namespace {

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

/// Takes a file for this process alone; its locking mode is that already.
void take_alone(SQLite::Database& database) {
  const std::string mode = database.execAndGet("PRAGMA journal_mode = DELETE").getString();
  if (mode != "delete") throw SQLite::Exception("its journal stays of mode " + mode);
  database.exec("BEGIN EXCLUSIVE; COMMIT");
}

/// Call it before reading a file that this process is to have alone: SQLite then holds the index of an
/// existing WAL in its own memory, and can merge it where no memory can be shared.
///
/// Source: sqlite.org/wal.html, "Use of WAL Without Shared-Memory".
void prepare_reading(SQLite::Database& database, const StorePlace& place) {
  if (place.alone()) database.exec("PRAGMA locking_mode = EXCLUSIVE");
}

void prepare_writing(SQLite::Database& database, const StorePlace& place) {
  database.exec("PRAGMA foreign_keys = ON");
  if (place.alone())
    take_alone(database);
  else
    switch_to_wal(database);
  database.exec("PRAGMA synchronous = FULL");
}

/// The URI by which SQLite reads a file in a folder where it can write nothing. A reader of a WAL database
/// writes to shared memory beside it; `immutable` does not, and is right if no journal remains.
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

/// What a file's content is.
struct Content {
  int version = 0;         ///< 0: nothing yet, or another program's tables
  std::string difference;  ///< from our schema; empty: none, or it is of another version
};

/// Read before anything is written to it, and in one moment: another process may be making its tables.
Content content_of(SQLite::Database& database) {
  const SQLite::Transaction one_moment(database);
  Content content;
  content.version = version_of(database);
  if (content.version < 0)
    content.difference = fmt::format("version {}", content.version);
  else if (content.version == 0 || content.version == store_version)
    content.difference = schema_difference(database);
  return content;
}

/// Makes the tables of a file that has none, all or none of them.
void make_tables(Database::Connection& db) {
  if (version_of(db.database) != 0) return;
  SQLite::Transaction transaction(db.database, SQLite::TransactionBehavior::IMMEDIATE);
  // Another process may have been first between the question and the lock.
  if (version_of(db.database) != 0) return;
  const Restraint::Making making(db.restraint);
  make_schema(db.database);
  transaction.commit();
}

/// What another process that has the store alone last committed, in memory.
Result<std::unique_ptr<Database::Connection>> copy_of_held(const fs::path& path, const LockHolder& holder) {
  auto bytes = settled_copy(path);
  if (!bytes) return failure_of(bytes);
  return guarded(path.string(), [&] {
    auto copy = std::make_unique<Database::Connection>(
        path.string(), ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    load_into(*copy, *std::move(bytes));
    copy->read_only = true;
    copy->why_read_only = fmt::format("is held by {}", holder.text());
    return copy;
  });
}

/// The commands that make a store again from the run directories; where the workspace can only be read, in
/// another one.
std::string remaking_commands(const fs::path& path, int version) {
  const fs::path workspace = folder_of(path);
  if (::access(workspace.c_str(), W_OK) != 0)
    return command_for("import " + shell_quoted(workspace.string()), "DIR");
  fs::path kept = path;
  kept.replace_extension(fmt::format("{}.sqlite", version));
  return fmt::format("mv {} {} && {}", shell_quoted(path.string()), shell_quoted(kept.string()),
                     restoring_command(workspace));
}

tl::unexpected<Error> of_other_version(const fs::path& path, int version) {
  std::string remedy =
      fmt::format("make it again from the run directories: `{}`", remaking_commands(path, version));
  if (version > store_version) remedy = "use that shakedown, or " + remedy;
  return fail_environment(
      path.string(),
      fmt::format("was written by {} shakedown (store version {}, this one has {})",
                  version > store_version ? "a newer" : "an older", version, store_version),
      std::move(remedy));
}

/// Whether a store of ours has that content.
Result<void> known_content(const fs::path& path, const Content& content) {
  if (content.version > 0 && content.version != store_version) return of_other_version(path, content.version);
  if (content.difference.empty()) return {};
  return fail_environment(
      path.string(), fmt::format("is no store of shakedown: it holds {}", content.difference),
      fmt::format(
          "drop your own tables with sqlite3, or move the file away: `{}` makes a new one from the run "
          "directories",
          restoring_command(folder_of(path))));
}

tl::unexpected<Error> held(const fs::path& path, const LockHolder& holder, const StorePlace& place) {
  const fs::path workspace = folder_of(path);
  const bool here = life_of(holder.process) == Life::runs;
  std::string who = holder.text();
  if (!here) who += fmt::format(", last heartbeat {} ago", duration_text(std::max(0.0, holder.silent_s)));
  std::string remedy =
      fmt::format("wait for it (`{}` shows how far it is), or use another workspace with -w DIR",
                  command_for("status", workspace));
  if (!here)
    remedy += fmt::format(
        ". If it is gone (a host that crashed): its lock is free once it has been silent for {}; `{}` takes "
        "it "
        "at once: make sure on {} that it is gone",
        duration_text(LockTimes{}.stale_s), command_for("resume --break-lock", workspace),
        holder.process.host);
  return fail_environment(
      path.string(),
      fmt::format("is held by {}: on {}, which other hosts may share, one shakedown writes at a time", who,
                  place.filesystem.name),
      remedy);
}

/// The lock of a store that one process has alone; none where several may write. Who only looks something up
/// holds it for a moment: that is waited for.
Result<std::optional<FileLock>> store_locked(const fs::path& path, const StorePlace& place,
                                             const LockOptions& options) {
  constexpr double patience_s = 3;
  const fs::path lock_file = store_lock(folder_of(path));
  const double until_s = steady_s() + patience_s;
  while (true) {
    LockHolder holder;
    if (place.alone()) {
      auto lock = FileLock::take(lock_file, options);
      if (lock) return std::optional(*std::move(lock));
      const LockRefusal& refusal = lock.error();
      if (!refusal.holder) return tl::unexpected<Error>(refusal.error);
      holder = *refusal.holder;
    } else {
      auto exported = lock_holder(lock_file);  // of a host that this filesystem is exported to
      if (!exported) return std::optional<FileLock>();
      holder = *std::move(exported);
    }
    if (steady_s() > until_s) return held(path, holder, place);
    ::usleep(100'000);
  }
}

/// SQLite's own message for a locked file does not name the holder, and we have the store's lock.
Error of_lone_store(Error error) {
  if (error.what.find("locked") != std::string::npos)
    error.hint =
        "a program that is not shakedown (sqlite3?) has it open on some host; where none has, a host that "
        "crashed left its lock with the server: `cp results.sqlite new && mv new results.sqlite` is free of "
        "it";
  return error;
}

/// SQLite takes no locks of its own where there are none; the store's lock is there.
std::string vfs_for(const StorePlace& place) {
  return place.record_locks ? "" : "unix-none";
}

}  // namespace

Result<Database> Database::open(const fs::path& path, const LockOptions& options) {
  const fs::path folder = folder_of(path);
  if (auto made = make_private_folder(folder); !made)
    return failure_of(made, "choose another workspace with -w DIR");
  if (auto files = check_store_files(path); !files) return failure_of(files);
  const StorePlace place = place_of_store(folder);
  auto lock = store_locked(path, place, options);
  if (!lock) return failure_of(lock);
  std::unique_ptr<Connection> connection;
  Content content;
  auto opened = guarded(path.string(), [&] {
    connection = std::make_unique<Connection>(path.string(), path.string(),
                                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, vfs_for(place));
    connection->lock = *std::move(lock);
    SQLite::Database& database = connection->database;
    prepare_reading(database, place);
    content = content_of(database);
    if (!known_content(path, content)) return;
    prepare_writing(database, place);
    make_tables(*connection);
  });
  if (!opened && place.alone()) return tl::unexpected<Error>(of_lone_store(opened.error()));
  if (!opened) return failure_of(opened);
  if (auto known = known_content(path, content); !known) return failure_of(known);
  return Database(std::move(connection));
}

Result<Database> Database::open_existing(const fs::path& path) {
  const fs::path folder = folder_of(path);
  const auto nothing = [&](std::string_view what) {
    return fail(path.string(), std::string(what),
                fmt::format("`{}` makes it from the run directories", restoring_command(path.parent_path())));
  };
  std::error_code code;
  if (auto files = check_store_files(path); !files) return failure_of(files);
  if (!fs::exists(path, code)) return nothing("is not there");
  const bool writable = ::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
  StorePlace place;
  std::optional<FileLock> lock;
  std::optional<LockHolder> holder;
  if (writable) place = place_of_store(folder);
  if (writable && place.alone()) {
    LockOptions at_once;
    at_once.watches = false;
    auto taken = FileLock::take(store_lock(folder), at_once);
    if (!taken && !taken.error().holder) return tl::unexpected<Error>(taken.error().error);
    if (taken)
      lock = *std::move(taken);
    else
      holder = taken.error().holder;
  } else {
    holder = lock_holder(store_lock(folder));
  }
  std::unique_ptr<Connection> connection;
  Content content;
  if (holder) {
    auto copy = copy_of_held(path, *holder);
    if (!copy) return failure_of(copy);
    connection = *std::move(copy);
  }
  auto opened = guarded(path.string(), [&] {
    if (connection == nullptr) {
      connection = writable ? std::make_unique<Connection>(path.string(), path.string(),
                                                           SQLite::OPEN_READWRITE, vfs_for(place))
                            : std::make_unique<Connection>(path.string(), reading_uri(path),
                                                           SQLite::OPEN_READONLY | SQLite::OPEN_URI);
      if (!writable) connection->why_read_only = "can only be read";
      connection->lock = std::move(lock);
      if (writable) prepare_reading(connection->database, place);
    }
    content = content_of(connection->database);
    if (content.version == 0 || !known_content(path, content)) return;
    if (connection->why_read_only.empty()) prepare_writing(connection->database, place);
  });
  if (!opened && place.alone() && writable) return tl::unexpected<Error>(of_lone_store(opened.error()));
  if (!opened) return failure_of(opened);
  if (auto known = known_content(path, content); !known) return failure_of(known);
  if (content.version == 0) return nothing("holds no campaign");
  return Database(std::move(connection));
}

}  // namespace shakedown
