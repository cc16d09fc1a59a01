#include "orchestrator/campaign/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

nlohmann::ordered_json entry(std::string_view event) {
  nlohmann::ordered_json line;
  line["t"] = utc_text(now_s());
  line["event"] = event;
  return line;
}

/// One line; bytes that are no UTF-8 are replaced.
std::string line_text(const nlohmann::ordered_json& line) {
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The member `files` of a line; none: it has none.
std::vector<CollectedFile> files_from(const nlohmann::ordered_json& line) {
  std::vector<CollectedFile> found;
  const auto files = line.find("files");
  if (files == line.end()) return found;
  for (const auto& file : *files)
    found.push_back(
        {file.at("name"), file.at("sha256"), file.at("bytes"), file.value("changed_ns", std::int64_t{0})});
  return found;
}

void put_files(nlohmann::ordered_json& line, const std::vector<CollectedFile>& files) {
  line["files"] = nlohmann::ordered_json::array();
  for (const CollectedFile& file : files)
    line["files"].push_back({{"name", file.name},
                             {"sha256", file.sha256},
                             {"bytes", file.bytes},
                             {"changed_ns", file.changed_ns}});
}

CollectedAttempt collected_from(const nlohmann::ordered_json& line) {
  CollectedAttempt attempt{
      line.at("case"), line.at("attempt"), std::nullopt, line.value("failure", ""), {}, {}};
  attempt.state = attempt_state(line.value("state", ""));
  attempt.stored = {line.value("record", ""), line.value("excerpts", "")};
  attempt.files = files_from(line);
  return attempt;
}

/// Another line on the same attempt. A file's content is the one of the first line on it.
void collect_again(CollectedAttempt& known, CollectedAttempt again) {
  if (known.is_done() && again.state && is_without_end(*again.state)) return;  // its files vanished since
  const bool was_open = known.state && is_without_end(*known.state);
  if (was_open && !(again.state && is_without_end(*again.state)))
    known.files.clear();  // it ran on: its logs have grown since
  for (CollectedFile& file : again.files) {
    const auto first = std::ranges::find(known.files, file.name, &CollectedFile::name);
    if (first == known.files.end())
      known.files.push_back(std::move(file));
    else if (first->sha256 == file.sha256)
      first->changed_ns = file.changed_ns;
  }
  known.state = again.state;
  known.failure = std::move(again.failure);
  if (!again.stored.record.empty()) known.stored = std::move(again.stored);
}

}  // namespace

bool CollectedAttempt::is_done() const {
  const auto how = state || !failure.empty() ? state : AttemptState::finished;
  return how && shakedown::is_done(*how);
}

Result<Journal> Journal::open(const std::filesystem::path& campaign_folder) {
  const auto path = campaign_folder / "journal.jsonl";
  // O_NONBLOCK: a pipe in the place of a journal does not hold us.
  constexpr int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd = ::open(path.c_str(), flags, 0666);
  if (fd < 0) return fail_environment(path.string(), fmt::format("cannot open: {}", std::strerror(errno)));
  Journal journal(fd, path);
  const auto text = file_content(path);
  if (!text) return failure_of(text);
  for (const std::string_view line : split(*text, '\n')) journal.content_.recall(line);
  journal.end_ = chain_end(*text);
  if (journal.end_.cut)
    if (auto closed = journal.close_cut_line(); !closed) return failure_of(closed);
  return journal;
}

