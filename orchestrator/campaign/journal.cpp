#include "orchestrator/campaign/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

std::string line_of(std::string_view event, std::string_view case_id, int attempt) {
  nlohmann::ordered_json line;
  line["t"] = utc_text(now_s());
  line["event"] = event;
  if (!case_id.empty()) line["case"] = case_id;
  if (attempt > 0) line["attempt"] = attempt;
  return line.dump() + "\n";
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& campaign_folder) {
  const auto path = campaign_folder / "journal.jsonl";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return fail_environment(path.string(), fmt::format("cannot open: {}", std::strerror(errno)));
  return Journal(fd, path);
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(fd_, other.fd_);
  path_ = other.path_;
  return *this;
}
Journal::~Journal() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> Journal::append(std::string_view line) {
  // One write of one line: O_APPEND keeps lines whole.
  const ssize_t n = ::write(fd_, line.data(), line.size());
  if (n == static_cast<ssize_t>(line.size())) return {};
  return fail_environment(path_.string(),
                          fmt::format("cannot write: {}", n < 0 ? std::strerror(errno) : "disk full"),
                          "free some space, then `shakedown resume`");
}

Result<void> Journal::intend(std::string_view case_id, int attempt) {
  if (auto written = append(line_of("attempt", case_id, attempt)); !written) return written;
  if (::fdatasync(fd_) != 0)
    return fail_environment(path_.string(), fmt::format("cannot sync: {}", std::strerror(errno)));
  return {};
}

Result<void> Journal::note(std::string_view event, std::string_view case_id, int attempt) {
  return append(line_of(event, case_id, attempt));
}

}  // namespace shakedown
