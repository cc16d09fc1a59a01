#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// How a folder's store is opened and locked.
///
/// On a filesystem of one host: WAL, and several processes beside each other. On one that other hosts may
/// have: a rollback journal, and one process alone, behind a lock that excludes those of other hosts too
/// (`results.lock`, see `FileLock`), since WAL needs memory that all processes share and SQLite's own locks
/// are not to be trusted there. That one process holds SQLite's lock as well (locking_mode EXCLUSIVE), if the
/// filesystem has locks.
///
/// journal_mode is DELETE: while the lock is held SQLite then only zeroes the journal's header at the end of
/// a transaction, no file is made or removed (that is slow, and on NFS makes .nfs files). No file remains
/// when the store is closed; with TRUNCATE an empty one would.
///
/// Source: sqlite.org/wal.html, "Overview"; sqlite.org/pragma.html, journal_mode and locking_mode;
/// sqlite.org/howtocorrupt.html, 2.1.
struct StorePlace {
  Filesystem filesystem;
  bool record_locks = true;  ///< fcntl locks can be taken; only tried where `alone`

  [[nodiscard]] bool alone() const { return filesystem.shared; }
  /// What follows for the user, for `doctor`.
  [[nodiscard]] std::string text() const;
};

/// How the store of a folder is to be opened; the folder may not exist yet.
StorePlace place_of_store(const std::filesystem::path& folder);

/// The lock of the store in a folder.
std::filesystem::path store_lock(const std::filesystem::path& folder);

/// Who has the store alone now, so that a reader would have to copy it whole; none: nobody.
std::optional<LockHolder> store_holder(const std::filesystem::path& store);

/// Bytes of a file; 0: it is not there. Holes cost whoever made them nothing, and do not count; on the disk a
/// file may be compressed.
std::int64_t bytes_on_disk(const std::filesystem::path& path);

/// Whether the files of a store may be opened: results.sqlite, its log, its shared memory and its journal are
/// regular files where they are there, and the journal names no other file. SQLite deletes the file that a
/// journal names once it has rolled that back, wherever it lies; no journal of ours names one. Fails
/// (environment) with the one that is none.
///
/// Source: sqlite.org/atomiccommit.html, 5.0 "Multi-file Commit".
Result<void> check_store_files(const std::filesystem::path& store);

/// A database file as it was between two transactions of a process that goes on writing it, without locks. It
/// is read twice; equal bytes, and a journal that is empty before, between and after, are of one moment,
/// since SQLite changes the file only while the journal holds what was there. Fails (environment) where the
/// writer is never that quiet for `patience_s`.
///
/// Source: sqlite.org/fileformat2.html, "The Rollback Journal"; sqlite.org/atomiccommit.html.
Result<std::string> settled_copy(const std::filesystem::path& path, double patience_s = 10);

/// Makes a connection to memory hold the bytes of a file. Throws as SQLiteCpp does.
void load_into(Database::Connection& memory, std::string bytes);

}  // namespace shakedown