void JournalContent::recall(std::string_view text) try {
  const auto line = json_or_discarded<nlohmann::ordered_json>(text);
  if (!line.is_object()) return;
  const auto intend = [&](const std::string& case_id, int attempt) {
    int& last = intended[case_id];
    last = std::max(last, attempt);
    has_run_since_images = true;
  };
  const auto event = line.value("event", "");
  if (event == "finished") {
    is_over = true;
    measures_again = false;
    job_files = files_from(line);
  }
  if (event == "measure-again" || event == "planned") measures_again = true;
  if (event == "begun" || event == "interrupted" || event == "planned") is_over = false;
  if (event == "attempt") {  // as written before a job could have several
    intend(line.at("case"), line.at("attempt"));
  } else if (event == "job") {
    for (const auto& attempt : line.at("attempts")) intend(attempt.at(0), attempt.at(1));
  } else if (event == "submitted") {
    known_as[line.at("job")] = line.at("as");
  } else if (event == "excluded") {
    excluded.push_back({line.at("node"), line.at("because"), utc_seconds(line.value("t", "")).value_or(0)});
  } else if (event == "machine-failed") {
    MachineFailure failure{line.at("case"),    line.at("attempt"), line.at("job"),         line.at("nodes"),
                           line.at("because"), line.at("counts"),  line.value("hosts", "")};
    const std::pair attempt{failure.case_id, failure.attempt};
    machine_failures.emplace(attempt, std::move(failure));
  } else if (event == "collected") {
    CollectedAttempt attempt = collected_from(line);
    const std::pair key{attempt.case_id, attempt.attempt};
    const auto [known, first] = collected.try_emplace(key, attempt);
    if (!first) collect_again(known->second, std::move(attempt));
    if (const std::string& failure = known->second.failure; !failure.empty())
      failures[key] = failure;
    else
      failures.erase(key);
  } else if (event == "measure-again") {
    for (const auto& attempt : line.at("attempts"))
      measured_again_from[attempt.at(0).get<std::string>()] = attempt.at(1);
  } else if (event == "planned") {
    if (auto planned = case_from_json(line.at("case").dump(), "journal.jsonl"))
      added.push_back(*std::move(planned));
  } else if (event == "not-run") {
    not_run[line.at("case")] = line.at("because");
  } else if (event == "criteria") {
    if (!wrong_run_file(line.at("file").get<std::string>()).empty()) return;  // outside the folder
    criteria.push_back({line.at("revision"), line.at("name"), line.at("file"), line.at("sha256"),
                        line.at("reason"), line.at("at_s")});
  } else if (event == "images") {
    images.clear();
    for (const auto& image : line.at("images")) images.push_back({image.at("file"), image.at("sha256")});
    has_run_since_images = false;
  } else if (event == "verdict") {
    verdict_sha256 = line.at("sha256");
  } else if (event == "begun") {
    not_run.clear();
    job_files.clear();  // further jobs write there
  }
} catch (const nlohmann::json::exception&) {
  return;
}

std::optional<AttemptState> JournalContent::ended_for_good(const std::string& case_id) const {
  const auto last = intended.find(case_id);
  if (last == intended.end()) return std::nullopt;
  const std::pair<std::string, int> attempt{case_id, last->second};
  const auto it = collected.find(attempt);
  // One that the machine failed may be tried again.
  if (it == collected.end() || machine_failures.contains(attempt)) return std::nullopt;
  if (!it->second.is_done()) return std::nullopt;
  return it->second.state.value_or(AttemptState::finished);
}

Result<JournalContent> read_journal(const std::filesystem::path& campaign_folder) {
  JournalContent content;
  const auto path = campaign_folder / "journal.jsonl";
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return content;
  auto text = file_content(path);
  if (!text) return failure_of(text);
  // A command asks for the same journal several times, and its lines are as long as an attempt has files.
  static std::mutex mutex;
  static std::pair<std::string, JournalContent> last;
  const std::lock_guard lock(mutex);
  if (last.first == *text) return last.second;
  for (const std::string_view line : split(*text, '\n')) content.recall(line);
  last = {*std::move(text), content};
  return content;
}

int Journal::last_intended(std::string_view case_id) const {
  const auto it = content_.intended.find(case_id);
  return it == content_.intended.end() ? 0 : it->second;
}

Journal::Journal(Journal&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      end_(std::move(other.end_)),
      content_(std::move(other.content_)) {}
Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(end_, other.end_);
  std::swap(content_, other.content_);
  return *this;
}
Journal::~Journal() {
  if (fd_ >= 0) ::close(fd_);
}

Result<void> Journal::put(std::string_view text) {
  // One write of whole lines: O_APPEND keeps them whole.
  errno = 0;
  const ssize_t n = ::write(fd_, text.data(), text.size());
  if (n == static_cast<ssize_t>(text.size())) return {};
  return fail_environment(path_.string(),
                          fmt::format("cannot write: {}", n < 0 ? std::strerror(errno) : "disk full"),
                          "free some space there");
}

/// Closes a line that a full disk or a power loss cut.
Result<void> Journal::close_cut_line() {
  if (auto closed = put("\n"); !closed) return closed;
  ++end_.bytes;
  end_.cut = false;
  return {};
}

/// Where another process appended since, or a write of ours was cut, the file is read again.
Result<void> Journal::find_end() {
  struct stat now = {};
  if (::fstat(fd_, &now) == 0 && now.st_size == end_.bytes && !end_.cut) return {};
  const auto text = file_content(path_);
  if (!text) return failure_of(text);
  end_ = chain_end(*text);
  return end_.cut ? close_cut_line() : Result<void>();
}

