#include "orchestrator/campaign/append_line.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"

namespace shakedown {
namespace {

constexpr std::string_view move_workspace =
    "the workspace must be writable: copy it, or use another with -w DIR";

Result<void> appended(const fs::path& path, std::string_view line, bool chained) {
  if (auto made = make_private_folder(path.parent_path()); !made)
    return failure_of(made, std::string(move_workspace));
  const auto failed = [&](std::string_view what) {
    return fail_environment(path.string(), fmt::format("{}: {}", what, std::strerror(errno)),
                            errno == ENOSPC ? "free some space there" : std::string(move_workspace));
  };
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) return failed("cannot be written");
  // One at a time: what a power loss cut was never confirmed to anybody, and goes before the next line comes.
  if (::flock(fd, LOCK_EX) != 0 && errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP) {
    auto refused = failed("cannot be locked");
    ::close(fd);
    return refused;
  }
  const auto whole = file_content(path);
  if (!whole) {
    ::close(fd);
    return failure_of(whole);
  }
  const auto end = whole->find_last_of('\n');
  const std::string_view last =
      std::string_view(*whole).substr(end == std::string::npos ? 0 : end + 1);  // of a file without an end
  const bool lacks_end = !json_or_discarded<nlohmann::json>(last).is_discarded();
  if (!last.empty() && !lacks_end)
    if (::ftruncate(fd, end == std::string::npos ? 0 : static_cast<off_t>(end) + 1) != 0) {
      auto refused = failed("cannot be written");
      ::close(fd);
      return refused;
    }
  const std::string_view kept = std::string_view(*whole).substr(
      0, last.empty() || lacks_end ? whole->size() : whole->size() - last.size());
  const std::string text = (lacks_end ? "\n" : "") +
                           (chained ? chained_line(line, kept.empty() ? chain_origin : chain_end(kept).sha256)
                                    : std::string(line)) +
                           "\n";
  Result<void> done;
  errno = 0;
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    if (errno == 0) errno = ENOSPC;
    done = failed("cannot be written");
  } else if (::fsync(fd) != 0) {
    done = failed("cannot be synced");
  }
  ::close(fd);
  return done ? sync_folder(path.parent_path()) : done;
}

}  // namespace

Result<void> append_line(const fs::path& path, std::string_view line) {
  return appended(path, line, /*chained=*/false);
}

Result<void> append_chained_line(const fs::path& path, std::string_view line) {
  return appended(path, line, /*chained=*/true);
}

}  // namespace shakedown
