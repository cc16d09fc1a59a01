#include "orchestrator/campaign/run_files.hpp"

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/folder.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/secret.hpp"

namespace shakedown {
namespace {

constexpr size_t excerpt_half = 6000;  // bytes of head and of tail that a report can show

std::string excerpt_of(std::string_view content) {
  if (content.find('\0') != std::string_view::npos) return "";  // not a text
  if (content.size() <= 2 * excerpt_half) return std::string(content);
  const size_t head = content.rfind('\n', excerpt_half);
  const size_t tail = content.find('\n', content.size() - excerpt_half);
  const size_t head_end = head == std::string_view::npos ? excerpt_half : head;
  const size_t tail_begin = tail == std::string_view::npos ? content.size() - excerpt_half : tail + 1;
  const auto left_out = std::count(content.begin() + static_cast<std::ptrdiff_t>(head_end),
                                   content.begin() + static_cast<std::ptrdiff_t>(tail_begin), '\n') -
                        1;
  return fmt::format("{}\n[... {} lines left out: see the file ...]\n{}", content.substr(0, head_end),
                     std::max<std::ptrdiff_t>(0, left_out), content.substr(tail_begin));
}

}  // namespace

std::vector<FileRecord> run_files(const fs::path& folder) {
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
      if (!in_store) file.excerpt = without_secrets(excerpt_of(*content));
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
