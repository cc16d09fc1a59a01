#include "orchestrator/core/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "orchestrator/core/claim.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

/// flock(2) on a file, held while it is open.
class SystemLock {
 public:
  enum class State { held, busy, none };  ///< none: the filesystem has no locks

  SystemLock() = default;
  explicit SystemLock(int fd) : fd_(fd) {
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0)
      state_ = State::held;
    else
      state_ = errno == EWOULDBLOCK ? State::busy : State::none;
  }
  SystemLock(SystemLock&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), state_(std::exchange(other.state_, State::none)) {}
  SystemLock& operator=(SystemLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(state_, other.state_);
    return *this;
  }
  ~SystemLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] State state() const { return state_; }

 private:
  int fd_ = -1;
  State state_ = State::none;
};

bool is_shared(const fs::path& path) {
  const auto filesystem = filesystem_of(path.has_parent_path() ? path.parent_path() : fs::path("."));
  return !filesystem || filesystem->shared;
}

double silence_of(const Claim& claim, const fs::path& path) {
  return static_cast<double>(filesystem_now_ns(path) - claim.heartbeat_ns) / 1e9;
}

LockHolder holder_of(const Claim& claim, double silent_s) {
  return {claim.process, claim.since_s, silent_s};
}

tl::unexpected<LockRefusal> refused(const Claim& claim, double silent_s) {
  return tl::unexpected<LockRefusal>(LockRefusal{holder_of(claim, silent_s), {}});
}

/// Whether a claim was made on this host before it booted: it bears its name and another boot, and has given
/// no sign of life since. Another host of the same name would have.
bool is_from_before_reboot(const Claim& claim, const fs::path& path) {
  const ProcessIdentity self = this_process();
  return claim.process.pid > 0 && claim.process.host == self.host && !claim.process.boot.empty() &&
         claim.process.boot != self.boot && silence_of(claim, path) > uptime_s();
}

/// Whether the holder of a claim is gone for certain. On a filesystem of one host who gets its lock is alone,
/// among the processes of this kernel.
bool surely_gone(const Claim& claim, const fs::path& path, bool system_lock_decides) {
  if (claim.number == 0 || claim.released) return true;
  if (life_of(claim.process) == Life::gone) return true;
  if (is_from_before_reboot(claim, path)) return true;
  if (!system_lock_decides || claim.process.pid == 0) return false;
  return claim.process.boot == this_process().boot || claim.process.host == host_name();
}

/// Watches a claim that has been silent; true: it still is.
bool stays_silent(const Claim& claim, const fs::path& path, const LockTimes& times) {
  const double until_s = steady_s() + times.watch_s;
  while (steady_s() < until_s) {
    ::usleep(static_cast<useconds_t>(std::min(1.0, times.watch_s / 10) * 1e6));
    const auto last = last_claim(path);
    if (!last || *last != claim.number) return false;
    const Claim now = read_claim(path, claim.number);
    if (now.heartbeat_ns != claim.heartbeat_ns || now.released) return false;
  }
  return true;
}

}  // namespace

std::string LockHolder::text() const {
  if (process.pid == 0) return "a process that has not identified itself";
  const std::string who = fmt::format("process {} on {}", process.pid, process.host);
  return since_s > 0 ? fmt::format("{} since {}", who, utc_text(since_s)) : who;
}

struct FileLock::Held {
  fs::path path;
  LockTimes times;
  SystemLock system;
  int claim = 0;
  int fd = -1;
  double renewed_s = 0;
  bool lost = false;

  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (fd < 0) return;
    if (!lost) release_claim(fd);
    ::close(fd);
  }
};

FileLock::FileLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FileLock::FileLock(FileLock&&) noexcept = default;
FileLock& FileLock::operator=(FileLock&&) noexcept = default;
FileLock::~FileLock() = default;