Result<void> Journal::append(std::string_view line) {
  // One writer at a time: each names the line before its own. Where the filesystem has no locks, the
  // campaign's own lock excludes others.
  const bool locked = ::flock(fd_, LOCK_EX) == 0;
  auto done = find_end();
  if (done) {
    const std::string text = chained_line(line, end_.sha256) + "\n";
    done = put(text);
    end_.cut = !done;
    end_.bytes += static_cast<std::int64_t>(text.size());
    if (done) end_.sha256 = sha256(text);
  }
  if (locked) ::flock(fd_, LOCK_UN);
  return done;
}

/// Appends a line and takes it in.
Result<void> Journal::write(const std::string& line) {
  if (auto written = append(line); !written) return written;
  content_.recall(line);
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
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::submitted(std::string_view job, std::string_view known_as) {
  auto line = entry("submitted");
  line["job"] = job;
  line["as"] = known_as;
  return write(line_text(line));
}

std::string Journal::known_as(std::string_view job) const {
  const auto it = content_.known_as.find(job);
  return it == content_.known_as.end() ? "" : it->second;
}

Result<void> Journal::exclude(std::string_view node, std::string_view because) {
  auto line = entry("excluded");
  line["node"] = node;
  line["because"] = because;
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::failed_by_machine(const MachineFailure& failure) {
  if (content_.machine_failures.contains({failure.case_id, failure.attempt})) return {};
  auto line = entry("machine-failed");
  line["case"] = failure.case_id;
  line["attempt"] = failure.attempt;
  line["job"] = failure.job;
  line["nodes"] = failure.suspected;
  line["because"] = failure.because;
  line["counts"] = failure.counts;
  if (!failure.hosts.empty()) line["hosts"] = failure.hosts;
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::measure_again(const std::vector<std::pair<std::string, int>>& attempts) {
  auto line = entry("measure-again");
  line["attempts"] = attempts;
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::add(const Case& planned) {
  auto line = entry("planned");
  line["case"] = json_or_thrown<nlohmann::ordered_json>(case_json(planned));
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::revise(const JournaledCriteria& criteria) {
  auto line = entry("criteria");
  line["revision"] = criteria.revision;
  line["name"] = criteria.name;
  line["file"] = criteria.file;
  line["sha256"] = criteria.sha256;
  line["reason"] = criteria.reason;
  line["at_s"] = criteria.at_s;
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::ended_with(const std::vector<JournaledImage>& images) {
  auto line = entry("images");
  line["images"] = nlohmann::ordered_json::array();
  for (const JournaledImage& image : images)
    line["images"].push_back({{"file", image.file}, {"sha256", image.sha256}});
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::judged(std::string_view verdict_sha256) {
  auto line = entry("verdict");
  line["sha256"] = verdict_sha256;
  if (auto written = write(line_text(line)); !written) return written;
  return sync();
}

Result<void> Journal::give_up(std::string_view case_id, std::string_view because) {
  auto line = entry("not-run");
  line["case"] = case_id;
  line["because"] = because;
  return write(line_text(line));
}

Result<void> Journal::begin_execution() {
  return write(line_text(entry("begun")));
}

Result<void> Journal::collected(const CollectedAttempt& attempt) {
  auto line = entry("collected");
  line["case"] = attempt.case_id;
  line["attempt"] = attempt.attempt;
  if (attempt.state) line["state"] = to_string(*attempt.state);
  if (!attempt.failure.empty()) line["failure"] = attempt.failure;
  line["record"] = attempt.stored.record;
  line["excerpts"] = attempt.stored.excerpts;
  put_files(line, attempt.files);
  return write(line_text(line));
}

Result<void> Journal::finished(const std::vector<CollectedFile>& job_files) {
  auto line = entry("finished");
  put_files(line, job_files);
  return append(line_text(line));
}

const CollectedAttempt* Journal::collected(const std::string& case_id, int attempt) const {
  const auto it = content_.collected.find({case_id, attempt});
  return it == content_.collected.end() ? nullptr : &it->second;
}

Result<void> Journal::note(std::string_view event, std::string_view case_id, int attempt) {
  auto line = entry(event);
  if (!case_id.empty()) line["case"] = case_id;
  if (attempt > 0) line["attempt"] = attempt;
  return append(line_text(line));
}

}  // namespace shakedown
