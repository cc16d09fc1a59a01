#include "orchestrator/core/claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

// Of one length: the one is written over the other.
constexpr std::string_view held_word = "held    ";
constexpr std::string_view released_word = "released";
constexpr std::string_view new_mark = "new.";

fs::path claim_file(const fs::path& lock, int number) {
  return lock.string() + fmt::format(".{}", number);
}

/// A name that no other process has, on any host.
fs::path new_file(const fs::path& lock) {
  static std::atomic<int> count = 0;
  const ProcessIdentity self = this_process();
  return lock.string() +
         fmt::format(".{}{}.{}.{}.{}", new_mark, self.host, self.pid, self.start_ticks, ++count);
}

std::string text_of(const ProcessIdentity& process) {
  return fmt::format("{}\nprocess {} on {}\nstart {}\nboot {}\nspace {}\nsince {}\n", held_word, process.pid,
                     process.host, process.start_ticks, process.boot, process.pid_space, utc_text(now_s()));
}

std::int64_t changed_ns(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

void recall(Claim& claim, std::string_view line) {
  const auto pieces = words(line);
  if (pieces.size() == 4 && pieces[0] == "process") {
    claim.process.pid = static_cast<int>(parsed_integer(pieces[1]).value_or(0));
    claim.process.host = pieces[3];
  }
  if (pieces.size() != 2) return;
  if (pieces[0] == "start")
    claim.process.start_ticks = static_cast<unsigned long long>(parsed_integer(pieces[1]).value_or(0));
  if (pieces[0] == "boot") claim.process.boot = pieces[1];
  if (pieces[0] == "space") claim.process.pid_space = pieces[1];
  if (pieces[0] == "since") claim.since_s = utc_seconds(pieces[1]).value_or(0);
}

/// The number behind `<lock>.` in a file's name; 0: it has none. A number that no lock reaches was planted:
/// the next one must fit too.
int number_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  if (name.empty() || !std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) return 0;
  constexpr std::int64_t most = 1'000'000'000;
  const std::int64_t number = parsed_integer(name).value_or(0);
  return number <= most ? static_cast<int>(number) : 0;
}

std::string prefix_of(const fs::path& lock) {
  return lock.filename().string() + ".";
}

bool write_synced(int fd, std::string_view text) {
  return ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
}

tl::unexpected<Error> unwritable(const fs::path& path, int code) {
  return fail_environment(path.string(), fmt::format("cannot write: {}", std::strerror(code)),
                          code == ENOSPC || code == EDQUOT ? "free some space there" : "");
}

/// Whether this errno means that the filesystem has no links.
bool has_no_links(int code) {
  constexpr std::array codes = {EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV};
  return std::ranges::find(codes, code) != codes.end();
}

}  // namespace

Result<int> last_claim(const fs::path& lock) {
  std::error_code code;
  const fs::path folder = lock.has_parent_path() ? lock.parent_path() : fs::path(".");
  const std::string prefix = prefix_of(lock);
  int last = 0;
  auto entry = fs::directory_iterator(folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    last = std::max(last, number_in(entry->path().filename().string(), prefix));
  if (code) return fail_environment(folder.string(), fmt::format("cannot be read: {}", code.message()));
  return last;
}

Claim read_claim(const fs::path& lock, int number) {
  Claim claim;
  // A claim that others planted may be a pipe or a link: it is none then, and does not hold us.
  const int fd = ::open(claim_file(lock, number).c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return claim;
  struct stat status = {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);
    return claim;
  }
  claim.number = number;
  claim.heartbeat_ns = changed_ns(status);
  std::array<char, 1024> buffer{};
  const ssize_t n = ::read(fd, buffer.data(), buffer.size());
  ::close(fd);
  const std::string_view text(buffer.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  claim.released = text.starts_with(released_word);
  for (const std::string_view line : split(text, '\n')) recall(claim, line);
  return claim;
}

Result<int> make_claim(const fs::path& lock, int number) {
  const fs::path building = new_file(lock);
  const fs::path final_file = claim_file(lock, number);
  int fd = ::open(building.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return unwritable(building, errno);
  const auto drop = [&] {
    const int reason = errno;
    ::close(fd);
    ::unlink(building.c_str());
    return reason;
  };
  const std::string text = text_of(this_process());
  if (!write_synced(fd, text)) return unwritable(building, drop());
  struct stat status = {};
  if (::link(building.c_str(), final_file.c_str()) == 0) {
    ::unlink(building.c_str());
    return fd;
  }
  const int reason = errno;
  // An answer of NFS that was lost is asked for again, and the second finds what the first made.
  if (reason == EEXIST && ::fstat(fd, &status) == 0 && status.st_nlink == 2) {
    ::unlink(building.c_str());
    return fd;
  }
  drop();
  if (reason == EEXIST || reason == ENOENT) return -1;  // ENOENT: who won tidied up
  if (!has_no_links(reason)) return unwritable(final_file, reason);
  fd = ::open(final_file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) return -1;
  if (fd < 0) return unwritable(final_file, errno);
  if (!write_synced(fd, text)) {
    const int code = errno;
    release_claim(fd);
    ::close(fd);
    return unwritable(final_file, code);
  }
  return fd;
}

void release_claim(int fd) {
  // Where this can't be written any more the claim is given up as that of a process that is gone.
  [[maybe_unused]] const ssize_t n = ::pwrite(fd, released_word.data(), released_word.size(), 0);
}

void remove_claims_below(const fs::path& lock, int number) {
  const fs::path folder = lock.has_parent_path() ? lock.parent_path() : fs::path(".");
  const std::string prefix = prefix_of(lock);
  const std::string new_prefix = prefix + std::string(new_mark);
  std::vector<fs::path> old;
  std::error_code code;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    const int its = number_in(name, prefix);
    if ((its > 0 && its < number) || name.starts_with(new_prefix)) old.push_back(entry->path());
  }
  for (const fs::path& file : old) fs::remove(file, code);
}

std::int64_t filesystem_now_ns(const fs::path& lock) {
  const fs::path probe = new_file(lock);
  const int fd = ::open(probe.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat status = {};
  // A server gives the file its time where it is asked for "now", not when the file is made here.
  const bool is_stamped = fd >= 0 && ::futimens(fd, nullptr) == 0 && ::fstat(fd, &status) == 0;
  if (fd >= 0) {
    ::close(fd);
    ::unlink(probe.c_str());
  }
  return is_stamped ? changed_ns(status) : static_cast<std::int64_t>(now_s() * 1e9);
}

}  // namespace shakedown
