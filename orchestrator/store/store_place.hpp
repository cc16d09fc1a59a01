#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/filesystem.hpp"

namespace shakedown {

/// How a store is kept in a folder.
///
/// On a filesystem of one host: WAL, and several processes beside each other. On one that other hosts may
/// have: a rollback journal, and one process alone, behind a lock that excludes those of other hosts too
/// (`results.lock`, see `FileLock`), since WAL needs memory that all processes share and SQLite's own locks
/// are not to be trusted there. That one process holds SQLite's lock as well (locking_mode EXCLUSIVE), if the
/// filesystem has locks.
///
/// journal_mode is DELETE: while the lock is held SQLite then only zeroes the journal's header at the end of
/// a transaction, no file is made or removed (which is slow, and on NFS leaves .nfs files), and nothing stays
/// behind when the store is closed, as TRUNCATE would leave an empty file.
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

/// How the store of a folder is kept; the folder may be missing yet.
StorePlace place_of_store(const std::filesystem::path& folder);

/// The lock of the store in a folder.
std::filesystem::path store_lock(const std::filesystem::path& folder);

/// Who has the store alone now, so that a reader would have to copy it whole; none: nobody.
std::optional<LockHolder> store_holder(const std::filesystem::path& store);

}  // namespace shakedown
