#include "reports/html/log_excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {

namespace {

/// The lines of `text` without the blanks at their ends, numbered from `first`; 0: without numbers.
void add_lines(std::string& out, std::string_view text, std::size_t first) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = first > 0 ? fmt::format("{:>5}  {}", first++, text.substr(0, end))
                                       : fmt::format("       {}", text.substr(0, end));
    out += line.substr(0, line.find_last_not_of(" \t\r") + 1) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

NumberedText numbered_text(std::string_view text, std::size_t most_bytes, std::size_t bytes) {
  NumberedText shown;
  if (text.size() <= most_bytes) {
    add_lines(shown.text, text, 1);
    return shown;
  }
  std::string_view head = text.substr(0, most_bytes / 2);
  std::string_view tail = text.substr(text.size() - most_bytes / 2);
  // A line that is longer than an end stays cut.
  if (const size_t end = head.rfind('\n'); end != std::string_view::npos) head = head.substr(0, end + 1);
  if (const size_t start = tail.find('\n'); start != std::string_view::npos && start + 1 < tail.size())
    tail = tail.substr(start + 1);
  shown.left_out = std::max(bytes, text.size()) - head.size() - tail.size();
  add_lines(shown.text, head, 1);
  shown.text += fmt::format("\n[... {} bytes left out ...]\n\n", shown.left_out);
  const std::string_view before = text.substr(0, text.size() - tail.size());
  add_lines(shown.text, tail,
            bytes == text.size() ? static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1 : 0);
  return shown;
}

std::vector<Fields> log_excerpts(const MeasuredCase& record) {
  static constexpr size_t most_bytes = 2 * 1024;  // of all that are shown
  static constexpr size_t most_logs = 3;
  std::vector<Fields> logs;
  const size_t first = record.attempts.size() > most_logs ? record.attempts.size() - most_logs : 0;
  for (size_t i = first; i < record.attempts.size(); ++i) {
    const AttemptRecord& attempt = record.attempts[i];
    const LogReference log = log_reference(record.planned, attempt);
    const auto kept = std::find_if(attempt.files.begin(), attempt.files.end(), [&](const FileRecord& file) {
      return attempt.run_folder + "/" + file.name == log.path;
    });
    if (kept == attempt.files.end() || kept->excerpt.empty()) continue;
    const NumberedText text = numbered_text(kept->excerpt, most_bytes / (record.attempts.size() - first),
                                            static_cast<std::size_t>(kept->bytes));
    logs.push_back(
        Fields()
            .text("path", log.path)
            .text("bytes", bytes_text(static_cast<double>(kept->bytes)))
            .text("sha256", kept->sha256)
            .text_if(
                "cut",
                text.left_out > 0
                    ? "Beginning and end are shown; the whole log lies at this path in the campaign's folder."
                    : "")
            .text("text", text.text));
  }
  return logs;
}

}  // namespace shakedown
