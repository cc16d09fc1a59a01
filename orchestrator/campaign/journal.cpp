#include "orchestrator/campaign/journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
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
  Journal journal(fd, path);
  const auto text = file_content(path);
  if (!text) return pass_on(text);
  for (const std::string_view line : split(*text, '\n')) {
    const auto entry = nlohmann::json::parse(line, nullptr, false);
    if (!entry.is_object() || entry.value("event", "") != "attempt") continue;
    int& last = journal.intended_[entry.value("case", "")];
    last = std::max(last, entry.value("attempt", 0));
  }
  if (!text->empty() && text->back() != '\n')
    if (auto closed = journal.append("\n"); !closed) return pass_on(closed);
  return journal;
}

int Journal::last_intended(std::string_view case_id) const {
  const auto it = intended_.find(case_id);
  return it == intended_.end() ? 0 : it->second;
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      intended_(std::move(other.intended_)) {}
Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(intended_, other.intended_);
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
                          "free some space there");
}

Result<void> Journal::intend(std::string_view case_id, int attempt) {
  if (auto written = append(line_of("attempt", case_id, attempt)); !written) return written;
  intended_[std::string(case_id)] = attempt;
  if (::fdatasync(fd_) != 0)
    return fail_environment(path_.string(), fmt::format("cannot sync: {}", std::strerror(errno)));
  return {};
}

Result<void> Journal::note(std::string_view event, std::string_view case_id, int attempt) {
  return append(line_of(event, case_id, attempt));
}

}  // namespace shakedown
