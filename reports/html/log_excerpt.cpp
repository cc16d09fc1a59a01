#include "reports/html/log_excerpt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {

Shortened shortened(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return {std::string(text), 0};
  std::string_view head = text.substr(0, most_bytes / 2);
  std::string_view tail = text.substr(text.size() - most_bytes / 2);
  // A line that is longer than an end stays cut.
  if (const size_t end = head.rfind('\n'); end != std::string_view::npos) head = head.substr(0, end + 1);
  if (const size_t start = tail.find('\n'); start != std::string_view::npos && start + 1 < tail.size())
    tail = tail.substr(start + 1);
  const size_t left_out = text.size() - head.size() - tail.size();
  return {fmt::format("{}\n[... {} bytes left out ...]\n\n{}", head, left_out, tail), left_out};
}

std::vector<Fields> log_excerpts(const MeasuredCase& record) {
  static constexpr size_t most_bytes = 8 * 1024;
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
    const Shortened text = shortened(kept->excerpt, most_bytes);
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