tl::expected<FileLock, LockRefusal> FileLock::take(const fs::path& path, const LockOptions& options) {
  using State = SystemLock::State;
  constexpr int patience = 500;  // tries, 5 s
  const bool shared = is_shared(path);
  const auto report = [&](const std::string& sentence) {
    if (options.report) options.report(sentence);
  };
  const auto failed = [](Error error) {
    return tl::unexpected<LockRefusal>(LockRefusal{{}, std::move(error)});
  };
  for (int tries = 0;; ++tries) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) {
      const int reason = errno;
      return failed({path.string(), fmt::format("cannot open: {}", std::strerror(reason)),
                     reason == ENOSPC ? "free some space there" : "", Fault::environment});
    }
    SystemLock system(file);
    const auto last = last_claim(path);
    if (!last) return failed(last.error());
    const Claim claim = *last > 0 ? read_claim(path, *last) : Claim();
    const bool busy = system.state() == State::busy;
    const bool forced = options.by_force && shared && life_of(claim.process) == Life::unknown;
    if (busy && !forced) {
      // Gone and not yet free: a job that was being forked when its orchestrator was killed has the lock
      // until it execs. Or its holder has not yet written its identity.
      if (surely_gone(claim, path, false) && tries < patience) {
        ::usleep(10'000);
        continue;
      }
      return refused(claim, silence_of(claim, path));
    }
    if (!surely_gone(claim, path, !shared && system.state() == State::held)) {
      const double silent_s = silence_of(claim, path);
      if (life_of(claim.process) == Life::runs) return refused(claim, silent_s);
      const LockHolder holder = holder_of(claim, silent_s);
      if (options.by_force) {
        report(fmt::format("taken by force from {}", holder.text()));
      } else {
        // A heartbeat equally far in the future proves nothing either.
        if (std::abs(silent_s) < options.times.stale_s || !options.watches) return refused(claim, silent_s);
        report(fmt::format("no heartbeat of {} for {}; watching it for {} more", holder.text(),
                           duration_text(std::abs(silent_s)), duration_text(options.times.watch_s)));
        if (!stays_silent(claim, path, options.times)) {
          const Claim now = read_claim(path, claim.number);
          if (now.number != 0 && !now.released) return refused(now, 0);
          continue;
        }
        report(fmt::format("taken over from {}: no heartbeat", holder.text()));
      }
    }
    const int number = *last + 1;
    const auto fd = make_claim(path, number);
    if (!fd) return failed(fd.error());
    if (*fd < 0) continue;
    auto held = std::make_unique<Held>();
    held->path = path;
    held->times = options.times;
    held->system = std::move(system);
    held->claim = number;
    held->fd = *fd;
    held->renewed_s = steady_s();
    // Somebody may have gone two numbers further, and removed the one that was just made again.
    const auto now = last_claim(path);
    if (!now || *now != number) {
      const fs::path mine = path.string() + fmt::format(".{}", number);
      ::unlink(mine.c_str());
      if (!now) return failed(now.error());
      continue;
    }
    remove_claims_below(path, number);
    return FileLock(std::move(held));
  }
}

Result<void> FileLock::renew() {
  Held& held = *held_;
  const auto lost = [&] {
    const auto last = last_claim(held.path);
    const Claim claim = last ? read_claim(held.path, *last) : Claim();
    return fail_environment(
        held.path.string(),
        claim.number > 0 && !claim.released
            ? fmt::format("was taken over by {} while this process sent no heartbeat",
                          holder_of(claim, 0).text())
            : std::string("was taken over, or removed, while this process sent no heartbeat"),
        "this process stops; submitted jobs continue, and the other orchestrator collects them");
  };
  if (held.lost) return lost();
  const double now_s = steady_s();
  if (now_s - held.renewed_s < held.times.heartbeat_s) return {};
  const auto last = last_claim(held.path);
  if (last && *last != held.claim) {
    held.lost = true;
    return lost();
  }
  // That the filesystem does not answer now is no loss; whoever takes the lock meanwhile is found next time.
  if (::futimens(held.fd, nullptr) == 0) held.renewed_s = now_s;
  return {};
}

std::optional<LockHolder> lock_holder(const fs::path& path, const LockTimes& times) {
  const auto last = last_claim(path);
  if (!last || *last == 0) return std::nullopt;
  const Claim claim = read_claim(path, *last);
  if (surely_gone(claim, path, false)) return std::nullopt;
  const double silent_s = silence_of(claim, path);
  if (life_of(claim.process) == Life::runs) return holder_of(claim, silent_s);
  if (!is_shared(path)) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    const bool free = fd >= 0 && ::flock(fd, LOCK_SH | LOCK_NB) == 0;
    if (fd >= 0) ::close(fd);
    if (free && surely_gone(claim, path, true)) return std::nullopt;
  }
  if (std::abs(silent_s) >= times.stale_s) return std::nullopt;
  return holder_of(claim, silent_s);
}

bool has_record_locks(const fs::path& folder) {
  std::error_code code;
  fs::path there = fs::absolute(folder, code);
  while (!fs::exists(there, code) && there != there.parent_path()) there = there.parent_path();
  const fs::path probe = there / fmt::format(".locks.{}.{}", host_name(), ::getpid());
  const int fd = ::open(probe.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) return true;
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool taken = ::fcntl(fd, F_SETLK, &lock) == 0;
  const int reason = errno;
  ::close(fd);
  ::unlink(probe.c_str());
  return taken || reason == EACCES || reason == EAGAIN;
}

}  // namespace shakedown
