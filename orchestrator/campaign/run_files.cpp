#include "orchestrator/campaign/run_files.hpp"

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/folder.hpp"
#include "orchestrator/core/hash.hpp"
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

}  // namespace shakedown
