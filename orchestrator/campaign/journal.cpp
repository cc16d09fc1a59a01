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

nlohmann::ordered_json entry(std::string_view event) {
  nlohmann::ordered_json line;
  line["t"] = utc_text(now_s());
  line["event"] = event;
  return line;
}

}  // namespace

Result<Journal> Journal::open(const std::filesystem::path& campaign_folder) {
  const auto path = campaign_folder / "journal.jsonl";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return fail_environment(path.string(), fmt::format("cannot open: {}", std::strerror(errno)));
  Journal journal(fd, path);
  const auto text = file_content(path);
  if (!text) return pass_on(text);
  for (const std::string_view line : split(*text, '\n')) journal.recall(line);
  if (!text->empty() && text->back() != '\n')
    if (auto closed = journal.append("\n"); !closed) return pass_on(closed);
  return journal;
}

/// Takes one line of the journal into what it knows; a line that is not its own says nothing.
void Journal::recall(std::string_view text) try {
  const auto line = nlohmann::json::parse(text, nullptr, false);
  if (!line.is_object()) return;
  const auto intended = [&](const std::string& case_id, int attempt) {
    int& last = intended_[case_id];
    last = std::max(last, attempt);
  };
  const auto event = line.value("event", "");
  if (event == "attempt")  // as written before a job could have several
    intended(line.at("case"), line.at("attempt"));
  else if (event == "job")
    for (const auto& attempt : line.at("attempts")) intended(attempt.at(0), attempt.at(1));
  else if (event == "submitted")
    known_as_[line.at("job")] = line.at("as");
  else if (event == "excluded")
    excluded_[line.at("node")] = line.at("because");
} catch (const nlohmann::json::exception&) {
  return;
}

int Journal::last_intended(std::string_view case_id) const {
  const auto it = intended_.find(case_id);
  return it == intended_.end() ? 0 : it->second;
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      intended_(std::move(other.intended_)),
      known_as_(std::move(other.known_as_)),
      excluded_(std::move(other.excluded_)) {}
Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(intended_, other.intended_);
  std::swap(known_as_, other.known_as_);
  std::swap(excluded_, other.excluded_);
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

/// Appends a line and takes it in.
Result<void> Journal::write(const std::string& line) {
  if (auto written = append(line + "\n"); !written) return written;
  recall(line);
  return {};
}

Result<void> Journal::sync() {
  if (::fdatasync(fd_) == 0) return {};
  return fail_environment(path_.string(), fmt::format("cannot sync: {}", std::strerror(errno)));
}

Result<void> Journal::intend(std::string_view job, const std::vector<std::pair<std::string, int>>& attempts) {
  auto line = entry("job");
  line["job"] = job;
  line["attempts"] = attempts;
  if (auto written = write(line.dump()); !written) return written;
  return sync();
}

Result<void> Journal::submitted(std::string_view job, std::string_view known_as) {
  auto line = entry("submitted");
  line["job"] = job;
  line["as"] = known_as;
  return write(line.dump());
}

std::string Journal::known_as(std::string_view job) const {
  const auto it = known_as_.find(job);
  return it == known_as_.end() ? "" : it->second;
}

Result<void> Journal::exclude(std::string_view node, std::string_view because) {
  auto line = entry("excluded");
  line["node"] = node;
  line["because"] = because;
  if (auto written = write(line.dump()); !written) return written;
  return sync();
}

Result<void> Journal::note(std::string_view event, std::string_view case_id, int attempt) {
  auto line = entry(event);
  if (!case_id.empty()) line["case"] = case_id;
  if (attempt > 0) line["attempt"] = attempt;
  return append(line.dump() + "\n");
}

}  // namespace shakedown
