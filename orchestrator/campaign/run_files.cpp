#include "orchestrator/campaign/run_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <algorithm>

#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/job.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

constexpr size_t excerpt_half = 6000;  // bytes of head and of tail that a report can show

/// Head and tail of a text that are masked before they are cut: a secret that begins in an excerpt ends
/// there.
constexpr size_t masked_half = 64 << 10;

std::string excerpt_of(std::string_view content, const SecretMask& mask) {
  if (content.find('\0') != std::string_view::npos) return "";  // not a text
  const bool whole = content.size() <= 2 * masked_half;
  std::string first = mask(whole ? content : content.substr(0, masked_half));
  if (whole && first.size() <= 2 * excerpt_half) return first;
  const std::string last = whole ? first : mask(content.substr(content.size() - masked_half));
  const size_t head = first.rfind('\n', excerpt_half);
  const size_t from = last.size() - std::min(last.size(), excerpt_half);
  const size_t tail = last.find('\n', from);
  const auto head_text = std::string_view(first).substr(0, head == std::string::npos ? excerpt_half : head);
  const auto tail_text = std::string_view(last).substr(tail == std::string::npos ? from : tail + 1);
  const auto lines = [](std::string_view text) { return std::ranges::count(text, '\n'); };
  const auto left_out = (whole ? lines(first) : lines(content)) - lines(head_text) - lines(tail_text) - 2;
  return fmt::format("{}\n[... {} lines omitted: see the file ...]\n{}", head_text,
                     std::max<std::ptrdiff_t>(0, left_out), tail_text);
}

}  // namespace

std::vector<FileRecord> run_files(const fs::path& folder, const SecretMask& mask) {
  std::vector<FileRecord> files;
  std::error_code code;
  for (auto it = fs::recursive_directory_iterator(folder, code); it != fs::recursive_directory_iterator();
       it.increment(code)) {
    if (code) break;
    const std::string name = it->path().lexically_relative(folder).string();
    if (name.starts_with("by-hand-")) {
      it.disable_recursion_pending();
      continue;
    }
    if (leads_out(it->path(), folder)) continue;  // not this run's own: neither hashed nor quoted
    if (!it->is_regular_file(code) || name.starts_with('.') || name.ends_with(".tmp")) continue;
    FileRecord file;
    file.name = name;
    file.bytes = static_cast<std::int64_t>(it->file_size(code));
    constexpr std::int64_t read_whole_below = 64 << 20;
    if (file.bytes <= read_whole_below) {
      const auto content = file_content(it->path());
      if (!content) continue;
      file.sha256 = sha256(*content);
      const bool in_store =
          name == "environment.json" || (name.starts_with("node-") && name.ends_with(".json"));
      if (!in_store && (mask.quotes() || name == job_script_file)) file.excerpt = excerpt_of(*content, mask);
    } else if (auto hash = sha256_of_file(it->path())) {
      file.sha256 = *hash;
    }
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const FileRecord& a, const FileRecord& b) { return a.name < b.name; });
  return files;
}

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code code;
  auto it = fs::directory_iterator(folder, code);
  for (; !code && it != fs::directory_iterator(); it.increment(code)) found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// What a pattern names, component by component. A component that is there to the letter is not taken for a
/// pattern.
std::vector<fs::path> named(const fs::path& folder, std::string_view pattern) {
  std::vector<fs::path> found = {folder};
  for (const std::string_view part : split(pattern, '/')) {
    const std::string component(part);
    std::vector<fs::path> next;
    for (const fs::path& each : found) {
      std::error_code code;
      if (fs::exists(each / component, code)) {
        next.push_back(each / component);
        continue;
      }
      for (const fs::path& entry : entries(each))
        if (::fnmatch(component.c_str(), entry.filename().c_str(), FNM_PERIOD) == 0) next.push_back(entry);
    }
    found = std::move(next);
  }
  return found;
}

/// When a file was last written; a folder is as new as the newest file in it.
fs::file_time_type age(const fs::path& path) {
  std::error_code code;
  std::vector<fs::path> files = {path};
  if (fs::is_directory(path, code)) files = entries(path);
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& file : files) {
    const auto time = fs::last_write_time(file, code);
    if (!code) newest = std::max(newest, time);
  }
  return newest;
}

}  // namespace

ResultFiles result_files(const fs::path& folder, std::string_view wanted) {
  const std::string name = wanted.empty() ? "stdout.log" : std::string(wanted);
  const std::vector<fs::path> found = named(folder, name);
  if (found.empty()) return {name, {name}, ""};
  const auto newest = std::max_element(found.begin(), found.end(),
                                       [](const fs::path& a, const fs::path& b) { return age(a) < age(b); });
  ResultFiles result;
  result.name = newest->lexically_relative(folder).string();
  if (found.size() > 1)
    result.warning =
        fmt::format("{} files are called '{}': the newest is read, {}", found.size(), name, result.name);
  std::error_code code;
  if (!fs::is_directory(*newest, code)) {
    result.files = {result.name};
    return result;
  }
  for (const fs::path& entry : entries(*newest))
    if (fs::is_regular_file(entry, code)) result.files.push_back(entry.lexically_relative(folder).string());
  return result;
}

namespace {

/// The beginning of a hash, which results.json holds whole.
std::string in_short(const std::string& sha256) {
  return sha256.substr(0, 16);
}

}  // namespace

RuleResult implementation_rule(const AttemptRecord& attempt, const Case& planned,
                               const Commitment& commitment) {
  RuleResult rule;
  rule.id = "IMPL-01";
  rule.title = "The executable that ran is the planned one";
  rule.source = "the campaign's commitment, the first line of its journal";
  const Container& container = planned.container;
  if (!container.image.empty()) {
    const std::string image = committed_image(commitment, container.image);
    rule.value = image.empty() ? container.digest : image;
    rule.text = fmt::format("what ran in the container is not known; {}",
                            !image.empty()             ? "its image is the one of the commitment"
                            : container.digest.empty() ? "its image is bound by no digest"
                                                       : "the site states its image's digest");
    return rule;
  }
  const std::string executable = executable_of(planned);
  const std::string wanted = committed_program(commitment, executable);
  const std::string& found = attempt.program_sha256;
  if (!found.empty()) rule.value = fmt::format("{}, SHA-256 {}", attempt.program, in_short(found));
  if (wanted.empty()) {
    rule.text = "the executable could not be read where the campaign was started";
  } else if (found.empty()) {
    rule.text = "the node did not report what it ran";
  } else if (found == wanted) {
    rule.status = RuleStatus::pass;
  } else {
    rule.status = RuleStatus::fail;
    rule.text = fmt::format("{} ran with SHA-256 {}, and the planned {} has {}", attempt.program,
                            in_short(found), executable, in_short(wanted));
  }
  return rule;
}

void judge_implementation(AttemptRecord& attempt, const Case& planned,
                          const std::optional<Commitment>& commitment) {
  if (!commitment) return;
  const RuleResult rule = implementation_rule(attempt, planned, *commitment);
  for (ResultRecord& result : attempt.results) {
    // A suite without rules is judged by its results alone: one more unknown rule would make it undecided.
    if (result.rules.empty() && rule.status != RuleStatus::fail) continue;
    result.rules.push_back(rule);
    if (rule.status == RuleStatus::fail) result.validity = Validity::invalid;
  }
}

}  // namespace shakedown
