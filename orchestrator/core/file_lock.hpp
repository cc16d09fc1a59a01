#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/process_identity.hpp"

namespace shakedown {

/// Who holds a lock.
struct LockHolder {
  ProcessIdentity process;  ///< of pid 0: not reported
  double since_s = 0;       ///< UTC, by the clock of its host; 0: not reported
  double silent_s = 0;      ///< since its last sign of life, by the filesystem's clock

  /// "process 12 on node1 since 2026-11-22T15:04:05Z".
  [[nodiscard]] std::string text() const;
};

/// A lock that was not taken: another process holds it, or the filesystem refused.
struct LockRefusal {
  std::optional<LockHolder> holder;
  Error error;  ///< without a holder
};

/// How a holder proves that it is alive. Some filesystems show files' times late: NFS caches attributes for
/// up to a minute (nfs(5), acregmax), so a holder counts as silent only well after that.
struct LockTimes {
  double heartbeat_s = 10;  ///< between heartbeats
  double stale_s = 300;     ///< of silence, then it may be gone
  double watch_s = 25;      ///< that it is then watched, before its lock is taken
};

struct LockOptions {
  /// Takes the lock from a process of another host though it is not known to be gone; never from one that is
  /// known to run.
  bool by_force = false;
  bool watches = true;  ///< a silent holder, before its lock is taken; else it is refused at once
  LockTimes times;
  std::function<void(const std::string&)> report;  ///< what happens, a sentence; null: nobody listens
};

/// A lock that excludes processes of this host and of others, whether the filesystem has working locks or
/// not.
///
/// The system's lock (flock on the file itself) is taken where there is one, but it decides only on a
/// filesystem of this host: elsewhere it is unknown whether other hosts see it (NFS mounted `nolock`, Lustre
/// `localflock`). There a file `<path>.<number>` names the holder (`Claim`). A holder of this host and boot
/// is known to run or to be gone by its pid and its time of start, at once. Another must have been silent for
/// `stale_s` by the clock that gives the filesystem its times, and still be while it is watched for `watch_s`
/// by this host's monotonic clock: that it moves at all then counts, so no clock that is set makes a living
/// one look dead.
class FileLock {
 public:
  /// Takes the lock. The folder must exist.
  static tl::expected<FileLock, LockRefusal> take(const std::filesystem::path& path,
                                                  const LockOptions& options = {});
  /// A sign of life, due every `heartbeat_s`; more often costs nothing. Fails (environment) once another has
  /// taken the lock: nothing more may be done under it.
  Result<void> renew();

  FileLock(FileLock&&) noexcept;
  FileLock& operator=(FileLock&&) noexcept;
  ~FileLock();

 private:
  struct Held;
  explicit FileLock(std::unique_ptr<Held> held);
  std::unique_ptr<Held> held_;
};

/// The holder of a lock now, as far as this host can see; nothing: nobody.
std::optional<LockHolder> lock_holder(const std::filesystem::path& path, const LockTimes& times = {});

/// Whether fcntl locks, which SQLite takes, can be taken in a folder that can be written. True where nothing
/// can be tried. Another host may not see them all the same.
bool has_record_locks(const std::filesystem::path& folder);

}  // namespace shakedown
